"""Half a step of alternating least squares: with the column factors fixed, each row is a ridge regression of its known cells.

    u_i = (Σ_j v_j v_jᵀ + λI)⁻¹ Σ_j z_ij v_j          over the known cells j of row i                          (1)
    e_ij = z_ij − u_iᵀv_j                             the residuals there                                      (2)

The other half is the same with columns for rows. Rows do not see each other: threads take runs of them, and nothing is summed
across.

Cost of (1): r²/2 multiplications for each known cell and r³/6 for each row; of (2) r for each cell. r is the rank.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array
from aprendiz.core.threads import ordered_map
from aprendiz.decomposition.completion.known_cells import Cells

RUN = 2**16  # known cells that a thread takes at a time
EPS = float(np.finfo(float).eps)


def ridge_rows(cells: Cells, V: Array, penalty: float) -> tuple[Array, Array]:
    """(1) for all rows, and Σ_j e_ij² of each."""
    n = len(cells.starts) - 1
    U, squares = np.zeros((n, V.shape[1])), np.zeros(n)
    V = np.ascontiguousarray(V)
    if V.shape[1] == 0:
        return U, cells.sums(cells.values**2)
    in_runs(cells, lambda first, last: solve_rows(*cells, V, penalty, first, last, U, squares))
    return U, squares


def residuals(cells: Cells, U: Array, V: Array) -> Array:
    """(2), cell by cell."""
    found = np.empty_like(cells.values)
    U, V = np.ascontiguousarray(U), np.ascontiguousarray(V)
    in_runs(cells, lambda first, last: fill_residuals(*cells, U, V, first, last, found))
    return found


def products(cells: Cells, values: Array, Z: Array) -> Array:
    """The sparse matrix with these values times Z, line by line."""
    found = np.zeros((len(cells.starts) - 1, Z.shape[1]))
    Z = np.ascontiguousarray(Z)
    if Z.shape[1] == 1:  # a sum stays in a register
        z, sums = Z[:, 0], found[:, 0]
        in_runs(cells, lambda first, last: multiply_vector(cells.starts, cells.places, values, z, first, last, sums))
    else:
        in_runs(cells, lambda first, last: multiply_rows(cells.starts, cells.places, values, Z, first, last, found))
    return found


def in_runs(cells: Cells, work: Callable[[int, int], Any]) -> None:
    """`work(first, last)` for runs of rows with about as many known cells each."""
    total = int(cells.starts[-1])
    cuts = np.searchsorted(cells.starts, np.arange(RUN, total, RUN, dtype=np.uint64))
    edges = np.unique(np.concatenate([[0], cuts, [len(cells.starts) - 1]])).tolist()
    for _ in ordered_map(lambda run: work(*run), pairwise(edges)):
        pass


@compiled
def solve_rows(
    starts: Array, places: Array, values: Array, V: Array, penalty: float, first: int, last: int, U: Array, squares: Array
) -> None:
    """(1), and the sums of squares of (2), for some rows."""
    r = V.shape[1]
    H, g = np.empty((r, r)), np.empty(r)
    for i in range(first, last):
        H[:], g[:] = 0.0, 0.0
        start, stop = int64(starts[i]), int64(starts[i + 1])
        add_cells(places, values, V, start, stop, H, g)
        for p in range(r):
            H[p, p] += penalty
        solve(H, g)
        total = 0.0
        for c in range(start, stop):
            v, fit = V[places[c]], 0.0
            for p in range(r):
                fit += v[p] * g[p]
            total += (values[c] - fit) ** 2
        U[i] = g
        squares[i] = total


@compiled(inner=True)
def add_cells(places: Array, values: Array, V: Array, start: int, stop: int, H: Array, g: Array) -> None:
    """H += Σ v vᵀ (its lower half) and g += Σ z v, four cells at a time: H is loaded and stored once for them."""
    r = V.shape[1]
    c = start
    while c + 4 <= stop:
        a, b, d, e = V[places[c]], V[places[c + 1]], V[places[c + 2]], V[places[c + 3]]
        za, zb, zd, ze = values[c], values[c + 1], values[c + 2], values[c + 3]
        for p in range(r):
            row, ap, bp, dp, ep = H[p], a[p], b[p], d[p], e[p]
            g[p] += za * ap + zb * bp + zd * dp + ze * ep
            for q in range(p + 1):
                row[q] += ap * a[q] + bp * b[q] + dp * d[q] + ep * e[q]
        c += 4
    while c < stop:
        a, za = V[places[c]], values[c]
        for p in range(r):
            row, ap = H[p], a[p]
            g[p] += za * ap
            for q in range(p + 1):
                row[q] += ap * a[q]
        c += 1


@compiled(inner=True)
def solve(H: Array, g: Array) -> None:
    """g ← H⁻¹g by Cholesky. A pivot that rounding has eaten is replaced by what rounding leaves of it."""
    r = len(g)
    for p in range(r):
        top, row = H[p, p], H[p]
        for q in range(p):
            other, total = H[q], row[q]
            for t in range(q):
                total -= row[t] * other[t]
            row[q] = total * other[q]  # the diagonal holds inverses
        total = top
        for q in range(p):
            total -= row[q] * row[q]
        row[p] = 1.0 / np.sqrt(max(total, r * EPS * top, 1e-300))
    for p in range(r):
        row, total = H[p], g[p]
        for q in range(p):
            total -= row[q] * g[q]
        g[p] = total * row[p]
    for p in range(r - 1, -1, -1):
        g[p] *= H[p, p]
        for q in range(p):
            g[q] -= H[p, q] * g[p]


@compiled
def fill_residuals(
    starts: Array, places: Array, values: Array, U: Array, V: Array, first: int, last: int, found: Array
) -> None:
    """(2) for some rows."""
    r = V.shape[1]
    for i in range(first, last):
        u = U[i]
        for c in range(int64(starts[i]), int64(starts[i + 1])):
            v, fit = V[places[c]], 0.0
            for p in range(r):
                fit += u[p] * v[p]
            found[c] = values[c] - fit


@compiled
def multiply_rows(starts: Array, places: Array, values: Array, Z: Array, first: int, last: int, found: Array) -> None:
    """Some rows of the product of a sparse matrix and Z."""
    k = Z.shape[1]
    for i in range(first, last):
        row = found[i]
        for c in range(int64(starts[i]), int64(starts[i + 1])):
            z, value = Z[places[c]], values[c]
            for p in range(k):
                row[p] += value * z[p]


@compiled
def multiply_vector(starts: Array, places: Array, values: Array, z: Array, first: int, last: int, found: Array) -> None:
    """Some rows of the product of a sparse matrix and a vector."""
    for i in range(first, last):
        total = 0.0
        for c in range(int64(starts[i]), int64(starts[i + 1])):
            total += values[c] * z[places[c]]
        found[i] = total
