"""Columns as codes: all that the search for splits sees of a table.

    numbers           0, 1, 2, … for the distinct values in their order; for at most 255 bins of equal weight where there are
                      more and the search is not to be exact, some of them for rare rows (rare_rows.py). Each code remembers
                      its lowest and highest value, so that a threshold can lie in the middle between two values that occur.
    levels            their numbers in the schema (core/columns.py)
    missing cells     one more than the last code

A column with at most 255 codes takes a byte for each row; a longer one four, and four for the rows in its order. All columns of
a sparse matrix that hold one value share the codes of one.

Cost: a sort of each column of numbers, by several threads. Tables of at most 255 rows are coded many columns at a time.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.cells import Column
from aprendiz.core.columns import Mixed
from aprendiz.core.radix_sort import sort_numbers
from aprendiz.core.rows import Array
from aprendiz.core.threads import ordered_map
from aprendiz.tree.growth.rare_rows import RareRows

BINS = 255  # codes of a short column: with the missing cells, a byte
CELLS = 2**20  # that are coded together where a table has few rows


@dataclass(frozen=True)
class Coded:
    """One column as codes: the code of each row, the number of codes, lowest and highest value of each, whether the codes have
    an order, whether they are all the values (not bins), whether cells are missing, of a long column the rows in their order,
    and how many rows the largest bin of several values holds."""

    codes: Array
    size: int
    low: Array
    high: Array
    ordered: bool
    exact: bool
    missing: bool
    order: Array | None = None
    largest_bin: int = 0


@dataclass(frozen=True)
class CodedTable:
    """All columns, as the growth takes them; whether no column is binned, whether any cell is missing, and how many rows the
    largest bin of several values holds."""

    short: Array
    long: Array
    layout: Array
    bounds: Array
    lines: Array
    exact: bool
    missing: bool
    largest_bin: int = 0

    @classmethod
    def of(cls, X: Any, weight: Array | None, *, exact: bool, orders: bool = True, rare: RareRows | None = None) -> CodedTable:
        """The codes of an array, a sparse matrix or a mixed table; without `orders`, no column of levels has one."""
        if sparse.issparse(X):
            return coded_sparse(X, weight, exact, rare)
        if not isinstance(X, Mixed) and X.shape[0] <= BINS:
            return coded_few_rows(X, X.shape[0])
        columns = list(ordered_map(lambda j: coded(X, j, weight, exact, orders, rare), range(X.shape[1])))
        return cls.joined(columns, X.shape[0])

    @classmethod
    def joined(cls, columns: list[Coded], rows: int) -> CodedTable:
        """The table of some columns."""
        short = [c.codes for c in columns if c.order is None]
        long = [c.codes for c in columns if c.order is not None]
        lines = [c.order for c in columns if c.order is not None]
        is_long = np.array([c.order is not None for c in columns])
        place = np.where(is_long, -np.cumsum(is_long), np.cumsum(~is_long) - 1)
        sizes = np.array([c.size for c in columns])
        starts = np.cumsum(sizes) - sizes
        return cls(
            np.array(short, np.uint8).reshape(len(short), rows),
            np.array(long, np.int32).reshape(len(long), rows),
            np.array([place, sizes, [not c.ordered for c in columns], starts]),
            np.array([np.concatenate([c.low for c in columns]), np.concatenate([c.high for c in columns])]),
            np.array(lines, np.int32).reshape(len(lines), rows),
            all(c.exact for c in columns),
            any(c.missing for c in columns),
            max((c.largest_bin for c in columns), default=0),
        )


def coded(X: Any, j: int, weight: Array | None, exact: bool, orders: bool, rare: RareRows | None) -> Coded:
    """Column j of an array or a mixed table."""
    if isinstance(X, Mixed):
        column, place = X.columns.columns[j], X.columns.places[j]
        if column.kind != "numeric":
            return coded_levels(column, X.codes[:, place], orders)
        return coded_numbers(X.numbers[:, place], weight, exact, rare)
    return coded_numbers(X[:, j], weight, exact, rare)


def coded_sparse(X: Any, weight: Array | None, exact: bool, rare: RareRows | None) -> CodedTable:
    """A sparse matrix: the columns that vary, and one for all others."""
    by_columns = X.tocsc(copy=X.format == "csc")
    by_columns.sum_duplicates()
    rows, count = by_columns.shape
    constant = constant_columns(by_columns)
    varying = np.flatnonzero(~constant)
    coded_columns = varying if len(varying) == count else np.append(varying, np.argmax(constant))
    if rows <= BINS:
        table = coded_few_rows(by_columns[:, coded_columns], rows)
    else:
        dense = (by_columns[:, [j]].toarray().ravel() for j in coded_columns)
        table = CodedTable.joined(list(ordered_map(lambda x: coded_numbers(x, weight, exact, rare), dense)), rows)
    own = np.full(count, len(coded_columns) - 1)
    own[varying] = np.arange(len(varying))
    return replace(table, layout=np.ascontiguousarray(table.layout[:, own]))


def constant_columns(by_columns: Any) -> Array:
    """Which columns of a sparse matrix by columns hold one value, 0 or another, in all rows."""
    rows, count = by_columns.shape
    stored, data = np.diff(by_columns.indptr), by_columns.data
    low, high = np.zeros(count), np.zeros(count)
    filled = np.flatnonzero(stored)
    if len(filled):
        low[filled] = np.minimum.reduceat(data, by_columns.indptr[filled])
        high[filled] = np.maximum.reduceat(data, by_columns.indptr[filled])
    return np.asarray((low == high) & ((stored == rows) | (low == 0.0)))


def coded_few_rows(X: Any, rows: int) -> CodedTable:
    """A table of numbers with at most 255 rows, whose columns have no more values: some columns at a time."""
    some = max(1, CELLS // max(rows, 1))
    parts = list(ordered_map(lambda start: ranked_columns(X[:, start : start + some]), range(0, X.shape[1], some)))
    codes, sizes, values, missing = (np.concatenate(part) for part in zip(*parts, strict=True))
    nothing = np.empty((0, rows), np.int32)
    layout = np.array([np.arange(len(sizes)), sizes, np.zeros(len(sizes), np.int64), np.cumsum(sizes) - sizes])
    return CodedTable(codes, nothing, layout, np.array([values, values]), nothing, True, bool(missing.any()))


def ranked_columns(X: Any) -> tuple[Array, Array, Array, Array]:
    """Of some columns: a line of codes for each, how many values each has, these values, and whether cells are missing."""
    x = np.ascontiguousarray((X.toarray() if sparse.issparse(X) else X).T, dtype=np.float64)
    order = np.argsort(x, axis=1)
    line = np.take_along_axis(x, order, axis=1)
    known = line == line
    begins = known.copy()
    begins[:, 1:] &= line[:, 1:] != line[:, :-1]
    sizes = np.count_nonzero(begins, axis=1)
    codes = np.empty(x.shape, np.uint8)
    np.put_along_axis(codes, order, np.where(known, np.cumsum(begins, axis=1) - 1, sizes[:, None]).astype(np.uint8), axis=1)
    return codes, sizes, line[begins], ~known.all(axis=1)


def coded_levels(column: Column, codes: Array, orders: bool) -> Coded:
    """A column of levels; with an order where the schema has one, or where they are the numbers 0 and 1."""
    size, missing = len(column.levels), bool((codes < 0).any())
    codes = np.where(codes < 0, size, codes)
    numbers = np.arange(size, dtype=np.float64)
    ordered = (orders and column.kind == "ordinal") or column.levels == (0, 1)
    if size <= BINS:
        return Coded(codes.astype(np.uint8), size, numbers, numbers, ordered, True, missing)
    return Coded(codes.astype(np.int32), size, numbers, numbers, ordered, True, missing, np.argsort(codes, kind="stable"))


def coded_numbers(cells: Array, weight: Array | None, exact: bool, rare: RareRows | None = None) -> Coded:
    """A column of numbers, NaN where a cell is missing."""
    x = np.ascontiguousarray(cells, dtype=np.float64)
    line = sort_numbers(x)
    line = line[: len(line) - int(np.isnan(line).sum())]
    missing = len(line) < len(x)
    first = np.flatnonzero(np.concatenate([[True], line[1:] != line[:-1]])) if len(line) else np.zeros(0, np.int64)
    values = line[first]
    if len(values) <= BINS:
        return Coded(found_bins(x, values, np.empty(len(x), np.uint8)), len(values), values, values, True, True, missing)
    if exact:
        order = np.argsort(x)
        codes = np.empty(len(x), np.int32)
        codes[order] = ranks(x[order], len(values))
        return Coded(codes, len(values), values, values, True, True, missing, order)
    share = first / len(line) if weight is None else shares_below(x, weight, values)
    if rare is not None:
        share = shares_with_rare(share, x, rare, values)
    number = np.minimum((share * BINS).astype(np.int64), BINS - 1)
    begins = np.flatnonzero(np.concatenate([[True], number[1:] != number[:-1]]))
    low, high = values[begins], values[np.append(begins[1:], len(values)) - 1]
    rows = np.diff(first[begins], append=len(line))
    codes, largest = found_bins(x, low, np.empty(len(x), np.uint8)), int(rows[low < high].max(initial=0))
    return Coded(codes, len(low), low, high, True, False, missing, None, largest)


def shares_below(x: Array, weight: Array, values: Array) -> Array:
    """The share of the known weight that lies below each value."""
    order = np.argsort(x)
    order = order[: len(order) - int(np.isnan(x).sum())]
    below = np.concatenate([[0.0], np.cumsum(weight[order])])
    return below[np.searchsorted(x[order], values)] / below[-1]


def shares_with_rare(share: Array, x: Array, rare: RareRows, values: Array) -> Array:
    """(1) of rare_rows.py: where the values stand among the bins, given the share of the weight below each. A value stands in
    the middle of the mass of its rows, so that one with a mass of two bins has a bin for itself."""
    known = ~np.isnan(x[rare.rows])
    of_value = np.bincount(np.searchsorted(values, x[rare.rows[known]]), rare.mass[known], len(values))
    below = np.cumsum(of_value)
    return np.asarray((1.0 - below[-1]) * share + below - 0.5 * of_value)


def ranks(line: Array, size: int) -> Array:
    """The number of distinct values below each one of a sorted line; NaN, which are last, have the number after the last."""
    known = len(line) - int(np.isnan(line).sum())
    found = np.full(len(line), size, np.int32)
    found[:known] = np.cumsum(np.concatenate([[False], line[1:known] != line[: known - 1]]))[:known]
    return found


def found_bins(x: Array, low: Array, codes: Array) -> Array:
    """The bin of each number: the last whose lowest value it reaches; NaN have the number after the last."""
    padded = np.full(256, np.inf)
    padded[: len(low)] = low
    search_bins(x, padded, len(low), codes)
    return codes


@compiled
def search_bins(x: Array, low: Array, size: int, codes: Array) -> None:
    """Eight halvings for each number, without a branch."""
    for i in range(len(x)):
        v, at = x[i], int64(0)
        for step in (128, 64, 32, 16, 8, 4, 2, 1):
            at += step * (low[at + step] <= v)
        codes[i] = at if v == v else size
