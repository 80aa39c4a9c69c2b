"""Sums of some rows of a block around a pivot inside them, column by column: the kernels of the analyses of variance and of
regression.

    Σ w z, Σ w z² and, beside a target t, Σ w z t,   z = x − p                                                (1)

p is the mean of the first m of the rows, a few at most. Since m (p − μ)² ≤ Σ (x − μ)² for any m among n numbers with mean μ,

    Σ (x − p)² ≤ S·(1 + n/m),                                                                                 (2)

so that no more than log₁₀(1 + n/m) digits of the scatter S can cancel, whatever the rows are. Equal cells have the pivot
themselves, and sums of exactly 0.

Four rows are added at a time, a tile of columns after the other, so that the sums stay in the fastest memory. Of a table that
is stored column by column a few columns are turned into such rows at a time, and not the whole table. Both have the same bits:
nothing is added in another order, and no product is joined with a sum (`exact`).
"""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array, Block

FEW = 16  # rows whose mean is the pivot
TILE = 512  # columns
TURNED = 8  # columns that are turned at a time: a line of the cache


def room_to_turn(block: Block) -> Array | None:
    """Room for a few columns as rows, where a block is stored column by column; None where its rows lie as they should."""
    return None if block.X.flags.c_contiguous else np.empty((len(block), TURNED))


@compiled(inner=True)
def turn_columns(X: Array, low: int, width: int, turned: Array) -> None:
    """So many columns from `low` on, row by row."""
    for i in range(X.shape[0]):
        for j in range(width):
            turned[i, j] = X[i, low + j]


@compiled(exact=True, inner=True)
def mean_of_first(X: Array, rows: Array, low: int, pivot: Array) -> None:
    """The mean of the first few rows, in columns from `low` on; around the very first, so that equal cells are their mean."""
    few = min(len(rows), FEW)
    for j in range(len(pivot)):
        pivot[j] = X[rows[0], low + j]
        rest = 0.0
        for i in range(1, few):
            rest += X[rows[i], low + j] - pivot[j]
        pivot[j] += rest / few


@compiled(exact=True, inner=True)
def add_rows(
    X: Array,
    w: Array,
    t: Array | None,
    rows: Array,
    low: int,
    pivot: Array,
    first: Array,
    second: Array,
    cross: Array | None,
) -> None:
    """(1), in columns from `low` on, as many as there are pivots."""
    width, n, i = len(pivot), len(rows), int64(0)
    while i + 3 < n:
        ia, ib, ic, id = rows[i], rows[i + 1], rows[i + 2], rows[i + 3]
        a, b, c, d = X[ia, low:], X[ib, low:], X[ic, low:], X[id, low:]
        wa, wb, wc, wd = w[ia], w[ib], w[ic], w[id]
        for j in range(width):
            p = pivot[j]
            za, zb, zc, zd = a[j] - p, b[j] - p, c[j] - p, d[j] - p
            ya, yb, yc, yd = wa * za, wb * zb, wc * zc, wd * zd
            first[j] += (ya + yb) + (yc + yd)
            second[j] += (ya * za + yb * zb) + (yc * zc + yd * zd)
            if t is not None and cross is not None:
                cross[j] += (ya * t[ia] + yb * t[ib]) + (yc * t[ic] + yd * t[id])
        i += 4
    while i < n:
        last = X[rows[i], low:]
        for j in range(width):
            z = last[j] - pivot[j]
            y = w[rows[i]] * z
            first[j] += y
            second[j] += y * z
            if t is not None and cross is not None:
                cross[j] += y * t[rows[i]]
        i += 1


@compiled(inner=True)
def known_rows(X: Array, rows: Array, column: int, known: Array) -> int:
    """Those of the rows whose cell in a column is known, and how many they are."""
    count = int64(0)
    for i in rows:
        known[count] = i
        count += X[i, column] == X[i, column]
    return count
