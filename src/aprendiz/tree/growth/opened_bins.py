"""Bins that are opened: in small nodes every value is a candidate again.

A tree grows on bins (coding.py) down to nodes of at most 255 rows. Such a node has at most 255 values in a column, so that
codes of its own, the ranks of its values, lose nothing. The rows of all such nodes are written one after the other with these
codes, and the growth goes on with them as roots:

    bins of all rows ──growth──▶ leaves of at most 255 rows ──ranks in the leaf──▶ growth ──▶ one tree        (1)

A larger node whose rows lie in one bin of every column gets 255 bins of its own, and (1) begins again. A threshold lies in the
middle between two values of its node. Small is a node of few rows, whatever they weigh.

Cost: 255 rows are ranked for each column and small node (own_codes.py); several of them are searched side by side. The trees
of a forest open single columns (search.py): all of them would take half as long as a tree.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.core.threads import ordered_map
from aprendiz.tree.growth import records
from aprendiz.tree.growth.coding import BINS, CodedTable
from aprendiz.tree.growth.cuts import midpoint
from aprendiz.tree.growth.grow_tree import Grown, Roots, grow_tree
from aprendiz.tree.growth.own_codes import ColumnNumbers, RankBuffers, rank_buffers, rank_rows
from aprendiz.tree.growth.records import BEGIN, COLUMN, END, PLACE, THRESHOLD, GrowthRules

SPLIT = [records.COLUMN, records.MISSING, records.LEVELS, records.BELOW, records.PARTS]  # what a leaf takes from its tree
CUT = [records.THRESHOLD, records.DECREASE]
ROWS_TOGETHER = 2**12  # rows of small nodes that are searched together, at least


@dataclass(frozen=True)
class Source:
    """What a tree grows on: the codes and numbers of its rows, targets and weights."""

    table: CodedTable
    numbers: ColumnNumbers
    y: Array
    z: Array
    weight: Array
    rules: GrowthRules
    least: float  # decrease of a split
    seed: int
    signs: Array | None  # of columns with monotonic constraints

    @property
    def coarse(self) -> GrowthRules:
        """The rules of growth on bins: small nodes wait."""
        return self.rules._replace(min_split=max(self.rules.min_split, BINS + 1))

    def some(self, rows: Array, starts: Array) -> Source:
        """Some of the rows, in runs that begin at `starts`, with codes of their own in every run."""
        layout, binned, numbers = self.table.layout.copy(), self.numbers.start >= 0, self.numbers.of_rows(rows)
        short = np.empty((len(self.table.short), len(rows)), np.uint8)
        room = rank_buffers(int(np.diff(starts).max()))
        rank_runs(numbers, self.table.short, layout, rows, starts, room, short)
        layout[records.SIZE, binned] = BINS
        layout[records.START, binned] = self.table.bounds.shape[1]
        bounds = np.hstack([self.table.bounds, np.tile(np.arange(BINS), (2, 1))])  # thresholds are placed afterwards
        return replace(
            self,
            table=replace(self.table, short=short, layout=layout, bounds=bounds),
            numbers=numbers,
            y=self.y[rows] if len(self.y) else self.y,
            z=self.z[rows] if len(self.z) else self.z,
            weight=self.weight[rows],
        )


def can_be_opened(table: CodedTable, rules: GrowthRules) -> bool:
    """Are there bins, and do the rows of a node stay together? Not with a limit of leaves, which is for all nodes together,
    with random cuts, which need the ends of bins, or with rows that go to several branches."""
    apart = table.missing and rules.missing == records.FRACTIONAL
    return not (table.exact or len(table.long) or rules.max_leaves > 0 or rules.random or apart)


def grow_and_open(source: Source) -> Grown:
    """The tree of all rows."""
    rows = np.arange(len(source.weight), dtype=np.int32)
    table = source.table
    grown = grow_tree(
        *(table, table.layout, source.y, source.z, source.weight.copy(), rows, table.lines, source.coarse, source.seed),
        signs=source.signs,
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
    bounds = grown[1][leaves][:, [records.LOWEST, records.HIGHEST]]
    mine = np.concatenate([rows[whole[t, records.BEGIN] : whole[t, records.END]] for t in leaves])
    starts = np.concatenate([[0], np.cumsum(sizes)])
    part = source.some(mine, starts)
    roots = Roots(starts, whole[leaves, records.DEPTH], whole[leaves, records.KEY], source.least, bounds)
    order, exact = np.arange(len(mine), dtype=np.int32), bool(sizes.max() <= BINS)
    rules = source.rules if exact else source.coarse
    found = grow_tree(
        *(part.table, part.table.layout, part.y, part.z, part.weight.copy(), order, table.lines, rules, source.seed, roots),
        signs=source.signs,
    )
    place_thresholds(found, order, part)
    return found if exact else with_opened_leaves(found, order, part, found[0][:, records.PARENT] >= 0)


def place_thresholds(grown: Grown, rows: Array, source: Source) -> None:
    """Thresholds between codes, of splits and of surrogate splits, become those between two values of their nodes."""
    whole, real, _, others, other_real = grown
    short, place = source.table.short, source.table.layout[records.PLACE]
    place_between(source.numbers, short, place, rows, whole, whole[:, COLUMN], real[:, THRESHOLD])
    place_between(source.numbers, short, place, rows, whole[others[:, 0]], others[:, 1], other_real[:, 0])


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
def rank_runs(
    numbers: ColumnNumbers, short: Array, layout: Array, rows: Array, starts: Array, room: RankBuffers, own: Array
) -> None:
    """The codes of rows in the runs that begin at `starts`: of their own in columns with bins, else as they are. The numbers
    are those of the rows, column by column."""
    flat, start, _ = numbers
    values, order, codes = room
    for s in range(len(starts) - 1):
        begin, end = starts[s], starts[s + 1]
        here = rows[begin:end]
        for j in range(len(start)):
            at = layout[PLACE, j]
            if start[j] >= 0:
                for i in range(end - begin):
                    values[i] = flat[start[j] + begin + i]
                rank_rows(end - begin, BINS, values, order, codes)
                for i in range(end - begin):
                    own[at, begin + i] = codes[i]
            else:
                for i in range(end - begin):
                    own[at, begin + i] = short[at, here[i]]


@compiled
def place_between(
    numbers: ColumnNumbers, short: Array, place: Array, rows: Array, nodes: Array, columns: Array, thresholds: Array
) -> None:
    """For each split, the middle between the largest number of its node whose code is up to the threshold and the least of the
    others. One between the known and the missing stays as it is, as do those of columns without bins."""
    flat, start, step = numbers
    for k in range(len(nodes)):
        j = columns[k]
        if j < 0 or start[j] < 0:
            continue
        at, low, high = place[j], -np.inf, np.inf
        for i in range(nodes[k, BEGIN], nodes[k, END]):
            v = flat[start[j] + step * rows[i]]
            if v == v:
                if short[at, rows[i]] <= thresholds[k]:
                    low = max(low, v)
                else:
                    high = min(high, v)
        if low > -np.inf and high < np.inf:
            thresholds[k] = midpoint(low, high)
