"""Exact quantiles of every column in two or three passes, wherever the rows are.

With W the weight of the known cells of a column, sorted, the quantile of level q stands at position

    h = q·(W − 1),     Q(q) = x₍⌊h⌋₎ + (h − ⌊h⌋)·(x₍⌊h⌋+1₎ − x₍⌊h⌋₎)                                          (1)

(type 7 of Hyndman & Fan, the default of R and NumPy); a row of weight 2 stands twice. The order statistics of (1) are found
without sorting the table:

    1. a histogram with equal bins, placed by a look at about a hundred rows, says in which bin each order statistic lies,
       and how much lies below;
    2. a bin with few cells is collected and sorted;
    3. another one is divided again, into equal intervals of keys: the bits of its numbers, which have the order of the
       numbers (key_histograms.py) and cannot be spoilt by outliers. 11 bits a time, never more than six times, and once where
       many cells are equal.

Any monotone map is good enough for 1: whatever its rounding, the cells of a bin are all the doubles between two of them.
Both records add.

Cost: two passes, nearly always, O(n·d) each; memory about 32 MB of histograms for each thread at most, and the collected cells.
Reference: Hyndman & Fan, "Sample quantiles in statistical packages", The American Statistician 50, 1996.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from aprendiz.core.rows import Array, Rows
from aprendiz.summaries.key_histograms import Bins, Collected, Histogram, Intervals, Places, bin_count, values

CELLS_AT_ONCE = 2**20  # of a table in memory, that are partitioned together
FEW_CELLS = 2**13  # cells that are collected and sorted rather than divided again
KINDS = (np.intp, np.uint64, np.uint64)  # of column, low and high


def quantiles(rows: Rows, wanted: Sequence[float]) -> Array:
    """Q of (1) for each level that is wanted (rows of the answer) and column; NaN where a column has no known cell."""
    levels = np.asarray(wanted, dtype=np.float64)
    if rows.only is not None:
        some = columns_at_once(len(rows.only.X))
        parts = (rows.only.X[:, low : low + some] for low in range(0, rows.columns, some))
        return np.hstack([quantiles_of_array(part, rows.only.weight, levels) for part in parts])
    answer = np.full((len(levels), rows.columns), np.nan)
    bins = Bins.over(rows)
    histogram = rows.sum(Histogram.of_bins, bins)
    there = np.flatnonzero(histogram.cells.any(axis=1))
    if len(there):
        answer[:, there] = search(rows, levels, there, bins, histogram)
    return answer


# ---- sorted cells ------------------------------------------------------------------------------------------------------


def columns_at_once(rows: int) -> int:
    """Columns that are copied and partitioned together."""
    return max(1, CELLS_AT_ONCE // max(1, rows))


def quantiles_of_array(X: Array, weight: Array | None, levels: Array) -> Array:
    """(1) of the columns of an array: of those without a gap together, as long as all rows weigh the same."""
    answer, cells = np.empty((len(levels), X.shape[1])), np.ascontiguousarray(X.T, dtype=np.float64)
    whole = ~np.isnan(cells).any(axis=1) if weight is None and len(X) else np.zeros(len(cells), bool)
    if whole.any():
        low, share = positions(levels, float(len(X)))
        first, second = (np.minimum(ranks, len(X) - 1).astype(np.intp) for ranks in (low, low + 1))
        sorted_there = np.partition(cells[whole], np.unique([first, second]), axis=1).T
        answer[:, whole] = interpolate(sorted_there[first], sorted_there[second], share[:, None])
    for j in np.flatnonzero(~whole):
        answer[:, j] = sorted_quantiles(*known_cells(X[:, j], weight), levels)
    return answer


def known_cells(cells: Array, weight: Array | None) -> tuple[Array, Array | None]:
    """The known cells that count, and their weights."""
    there = ~np.isnan(cells) if weight is None else ~np.isnan(cells) & (weight > 0)
    return cells[there].astype(np.float64), None if weight is None else weight[there]


def sorted_quantiles(cells: Array, weight: Array | None, levels: Array) -> Array:
    """(1) of one column in memory."""
    if not len(cells):
        return np.full(len(levels), np.nan)
    if weight is not None:
        refuse_light_weights(np.array([len(cells)]), np.array([weight.sum()]))
    low, share = positions(levels, float(len(cells)) if weight is None else float(weight.sum()))
    return interpolate(order_statistics(cells, weight, low), order_statistics(cells, weight, low + 1), share)


def refuse_light_weights(cells: Array, weight: Array) -> None:
    """Stop where several cells weigh no more than one row: (1) would take the smallest for every level."""
    if (light := (cells > 1) & (weight <= 1)).any():
        sum_of_weights = float(weight[np.argmax(light)])
        raise ValueError(
            f"sample_weight sums to {sum_of_weights:.3g}: for quantiles weights count rows, so their sum must exceed 1. "
            "Multiply them, for example so that they sum to the number of rows."
        )


def positions(levels: Array, weight: float) -> tuple[Array, Array]:
    """⌊h⌋ and h − ⌊h⌋."""
    h = np.maximum(levels * (weight - 1.0), 0.0)
    return np.floor(h), h - np.floor(h)


def interpolate(a: Array, b: Array, share: Array) -> Array:
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


@dataclass
class Sought:
    """An order statistic of a column: the keys between which it lies, and its rank among them."""

    column: int
    low: int
    high: int
    rank: float
    cells: int


def search(rows: Rows, levels: Array, there: Array, bins: Bins, histogram: Histogram) -> Array:
    """(1) for the columns `there`."""
    total = histogram.weight[there].sum(axis=1)
    refuse_light_weights(histogram.cells[there].sum(axis=1), total)
    low, share = positions(levels[:, None], total[None, :].astype(np.float64))
    ranks = np.concatenate([low, low + 1]).T.ravel()  # of each column, ⌊h⌋ for all levels, then ⌊h⌋ + 1
    wanted = locate(np.repeat(there, 2 * len(levels)), ranks, bins, histogram)
    while wide := sorted({(s.column, s.low, s.high) for s in wanted if s.cells > FEW_CELLS and s.low < s.high}):
        intervals = divide(wide)
        narrow(wanted, intervals, rows.sum(Histogram.of, intervals))
    found = collect(rows, wanted, bins).reshape(len(there), 2, len(levels))
    return interpolate(found[:, 0].T, found[:, 1].T, share)


def locate(column: Array, ranks: Array, bins: Bins, histogram: Histogram) -> list[Sought]:
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


def divide(bounds: Sequence[tuple[int, int, int]]) -> Intervals:
    """Each [low, high] in at most `bins` equal parts of 2^shift keys."""
    bins = bin_count(len(bounds))
    column, low, high = (np.array(part, kind) for part, kind in zip(zip(*bounds, strict=True), KINDS, strict=True))
    shift = np.array([max(0, int(gap).bit_length() - bins.bit_length() + 1) for gap in high - low], np.uint64)
    return Intervals(column, low, shift, bins)


def narrow(wanted: list[Sought], intervals: Intervals, histogram: Histogram) -> None:
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


def collect(rows: Rows, wanted: list[Sought], bins: Bins) -> Array:
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
