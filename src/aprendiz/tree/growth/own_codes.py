"""Codes of its own for a column in a node: the ranks of its numbers there, where bins tell too little apart.

    code of a row = how many rows of the node have a lower number     (of more rows than codes, divided by their ratio)   (1)

Cost: of at most 255 rows, all pairs are compared, several at a time and without a jump of the program, which takes about as
long as a sort; more are sorted.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.compilation.words import ones
from aprendiz.core.columns import Mixed
from aprendiz.core.rows import Array
from aprendiz.tree.growth import records
from aprendiz.tree.growth.coding import BINS, CodedTable
from aprendiz.tree.growth.cuts import midpoint
from aprendiz.tree.growth.records import Opened

ROWS_OF_A_BIN = 16  # a node of at most 255 rows with more for each bin opens the column


class ColumnNumbers(NamedTuple):
    """Where the numbers of the columns with bins are: column j of row r at `start[j] + step·r`; `start` is −1 elsewhere."""

    flat: Array
    start: Array
    step: int

    def some(self, columns: Array) -> ColumnNumbers:
        """Those of some columns, if there are any."""
        return self._replace(start=self.start[columns]) if len(self.flat) else self

    def of_rows(self, rows: Array) -> ColumnNumbers:
        """Those of some rows, column by column. Where the numbers of a row stand together, they are fetched together."""
        columns, start = np.flatnonzero(self.start >= 0), self.start.copy()
        if self.step == len(columns):
            lines = np.ascontiguousarray(self.flat.reshape(-1, self.step).take(rows, axis=0).T)
        else:
            lines = self.flat[self.start[columns, None] + self.step * rows.astype(np.int64)]
        lines.flags.writeable = False
        start[columns] = np.arange(len(columns)) * len(rows)
        return ColumnNumbers(lines.ravel(), start, 1)


NO_NUMBERS = ColumnNumbers(np.frombuffer(b""), np.zeros(0, np.int64), 1)


def binned_columns(table: CodedTable) -> Array:
    """The columns that have bins of several values."""
    several = table.bounds[records.LOW] < table.bounds[records.HIGH]
    below = np.concatenate([[0], np.cumsum(several)])
    start, size = table.layout[records.START], table.layout[records.SIZE]
    return np.flatnonzero(below[start + size] > below[start])


def column_numbers(X: Any, columns: Array) -> ColumnNumbers:
    """The numbers of some columns of an array, a sparse matrix or a mixed table. Only what is not in order is copied."""
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
    """Buffers for the rows of a node: their numbers, their order, and their codes."""

    values: Array
    order: Array
    codes: Array


def rank_buffers(rows: int) -> RankBuffers:
    """Room for so many rows."""
    return RankBuffers(np.empty(rows), *np.empty((2, rows), np.int64))


# ---- kernels -----------------------------------------------------------------------------------------------------------


@compiled(inner=True)
def rank_rows(n: int, size: int, values: Array, order: Array, codes: Array) -> None:
    """Codes (1) of the first n numbers of `values`, `size` of them; that number for the missing. `order` is a buffer."""
    if n > BINS:
        rank_many(n, size, values, order, codes)
        return
    for i in range(n):
        v, below = values[i], int64(0)
        for k in range(n):
            below += values[k] < v
        if v != v:
            below = size
        elif n > size:
            below = below * size // n
        codes[i] = below


@compiled(inner=True)
def rank_many(n: int, size: int, values: Array, order: Array, codes: Array) -> None:
    """The same by a sort."""
    known, code = int64(0), int64(0)
    for i in range(n):
        codes[i] = size
        if values[i] == values[i]:
            order[known] = i
            known += 1
    sort_run(values, order, known)
    for k in range(known):
        if k > 0 and values[order[k]] != values[order[k - 1]]:
            code = k * size // n
        codes[order[k]] = code


@compiled(inner=True)
def lies_in_few_bins(marks: Array, rows: int) -> bool:
    """Are there several rows for each bin that is marked, in a small node, or one bin for all?"""
    bins = int64(0)
    for word in range(len(marks)):
        bins += ones(marks[word])
    return bins == 1 or (rows <= BINS and ROWS_OF_A_BIN * bins < rows)


@compiled(inner=True)
def open_column(
    start: int, size: int, short: Array, at: int, rows: Array, near_y: Array | None, near_z: Array | None, near_w: Array,
    H: Array, marks: Array, opened: Opened,
) -> None:  # fmt: skip
    """Write the histogram of a column anew, with codes of its own."""
    one, codes = np.uint64(1), opened.codes
    for word in range(len(marks)):
        marks[word] = np.uint64(0)
    for i in range(len(rows)):
        b = short[at, rows[i]]
        for k in range(H.shape[1]):
            H[b, k] = 0.0
        opened.values[i] = opened.flat[start + opened.step * rows[i]]
    rank_rows(len(rows), size, opened.values, opened.order, codes)
    for i in range(len(rows)):
        b = codes[i]
        marks[b >> 6] |= one << np.uint64(b & 63)
        if near_y is not None:
            H[b, near_y[i]] += near_w[i]
        if near_z is not None:
            m = near_z.shape[1]
            H[b, m] += near_w[i]
            for k in range(m):
                H[b, k] += near_z[i, k]


@compiled(inner=True)
def count_own(rows: int, codes: Array, H: Array) -> None:
    """The numbers of rows in that histogram."""
    for i in range(rows):
        H[codes[i], H.shape[1] - 1] += 1.0


@compiled(inner=True)
def own_threshold(rows: int, size: int, below: int, values: Array, codes: Array) -> float:
    """The middle between the largest number whose code is at most `below` and the least of the others."""
    low, high = -np.inf, np.inf
    for i in range(rows):
        v = values[i]
        if codes[i] <= below and v > low:
            low = v
        elif below < codes[i] < size and v < high:
            high = v
    return midpoint(low, high)


@compiled(inner=True)
def sort_run(x: Array, order: Array, n: int) -> None:
    """Sort the first n entries of `order` by the numbers they point to: by insertion among every gap-th entry, with gaps that
    shrink to 1 (Shell). Few lines compile sooner than a faster sort, and a node has so many rows in one bin but seldom."""
    gap = n
    while gap > 1:
        gap = 5 * gap // 11 if gap > 2 else int64(1)
        for i in range(gap, n):
            r, k = order[i], i
            v = x[r]
            while k >= gap and x[order[k - gap]] > v:
                order[k] = order[k - gap]
                k -= gap
            order[k] = r
