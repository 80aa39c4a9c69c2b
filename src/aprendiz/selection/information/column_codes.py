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


@dataclass(frozen=True)
class ColumnCodes:
    """The columns of a table as codes.

    codes : int32 (columns, rows), −1 where a cell is missing
    levels : of each column, the number that is larger than its codes
    varies : whether rows that count know two levels of the column
    """

    codes: Array
    levels: Array
    varies: Array

    @classmethod
    def of(cls, rows: Rows, bins: Bins, n_bins: int | None) -> ColumnCodes:
        """The columns of rows in memory (others are read once)."""
        table, weight = whole_table(rows)
        weight = np.ones(table.shape[0]) if weight is None else weight
        numbers = table.numbers if isinstance(table, Mixed) else table
        n_bins = usual_bins(float(weight.sum())) if n_bins is None else n_bins
        codes = codes_of_numbers(numbers, weight, -1 if bins == "uniform" else 1, n_bins)
        if bins == "mdl":
            cut_by_classes(codes, numbers, rows, weight)
        if isinstance(table, Mixed):
            both = np.empty((len(table.columns), table.shape[0]), np.int32)
            both[list(table.columns.numeric)] = codes
            both[list(table.columns.coded)] = table.codes.T
            codes = both
        levels, varies = codes.max(axis=1, initial=0) + 1, several_levels(codes, weight)
        return cls(codes, levels.astype(np.int64), varies)


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
    codes = np.empty((d, n), np.int32)
    few, at_once = max(FEW_LEVELS, isqrt(n)), max(1, CELLS_AT_ONCE // max(1, n))

    def fill(first: int) -> None:
        part = slice(first, first + at_once)
        cells = X[:, part].toarray().T if sparse.issparse(X) else X[:, part].T
        cells = np.ascontiguousarray(cells, dtype=np.float64)
        code_columns(cells, cells.argsort(axis=1), weight, few, way, n_bins, codes[part])

    for _ in ordered_map(fill, range(0, d, at_once)):
        pass
    return codes


@compiled(exact=True)
def code_columns(X: Array, orders: Array, weight: Array, few: int, way: int, bins: int, codes: Array) -> None:
    """The codes of some columns, whose cells are sorted by `orders`, missing ones last."""
    for j in range(X.shape[0]):
        known, distinct, whole, total, last = int64(0), int64(0), True, 0.0, np.nan
        lowest, highest = np.nan, np.nan
        for place in range(X.shape[1]):
            i = orders[j, place]
            x = X[j, i]
            if x != x:
                codes[j, i] = -1
                continue
            known += 1
            total += weight[i]
            if weight[i] > 0.0:
                whole = whole and x == np.floor(x)
                distinct += x != last
                lowest = x if lowest != lowest else lowest
                highest = last = x
        as_they_are = whole and distinct <= few
        step = (highest - lowest) / bins if highest - lowest < np.inf else highest / bins - lowest / bins
        place, code, before, below, run = int64(0), int64(-1), int64(-1), 0.0, int64(-1)
        while place < known:
            x, weight_here = X[j, orders[j, place]], 0.0
            stop = place
            while stop < known and X[j, orders[j, stop]] == x:
                weight_here += weight[orders[j, stop]]
                stop += 1
            if as_they_are:
                run += weight_here > 0.0 or run < 0
                here = run
            elif way > 0:
                here = min(bins - 1, int64(bins * below / total) if total > 0.0 else 0)
            else:
                here = max(before, 0)
                while here < bins - 1 and x > lowest + step * (here + 1):
                    here += 1
            if here != before and (weight_here > 0.0 or code < 0):
                code, before = code + 1, here
            for t in range(place, stop):
                codes[j, orders[j, t]] = code
            below += weight_here
            place = stop


def cut_by_classes(codes: Array, numbers: Any, rows: Rows, weight: Array) -> None:
    """Replace the codes of measured columns by those of (3)."""
    assert rows.labels is not None
    X = numbers.toarray() if sparse.issparse(numbers) else np.asarray(numbers)
    few = max(FEW_LEVELS, isqrt(len(X)))
    measured = [j for j in range(X.shape[1]) if not few_whole_numbers(X[weight > 0, j], few)]
    if measured:
        cells = np.ascontiguousarray(X[:, measured], dtype=np.float64)
        y = rows.y if in_memory(rows) else rows.each(lambda block: block.y)
        found, _weight = cuts_of_columns(ArrayRows(cells, y, weight), len(rows.labels))
        codes[measured] = bin_codes(cells, [one.cuts for one in found]).T


def few_whole_numbers(x: Array, few: int) -> bool:
    """Are the known cells whole numbers, and of few different values?"""
    x = x[~np.isnan(x)]
    return bool((x == np.floor(x)).all()) and len(np.unique(x)) <= few


def several_levels(codes: Array, weight: Array) -> Array:
    """Which columns vary over the rows that count."""
    counted = codes if (weight > 0).all() else codes[:, weight > 0]
    known = counted >= 0
    lowest = np.where(known, counted, np.iinfo(np.int32).max).min(axis=1, initial=np.iinfo(np.int32).max)
    return np.asarray(counted.max(axis=1, initial=-1) > lowest)


def is_quantity(y: Any) -> bool:
    """Whether a target in memory is a quantity rather than one of classes: numbers of which some are not whole, or of which
    more
    than 20 and more than a quarter as many as the rows are different."""
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
    n, codes = cells.shape[1], np.empty(cells.shape, np.int32)
    code_columns(cells, cells.argsort(axis=1), np.ones(n), 0, 1, n_bins or usual_bins(n), codes)
    return codes[0]
