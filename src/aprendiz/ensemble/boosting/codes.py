"""The table as boosted trees see it: codes of the columns that vary, by rows and by columns.

Bins are those of all trees (tree/growth/coding.py, sampled_codes.py); with fewer of them (max_bins)
neighbours are put together,

    bin b → ⌊(rows below b) / n · max_bins⌋                                                                        (1)

which keeps every value apart where there are at most max_bins. Targets have no say in the bins: those
that a single tree gives to rare rows (tree/growth/rare_rows.py) are missed elsewhere, and later trees fit what
is left of all rows.

Memory: two bytes for each cell.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from aprendiz.core.rows import Array, Rows
from aprendiz.core.threads import ordered_map
from aprendiz.ensemble.boosting.records import Table
from aprendiz.tree.growth import records
from aprendiz.tree.growth.coding import CodedTable
from aprendiz.tree.shared.decision_tree import coded_table

SOME_ROWS = 2**13  # that are turned together


@dataclass(frozen=True)
class Codes:
    """The codes of all columns, and the numbers of those that vary."""

    coded: CodedTable
    used: Array

    @classmethod
    def of(cls, rows: Rows, count: int, weight: Array | None, there: Array | None, bins: int) -> Codes:
        """Number and weights of the rows that count; `there` are their numbers, if `rows` has others."""
        no_targets = np.zeros(count)
        coded = coded_table(rows, no_targets, weight, 0, there, exact=False, orders=True, most=0)
        refuse_many_levels(coded, rows, bins)
        if (coded.layout[records.SIZE] > bins).any():
            coded = with_fewer_bins(coded, bins)
        sizes, some = coded.layout[records.SIZE], np.zeros(coded.layout.shape[1], bool)
        if coded.missing:
            some = np.array([bool((codes == size).any()) for codes, size in zip(columns_of(coded), sizes, strict=True)])
        used = np.flatnonzero((sizes > 1) | (some & (sizes > 0)))
        return cls(coded, used if len(used) else np.zeros(1, np.int64))

    def table(self, rows: Array | None = None) -> Table:
        """Some rows (None: all), as the growth takes them."""
        coded, used = self.coded, self.used
        place = coded.layout[records.PLACE, used]
        columns = coded.short if np.array_equal(place, np.arange(len(coded.short))) else coded.short[place]
        if rows is not None:
            columns = np.ascontiguousarray(columns[:, rows])
        sizes = coded.layout[records.SIZE, used].copy()
        missing = np.zeros(len(used), np.int64)
        if coded.missing:
            missing[:] = [(codes == size).any() for codes, size in zip(columns, sizes, strict=True)]
        return Table(
            rows=by_rows(columns),
            columns=columns,
            sizes=sizes,
            unordered=coded.layout[records.UNORDERED, used].copy(),
            missing=missing,
        )


def columns_of(coded: CodedTable) -> list[Array]:
    """The codes of each column."""
    return [coded.short[place] for place in coded.layout[records.PLACE]]


def by_rows(columns: Array) -> Array:
    """The codes row by row, in one line."""
    width, count = columns.shape
    turned = np.empty((count, width), np.uint8)

    def turn(first: int) -> None:
        turned[first : first + SOME_ROWS] = columns[:, first : first + SOME_ROWS].T

    for _ in ordered_map(turn, range(0, count, SOME_ROWS)):
        pass
    return turned.reshape(-1)


def refuse_many_levels(coded: CodedTable, rows: Rows, bins: int) -> None:
    """A column with more levels than there are bins."""
    levels = coded.layout[records.UNORDERED] != 0
    levels |= coded.layout[records.PLACE] < 0  # levels with an order
    many = np.flatnonzero(levels & (coded.layout[records.SIZE] > bins))
    if len(many):
        j = int(many[0])
        name = f"at index {j}" if rows.names is None else repr(rows.names[j])
        raise ValueError(
            f"Categorical feature {name} is expected to have a cardinality <= {bins} but actually has a cardinality of "
            f"{coded.layout[records.SIZE, j]}: raise max_bins (up to 255), put rare levels together, or leave the column out."
        )


def with_fewer_bins(coded: CodedTable, bins: int) -> CodedTable:
    """(1) for the columns that have more."""
    short, lows, highs, sizes = coded.short.copy(), [], [], []
    layout, done, largest = coded.layout.copy(), set(), coded.largest_bin
    for place, size, _, start in coded.layout[:4].T:
        low, high = (bound[start : start + size] for bound in coded.bounds)
        if size > bins:
            counts = np.bincount(coded.short[place], minlength=size + 1)
            below = np.cumsum(counts[:size]) - counts[:size]
            number = np.minimum(below * bins // max(int(counts[:size].sum()), 1), bins - 1)
            begins = np.flatnonzero(np.diff(number, prepend=-1))
            new = np.cumsum(np.diff(number, prepend=-1) > 0) - 1
            low, high = low[begins], high[np.append(begins[1:], size) - 1]
            largest = max(largest, int(np.add.reduceat(counts[:size], begins).max()))
            if place not in done:
                short[place] = np.append(new, len(begins)).astype(np.uint8)[coded.short[place]]
                done.add(place)
        lows.append(low)
        highs.append(high)
        sizes.append(len(low))
    layout[records.SIZE], layout[records.START] = sizes, np.cumsum(sizes) - sizes
    bounds = np.array([np.concatenate(lows), np.concatenate(highs)])
    return replace(coded, short=short, layout=layout, bounds=bounds, exact=False, largest_bin=largest)
