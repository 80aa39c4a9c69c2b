"""Codes of its own for a column in a node: the ranks of its numbers there, where bins tell too little apart.

    code of a row = how many values of the node are below its number     (for more values than codes, one of so many bins)   (1)

The numbers of a table are read where they stand. Cost: a sort of the rows, which begins with the order of their bins.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.columns import Mixed
from aprendiz.core.rows import Array
from aprendiz.tree.growth import records
from aprendiz.tree.growth.coding import BINS, CodedTable


class ColumnNumbers(NamedTuple):
    """Where the numbers of the columns with bins are: column j of row r at `start[j] + step·r`; `start` is −1 elsewhere."""

    flat: Array
    start: Array
    step: int


def binned_columns(table: CodedTable) -> Array:
    """The columns that have bins of several values."""
    several = table.bounds[records.LOW] < table.bounds[records.HIGH]
    below = np.concatenate([[0], np.cumsum(several)])
    start, size = table.layout[records.START], table.layout[records.SIZE]
    return np.flatnonzero(below[start + size] > below[start])


def column_numbers(X: Any, columns: Array) -> ColumnNumbers:
    """The numbers of some columns of an array, a sparse matrix or a mixed table. Only what does not stand in order is copied."""
    start = np.full(X.shape[1], -1)
    of_numbers = columns
    if isinstance(X, Mixed):
        X, of_numbers = X.numbers, np.searchsorted(X.columns.numeric, columns)
    if sparse.issparse(X):
        X, of_numbers = np.array([X[:, [j]].toarray().ravel() for j in columns]).T, np.arange(len(columns))
    if not (X.flags.c_contiguous or X.flags.f_contiguous) or X.dtype != np.float64:
        X = np.ascontiguousarray(X, dtype=np.float64)
    flat = X.ravel(order="K").view()
    flat.flags.writeable = False  # one type for all kernels
    start[columns] = of_numbers if X.flags.c_contiguous else of_numbers * len(X)
    return ColumnNumbers(flat, start, X.shape[1] if X.flags.c_contiguous else 1)


class RankBuffers(NamedTuple):
    """Buffers for the rows of a node: their numbers, their order (two lines), where each run of bins begins, and their codes."""

    values: Array
    order: Array
    places: Array
    codes: Array


def rank_buffers(rows: int) -> RankBuffers:
    """Room for so many rows."""
    return RankBuffers(np.empty(rows), np.empty((2, rows), np.int64), np.empty(65, np.int64), np.empty(rows, np.int64))


# ---- kernels -----------------------------------------------------------------------------------------------------------


@compiled(inner=True)
def rank_rows(
    flat: Array, start: int, step: int, origin: Array, short: Array, at: int, rows: Array, size: int,
    values: Array, order: Array, places: Array, codes: Array,
) -> None:  # fmt: skip
    """Codes (1) of the rows of a node in a column, `size` of them; that number for the missing. The numbers are those of the
    rows `origin` of the table, the bins those of `rows` of `short`. What comes after `size` are buffers, of which `values` and
    `codes` are filled."""
    n, line, code, count = int64(0), int64(0), int64(0), len(rows)
    for i in range(count):
        values[i] = flat[start + step * origin[i]]
        codes[i] = size
    if 24 < count <= BINS:
        n = order_by_bins(values, short, at, rows, places, order)
    else:
        for i in range(count):
            if values[i] == values[i]:
                order[0, n] = i
                n += 1
    if count <= BINS:
        insert_each(values, order, 0, n)
    else:
        line = sort_run(values, order, n)
    for k in range(n):
        if k > 0 and values[order[line, k]] != values[order[line, k - 1]]:
            code = code + 1 if n <= size else k * size // n
        codes[order[line, k]] = code


@compiled(inner=True)
def order_by_bins(values: Array, short: Array, at: int, rows: Array, places: Array, order: Array) -> int:
    """Put the known numbers in the order of their bins, four of which are one here. Returns how many there are."""
    for c in range(65):
        places[c] = 0
    for i in range(len(rows)):
        places[(short[at, rows[i]] >> 2) + 1] += values[i] == values[i]
    for c in range(1, 65):
        places[c] += places[c - 1]
    for i in range(len(rows)):
        if values[i] == values[i]:
            c = short[at, rows[i]] >> 2
            order[0, places[c]] = i
            places[c] += 1
    return places[64]


@compiled(inner=True)
def insert_each(x: Array, order: Array, first: int, last: int) -> None:
    """Sort some entries of the first line of `order` by the numbers they point to: quick where they nearly are."""
    for i in range(first + 1, last):
        r, k = order[0, i], i
        while k > first and x[order[0, k - 1]] > x[r]:
            order[0, k] = order[0, k - 1]
            k -= 1
        order[0, k] = r


@compiled(inner=True)
def sort_run(x: Array, order: Array, n: int) -> int:
    """Sort the first n entries of `order` by the numbers they point to, from line to line. Returns the line they are in."""
    for first in range(0, n, 8):
        insert_each(x, order, first, min(first + 8, n))
    width, now = int64(8), int64(0)
    while width < n:
        for start in range(0, n, 2 * width):
            a, b, to = start, min(start + width, n), start
            middle, end = b, min(start + 2 * width, n)
            while to < end:
                if b >= end or (a < middle and x[order[now, a]] <= x[order[now, b]]):
                    order[1 - now, to] = order[now, a]
                    a += 1
                else:
                    order[1 - now, to] = order[now, b]
                    b += 1
                to += 1
        width, now = 2 * width, 1 - now
    return now
