"""From a tree as it grew to the steps of its leaves, the raw predictions of all rows, and a forest of one tree."""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array
from aprendiz.core.threads import ordered_map
from aprendiz.ensemble.boosting.fixed_point import Units
from aprendiz.ensemble.boosting.growth import Grown
from aprendiz.ensemble.boosting.losses import Loss
from aprendiz.ensemble.boosting.records import BELOW, COLUMN, FIRST, LEVELS, MISSING, PARENT, ROWS, STEP, G, Table
from aprendiz.ensemble.forest.forest import Forest, node_type
from aprendiz.tree.growth import records
from aprendiz.tree.growth.assembly import depth_first
from aprendiz.tree.growth.coding import CodedTable

LARGEST_SINGLE = float(np.finfo(np.float32).max)


def newton_steps(grown: Grown, units: Units) -> Array:
    """−G/(H + λ) of each node, within its bounds."""
    return np.asarray(grown.real[:, STEP] * units.step)


def renewed_steps(grown: Grown, loss: Loss, left: Array, weight: Array | None, signs: Array | None) -> Array:
    """The median or quantile of what is left of the targets in each leaf. Under monotonic constraints those of inner nodes are
    taken too, and the leaves on both sides of a cut stay on their side of the middle."""
    steps, whole = np.zeros(len(grown.whole)), grown.whole
    low, high = np.full(len(steps), -np.inf), np.full(len(steps), np.inf)
    for t in range(len(steps)):
        if whole[t, FIRST] >= 0 and signs is None:
            continue
        rows = grown.rows_of(t)  # those of an inner node stand where they stood: its leaves are there
        steps[t] = loss.renewed(left[rows], None if weight is None else weight[rows])
    if signs is None:
        return steps
    for t in np.flatnonzero(whole[:, FIRST] >= 0).tolist():
        first, sign = whole[t, FIRST], signs[whole[t, COLUMN]]
        pair = [first, first + 1]
        low[pair], high[pair] = low[t], high[t]
        steps[pair] = np.clip(steps[pair], low[t], high[t])
        if sign:
            below, above = (first, first + 1) if sign > 0 else (first + 1, first)
            high[below] = low[above] = 0.5 * steps[first] + 0.5 * steps[first + 1]
            steps[pair] = np.clip(steps[pair], low[pair], high[pair])
    return steps


# ---- a forest of one tree ------------------------------------------------------------------------------------------------


def packed(
    grown: Grown, steps: Array, units: Units, weight: Array | None, coded: CodedTable, used: Array, columns: int
) -> Forest:
    """The tree as a forest stores it (forest/forest.py). The impurity of a node is what its best step leaves of the objective
    for each unit of weight, so that splits lower it by half of their gain."""
    whole = grown.whole
    place, count = depth_first(whole[:, PARENT]), len(whole)
    order = np.argsort(place)
    asks, leaf = whole[:, FIRST] >= 0, whole[:, FIRST] < 0
    column = np.where(asks, used[np.maximum(whole[:, COLUMN], 0)], -1)
    nodes = np.zeros(count, node_type(columns))
    leaves = np.flatnonzero(leaf[order])
    second = np.zeros(count, np.int64)
    second[asks] = place[whole[asks, FIRST] + 1]
    nodes["feature"], nodes["second"] = column[order], second[order]
    nodes["second"][leaves] = np.arange(len(leaves))
    nodes["missing"] = np.where(asks, whole[:, MISSING], 0)[order]
    nodes["threshold"] = thresholds(whole, asks, column, coded)[order]
    weights = whole[:, ROWS].astype(np.float64)
    if weight is not None:
        for t in np.flatnonzero(leaf).tolist():
            weights[t] = weight[grown.rows_of(t)].sum()
        for t in np.flatnonzero(asks)[::-1]:
            weights[t] = weights[whole[t, FIRST]] + weights[whole[t, FIRST] + 1]
    impurity = 0.5 * (grown.sums[:, G] / units.gradient) * newton_steps(grown, units) / weights
    level_start, level_branch = np.zeros(0, np.int64), np.zeros(0, np.int8)
    if coded.layout[records.UNORDERED].any():
        level_start, level_branch = branches_of_levels(grown, order, column, coded)
    return Forest(
        start=np.array([0, count]),
        nodes=nodes,
        level_start=level_start,
        level_branch=level_branch,
        impurity=np.clip(impurity[order], -LARGEST_SINGLE, LARGEST_SINGLE).astype(np.float32),
        value=steps[order][leaves][:, None].copy(),
        leaf_rows=whole[order][leaves, ROWS].astype(np.int32),
        leaf_weight=weights[order][leaves].astype(np.float32),
        classes=0,
    )


def thresholds(whole: Array, asks: Array, column: Array, coded: CodedTable) -> Array:
    """In the middle between the codes on both sides of a cut; NaN for a split of levels."""
    found = np.full(len(whole), -2.0)
    t = np.flatnonzero(asks)
    size, start, below = coded.layout[records.SIZE, column[t]], coded.layout[records.START, column[t]], whole[t, BELOW]
    last = below >= size - 1  # the known against the missing
    highest, lowest = coded.bounds[records.HIGH][start + below], coded.bounds[records.LOW][start + np.where(last, 0, below + 1)]
    middle = 0.5 * highest + 0.5 * lowest
    middle = np.where((highest <= middle) & (middle < lowest), middle, highest)
    found[t] = np.where(whole[t, LEVELS] > 0, np.nan, np.where(last, records.LARGEST, middle))
    return found


def branches_of_levels(grown: Grown, order: Array, column: Array, coded: CodedTable) -> tuple[Array, Array]:
    """The branch of each level in the splits of levels, node by node."""
    sizes = np.where(grown.whole[:, LEVELS] > 0, coded.layout[records.SIZE][np.maximum(column, 0)], 0)
    sizes = np.where(grown.whole[:, FIRST] >= 0, sizes, 0)[order]
    bits = np.unpackbits(grown.sides[order].view(np.uint8), axis=1, bitorder="little").astype(np.int8)
    parts = [bits[i, :size] for i, size in enumerate(sizes.tolist()) if size]
    start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return start, np.concatenate(parts) if parts else np.zeros(0, np.int8)


# ---- kernels -----------------------------------------------------------------------------------------------------------


@compiled
def take_steps(whole: Array, begin: Array, end: Array, order: Array, steps: Array, part: int, raw: Array) -> None:
    """Add the step of its leaf to the raw prediction of each row, in one part of the rows."""
    for t in range(len(whole)):
        if whole[t, FIRST] < 0:
            step = steps[t]
            for i in range(begin[t, part], end[t, part]):
                raw[order[i]] += step


@compiled
def take_steps_by_codes(table: Table, whole: Array, sides: Array, steps: Array, rows: Array, raw: Array) -> None:
    """The same for rows that the tree did not learn from, by their codes."""
    columns = table.columns
    for i in range(len(rows)):
        t, r = int64(0), rows[i]
        while whole[t, FIRST] >= 0:
            code = int64(columns[whole[t, COLUMN], r])
            t = int64(whole[t, FIRST]) + int64((sides[t, code >> 6] >> np.uint64(code & 63)) & np.uint64(1))
        raw[r] += steps[t]


def add_steps(grown: Grown, steps: Array, raw: Array) -> None:
    """Raw predictions of the rows that a tree learned from, after its steps."""

    def add(part: int) -> None:
        take_steps(grown.whole, grown.begin, grown.end, grown.order, steps, part, raw)

    for _ in ordered_map(add, range(grown.begin.shape[1])):
        pass
