"""Histograms of every column by equal bins, or by the bits of its numbers: the records from which quantiles.py finds its cells.

Doubles of one sign are ordered as their bits are. With the bits of the negative ones turned over, every double has a 64-bit key
in its order:

    x < y  ⇔  key(x) < key(y)                                                                                  (1)

Bins are equal intervals of numbers; intervals are runs of 2^shift keys.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import Sums, about_a_hundred_rows
from aprendiz.core.threads import scratch

SIGN = np.uint64(2**63)
LARGEST = float(np.finfo(float).max)


def keys(cells: Array) -> Array:
    """Doubles as unsigned integers in their order: the bits of a negative one turned over, of another one with the sign set."""
    bits = (cells + 0.0).view(np.uint64)
    return np.where(bits & SIGN, ~bits, bits | SIGN)


def values(keys: Array) -> Array:
    """Back to doubles."""
    return np.where(keys & SIGN, keys ^ SIGN, ~keys).view(np.float64)


def bin_count(histograms: int) -> int:
    """As many bins as 32 MB allow, 2048 at most."""
    return int(2 ** np.clip(int(np.log2(2**22 / histograms)), 6, 11))


@dataclass(frozen=True)
class Bins:
    """`number` bins for each column: one below `low`, then equal ones of width 1/scale, and one for all that is above."""

    low: Array
    scale: Array
    number: int

    @classmethod
    def over(cls, rows: Rows) -> Self:
        """Over the range of about a hundred rows of the first block, and a quarter of it more on both sides."""
        some = rows.first(about_a_hundred_rows, False)
        number = bin_count(rows.columns)
        low, high = np.fmin.reduce(some, axis=0), np.fmax.reduce(some, axis=0)
        with np.errstate(over="ignore"):
            width = 1.5 * (high - low)
            good = np.isfinite(width) & (width > 1e-290)
        scale = np.divide(number - 2, width, out=np.zeros(rows.columns), where=good)  # 0: all cells in one bin
        return cls(np.where(good, low - width / 6, 0.0), scale, number)

    def of(self, cells: Array, column: Array) -> Array:
        """The bins of some cells; rounded as in the kernels, operation by operation."""
        with np.errstate(over="ignore"):
            place = (cells - self.low[column]) * self.scale[column]
        return (np.minimum(np.maximum(place, -1.0), self.number - 2.0) + 1.0).astype(np.int64)

    def first_keys(self, column: Array, wanted: Array) -> Array:
        """The smallest key in each wanted bin or a later one, by bisection."""
        low, high = np.full(len(column), keys(np.array([-LARGEST]))[0]), np.full(len(column), keys(np.array([LARGEST]))[0])
        while (low < high).any():
            middle = low + (high - low) // np.uint64(2)
            reached = self.of(values(middle), column) >= wanted
            low, high = np.where(reached, low, np.minimum(middle + np.uint64(1), high)), np.where(reached, middle, high)
        return low


@dataclass(frozen=True)
class Intervals:
    """Intervals of keys, [low, low + 2^shift·bins), each of one column."""

    column: Array
    low: Array
    shift: Array
    bins: int


@dataclass(frozen=True)
class Histogram(Sums):
    """Cells, and their weight, in each bin of each column (or each part of each interval), and its extreme keys."""

    cells: Array
    weight: Array
    least: Array
    most: Array

    @classmethod
    def of_bins(cls, bins: Bins, block: Block) -> Self:
        empty, w = cls.empty((block.X.shape[1], bins.number), block)
        count_bins(block.X, w, bins.low, bins.scale, *empty)
        return cls.count(*empty)

    @classmethod
    def of(cls, intervals: Intervals, block: Block) -> Self:
        empty, w = cls.empty((len(intervals.column), intervals.bins), block)
        count_keys(block.X, w, intervals.column, intervals.low, intervals.shift, *empty)
        return cls.count(*empty)

    @staticmethod
    def empty(shape: tuple[int, int], block: Block) -> tuple[tuple[Array, ...], Array]:
        weighted = block.weight is not None
        cells, weight = np.zeros(shape, np.int64), np.zeros(shape if weighted else (0, 0))
        least, most = np.full(shape[0], 2**64 - 1, np.uint64), np.zeros(shape[0], np.uint64)
        return (cells, weight, least, most), block.weight if weighted else np.zeros(0)

    @classmethod
    def count(cls, cells: Array, weight: Array, least: Array, most: Array) -> Self:
        return cls(cells, weight if len(weight) else cells, least, most)

    def __add__(self, other: Self) -> Self:
        cells = self.cells + other.cells
        weight = cells if self.weight is self.cells else self.weight + other.weight
        return type(self)(cells, weight, np.minimum(self.least, other.least), np.maximum(self.most, other.most))

    def __iadd__(self, other: Self) -> Self:
        if self.weight is not self.cells:
            np.add(self.weight, other.weight, out=self.weight)
        np.add(self.cells, other.cells, out=self.cells)
        np.minimum(self.least, other.least, out=self.least)
        np.maximum(self.most, other.most, out=self.most)
        return self


@dataclass(frozen=True)
class Places:
    """Intervals [low, high] of numbers, those of column c numbered from start[c] on, and the bins in which there are any:
    most cells are passed over by looking there."""

    bins: Bins
    holds: Array
    start: Array
    low: Array
    high: Array


@dataclass(frozen=True)
class Collected(Sums):
    """The cells of each place, and their weights (None if all are 1)."""

    cells: tuple[Array, ...]
    weight: tuple[Array, ...] | None

    @classmethod
    def of(cls, places: Places, block: Block) -> Self:
        bins = places.bins
        found = scratch(len(places.low), len(block))
        count = np.zeros(len(places.low), np.int64)
        intervals = (places.holds, places.start, places.low, places.high)
        find_cells(block.X, block.weights, bins.low, bins.scale, *intervals, count, found)
        column = np.repeat(np.arange(block.X.shape[1]), np.diff(places.start))
        rows = [found[k, :n].astype(np.intp) for k, n in enumerate(count)]
        cells = tuple(block.X[numbers, c].astype(np.float64) for numbers, c in zip(rows, column, strict=True))
        return cls(cells, None if block.weight is None else tuple(block.weight[numbers] for numbers in rows))

    def __add__(self, other: Self) -> Self:
        joined = tuple(np.concatenate(pair) for pair in zip(self.cells, other.cells, strict=True))
        if self.weight is None or other.weight is None:
            return type(self)(joined, None)
        return type(self)(joined, tuple(np.concatenate(pair) for pair in zip(self.weight, other.weight, strict=True)))


# ---- kernels -----------------------------------------------------------------------------------------------------------


@compiled(exact=True)
def count_bins(X: Array, w: Array, low: Array, scale: Array, cells: Array, weight: Array, least: Array, most: Array) -> None:
    """Count the cells of each bin, and add their weights if there are weights. No licences: `Bins.of` must agree."""
    top = cells.shape[1] - 2.0
    smallest, largest = np.full(X.shape[1], np.inf), np.full(X.shape[1], -np.inf)
    for i in range(X.shape[0]):
        if len(w) and w[i] == 0.0:
            continue
        for c in range(X.shape[1]):
            x = X[i, c]
            place = (x - low[c]) * scale[c]
            if place == place:
                at = int64(min(max(place, -1.0), top) + 1.0)
                cells[c, at] += 1
                if len(w):
                    weight[c, at] += w[i]
                smallest[c] = min(smallest[c], x)
                largest[c] = max(largest[c], x)
    for c in range(X.shape[1]):
        if smallest[c] <= largest[c]:
            least[c], most[c] = key_of(smallest[c]), key_of(largest[c])


@compiled(exact=True, inner=True)
def key_of(x: float) -> np.uint64:
    """The key of a double: see `keys`."""
    cell = np.array([x + 0.0])
    bits = cell.view(np.uint64)[0]
    sign = np.uint64(1) << np.uint64(63)
    return ~bits if bits & sign else bits | sign


@compiled(exact=True)
def count_keys(
    X: Array, w: Array, column: Array, low: Array, shift: Array, cells: Array, weight: Array, least: Array, most: Array
) -> None:
    """Count the cells of each interval, and add their weights if there are weights."""
    bins = np.uint64(cells.shape[1])
    sign = np.uint64(1) << np.uint64(63)
    cell = np.empty(1)
    bits = cell.view(np.uint64)
    for i in range(X.shape[0]):
        if len(w) and w[i] == 0.0:
            continue
        for b in range(len(column)):
            cell[0] = X[i, column[b]] + 0.0
            if cell[0] != cell[0]:
                continue
            key = ~bits[0] if bits[0] & sign else bits[0] | sign
            part = (key - low[b]) >> shift[b]
            if key >= low[b] and part < bins:
                cells[b, part] += 1
                least[b] = min(least[b], key)
                most[b] = max(most[b], key)
                if len(w):
                    weight[b, part] += w[i]


@compiled(exact=True)
def find_cells(
    X: Array, w: Array, low: Array, scale: Array, holds: Array, start: Array, lows: Array, highs: Array, count: Array,
    found: Array,
) -> None:  # fmt: skip
    """The rows whose cells lie in each place, and how many."""
    top = holds.shape[1] - 2.0
    for i in range(X.shape[0]):
        for c in range(X.shape[1]):
            x = X[i, c]
            place = (x - low[c]) * scale[c]
            if place == place and holds[c, int64(min(max(place, -1.0), top) + 1.0)] and w[i] > 0.0:
                for k in range(start[c], start[c + 1]):
                    if lows[k] <= x <= highs[k]:
                        found[k, count[k]] = i
                        count[k] += 1
