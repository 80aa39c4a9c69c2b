"""Bins that are opened: in small nodes every value is a candidate again.

A tree grows on bins (coding.py) down to nodes of at most 255 rows. Such a node has at most 255 values in a column, so that
codes of its own, the ranks of its values, lose nothing. The rows of all such nodes are written one after the other with these
codes, and the growth goes on with them as roots:

    bins of all rows ──growth──▶ leaves of at most 255 rows ──ranks in the leaf──▶ growth ──▶ one tree        (1)

A larger node whose rows lie in one bin of every column gets 255 bins of its own, and (1) begins again. A threshold lies in the
middle between two values of its node. Small is a node of few rows, whatever they weigh.

Cost: a sort of 255 rows for each column and small node; several of them are searched side by side. The numbers of a few
thousand rows at a time are copied column by column: more would not stay near the processor.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.columns import Mixed
from aprendiz.core.rows import Array
from aprendiz.core.threads import ordered_map
from aprendiz.tree.growth import records
from aprendiz.tree.growth.coding import BINS, CodedTable
from aprendiz.tree.growth.cuts import midpoint
from aprendiz.tree.growth.grow_tree import Grown, Roots, grow_tree
from aprendiz.tree.growth.records import BEGIN, END, GrowthRules

SPLIT = [records.COLUMN, records.MISSING, records.LEVELS, records.BELOW, records.PARTS]  # what a leaf takes from its tree
CUT = [records.THRESHOLD, records.DECREASE]
ROWS_TOGETHER = 2**12  # rows of small nodes that are searched together, at least


@dataclass(frozen=True)
class Source:
    """What a tree grows on: the codes of all rows, which columns are bins, the numbers of some rows in these columns (a line
    for each), targets and weights."""

    table: CodedTable
    binned: Array
    numbers: Callable[[Array], Array]
    y: Array
    z: Array
    weight: Array
    rules: GrowthRules
    least: float  # decrease of a split
    seed: int

    @property
    def coarse(self) -> GrowthRules:
        """The rules of growth on bins: small nodes wait."""
        return self.rules._replace(min_split=max(self.rules.min_split, BINS + 1))

    def some(self, rows: Array, starts: Array) -> Source:
        """Some of the rows, in runs that begin at `starts`, with codes of their own in every run."""
        short, layout, numbers = self.table.short.take(rows, axis=1), self.table.layout.copy(), self.numbers(rows)
        order = np.empty((2, int(np.diff(starts).max())), np.int64)
        rank_runs(numbers, starts, short, layout[records.PLACE, self.binned], order)
        layout[records.SIZE, self.binned] = BINS
        layout[records.START, self.binned] = self.table.bounds.shape[1]
        bounds = np.hstack([self.table.bounds, np.tile(np.arange(BINS), (2, 1))])  # thresholds are placed afterwards
        return replace(
            self,
            table=replace(self.table, short=short, layout=layout, bounds=bounds),
            numbers=lambda some: numbers.take(some, axis=1),
            y=self.y[rows] if len(self.y) else self.y,
            z=self.z[rows] if len(self.z) else self.z,
            weight=self.weight[rows],
        )


def can_be_opened(table: CodedTable, rules: GrowthRules) -> bool:
    """Are there bins, and do the rows of a node stay together? Not with a limit of leaves, which is for all nodes together,
    with random cuts, which need the ends of bins, or with rows that go to several branches."""
    apart = table.missing and rules.missing == records.FRACTIONAL
    return not (table.exact or len(table.long) or rules.max_leaves > 0 or rules.random or apart)


def binned_columns(table: CodedTable) -> Array:
    """The columns that have bins of several values."""
    several = table.bounds[records.LOW] < table.bounds[records.HIGH]
    below = np.concatenate([[0], np.cumsum(several)])
    start, size = table.layout[records.START], table.layout[records.SIZE]
    return np.flatnonzero(below[start + size] > below[start])


def numbers_of(X: Any, columns: Array) -> Callable[[Array], Array]:
    """What gives the numbers of some rows in some columns of an array, a sparse matrix or a mixed table, a line for each."""
    if isinstance(X, Mixed):
        X, columns = X.numbers, np.searchsorted(X.columns.numeric, columns)
    if sparse.issparse(X) or not X.flags.c_contiguous:
        lines = np.array([(X[:, [j]].toarray() if sparse.issparse(X) else X[:, j]).ravel() for j in columns])
        return lambda rows: lines.take(rows, axis=1).astype(np.float64, copy=False)
    everything = len(columns) == X.shape[1]
    return lambda rows: np.array((X.take(rows, axis=0) if everything else X[rows[:, None], columns]).T, np.float64, order="C")


def grow_and_open(source: Source) -> Grown:
    """The tree of all rows."""
    rows = np.arange(len(source.weight), dtype=np.int32)
    table = source.table
    grown = grow_tree(
        table, table.layout, source.y, source.z, source.weight.copy(), rows, table.lines, source.coarse, source.seed
    )
    return with_opened_leaves(grown, rows, source, np.ones(len(grown[0]), bool))


def with_opened_leaves(grown: Grown, rows: Array, source: Source, coarse: Array) -> Grown:
    """A tree whose `coarse` leaves are opened; `rows` are in the order of its nodes."""
    leaves = np.flatnonzero(coarse & may_be_divided(grown, source.rules))
    small = grown[0][leaves, records.ROWS] <= BINS
    runs = [run for some in (leaves[small], leaves[~small]) for run in runs_of_leaves(some, grown[0][some, records.ROWS])]
    if not runs:
        return grown
    parts = list(ordered_map(lambda some: opened(grown, rows, source, some), runs))
    return joined(grown, runs, parts)


def runs_of_leaves(leaves: Array, sizes: Array) -> list[Array]:
    """Leaves that are opened together, by their numbers of rows."""
    if not len(leaves):
        return []
    return np.split(leaves, np.flatnonzero(np.diff(np.cumsum(sizes) // ROWS_TOGETHER, prepend=0)[1:]) + 1)


def may_be_divided(grown: Grown, rules: GrowthRules) -> Array:
    """The leaves that the rules allow to divide."""
    whole, real, *_ = grown
    rows = whole[:, records.ROWS]
    large = (rows >= rules.min_split) & (rows >= 2 * rules.min_leaf) & (real[:, records.WEIGHT] >= 2.0 * rules.min_weight)
    waits = (whole[:, records.COLUMN] == records.LEAF) & (real[:, records.IMPURITY] > 0.0)
    return waits & large & (whole[:, records.DEPTH] < rules.max_depth)


def opened(grown: Grown, rows: Array, source: Source, leaves: Array) -> Grown:
    """The trees of some leaves, which are their first nodes."""
    whole, table, sizes = grown[0], source.table, grown[0][leaves, records.ROWS]
    mine = np.concatenate([rows[whole[t, records.BEGIN] : whole[t, records.END]] for t in leaves])
    starts = np.concatenate([[0], np.cumsum(sizes)])
    part = source.some(mine, starts)
    roots = Roots(starts, whole[leaves, records.DEPTH], whole[leaves, records.KEY], source.least)
    order, exact = np.arange(len(mine), dtype=np.int32), bool(sizes.max() <= BINS)
    rules = source.rules if exact else source.coarse
    found = grow_tree(
        part.table, part.table.layout, part.y, part.z, part.weight.copy(), order, table.lines, rules, source.seed, roots
    )
    place_thresholds(found, order, part)
    return found if exact else with_opened_leaves(found, order, part, found[0][:, records.PARENT] >= 0)


def place_thresholds(grown: Grown, rows: Array, source: Source) -> None:
    """Thresholds between codes, of splits and of surrogate splits, become those between two values of their nodes."""
    whole, real, _, others, other_real = grown
    line = np.full(source.table.layout.shape[1], -1)
    line[source.binned] = np.arange(len(source.binned))
    numbers, place = source.numbers(np.arange(len(rows))), source.table.layout[records.PLACE]
    for nodes, column, found in (
        (whole, whole[:, records.COLUMN], real[:, records.THRESHOLD]),
        (whole[others[:, 0]], others[:, 1], other_real[:, 0]),
    ):
        place_between(numbers, line, source.table.short, place, rows, nodes, column, found)


def joined(grown: Grown, runs: list[Array], parts: list[Grown]) -> Grown:
    """A tree with the trees of its leaves, which come in runs, in their places."""
    pieces = [grown]
    whole, real = grown[0], grown[1]
    nodes, levels = len(whole), len(grown[2])
    for leaves, (own, own_real, own_levels, others, other_real) in zip(runs, parts, strict=True):
        k = len(leaves)
        number = np.concatenate([leaves, nodes + np.arange(len(own) - k)])
        own[k:, records.PARENT] = number[own[k:, records.PARENT]]
        own[:, records.LEVELS] += np.where(own[:, records.LEVELS] >= 0, levels, 0)
        others[:, 0] = number[others[:, 0]]
        others[:, 3] += np.where(others[:, 3] >= 0, levels, 0)
        whole[leaves[:, None], SPLIT], real[leaves[:, None], CUT] = own[:k, SPLIT], own_real[:k, CUT]
        pieces.append((own[k:], own_real[k:], own_levels, others, other_real))
        nodes, levels = nodes + len(own) - k, levels + len(own_levels)
    whole, real, branches, others, other_real = (np.concatenate(arrays) for arrays in zip(*pieces, strict=True))
    return whole, real, branches, others, other_real


# ---- kernels -----------------------------------------------------------------------------------------------------------


@compiled
def rank_runs(numbers: Array, starts: Array, short: Array, place: Array, order: Array) -> None:
    """The code of each number in its run, column by column: its rank among the values, or one of 255 bins where the run is
    longer; 255 for the missing. Codes before are those of bins, in the order of the numbers of a run. `place` is the line of
    each column in `short`, `order` a buffer of two lines."""
    places = np.empty(65, np.int64)
    for j in range(len(place)):
        x, codes = numbers[j], short[place[j]]
        for s in range(len(starts) - 1):
            begin, end, n = starts[s], starts[s + 1], int64(0)
            if 24 < end - begin <= 255:
                n = order_by_codes(x, codes, begin, end, places, order)
            else:
                for i in range(begin, end):
                    if x[i] == x[i]:
                        order[0, n] = i
                        n += 1
            at, code = int64(0), int64(0)
            if end - begin <= 255:
                insert_each(x, order, 0, n)
            else:
                at = sort_run(x, order, n)
            for i in range(begin, end):
                if x[i] != x[i]:
                    codes[i] = 255
            for k in range(n):
                if k > 0 and x[order[at, k]] != x[order[at, k - 1]]:
                    code = code + 1 if n <= 255 else k * 255 // n
                codes[order[at, k]] = code


@compiled(inner=True)
def order_by_codes(x: Array, codes: Array, begin: int, end: int, places: Array, order: Array) -> int:
    """Put the known numbers of a run in the order of their codes, four of which are one here. Returns how many there are."""
    for c in range(65):
        places[c] = 0
    for i in range(begin, end):
        if x[i] == x[i]:
            places[(codes[i] >> 2) + 1] += 1
    for c in range(1, 65):
        places[c] += places[c - 1]
    for i in range(begin, end):
        if x[i] == x[i]:
            c = codes[i] >> 2
            order[0, places[c]] = i
            places[c] += 1
    return places[64]


@compiled(inner=True)
def insert_each(x: Array, order: Array, first: int, last: int) -> None:
    """Sort some entries of the first line of `order` by the numbers they point to: quick where they nearly are."""
    for i in range(first + 1, last):
        r, k = order[0, i], i
        while k > first and x[order[0, k - 1]] > x[r]:
            order[0, k] = order[0, k - 1]
            k -= 1
        order[0, k] = r


@compiled(inner=True)
def sort_run(x: Array, order: Array, n: int) -> int:
    """Sort the first n entries of `order` by the numbers they point to, from line to line. Returns the line they are in."""
    for first in range(0, n, 8):
        insert_each(x, order, first, min(first + 8, n))
    width, now = int64(8), int64(0)
    while width < n:
        for start in range(0, n, 2 * width):
            a, b, to = start, min(start + width, n), start
            middle, end = b, min(start + 2 * width, n)
            while to < end:
                if b >= end or (a < middle and x[order[now, a]] <= x[order[now, b]]):
                    order[1 - now, to] = order[now, a]
                    a += 1
                else:
                    order[1 - now, to] = order[now, b]
                    b += 1
                to += 1
        width, now = 2 * width, 1 - now
    return now


@compiled
def place_between(
    numbers: Array, line: Array, short: Array, place: Array, rows: Array, nodes: Array, columns: Array, thresholds: Array
) -> None:
    """For each split, the middle between the largest number of its node whose code is up to the threshold and the least of the
    others. One between the known and the missing stays as it is, as do those of columns that are no bins (`line` −1)."""
    for k in range(len(nodes)):
        j = columns[k]
        if j < 0 or line[j] < 0:
            continue
        at, from_line, low, high = place[j], line[j], -np.inf, np.inf
        for i in range(nodes[k, BEGIN], nodes[k, END]):
            r = rows[i]
            v = numbers[from_line, r]
            if v == v:
                if short[at, r] <= thresholds[k]:
                    low = max(low, v)
                else:
                    high = min(high, v)
        if low > -np.inf and high < np.inf:
            thresholds[k] = midpoint(low, high)
