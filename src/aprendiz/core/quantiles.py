"""Exact quantiles of every column in two or three passes, wherever the rows are.

With W the weight of the known cells of a column, sorted, the quantile of level q stands at position

    h = q·(W − 1),     Q(q) = x₍⌊h⌋₎ + (h − ⌊h⌋)·(x₍⌊h⌋+1₎ − x₍⌊h⌋₎)                                          (1)

(type 7 of Hyndman & Fan, the default of R and NumPy); a row of weight 2 stands twice. The order statistics of (1) are found
without sorting the table:

    1. a histogram with equal bins, placed by a look at about a hundred rows, says in which bin each order statistic lies,
       and how much lies below;
    2. a bin with few cells is collected and sorted;
    3. another one is divided again, by the bits of its numbers. Doubles of one sign are ordered as their bits are, so every
       double has a 64-bit key in its order, and equal intervals of keys cannot be spoilt by outliers: 11 bits a time,
       never more than six times, and once where many cells are equal.

Any monotone map is good enough for 1: whatever its rounding, the cells of a bin are all the doubles between two of them.
Both records add.

Cost: two passes, nearly always, O(n·d) each; memory about 32 MB of histograms for each thread at most, and the collected cells.
Reference: Hyndman & Fan, "Sample quantiles in statistical packages", The American Statistician 50, 1996.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from aprendiz.core.compiled import compiled, int64
from aprendiz.core.engines.threads import scratch
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import Sums, about_a_hundred_rows

FEW = 2**13  # cells that are collected and sorted rather than divided again
SIGN = np.uint64(2**63)
LARGEST = float(np.finfo(float).max)
KINDS = (np.intp, np.uint64, np.uint64)  # of column, low and high


def quantiles(rows: Rows, wanted: Sequence[float]) -> Array:
    """Q of (1) for each level that is wanted (rows of the answer) and column; NaN where a column has no known cell."""
    levels = np.asarray(wanted, dtype=np.float64)
    if rows.only is not None:
        found = [sorted_quantiles(*known(column, rows.only.weight), levels) for column in rows.only.X.T]
        return np.column_stack(found)
    answer = np.full((len(levels), rows.columns), np.nan)
    bins = Bins.placed(rows)
    histogram = rows.sum(Histogram.of_bins, bins)
    there = np.flatnonzero(histogram.cells.any(axis=1))
    if len(there):
        answer[:, there] = searched(rows, levels, there, bins, histogram)
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
    with np.errstate(over="ignore", invalid="ignore"):
        gap = b - a
        near = np.where(share < 0.5, a + share * gap, b - (1.0 - share) * gap)
    return np.where(np.isfinite(gap), near, (1.0 - share) * a + share * b) + 0.0


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
class Bins:
    """`number` bins for each column: one below `low`, then equal ones of width 1/scale, and one for all that is above."""

    low: Array
    scale: Array
    number: int

    @classmethod
    def placed(cls, rows: Rows) -> Self:
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
        return cls.counted(*empty)

    @classmethod
    def of(cls, intervals: Intervals, block: Block) -> Self:
        empty, w = cls.empty((len(intervals.column), intervals.bins), block)
        count_keys(block.X, w, intervals.column, intervals.low, intervals.shift, *empty)
        return cls.counted(*empty)

    @staticmethod
    def empty(shape: tuple[int, int], block: Block) -> tuple[tuple[Array, ...], Array]:
        weighted = block.weight is not None
        cells, weight = np.zeros(shape, np.int64), np.zeros(shape if weighted else (0, 0))
        least, most = np.full(shape[0], 2**64 - 1, np.uint64), np.zeros(shape[0], np.uint64)
        return (cells, weight, least, most), block.weight if weighted else np.zeros(0)

    @classmethod
    def counted(cls, cells: Array, weight: Array, least: Array, most: Array) -> Self:
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


@dataclass
class Sought:
    """An order statistic of a column: the keys between which it lies, and its rank among them."""

    column: int
    low: int
    high: int
    rank: float
    cells: int


def searched(rows: Rows, levels: Array, there: Array, bins: Bins, histogram: Histogram) -> Array:
    """(1) for the columns `there`."""
    low, share = positions(levels[:, None], histogram.weight[there].sum(axis=1)[None, :].astype(np.float64))
    ranks = np.concatenate([low, low + 1]).T.ravel()  # of each column, ⌊h⌋ for all levels, then ⌊h⌋ + 1
    wanted = located(np.repeat(there, 2 * len(levels)), ranks, bins, histogram)
    while wide := sorted({(s.column, s.low, s.high) for s in wanted if s.cells > FEW and s.low < s.high}):
        intervals = divided(wide)
        narrowed(wanted, intervals, rows.sum(Histogram.of, intervals))
    found = collected(rows, wanted, bins).reshape(len(there), 2, len(levels))
    return between(found[:, 0].T, found[:, 1].T, share)


def located(column: Array, ranks: Array, bins: Bins, histogram: Histogram) -> list[Sought]:
    """Each order statistic in its bin, bounded by the keys that fall into it and by the extremes of the column."""
    running = np.cumsum(histogram.weight, axis=1)
    last = bins.number - 1 - np.argmax(histogram.cells[:, ::-1] > 0, axis=1)
    part = np.array([int(np.searchsorted(running[c], r, side="right")) for c, r in zip(column, ranks, strict=True)])
    part = np.minimum(part, last[column])
    below = np.where(part > 0, running[column, part - 1], 0.0)
    low = np.maximum(bins.first_keys(column, part), histogram.least[column])
    after = bins.first_keys(column, part + 1)
    beyond = bins.of(values(after), column) > part  # no double may lie in a later bin
    high = np.where(beyond, np.minimum(after - np.uint64(1), histogram.most[column]), histogram.most[column])
    cells = histogram.cells[column, part]
    fields = (column, low, high, ranks - below, cells)
    return [Sought(*one) for one in zip(*(field.tolist() for field in fields), strict=True)]


def bin_count(histograms: int) -> int:
    """As many bins as 32 MB allow, 2048 at most."""
    return int(2 ** np.clip(int(np.log2(2**22 / histograms)), 6, 11))


def divided(bounds: Sequence[tuple[int, int, int]]) -> Intervals:
    """Each [low, high] in at most `bins` equal parts of 2^shift keys."""
    bins = bin_count(len(bounds))
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


def collected(rows: Rows, wanted: list[Sought], bins: Bins) -> Array:
    """The order statistics, from the few cells of their intervals."""
    places = sorted({(s.column, s.low, s.high) for s in wanted if s.low < s.high})
    if not places:  # every order statistic is known by its key alone
        return values(np.array([s.low for s in wanted], np.uint64))
    column, low, high = (np.array(part, kind) for part, kind in zip(zip(*places, strict=True), KINDS, strict=True))
    holds = np.zeros((rows.columns, bins.number), bool)
    for edge in (low, high):  # an interval lies within one bin
        holds[column, bins.of(values(edge), column)] = True
    start = np.searchsorted(column, np.arange(rows.columns + 1))
    found = rows.sum(Collected.of, Places(bins, holds, start, values(low), values(high)))
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
