"""Eigenvectors of the scatter ZᵀZ of few centred rows, by the Gram matrix of the rows.

    K = ZZᵀ = U·diag(λ)·Uᵀ,     v_j = Zᵀu_j/√λ_j                                                              (1)
    K = K₀ − s(sᵀK₀) − (K₀s)sᵀ + s(sᵀK₀s)sᵀ,   s = √w/‖√w‖        centres rows around a pivot, with Gram K₀       (2)

Squares lose digits: of v_j, those of λ₁/λ_j. Directions with λ_j below 10⁻⁸·λ₁ are therefore found again, by (1) of what the
others leave of the rows, in which they are large. Where nothing is left, any direction at right angles to the others is one.

Cost: n²·d multiplications for K, n·d·k for (1); memory n² beside the rows. K is cut into tiles that threads share.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, combinations_with_replacement

import numpy as np
from scipy import linalg

from aprendiz.core.rows import Array
from aprendiz.decomposition.spectrum.axes import Axes, at_right_angles, eigenpairs
from aprendiz.decomposition.spectrum.few_rows import FewRows
from aprendiz.kernel.solvers.tiles import for_each, runs

SURE = 1e-8  # of the largest eigenvalue, above which (1) keeps eight digits of a vector
ACCURATE = 1e-3  # of it, above which it keeps twelve
NOTHING = 1e-28  # of the squares of all entries: rounding
TILE = 256  # rows of a tile
COLUMNS = 2048  # that a thread multiplies at a time
SMALL = 2**22  # n²·d, below which singular values are as fast

Combine = Callable[[Array], Array]  # U ↦ UᵀZ


def singular_axes(record: FewRows, k: int, scale: Array | None) -> Axes:
    """By the singular values of the centred rows: nothing is squared before the end."""
    Z = record.centred()
    return axes_of_rows(Z if scale is None else Z / scale, k, "svd")


def axes_of_rows(Z: Array, k: int, method: str) -> Axes:
    """The right singular vectors of a matrix whose rows are centred, or are a triangle of such rows."""
    _, singular, vectors = linalg.svd(Z, full_matrices=False, check_finite=False)
    values = np.zeros(k)
    values[: len(singular)] = singular[:k] ** 2
    if len(vectors) < k:  # directions in which nothing varies
        vectors = np.vstack([vectors, at_right_angles(vectors, k - len(vectors))])
    return Axes(values, vectors[:k], float((singular**2).sum()), method)


def gram_axes(record: FewRows, k: int, scale: Array | None) -> Axes:
    """By (1) and (2), or by singular values where there are few cells."""
    if record.rows**2 * record.columns <= SMALL:
        return singular_axes(record, k, scale)
    pieces = record.pieces if scale is None else tuple(Z / scale for Z in record.pieces)
    root = np.concatenate(record.roots)
    s = root / np.linalg.norm(root)
    K = gram(pieces)
    left = s @ K
    K += (left @ s) * np.outer(s, s) - np.outer(s, left) - np.outer(left, s)
    common = product(s[None, :], pieces)

    def combine(U: Array) -> Array:
        return product(np.ascontiguousarray(U.T), pieces) - np.outer(s @ U, common)

    values, vectors = row_space(K, combine, k, record.columns)
    return Axes(values, vectors, float(np.trace(K)), "gram")


def row_space(K: Array, combine: Combine, k: int, d: int) -> tuple[Array, Array]:
    """(1): the k largest eigenvalues, and orthonormal vectors as rows."""
    total = float(np.trace(K))
    values, U = eigenpairs(K, min(k, len(K)))
    sure = int(np.count_nonzero(values > SURE * values[0])) if total > 0 else 0
    V = combine(U[:, :sure]) / np.sqrt(values[:sure])[:, None] if sure else np.empty((0, d))
    if sure and values[sure - 1] < ACCURATE * values[0]:
        V = orthonormal(V)
    if sure == k:
        return values, V
    U = eigenpairs(K, len(K))[1]
    rest = combine(U[:, sure:])
    for _ in range(2):
        rest -= (rest @ V.T) @ V
    more = np.zeros(k - sure), at_right_angles(V, k - sure)
    if np.vdot(rest, rest) > NOTHING * total:
        found = row_space(gram((rest,)), lambda W: product(np.ascontiguousarray(W.T), (rest,)), k - sure, d)
        more = found[0], orthonormal(found[1] - (found[1] @ V.T) @ V)
    return np.concatenate([values[:sure], more[0]]), np.vstack([V, more[1]])


def orthonormal(V: Array) -> Array:
    """Rows that are orthonormal but for 10⁻⁷, so that one step of Newton is enough."""
    G = gram((V,))
    return product(1.5 * np.eye(len(V)) - 0.5 * G, (V,))


# ---- products of rows in pieces ----------------------------------------------------------------------------------------


def gram(pieces: Sequence[Array]) -> Array:
    """ZZᵀ of all the rows, tile by tile."""
    places = accumulate((len(Z) for Z in pieces), initial=0)
    tiles = [(at + run.start, Z[run]) for at, Z in zip(places, pieces, strict=False) for run in runs(0, len(Z), TILE)]
    K = np.empty((sum(map(len, pieces)),) * 2)

    def fill(pair: tuple[tuple[int, Array], tuple[int, Array]]) -> None:
        (i, above), (j, below) = pair
        K[i : i + len(above), j : j + len(below)] = tile = above @ below.T
        K[j : j + len(below), i : i + len(above)] = tile.T

    for_each(fill, combinations_with_replacement(tiles, 2))
    return K


def product(U: Array, pieces: Sequence[Array]) -> Array:
    """UZ, some columns at a time."""
    d = pieces[0].shape[1]
    bounds = list(accumulate((len(Z) for Z in pieces), initial=0))
    out = np.empty((len(U), d))

    def fill(run: slice) -> None:
        out[:, run] = sum(U[:, a:b] @ Z[:, run] for a, b, Z in zip(bounds, bounds[1:], pieces, strict=False))

    for_each(fill, runs(0, d, COLUMNS))
    return out
