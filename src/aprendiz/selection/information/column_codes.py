"""Any table as columns of codes, whose levels can be counted.

Words are codes already, and so are whole numbers of at most 10, or √n, different values. Other numbers are cut into b bins:

    quantile     bin of x = ⌊b · weight of the cells below x / weight of all⌋                                  (1)
    uniform      b intervals of equal width between the extremes, closed on the right, as R's cut has them     (2)
    mdl          cuts where the classes differ, as many as pay (preprocessing/binning/entropy_cuts.py)         (3)

with b = n/3, at least 2 and at most 10, if no number is given. Equal cells have equal codes; (1) is the same for any rising
function of a column, so one wild cell does not push all others into one bin. (3) uses the target. Missing cells are −1, and
levels are counted without gaps.

Cost: O(n·log n) for each column.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt
from typing import Any, Literal

import numpy as np
from scipy import sparse

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.columns import Mixed
from aprendiz.core.inputs import is_read_in_blocks
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import ArrayRows, in_memory
from aprendiz.core.targets import as_target
from aprendiz.core.threads import ordered_map
from aprendiz.preprocessing.binning.bin_codes import bin_codes
from aprendiz.preprocessing.binning.entropy_cuts import cuts_of_columns

Bins = Literal["quantile", "uniform", "mdl"]
FEW_LEVELS = 10  # of whole numbers that are codes in any table
FEW_CLASSES = 20  # of a target of whole numbers that is one of classes in any table
CELLS_AT_ONCE = 2**17  # of columns that are sorted together
MOST_IN_A_BYTE = 127  # levels
WIDEST = 64  # numbers from the smallest to the largest of a column that is coded without sorting


@dataclass(frozen=True)
class ColumnCodes:
    """The columns of a table as codes.

    codes : (columns, rows), −1 where a cell is missing; bytes if no column has more than 127 levels, else int32
    levels : of each column, the number that is larger than its codes
    varies : whether rows that count know two levels of the column
    complete : whether no cell of the column is missing
    """

    codes: Array
    levels: Array
    varies: Array
    complete: Array

    @classmethod
    def of(cls, rows: Rows, bins: Bins, n_bins: int | None) -> ColumnCodes:
        """The columns of rows in memory (others are read once)."""
        table, weight = whole_table(rows)
        weight = np.ones(table.shape[0]) if weight is None else weight
        numbers = table.numbers if isinstance(table, Mixed) else table
        n_bins = usual_bins(float(weight.sum())) if n_bins is None else n_bins
        codes = codes_of_numbers(numbers, weight, -1 if bins == "uniform" else 1, n_bins)
        if bins == "mdl":
            codes = cut_by_classes(codes, numbers, rows, weight)
        if isinstance(table, Mixed):
            both = np.empty((len(table.columns), table.shape[0]), np.int32)
            both[list(table.columns.numeric)] = codes
            both[list(table.columns.coded)] = table.codes.T
            codes = both
        return cls.counted(codes, weight)

    @classmethod
    def counted(cls, codes: Array, weight: Array) -> ColumnCodes:
        """Codes, and what is known of each column."""
        levels = codes.max(axis=1, initial=0).astype(np.int64) + 1
        codes = codes.astype(np.int8) if codes.dtype != np.int8 and levels.max(initial=1) <= MOST_IN_A_BYTE else codes
        return cls(codes, levels, several_levels(codes, weight), codes.min(axis=1, initial=0) == 0)


def usual_bins(weight: float) -> int:
    """How many bins a column is cut into."""
    return int(min(10, max(2, weight // 3)))


def whole_table(rows: Rows) -> tuple[Any, Array | None]:
    """All rows at once, and their weights."""
    if in_memory(rows):
        return rows.X, rows.weight
    weighted = rows.first(lambda block: block.weight is not None)
    return rows.each(lambda block: block.X), rows.each(lambda block: block.weight) if weighted else None


def codes_of_numbers(X: Any, weight: Array, way: int, n_bins: int) -> Array:
    """The codes of columns of numbers, an array or a sparse matrix; `way` is 1 for (1), −1 for (2)."""
    n, d = X.shape
    few, at_once = max(FEW_LEVELS, isqrt(n)), max(1, CELLS_AT_ONCE // max(1, n))
    codes = np.empty((d, n), np.int8 if max(few, n_bins) <= MOST_IN_A_BYTE else np.int32)

    def fill(first: int) -> None:
        part = slice(first, first + at_once)
        cells = X[:, part].toarray().T if sparse.issparse(X) else X[:, part].T
        cells = np.ascontiguousarray(cells, dtype=np.float64)
        measured = np.ones(len(cells), bool)
        code_whole_numbers(cells, weight, few, codes[part], measured)
        if measured.any():
            codes[part][measured] = codes_of_cells(cells[measured], weight, few, way, n_bins)

    for _ in ordered_map(fill, range(0, d, at_once)):
        pass
    return codes


@compiled(exact=True)
def code_whole_numbers(X: Array, weight: Array, few: int, codes: Array, measured: Array) -> None:
    """The codes of columns of near whole numbers, by which of them occur; all others are `measured`."""
    rank = np.empty(WIDEST, np.int64)
    for j in range(X.shape[0]):
        lowest, highest = np.inf, -np.inf
        for x in X[j]:
            if x == x and not (x == np.floor(x) and max(highest, x) - min(lowest, x) < WIDEST):
                highest = np.inf
                break
            lowest, highest = min(lowest, x), max(highest, x)
        if not highest - lowest < WIDEST:
            continue
        rank[:] = 0
        for i in range(X.shape[1]):
            if X[j, i] == X[j, i] and weight[i] > 0.0:
                rank[int64(X[j, i] - lowest)] = 1
        levels = int64(0)
        for v in range(WIDEST):
            levels += rank[v]
            rank[v] = max(levels - 1, 0)
        if levels <= few:
            measured[j] = False
            for i in range(X.shape[1]):
                codes[j, i] = rank[int64(X[j, i] - lowest)] if X[j, i] == X[j, i] else -1


def codes_of_cells(cells: Array, weight: Array, few: int, way: int, n_bins: int) -> Array:
    """The codes of columns of numbers (here the rows of `cells`): as they are if the numbers are whole and at most `few`."""
    codes = np.empty(cells.shape, np.int8 if max(few, n_bins) <= MOST_IN_A_BYTE else np.int32)
    if (weight == 1.0).all():
        code_columns(cells, np.sort(cells, axis=1), None, few, way, n_bins, codes)
    else:
        order = cells.argsort(axis=1)
        code_columns(cells, np.take_along_axis(cells, order, axis=1), weight[order], few, way, n_bins, codes)
    return codes


@compiled(exact=True)
def code_columns(X: Array, ordered: Array, weight: Array | None, few: int, way: int, bins: int, codes: Array) -> None:
    """The codes of some columns, from their cells in order, missing ones last, with the weights of these."""
    last = np.empty(max(few, bins))
    for j in range(X.shape[0]):
        levels = last_of_levels(ordered[j], weight, j, few, way, bins, last)
        for i in range(X.shape[1]):
            x, code = X[j, i], int64(0)
            for level in range(levels - 1):
                code += x > last[level]
            codes[j, i] = code if x == x else -1


@compiled(exact=True, inner=True)
def last_of_levels(x: Array, weight: Array | None, j: int, few: int, way: int, bins: int, last: Array) -> int:
    """The largest cell of each level, and how many there are, of the column j, whose cells in order are x."""
    known, distinct, whole, total = int64(0), int64(0), True, 0.0
    lowest, highest = np.nan, np.nan
    while known < len(x) and x[known] == x[known]:
        here = 1.0 if weight is None else weight[j, known]
        total += here
        if here > 0.0:
            whole = whole and x[known] == np.floor(x[known])
            distinct += x[known] != highest
            lowest = x[known] if lowest != lowest else lowest
            highest = x[known]
        known += 1
    as_they_are = whole and distinct <= few
    step = (highest - lowest) / bins if highest - lowest < np.inf else highest / bins - lowest / bins
    place, level, bin_before, below, run = int64(0), int64(-1), int64(-1), 0.0, int64(-1)
    while place < known:
        first, of_value = place, 0.0
        while place < known and x[place] == x[first]:
            of_value += 1.0 if weight is None else weight[j, place]
            place += 1
        if as_they_are:
            run += of_value > 0.0 or run < 0
            bin_here = run
        elif way > 0:
            bin_here = min(bins - 1, int64(bins * below / total) if total > 0.0 else 0)
        else:
            bin_here = max(bin_before, 0)
            while bin_here < bins - 1 and x[first] > lowest + step * (bin_here + 1):
                bin_here += 1
        if bin_here != bin_before and (of_value > 0.0 or level < 0):
            level, bin_before = level + 1, bin_here
        last[level] = x[first]
        below += of_value
    return level + 1


def cut_by_classes(codes: Array, numbers: Any, rows: Rows, weight: Array) -> Array:
    """The codes with those of measured columns by (3)."""
    assert rows.labels is not None
    X = numbers.toarray() if sparse.issparse(numbers) else np.asarray(numbers)
    few = max(FEW_LEVELS, isqrt(len(X)))
    measured = [j for j in range(X.shape[1]) if not few_whole_numbers(X[weight > 0, j], few)]
    if measured:
        cells = np.ascontiguousarray(X[:, measured], dtype=np.float64)
        y = rows.y if in_memory(rows) else rows.each(lambda block: block.y)
        found, _weight = cuts_of_columns(ArrayRows(cells, y, weight), len(rows.labels))
        codes = codes.astype(np.int32)
        codes[measured] = bin_codes(cells, [one.cuts for one in found]).T
    return codes


def few_whole_numbers(x: Array, few: int) -> bool:
    """Are the known cells whole numbers, and of few different values?"""
    x = x[~np.isnan(x)]
    return bool((x == np.floor(x)).all()) and len(np.unique(x)) <= few


def several_levels(codes: Array, weight: Array) -> Array:
    """Which columns vary over the rows that count."""
    counted = codes if (weight > 0).all() else np.ascontiguousarray(codes[:, weight > 0])
    unsigned = counted.view(np.uint8 if codes.dtype == np.int8 else np.uint32)  # in which −1 is the largest of all
    lowest = unsigned.min(axis=1, initial=2 ** (8 * unsigned.itemsize) - 1)
    return np.asarray(counted.max(axis=1, initial=-1) > lowest.astype(np.int64))


def is_quantity(y: Any) -> bool:
    """Whether a target in memory is a quantity rather than one of classes: numbers of which some are not whole, or of which
    more than 20 and more than a quarter as many as the rows are different."""
    if y is None or is_read_in_blocks(y) or (target := as_target(y)).ndim != 1:
        return False
    if target.dtype.kind not in "iuf" or not len(target) or not np.isfinite(target).all():
        return False
    return bool((target != np.floor(target)).any()) or len(np.unique(target)) > max(FEW_CLASSES, len(target) // 4)


def quantity_in_bins(y: Any, n_bins: int | None) -> Any:
    """A target that is a quantity, cut by (1); one of classes as it is."""
    if not is_quantity(y):
        return y
    cells = as_target(y).astype(np.float64)[None]
    n = cells.shape[1]
    return codes_of_cells(cells, np.ones(n), 0, 1, n_bins or usual_bins(n))[0].astype(np.int32)
