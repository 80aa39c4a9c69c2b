"""From the nodes in the order in which they grew to a forest of one tree; and, on the way, what is known only while it grows:
the part of each column in the decrease of the impurity, and the leaves of rows that are still codes.
"""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array
from aprendiz.ensemble.forest.forest import Forest, has_impurity, node_type
from aprendiz.tree.growth.assembly import assembled, depth_first, runs
from aprendiz.tree.growth.coding import CodedTable
from aprendiz.tree.growth.grow_tree import Grown
from aprendiz.tree.growth.monotone import bounded_values
from aprendiz.tree.growth.own_codes import ColumnNumbers
from aprendiz.tree.growth.records import (
    BELOW,
    BRANCH,
    COLUMN,
    HIGH,
    IMPURITY,
    LEAF,
    LEVELS,
    LOW,
    MISSING,
    OPENED,
    PARENT,
    PLACE,
    ROWS,
    SIZE,
    START,
    SUMS,
    THRESHOLD,
    UNORDERED,
    WEIGHT,
)
from aprendiz.tree.pruning.cost_complexity import CostComplexityPath
from aprendiz.tree.pruning.risk import impurity_risks


def pack_tree(
    grown: Grown, table: CodedTable, columns: int, factors: Array | None, bounded: bool = False
) -> tuple[Forest, Array, float]:
    """A forest of one tree, where each node of `grown` is in it, and the mean impurity of the rows in its leaves. Class weights
    are divided by `factors` (None: numbers). With `bounded`, nodes have bounds (tree/growth/monotone.py).

    A threshold in the middle between two values of a node may lie within a bin that has no row there. It is moved to the end of
    that bin, so that rows that were not in the node go the same way by their codes as by their numbers."""
    whole, real, levels, *_ = grown
    settle_cuts(whole, real, table.layout, table.bounds)
    count, m = len(whole), real.shape[1] - SUMS
    place = depth_first(whole[:, PARENT])
    nodes, impurity = np.zeros(count, node_type(columns)), np.empty(count, np.float32)
    leaves = (count + 1) // 2
    classes = 0 if factors is None else m
    value, rows, weight = np.zeros((classes + leaves, m)), np.empty(leaves, np.int32), np.empty(leaves)
    scale = np.ones(m) if factors is None else 1.0 / factors
    fields = nodes["feature"], nodes["threshold"], nodes["missing"], nodes["second"]
    before = np.zeros(count + 1, np.int64)
    inside = bounded_values(real) if bounded else None
    used, left = pack(whole, real, place, classes, scale, fields, before, impurity, value, rows, weight, inside)
    impurity = impurity[has_impurity(nodes, classes)]
    level_start, level_branch = np.zeros(0, np.int64), np.zeros(0, np.int8)
    if table.layout[UNORDERED].any():
        order = np.argsort(place)
        sizes = table.layout[SIZE][np.maximum(whole[order, COLUMN], 0)]
        level_start, branch = runs(levels, whole[order, LEVELS], sizes)
        level_branch = branch.astype(np.int8)
    ends = np.array([0, count])
    one = Forest(
        *(ends, nodes, level_start, level_branch, impurity, value[:used].copy(), rows, weight),
        classes=classes,
    )
    return one, place, left / float(weight.sum())


def cut_back(grown: Grown, table: CodedTable, factors: Array | None, alpha: float) -> Grown:
    """The same tree after minimal cost-complexity pruning with the price `alpha` of a leaf."""
    whole, real, levels, others, other_real = grown
    tree, place = assembled(grown, table.layout, factors), depth_first(whole[:, PARENT])
    cut = CostComplexityPath.of(tree, impurity_risks(tree)).stumps(alpha)[place]
    gone = np.zeros(len(whole), bool)
    lost_branches(whole, cut, gone)
    whole, real = whole.copy(), real.copy()
    whole[cut, COLUMN], whole[cut, LEVELS], whole[cut, MISSING], real[cut, THRESHOLD] = LEAF, -1, 0, LEAF
    whole[1:, PARENT] = (np.cumsum(~gone) - 1)[whole[1:, PARENT]]
    return whole[~gone], real[~gone], levels, others, other_real


def decreases(grown: Grown, columns: int) -> Array:
    """The part of each column in the decrease of the impurity (the parts add to 1, unless the tree asks nothing)."""
    before, after = np.zeros(columns), np.zeros(columns)
    add_impurities(grown[0], grown[1], before, after)
    found = np.maximum(before - after, 0.0)  # a split that gains nothing may lose a rounding
    total = found.sum()
    return found / total if total > 0 else found


def answers_of_codes(
    grown: Grown, table: CodedTable, numbers: ColumnNumbers, one: Forest, place: Array, rows: Array
) -> Array:  # fmt: skip
    """The row of `one.value` that is the prediction for each of some rows of the table, by their codes, or by their numbers
    where a column was opened."""
    whole, real, levels, *_ = grown
    found = np.empty(len(rows), np.int32)
    if len(rows):
        child = np.zeros(len(whole), np.int64)
        cuts, second = real[:, THRESHOLD], one.nodes["second"]
        drop(table.short, table.long, table.layout, numbers, whole, cuts, levels, second, place, rows, child, found)
    return found


# ---- kernels -----------------------------------------------------------------------------------------------------------


@compiled
def settle_cuts(whole: Array, real: Array, layout: Array, bounds: Array) -> None:
    """Write down the last code below each threshold, and move the threshold to the end of its bin. One inside a bin stays."""
    for t in range(len(whole)):
        j = whole[t, COLUMN]
        if j < 0 or layout[UNORDERED, j] or whole[t, BELOW] == OPENED:
            continue
        start, below, above = layout[START, j], int64(0), layout[SIZE, j]
        while below + 1 < above:
            middle = (below + above) // 2
            if bounds[LOW, start + middle] <= real[t, THRESHOLD]:
                below = middle
            else:
                above = middle
        whole[t, BELOW] = below
        if bounds[HIGH, start + below] > real[t, THRESHOLD]:
            real[t, THRESHOLD] = bounds[HIGH, start + below]


@compiled
def pack(
    whole: Array, real: Array, place: Array, classes: int, scale: Array, fields: tuple[Array, Array, Array, Array],
    before: Array, impurity: Array, value: Array, leaf_rows: Array, leaf_weight: Array, inside: Array | None,
) -> tuple[int, float]:  # fmt: skip
    """Write the nodes to their places, field by field; `before` gets the number of leaves before each place. `inside` are
    the predictions of nodes with bounds. Returns how many predictions there are, and the sum of weight times impurity of the
    leaves."""
    feature, threshold, missing, second = fields
    m, used, left = len(scale), classes, 0.0
    for k in range(classes):
        value[k, k] = 1.0
    for t in range(len(whole)):
        p = place[t]
        feature[p], threshold[p] = whole[t, COLUMN] if whole[t, COLUMN] >= 0 else -1, real[t, THRESHOLD]
        missing[p], impurity[p] = whole[t, MISSING], real[t, IMPURITY]
        if whole[t, PARENT] >= 0 and whole[t, BRANCH] == 1:
            second[place[whole[t, PARENT]]] = p
    for p in range(len(whole)):
        before[p + 1] = before[p] + (feature[p] < 0)
    for t in range(len(whole)):
        p = place[t]
        if feature[p] >= 0:
            continue
        total, largest, kind = 0.0, 0.0, int64(0)
        for k in range(m):
            s = real[t, SUMS + k] * scale[k]
            total += s
            if s > largest:
                largest, kind = s, k
        leaf_rows[before[p]] = whole[t, ROWS]
        leaf_weight[before[p]] = total if classes else real[t, WEIGHT]
        left += leaf_weight[before[p]] * real[t, IMPURITY]
        if inside is None and classes and largest == total:
            second[p] = kind
            continue
        for k in range(m):
            value[used, k] = real[t, SUMS + k] * scale[k] / total if classes else real[t, SUMS + k]
            if inside is not None:
                value[used, k] = inside[t, k]
        second[p] = used
        used += 1
    return used, left


@compiled
def add_impurities(whole: Array, real: Array, before: Array, after: Array) -> None:
    """Weight times impurity of the nodes that each column splits, and of their branches."""
    for t in range(len(whole)):
        total = real[t, WEIGHT] * real[t, IMPURITY]
        if whole[t, COLUMN] >= 0:
            before[whole[t, COLUMN]] += total
        if t > 0:
            after[whole[whole[t, PARENT], COLUMN]] += total


@compiled
def lost_branches(whole: Array, cut: Array, gone: Array) -> None:
    """The nodes below those at which a tree is cut."""
    for t in range(1, len(whole)):
        gone[t] = gone[whole[t, PARENT]] or cut[whole[t, PARENT]]


@compiled
def drop(
    short: Array, long: Array, layout: Array, numbers: ColumnNumbers, whole: Array, cuts: Array, levels: Array, second: Array,
    place: Array, rows: Array, child: Array, found: Array,
) -> None:  # fmt: skip
    """Send rows of codes down the nodes as they grew; branches of a node stand side by side. `child` is a buffer."""
    flat, start, step = numbers
    for t in range(len(whole) - 1, 0, -1):  # in the end, the first of the two
        child[whole[t, PARENT]] = t
    for i in range(len(rows)):
        t = int64(0)
        while whole[t, COLUMN] >= 0:
            j = whole[t, COLUMN]
            at = layout[PLACE, j]
            code = int64(short[at, rows[i]]) if at >= 0 else int64(long[-1 - at, rows[i]])
            b = int64(-1)
            if code < layout[SIZE, j] and whole[t, BELOW] == OPENED:
                b = int64(flat[start[j] + step * rows[i]] > cuts[t])
            elif code < layout[SIZE, j]:
                b = levels[whole[t, LEVELS] + code] if layout[UNORDERED, j] else int64(code > whole[t, BELOW])
            t = child[t] + (b if b >= 0 else whole[t, MISSING])
        found[i] = second[place[t]]
