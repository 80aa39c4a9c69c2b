"""A large table as codes, a byte for each cell, wherever its rows are: in memory, in files or with Dask.

The bins of a column are those of a sample of the rows, to which the rare rows (rare_rows.py) are added; one pass more notes the
lowest and highest value of each bin. A column that has at most 255 values in the sample is looked through: if it has no more in
all rows, each value is a bin. The sample depends on the number of rows alone, so the codes are the same for the same numbers.

Cost: four passes; memory: the codes, and the sample.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.random import hashes
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import Sums
from aprendiz.core.threads import ordered_map
from aprendiz.tree.growth.coding import BINS, CodedTable, coded_numbers
from aprendiz.tree.growth.rare_rows import RareRows, rare_rows

SAMPLE = 2**19  # cells of the rows that the bins are made from
FEWEST_ROWS = 2**12  # of them
MOST_RARE = 2**12  # rare rows that are added
CODES = 256  # of a column, with the one for the missing
SEED = 0  # the sample is always the same one


def coded_rows(rows: Rows, y: Array, weight: Array | None, classes: int, there: Array | None = None) -> CodedTable:
    """The codes of all rows; of those numbered `there`, if others do not count. Targets and weights are of those that count."""
    bins = ColumnBins.of(rows, y, weight, classes, there)
    codes = rows.each(codes_of, bins.low, bins.size)
    codes = np.ascontiguousarray(codes.T if there is None else codes[there].T)
    nothing = np.empty((0, codes.shape[1]), np.int32)
    missing = any(bool((column == size).any()) for column, size in zip(codes, bins.size, strict=True))
    return CodedTable(codes, nothing, bins.layout, bins.bounds, nothing, bins.largest_bin == 0, missing, bins.largest_bin)


def codes_of(low: Array, size: Array, block: Block) -> Array:
    """The bin of each cell."""
    codes = np.empty(block.X.shape, np.uint8)
    write_codes(block.X, low, size, codes)
    return codes


# ---- bins --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ColumnBins:
    """Lowest value of each bin (a row for each column, ∞ behind the last), number of bins, layout and bounds as the growth
    wants them, and how many rows the largest bin of several values holds."""

    low: Array
    size: Array
    layout: Array
    bounds: Array
    largest_bin: int

    @classmethod
    def of(cls, rows: Rows, y: Array, weight: Array | None, classes: int, there: Array | None = None) -> Self:
        chosen, rare = sampled_rows(len(y), rows.columns), some_rare_rows(y, weight, classes)
        wanted = chosen if rare is None else np.union1d(chosen, rare.rows)
        X = rows.sum(CellsAt.of, wanted if there is None else there[wanted]).X
        share = None
        if rare is not None or weight is not None:
            share = np.isin(wanted, chosen) * (1.0 if weight is None else weight[wanted])
            rare = None if rare is None else RareRows(np.searchsorted(wanted, rare.rows), rare.mass)
        columns = list(ordered_map(lambda cells: coded_numbers(cells, share, exact=False, rare=rare), X.T))
        size = np.array([max(1, column.size) for column in columns])
        low = np.full((len(columns), CODES), np.inf)
        for j, column in enumerate(columns):
            low[j, : column.size] = column.low
        take_all_values(rows, np.flatnonzero([column.exact for column in columns]), low, size)
        ends = rows.sum(BinEnds.of, low, size)
        inside = np.arange(CODES) < size[:, None]
        layout = np.array([np.arange(len(size)), size, np.zeros(len(size), np.int64), np.cumsum(size) - size])
        largest = int(ends.rows[inside & (ends.low < ends.high)].max(initial=0))
        return cls(low, size, layout, np.array([ends.low[inside], ends.high[inside]]), largest)


def sampled_rows(count: int, columns: int) -> Array:
    """The numbers of the rows that the bins are made from, in their order."""
    size = max(FEWEST_ROWS, SAMPLE // columns)
    if count <= size:
        return np.arange(count)
    return np.sort(np.argpartition(hashes(SEED, 0, np.arange(count)), size)[:size])


def some_rare_rows(y: Array, weight: Array | None, classes: int) -> RareRows | None:
    """The rare rows, or some of them with the mass of all."""
    rare = rare_rows(y, weight, classes)
    if rare is None or len(rare.rows) <= MOST_RARE:
        return rare
    race = -np.log1p(-(hashes(SEED, 1, rare.rows) >> np.uint64(11)) * 2.0**-53) / rare.mass  # the heavier, the likelier
    kept = np.sort(np.argpartition(race, MOST_RARE)[:MOST_RARE])
    return RareRows(rare.rows[kept], rare.mass[kept] * (rare.mass.sum() / rare.mass[kept].sum()))


def take_all_values(rows: Rows, columns: Array, low: Array, size: Array) -> None:
    """Make each value a bin in columns that have at most 255 of them."""
    if len(columns):
        for j, values in zip(columns, rows.sum(Values.of, columns).values, strict=True):
            if values is not None and len(values):
                low[j], size[j] = np.inf, len(values)
                low[j, : len(values)] = values


@dataclass(frozen=True)
class CellsAt(Sums):
    """Some rows, by their numbers."""

    X: Array

    @classmethod
    def of(cls, numbers: Array, block: Block) -> Self:
        first, last = np.searchsorted(numbers, [block.start, block.start + len(block)])
        return cls(np.asarray(block.X[numbers[first:last] - block.start], np.float64))

    def __add__(self, other: Self) -> Self:
        return type(self)(np.concatenate([self.X, other.X]))


@dataclass(frozen=True)
class Values(Sums):
    """The values of some columns, in their order; None where there are more than 255."""

    values: tuple[Array | None, ...]

    @classmethod
    def of(cls, columns: Array, block: Block) -> Self:
        counting = block.X if block.weight is None else block.X[block.weight > 0]
        return cls(tuple(few_values(counting[:, j]) for j in columns))

    def __add__(self, other: Self) -> Self:
        pairs = zip(self.values, other.values, strict=True)
        return type(self)(tuple(None if a is None or b is None else few_values(np.concatenate([a, b])) for a, b in pairs))


def few_values(cells: Array) -> Array | None:
    """The distinct numbers, in their order; None if there are too many."""
    values: Any = np.unique(cells)
    values = values[~np.isnan(values)].astype(np.float64)
    return values if len(values) <= BINS else None


@dataclass(frozen=True)
class BinEnds(Sums):
    """Lowest and highest value in each bin, and how many rows it holds."""

    low: Array
    high: Array
    rows: Array

    @classmethod
    def of(cls, low: Array, size: Array, block: Block) -> Self:
        ends = np.full(low.shape, np.inf), np.full(low.shape, -np.inf), np.zeros(low.shape, np.int64)
        note_ends(block.X, block.weights, low, size, *ends)
        return cls(*ends)

    def __add__(self, other: Self) -> Self:
        low, high = np.minimum(self.low, other.low), np.maximum(self.high, other.high)
        return type(self)(low, high, self.rows + other.rows)


# ---- kernels -----------------------------------------------------------------------------------------------------------


@compiled(inner=True)
def bin_of(x: float, j: int, low: Array, size: Array) -> int:
    """The last bin whose lowest value x reaches (the first, if it reaches none); the one after the last for a missing cell."""
    if x != x:
        return size[j]
    at = 0
    for step in (128, 64, 32, 16, 8, 4, 2, 1):
        at += step * (low[j, at + step] <= x)
    return at


@compiled
def write_codes(X: Array, low: Array, size: Array, codes: Array) -> None:
    for i in range(len(X)):
        for j in range(X.shape[1]):
            codes[i, j] = bin_of(X[i, j], j, low, size)


@compiled
def note_ends(X: Array, w: Array, low: Array, size: Array, lowest: Array, highest: Array, rows: Array) -> None:
    for i in range(len(X)):
        for j in range(X.shape[1]):
            x = X[i, j]
            if w[i] > 0.0 and x == x:
                b = bin_of(x, j, low, size)
                lowest[j, b] = min(lowest[j, b], x)
                highest[j, b] = max(highest[j, b], x)
                rows[j, b] += 1
