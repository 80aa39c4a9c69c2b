"""The smallest eigenvalues of the Laplacian of a graph, and their vectors.

    one of    L = D − W,     L_sym = I − D^(−½) W D^(−½)                                                          (1)

The zeros are known beforehand: one for each connected component, with its indicator (times √d for L_sym) as a vector. The
others are found within the components, orthogonal to it, by whatever suits the graph:

    small            all at once, by LAPACK
    dense            block Lanczos with c − L, one product of W with many columns at a time (block_lanczos.py)     (2)
    sparse, narrow   block Lanczos with (L + σ)⁻¹, from a sparse factorisation                                     (3)
    sparse, wide     block Lanczos with c − L, then with a polynomial of L (chebyshev_filter.py)

Width is the largest number of vertices at the same distance from an outermost one. A narrow graph, such as that of neighbours
in the plane, can be cut at few vertices, so its factors have few entries, while (2) would need thousands of steps: a walk takes
long to cross it. A wide one mixes fast, so that (2) needs few steps, and its factors would be full.

Where block Lanczos does not settle, LAPACK has the last word; where the graph is too large for it, the answer says so.

Cost: LAPACK O(n³); (2) about 10 to 100 products of W with a block; (3) O(n·log n) entries and O(n^1.5) operations in the plane.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from scipy import linalg, sparse
from scipy.sparse.linalg import splu

from aprendiz.cluster.spectral.block_lanczos import Found, Product, largest_eigenpairs, random_block
from aprendiz.cluster.spectral.chebyshev_filter import ChebyshevFilter
from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.neighbors.search.point_index import side_by_side

SMALL = 400  # vertices, below which LAPACK is the fastest
MANY_VERTICES = 24  # vertices for each wanted pair, below which the spans of block Lanczos would be as large as the graph
LARGEST_DENSE = 5000  # vertices for which LAPACK may be the last resort
LINES = 512  # of a dense table that a thread multiplies at a time
SHIFT = 1e-5  # σ, as a part of the largest degree
NARROW = 2.0  # the square of the width, as a multiple of the entries of W, up to which a graph is narrow
FULL = 200  # entries of W for each vertex, above which its factors are full, however narrow it is
MOST_STEPS = 400  # steps of block Lanczos with (L + σ)⁻¹, or with c − L of dense graphs
BEGIN = 10  # steps with c − L of sparse graphs, before a polynomial takes over
STEPS, ROUNDS = 6, 50  # of block Lanczos with a polynomial, in rounds that adapt it
THIN = 3  # columns of a block with (L + σ)⁻¹: each costs a solution, and few eigenvalues are more than double
MARGIN = 1.5  # where the polynomial begins to grow, as a multiple of the largest wanted eigenvalue


@dataclass(frozen=True)
class Eigenpairs:
    """The smallest eigenvalues, ascending, with orthonormal vectors as columns; how they were found, and whether to the end."""

    values: Array
    vectors: Array
    method: str
    settled: bool = True


@dataclass(frozen=True)
class Laplacian:
    """(1) of a graph without loops, as a product. `root` is √d for L_sym (1 where d = 0), ones for L."""

    W: Any
    degree: Array
    root: Array
    size: float  # c: all eigenvalues are at most 2c

    @classmethod
    def of(cls, W: Any, degree: Array, normalised: bool) -> Laplacian:
        root = np.sqrt(np.where(degree > 0, degree, 1.0)) if normalised else np.ones_like(degree)
        return cls(W, degree, root, 1.0 if normalised else float(degree.max()) or 1.0)

    def times(self, V: Array) -> Array:
        """L V."""
        scale = 1 / self.root[:, None]
        return (self.degree[:, None] * scale**2) * V - scale * multiply(self.W, scale * V)

    def remainder(self, V: Array) -> Array:
        """c V − L V."""
        return self.size * V - self.times(V)

    @property
    def null(self) -> Array:
        """The vector of the eigenvalue 0 of a connected graph, as a column."""
        return (self.root / np.linalg.norm(self.root))[:, None]

    def matrix(self) -> Any:
        """L as a table, sparse if W is."""
        scale = 1 / self.root
        if sparse.issparse(self.W):
            sides = sparse.diags_array(scale)
            return sparse.csc_array(sparse.diags_array(self.degree * scale**2) - sides @ self.W @ sides)
        table = self.W * -scale[:, None] * scale
        table[np.diag_indices_from(table)] = self.degree * scale**2
        return table


def multiply(W: Any, V: Array) -> Array:
    """W V; of a dense table, which is symmetric, as VᵀWᵀ: what BLAS does best with few columns of V."""
    if sparse.issparse(W):
        return np.asarray(W @ V)
    across = np.ascontiguousarray(V.T)
    starts = range(0, len(W), LINES)
    pieces = side_by_side(lambda start: across @ W[start : start + LINES].T, starts)
    return np.concatenate(pieces, axis=1).T


# ---- graphs of one and of several components ---------------------------------------------------------------------------


def smallest_eigenpairs(
    W: Any, degree: Array, part: Array, k: int, *, normalised: bool, tolerance: float, seed: int
) -> Eigenpairs:
    """The k smallest eigenpairs of L_sym, or of L. `part` is the component of each vertex. W has no loops."""
    L = Laplacian.of(W, degree, normalised)
    count = int(part.max()) + 1
    zeros = indicators(L.root, part, count)
    if count >= k:
        return Eigenpairs(np.zeros(k), zeros[:, largest_first(L.degree, part)[:k]], "components")
    if count == 1:
        rest = connected_eigenpairs(L, k - 1, tolerance, seed)
    else:
        rest = within_components(L, part, count, k - count, normalised, tolerance, seed)
    return Eigenpairs(
        np.concatenate([np.zeros(count), rest.values]),
        np.concatenate([zeros, rest.vectors], axis=1),
        rest.method,
        rest.settled,
    )


def indicators(root: Array, part: Array, count: int) -> Array:
    """The vectors of the eigenvalue 0: one column of length 1 for each component."""
    zeros = np.zeros((len(part), count))
    zeros[np.arange(len(part)), part] = root
    return zeros / np.sqrt(np.bincount(part, root**2))


def largest_first(degree: Array, part: Array) -> Array:
    """The components by their volume."""
    return np.argsort(-np.bincount(part, degree), kind="stable")


def within_components(
    L: Laplacian, part: Array, count: int, wanted: int, normalised: bool, tolerance: float, seed: int
) -> Eigenpairs:
    """The smallest eigenvalues above the zeros: those of the components, put in order."""
    found, columns = [], []
    for number in range(count):
        here = np.flatnonzero(part == number)
        if len(here) == 1:
            continue
        piece = Laplacian.of(L.W[here][:, here], L.degree[here], normalised)
        found.append(connected_eigenpairs(piece, min(wanted, len(here) - 1), tolerance, seed))
        columns.append(np.zeros((len(part), len(found[-1].values))))
        columns[-1][here] = found[-1].vectors
    values = np.concatenate([pairs.values for pairs in found])
    chosen = np.argsort(values, kind="stable")[:wanted]
    methods = [pairs.method for pairs in found]
    settled = all(pairs.settled for pairs in found)
    return Eigenpairs(values[chosen], np.hstack(columns)[:, chosen], max(methods, key=methods.count), settled)


# ---- one component -----------------------------------------------------------------------------------------------------


def connected_eigenpairs(L: Laplacian, wanted: int, tolerance: float, seed: int) -> Eigenpairs:
    """The smallest eigenpairs of a connected graph but the first."""
    n = len(L.degree)
    if wanted == 0:
        return Eigenpairs(np.empty(0), np.empty((n, 0)), "components")
    if n <= SMALL or MANY_VERTICES * (wanted + 4) > n:
        return by_lapack(L, wanted)
    narrow = sparse.issparse(L.W) and L.W.nnz <= FULL * n and width(L.W.indptr, L.W.indices) ** 2 <= NARROW * L.W.nnz
    found = (by_inverse if narrow else by_products)(L, wanted, tolerance, seed)
    return found if found.settled or n > LARGEST_DENSE else by_lapack(L, wanted)


def by_lapack(L: Laplacian, wanted: int) -> Eigenpairs:
    """The zero is lifted to the upper end of the spectrum, so that the others come first, orthogonal to it."""
    table = L.matrix()
    table = table.toarray() if sparse.issparse(table) else table
    table += 3 * L.size * (L.null @ L.null.T)
    values, vectors = linalg.eigh(table, subset_by_index=(0, wanted - 1), overwrite_a=True, check_finite=False)
    return Eigenpairs(np.maximum(values, 0.0), vectors, "LAPACK")


def by_products(L: Laplacian, wanted: int, tolerance: float, seed: int) -> Eigenpairs:
    """(2); of sparse graphs through a polynomial, once it is known which eigenvalues are small."""
    block = 4 * -(-(wanted + 1) // 4)
    first = random_block(len(L.degree), block, seed)
    if not sparse.issparse(L.W):
        found = by_blocks(L, L.remainder, first, wanted, tolerance)
        values = np.maximum(L.size - found.values[:wanted], 0.0)
        return Eigenpairs(values, found.vectors[:, :wanted], "block Lanczos", found.settled)
    options: dict[str, Any] = {"room": BEGIN * block, "steps": BEGIN, "tolerance": tolerance}
    found = largest_eigenpairs(L.remainder, L.null, first, wanted, **options)
    return in_order(L, found, wanted, "block Lanczos") if found.settled else by_filter(L, found, wanted, tolerance)


def by_filter(L: Laplacian, found: Found, wanted: int, tolerance: float) -> Eigenpairs:
    """Block Lanczos with T_m (chebyshev_filter.py), which tells small eigenvalues apart with fewer columns to be kept at right
    angles. The values so far are upper bounds of the smallest ones, so that T_m is monotone where these are. T_m is at most 27,
    and at least 5 for the wanted ones: half the tolerance for it is about one for L."""
    operator, room = ChebyshevFilter.of(L.matrix()), STEPS * found.vectors.shape[1]
    for _ in range(ROUNDS):
        above = max(MARGIN * in_order(L, found, wanted, "").values[-1], 1e-9 * L.size)
        product = partial(operator.times, above=above, size=2 * L.size)
        found = largest_eigenpairs(product, L.null, found.vectors, wanted, room=room, steps=STEPS, tolerance=tolerance / 2)
        if found.settled:
            break
    return in_order(L, found, wanted, "filtered block Lanczos")


def by_inverse(L: Laplacian, wanted: int, tolerance: float, seed: int) -> Eigenpairs:
    """(3)."""
    n = len(L.degree)
    shifted = L.matrix() + SHIFT * L.size * sparse.eye_array(n, format="csc")
    factors = splu(shifted, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})

    def product(V: Array) -> Array:
        return np.column_stack(side_by_side(lambda j: factors.solve(np.ascontiguousarray(V[:, j])), range(V.shape[1])))

    found = by_blocks(L, product, random_block(n, min(wanted + 1, THIN), seed), wanted, tolerance)
    return in_order(L, found, wanted, "inverse block Lanczos")


def by_blocks(L: Laplacian, product: Product, first: Array, wanted: int, tolerance: float) -> Found:
    """Block Lanczos; as far as it comes where LAPACK would be done by then."""
    n, block = first.shape
    steps = 20 + n // (4 * block) if n <= LARGEST_DENSE else MOST_STEPS
    room = min(max(20 * block, 120), n // 2)
    return largest_eigenpairs(product, L.null, first, wanted, room=room, steps=steps, tolerance=tolerance)


def in_order(L: Laplacian, found: Found, wanted: int, method: str) -> Eigenpairs:
    """Rayleigh's quotients of orthonormal vectors and the vectors, turned so that they are the best of their span."""
    vectors = found.vectors[:, :wanted]
    small = vectors.T @ L.times(vectors)
    values, turn = np.linalg.eigh((small + small.T) / 2)
    return Eigenpairs(np.maximum(values, 0.0), vectors @ turn, method, found.settled)


@compiled
def width(starts: Array, neighbours: Array) -> int:
    """The largest number of vertices at the same distance from an outermost vertex of a connected graph."""
    n = len(starts) - 1
    order, seen, widest, first = np.empty(n, np.int64), np.zeros(n, np.int64), 0, 0
    for sweep in range(1, 3):  # the last vertex of the first sweep is an outermost one
        order[0], seen[first] = first, sweep
        begin, end, widest = 0, 1, 1
        while begin < end:
            following = end
            for place in range(begin, end):
                v = order[place]
                for entry in range(starts[v], starts[v + 1]):
                    u = neighbours[entry]
                    if seen[u] != sweep:
                        seen[u] = sweep
                        order[following] = u
                        following += 1
            begin, end = end, following
            widest = max(widest, end - begin)
        first = order[end - 1]
    return widest
