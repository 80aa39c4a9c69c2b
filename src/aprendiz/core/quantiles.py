"""Exact quantiles of every column in a few passes, wherever the rows are.

With W the weight of the known cells of a column, sorted, the quantile of level q stands at position

    h = q·(W − 1),     Q(q) = x₍⌊h⌋₎ + (h − ⌊h⌋)·(x₍⌊h⌋+1₎ − x₍⌊h⌋₎)                                          (1)

(type 7 of Hyndman & Fan, the default of R and NumPy); a row of weight 2 stands twice. The order statistics of (1) are found
without sorting the table. Doubles of one sign are ordered as their bits are, so every double has a 64-bit key in its order:

    1. the extremes of each column bound its keys;
    2. a histogram of equal intervals of keys says in which interval each order statistic lies, and how much lies below;
    3. an interval with few cells is collected and sorted, another one is divided again as in 2.

Both records add. Equal intervals of keys are fine near zero and coarse far from it, as doubles are, so an outlier does not
spoil them: one histogram is nearly always enough, two where many cells are equal, and never more than six (64 bits in
parts of 11).

Cost: three passes, O(n·d) each; memory about 32 MB of histograms for each thread at most, and the collected cells.
Reference: Hyndman & Fan, "Sample quantiles in statistical packages", The American Statistician 50, 1996.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from aprendiz.core.compiled import compiled
from aprendiz.core.engines.threads import scratch
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import Extremes, Sums

FEW = 2**13  # cells that are collected and sorted rather than divided again
SIGN = np.uint64(2**63)
KINDS = (np.intp, np.uint64, np.uint64)  # of column, low and high


def quantiles(rows: Rows, wanted: Sequence[float]) -> Array:
    """Q of (1) for each level that is wanted (rows of the answer) and column; NaN where a column has no known cell."""
    levels = np.asarray(wanted, dtype=np.float64)
    if rows.only is not None:
        found = [sorted_quantiles(*known(column, rows.only.weight), levels) for column in rows.only.X.T]
        return np.column_stack(found)
    extremes = rows.sum(Extremes.of)
    there = np.flatnonzero(extremes.low <= extremes.high)
    answer = np.full((len(levels), rows.columns), np.nan)
    if len(there):
        answer[:, there] = searched(rows, levels, there, extremes)
    return answer


# ---- sorted cells ------------------------------------------------------------------------------------------------------


def known(cells: Array, weight: Array | None) -> tuple[Array, Array | None]:
    """The known cells that count, and their weights."""
    there = ~np.isnan(cells) if weight is None else ~np.isnan(cells) & (weight > 0)
    return cells[there].astype(np.float64), None if weight is None else weight[there]


def sorted_quantiles(cells: Array, weight: Array | None, levels: Array) -> Array:
    """(1) of one column in memory."""
    if not len(cells):
        return np.full(len(levels), np.nan)
    low, share = positions(levels, float(len(cells)) if weight is None else float(weight.sum()))
    return between(order_statistics(cells, weight, low), order_statistics(cells, weight, low + 1), share)


def positions(levels: Array, weight: float) -> tuple[Array, Array]:
    """⌊h⌋ and h − ⌊h⌋."""
    h = np.maximum(levels * (weight - 1.0), 0.0)
    return np.floor(h), h - np.floor(h)


def between(a: Array, b: Array, share: Array) -> Array:
    """a + share·(b − a), from the nearer end, so that it never leaves [a, b]; +0 rather than −0."""
    gap = b - a
    return np.where(share < 0.5, a + share * gap, b - (1.0 - share) * gap) + 0.0


def order_statistics(cells: Array, weight: Array | None, ranks: Array) -> Array:
    """The cell that covers each rank (from 0) when every cell stands there with its weight; the last beyond the end."""
    if weight is None:
        places = np.minimum(ranks, len(cells) - 1).astype(np.intp)
        return np.partition(cells, np.unique(places))[places]
    order = np.argsort(cells, kind="stable")
    places = np.searchsorted(np.cumsum(weight[order]), ranks, side="right")
    return cells[order][np.minimum(places, len(cells) - 1)]


# ---- the search --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Intervals:
    """Intervals of keys, [low, low + 2^shift·bins), each of one column."""

    column: Array
    low: Array
    shift: Array
    bins: int


@dataclass(frozen=True)
class Histogram(Sums):
    """Cells, and their weight, in each part of each interval; the smallest and the largest key of each interval."""

    cells: Array
    weight: Array
    least: Array
    most: Array

    @classmethod
    def of(cls, intervals: Intervals, block: Block) -> Self:
        shape = (len(intervals.column), intervals.bins)
        cells, weight = np.zeros(shape, np.int64), np.zeros(shape if block.weight is not None else (0, 0))
        w = np.zeros(0) if block.weight is None else block.weight
        least, most = np.full(shape[0], 2**64 - 1, np.uint64), np.zeros(shape[0], np.uint64)
        count_keys(block.X, w, intervals.column, intervals.low, intervals.shift, cells, weight, least, most)
        return cls(cells, cells if block.weight is None else weight, least, most)

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
    """Intervals [low, high] of numbers, those of column `first.column[c]` numbered from start[c] on, and the parts of the
    first histogram in which there are any: most cells are passed over by looking there."""

    first: Intervals
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
        first = places.first
        found = scratch(len(places.low), len(block))
        count = np.zeros(len(places.low), np.int64)
        find_cells(
            block.X, block.weights, first.column, first.low, first.shift, places.holds, places.start, places.low, places.high,
            count, found,
        )  # fmt: skip
        column = np.repeat(first.column, np.diff(places.start))
        rows = [found[k, :n].astype(np.intp) for k, n in enumerate(count)]
        cells = tuple(block.X[numbers, c].astype(np.float64) for numbers, c in zip(rows, column, strict=True))
        return cls(cells, None if block.weight is None else tuple(block.weight[numbers] for numbers in rows))

    def __add__(self, other: Self) -> Self:
        joined = tuple(np.concatenate(pair) for pair in zip(self.cells, other.cells, strict=True))
        if self.weight is None or other.weight is None:
            return type(self)(joined, None)
        return type(self)(joined, tuple(np.concatenate(pair) for pair in zip(self.weight, other.weight, strict=True)))


@dataclass
class Sought:
    """An order statistic of a column: the keys between which it lies, and its rank among them."""

    column: int
    low: int
    high: int
    rank: float
    cells: int


def searched(rows: Rows, levels: Array, there: Array, extremes: Extremes) -> Array:
    """(1) for the columns `there`."""
    bounds = list(zip(there.tolist(), keys(extremes.low[there]).tolist(), keys(extremes.high[there]).tolist(), strict=True))
    first = divided(bounds)
    histogram = rows.sum(Histogram.of, first)
    low, share = positions(levels[:, None], histogram.weight.sum(axis=1)[None, :].astype(np.float64))
    wanted = [
        Sought(column, a, b, rank, FEW + 1)
        for k, (column, a, b) in enumerate(bounds)
        for rank in (*low[:, k].tolist(), *(low[:, k] + 1).tolist())
    ]
    narrowed(wanted, first, histogram)
    while wide := sorted({(s.column, s.low, s.high) for s in wanted if s.cells > FEW and s.low < s.high}):
        intervals = divided(wide)
        narrowed(wanted, intervals, rows.sum(Histogram.of, intervals))
    values = collected(rows, wanted, first).reshape(len(there), 2, len(levels))
    return between(values[:, 0].T, values[:, 1].T, share)


def divided(bounds: Sequence[tuple[int, int, int]]) -> Intervals:
    """Each [low, high] in at most `bins` equal parts of 2^shift keys."""
    bins = int(2 ** np.clip(int(np.log2(2**22 / len(bounds))), 6, 11))
    column, low, high = (np.array(part, kind) for part, kind in zip(zip(*bounds, strict=True), KINDS, strict=True))
    shift = np.array([max(0, int(gap).bit_length() - bins.bit_length() + 1) for gap in high - low], np.uint64)
    return Intervals(column, low, shift, bins)


def narrowed(wanted: list[Sought], intervals: Intervals, histogram: Histogram) -> None:
    """Each order statistic goes to the part in which its rank falls."""
    where = {(int(c), int(a)): k for k, (c, a) in enumerate(zip(intervals.column, intervals.low, strict=True))}
    running = np.cumsum(histogram.weight, axis=1)
    for sought in wanted:
        k = where.get((sought.column, sought.low))
        if k is None:
            continue
        last = int(np.flatnonzero(histogram.cells[k])[-1])
        part = min(int(np.searchsorted(running[k], sought.rank, side="right")), last)
        sought.rank -= float(running[k, part - 1]) if part else 0.0
        low, shift = sought.low + (part << int(intervals.shift[k])), int(intervals.shift[k])
        sought.low = max(low, int(histogram.least[k]))
        sought.high = min(low + (1 << shift) - 1, int(histogram.most[k]))
        sought.cells = int(histogram.cells[k, part])


def collected(rows: Rows, wanted: list[Sought], first: Intervals) -> Array:
    """The order statistics, from the few cells of their intervals."""
    places = sorted({(s.column, s.low, s.high) for s in wanted if s.low < s.high})
    if not places:  # every order statistic is known by its key alone
        return values(np.array([s.low for s in wanted], np.uint64))
    column, low, high = (np.array(part, kind) for part, kind in zip(zip(*places, strict=True), KINDS, strict=True))
    owner = np.searchsorted(first.column, column)
    holds = np.zeros((len(first.column), first.bins), bool)
    holds[owner, ((low - first.low[owner]) >> first.shift[owner]).astype(np.intp)] = True
    start = np.searchsorted(column, np.append(first.column, first.column[-1] + 1))
    found = rows.sum(Collected.of, Places(first, holds, start, values(low), values(high)))
    number = {place: k for k, place in enumerate(places)}

    def value(sought: Sought) -> float:
        if sought.low == sought.high:
            return float(values(np.array([sought.low], np.uint64))[0])
        k = number[sought.column, sought.low, sought.high]
        weight = None if found.weight is None else found.weight[k]
        return float(order_statistics(found.cells[k], weight, np.array([sought.rank]))[0])

    return np.array([value(sought) for sought in wanted])


def keys(cells: Array) -> Array:
    """Doubles as unsigned integers in their order: the bits of a negative one turned over, of another one with the sign set."""
    bits = (cells + 0.0).view(np.uint64)
    return np.where(bits & SIGN, ~bits, bits | SIGN)


def values(keys: Array) -> Array:
    """Back to doubles."""
    return np.where(keys & SIGN, keys ^ SIGN, ~keys).view(np.float64)


# ---- kernels -----------------------------------------------------------------------------------------------------------


@compiled
def count_keys(X, w, column, low, shift, cells, weight, least, most):  # type: ignore[no-untyped-def]
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
            part = (key - low[b]) >> shift[b]  # far too large where key < low
            if part < bins:
                cells[b, part] += 1
                least[b] = min(least[b], key)
                most[b] = max(most[b], key)
                if len(w):
                    weight[b, part] += w[i]


@compiled
def find_cells(X, w, column, low, shift, holds, start, lows, highs, count, found):  # type: ignore[no-untyped-def]
    """The rows whose cells lie in each place, and how many."""
    bins = np.uint64(holds.shape[1])
    sign = np.uint64(1) << np.uint64(63)
    cell = np.empty(1)
    bits = cell.view(np.uint64)
    for i in range(X.shape[0]):
        for c in range(len(column)):
            cell[0] = X[i, column[c]] + 0.0
            key = ~bits[0] if bits[0] & sign else bits[0] | sign
            part = (key - low[c]) >> shift[c]
            if part < bins and holds[c, part] and w[i] > 0.0:
                for k in range(start[c], start[c + 1]):
                    if lows[k] <= cell[0] <= highs[k]:
                        found[k, count[k]] = i
                        count[k] += 1
