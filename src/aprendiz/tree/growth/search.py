"""The best split of a node: every column that takes part is looked at, and the split of largest Δ is kept.

Equal gains: the first column, the lowest cut. Where nothing is missing, cuts of sums of squares come straight from histograms
(short columns) and lines (long ones); everything else from the table of a column, by `best_of_column`.

In the trees of a forest a column is opened where bins tell too little apart: where all rows of a node lie in one bin, or, of at
most 255 rows, more than 16 on average. It has codes of its own there (own_codes.py), and every value is a candidate.
"""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.hashing import mix
from aprendiz.core.rows import Array
from aprendiz.tree.growth.absolute_errors import absolute_decrease, best_absolute_cut, best_absolute_levels
from aprendiz.tree.growth.cuts import best_cut, best_cut_of_squares, midpoint
from aprendiz.tree.growth.gain_ratio import best_ratio, note_ratio
from aprendiz.tree.growth.histograms import best_cut_of_classes, best_cut_of_numbers, count, fill, list_values
from aprendiz.tree.growth.impurity import merit
from aprendiz.tree.growth.levels import all_branches, best_subset, keep_sides, random_subset
from aprendiz.tree.growth.monotone import set_limits
from aprendiz.tree.growth.own_codes import count_own, lies_in_few_bins, open_column, own_threshold
from aprendiz.tree.growth.random_cuts import random_cut, random_cut_of_codes
from aprendiz.tree.growth.records import (
    BELOW,
    COLUMN,
    DECREASE,
    HIGH,
    KNOWN,
    LARGEST,
    LEFT,
    LOW,
    MISSING,
    NUMBERS,
    OPENED,
    ORIGIN,
    OWN,
    PARTS,
    PLACE,
    SIZE,
    SQUARES,
    START,
    THRESHOLD,
    TOTAL,
    UNORDERED,
    ColumnTable,
    Data,
    GrowthRules,
    LevelBranches,
    LongColumns,
    Monotone,
    Node,
    NodeBuffers,
    Opened,
    Ranks,
    Ratios,
)
from aprendiz.tree.growth.sorted_columns import best_cut_of_line, list_runs


@compiled(inner=True)
def search(
    data: Data, layout: Array, bounds: Array, rules: GrowthRules, node: Node, work: NodeBuffers, ready: Array | None,
    short: Array | None, straight: bool | None, near_y: Array | None, near_z: Array | None, lines: LongColumns | None,
    table: ColumnTable | None, levels: LevelBranches | None, ranks: Ranks | None, codes: Array | None, ratios: Ratios | None,
    opened: Opened | None, monotone: Monotone | None,
) -> None:  # fmt: skip
    """Write the best split of a node into its numbers; its column stays what it was if there is none. `ready` holds the tables
    of all columns where they are made already, else None; what comes after it are parts (records.py). Layout and bounds stand
    beside `data`, since all threads count who takes them out of it."""
    rows, drawn, tie, real = node.rows, work.drawn, node.tie, node.real
    d, key, known = layout.shape[1], node.key, work.sums[KNOWN]
    seen, asked, own = int64(0), int64(0), False
    two = len(rows) == 2 and not rules.ratio  # any split that tells them apart is the best
    copy_sums(work.sums[TOTAL], known)
    base = merit(rules.criterion, known)
    real[DECREASE] = -np.inf
    for j in range(d):
        drawn[j] = j
        if ratios is not None:
            ratios.gain[j] = -np.inf
    while seen < d and not (seen >= rules.max_features and asked > 0) and not (two and real[DECREASE] > -np.inf):
        if rules.max_features < d:
            key = mix(key)
            other = seen + int64(key % np.uint64(d - seen))
            drawn[seen], drawn[other] = drawn[other], drawn[seen]
        j = drawn[seen]
        seen, own = seen + 1, False
        at, size, start, ordered = layout[PLACE, j], layout[SIZE, j], layout[START, j], layout[UNORDERED, j] == 0
        if monotone is not None:
            set_limits(j, real, monotone)
        if short is not None and at >= 0:
            if codes is not None and ranks is None and ordered:
                found, low, cut, kinds = random_cut_of_codes(
                    j, short, at, size, start, bounds, rules, node, work, near_y, near_z, codes, monotone
                )
                asked += kinds > 1
                if kinds > 1 and found - base > real[DECREASE] + tie:
                    keep(node, j, found - base, cut, low)
                if kinds > 0:
                    continue
            fill(short, at, rows, near_y, near_z, work.near_w, work.histogram, work.marks)
            if opened is not None and layout[NUMBERS, j] >= 0 and lies_in_few_bins(work.marks, len(rows)):
                own = True
                open_column(
                    layout[NUMBERS, j], size, short, at, rows, near_y, near_z, work.near_w, work.histogram, work.marks, opened
                )  # fmt: skip
            missing = (work.marks[size >> 6] >> np.uint64(size & 63)) & np.uint64(1)
            plain = rules.straight & ordered & (missing == np.uint64(0))
            if rules.min_leaf > 1 or not plain:
                if opened is not None and own:
                    count_own(len(rows), opened.codes, work.histogram)
                else:
                    count(short, at, rows, work.histogram)
            if straight is not None and plain:
                if near_y is not None:
                    most, low, high, several = best_cut_of_classes(
                        rules, work.histogram, work.marks, known, work.sums[LEFT], tie
                    )
                if near_z is not None:
                    most, low, high, several = best_cut_of_numbers(rules, work.histogram, work.marks, known, tie)
                asked += several
                if most - base > real[DECREASE] + tie:
                    keep(node, j, most - base, midpoint(bounds[HIGH, start + low], bounds[LOW, start + high]), low)
                    if opened is not None and own:
                        real[THRESHOLD] = own_threshold(len(rows), size, low, opened.values, opened.codes)
                        node.whole[BELOW] = OPENED
                continue
        elif lines is not None and straight is not None and rules.straight and ordered:
            long_column, line = lines.codes[-1 - at], lines.rows[-1 - at, node.begin : node.begin + len(rows)]
            highest = long_column[line[len(line) - 1]]
            if highest < size:  # none is missing
                asked += long_column[line[0]] < highest
                most, low, high = best_cut_of_line(long_column, line, data, rules, work.sums, tie)
                if most - base > real[DECREASE] + tie:
                    keep(node, j, most - base, midpoint(bounds[HIGH, start + low], bounds[LOW, start + high]), low)
                continue
        if table is not None:
            groups = list_column(j, data, rules, node, work, ready, short, lines, table)
            gain, cut, low, side, branches = best_of_table(
                j, groups, data, rules, node, short, straight, lines, table, levels, ranks, codes, monotone
            )
            asked += branches > 0
            if branches == 0:
                continue
            if ratios is not None:
                note_ratio(j, groups, size, ordered, gain, cut, low, side, branches, table, levels, ratios)
            elif gain > real[DECREASE] + tie:
                keep(node, j, gain, cut, low)
                node.whole[MISSING], node.whole[PARTS] = side, branches
                if opened is not None and own:
                    node.whole[BELOW] = OPENED
                    if cut != LARGEST:
                        real[THRESHOLD] = own_threshold(len(rows), size, low, opened.values, opened.codes)
                if levels is not None and not ordered:
                    keep_sides(groups, size, table, levels.side)
    if ratios is not None:
        j = best_ratio(ratios, tie)
        if j >= 0:
            keep(node, j, ratios.gain[j], ratios.threshold[j], ratios.whole[j, 0])
            node.whole[MISSING], node.whole[PARTS] = ratios.whole[j, 1], ratios.whole[j, 2]
            if levels is not None and layout[UNORDERED, j]:
                for code in range(layout[SIZE, j]):
                    levels.side[code] = ratios.sides[j, code]


@compiled(inner=True)
def copy_sums(source: Array, target: Array) -> None:
    """Write one vector of sums over another."""
    for k in range(len(source)):
        target[k] = source[k]


@compiled(inner=True)
def keep(node: Node, column: int, gain: float, threshold: float, below: int) -> None:
    """Write a split in two down, where nothing is missing."""
    whole, real = node.whole, node.real
    whole[COLUMN], whole[BELOW], whole[MISSING], whole[PARTS] = column, below, -1, 2
    real[DECREASE], real[THRESHOLD] = gain, threshold


# ---- one column --------------------------------------------------------------------------------------------------------


@compiled(inner=True)
def list_column(
    j: int, data: Data, rules: GrowthRules, node: Node, work: NodeBuffers, ready: Array | None, short: Array | None,
    lines: LongColumns | None, table: ColumnTable,
) -> int:  # fmt: skip
    """The table of a column; the histogram of a short one is filled already. Returns the number of values."""
    at = data.layout[PLACE, j]
    if ready is not None:
        return list_ready(ready[j], data.layout[SIZE, j], table)
    if lines is not None and at < 0:
        line = lines.rows[-1 - at, node.begin : node.begin + len(node.rows)]
        return list_runs(lines.codes[-1 - at], line, data, work.sums[ORIGIN], rules.classes, table)
    if short is not None:
        return list_values(rules.classes, work.histogram, work.marks, table)
    return 0


@compiled(inner=True)
def list_ready(cells: Array, size: int, table: ColumnTable) -> int:
    """The table of a column from one with a line for every code."""
    groups, width = int64(0), table.sums.shape[1]
    for b in range(size + 1):
        if cells[b, width - 1] > 0.0:
            table.code[groups] = b
            for k in range(width):
                table.sums[groups, k] = cells[b, k]
            groups += 1
    return groups


@compiled(inner=True)
def best_of_table(
    j: int, groups: int, data: Data, rules: GrowthRules, node: Node, short: Array | None, straight: bool | None,
    lines: LongColumns | None, table: ColumnTable, levels: LevelBranches | None, ranks: Ranks | None, codes: Array | None,
    monotone: Monotone | None,
) -> tuple[float, float, int, int, int]:  # fmt: skip
    """The best split of column j, from its table: the decrease (2), the threshold, the last code below it, the side of the
    missing (−1: not its concern) and the number of branches, 0 where there is no split."""
    size, sums = data.layout[SIZE, j], node.sums
    known_sums, total = sums[KNOWN], sums[TOTAL]
    gap = table.code[groups - 1] == size
    own = gap and rules.missing == OWN
    known = groups - gap
    values = known + own
    if known == 0 or values < 2:
        return -np.inf, np.nan, -1, -1, 0
    if gap and not own:
        for k in range(len(known_sums)):
            known_sums[k] = total[k] - table.sums[known, k]
    base = merit(rules.criterion, known_sums)
    gain, threshold, below, side, branches = -np.inf, np.nan, -1, -1, 2
    if levels is not None and data.layout[UNORDERED, j]:
        gain = best_of_levels(j, values, data, rules, node, sums, short, lines, table, ranks, codes) - base
        side = table.side[known] if own else -1
        branches = values if rules.multiway else 2
    else:
        gain, where, threshold, side = best_of_order(
            j, known, own, data, rules, node, short, straight, lines, table, ranks, codes, monotone
        )
        gain -= base
        below = table.code[max(where, 0)]
    copy_sums(total, known_sums)
    return gain, threshold, below, side, branches


@compiled(inner=True)
def best_of_levels(
    j: int, values: int, data: Data, rules: GrowthRules, node: Node, sums: Array, short: Array | None,
    lines: LongColumns | None, table: ColumnTable, ranks: Ranks | None, codes: Array | None,
) -> float:  # fmt: skip
    """The best split of levels: Σ f. The branches are in `table.side`, and the first level takes the first branch."""
    side = table.side
    if ranks is not None:
        found = best_absolute_levels(j, values, data, rules, node, sums, short, lines, table, ranks, codes)
    elif rules.multiway:
        found = all_branches(values, rules, table)
    elif codes is not None:
        found = random_subset(values, rules, table, sums, mix(node.key + np.uint64(j)))
    else:
        found = best_subset(values, rules, table, sums, node.tie)
    if side[0] == 1:
        for g in range(values):
            side[g] = 1 - side[g]
    return found


@compiled(inner=True)
def best_of_order(
    j: int, known: int, own: bool, data: Data, rules: GrowthRules, node: Node, short: Array | None, straight: bool | None,
    lines: LongColumns | None, table: ColumnTable, ranks: Ranks | None, codes: Array | None, monotone: Monotone | None,
) -> tuple[float, int, float, int]:  # fmt: skip
    """The best cut of a column with an order: Σ f, the last group below, the threshold, and the side of the missing."""
    bounds, start, code, sums = data.bounds, data.layout[START, j], table.code, node.sums
    if codes is not None and known > 1:
        found, where, threshold, side = random_cut(
            known, own, start, rules, bounds, table, sums, mix(node.key + np.uint64(j)), monotone
        )
        if ranks is not None and found > -np.inf:
            for g in range(known):
                table.side[g] = g > where
            if own:
                table.side[known] = side
            found = absolute_decrease(j, known + own, data, node, sums, short, lines, table, ranks, monotone)
        return found, where, threshold, side if own else -1
    found, where, side = -np.inf, int64(-1), int64(1)
    if ranks is not None:
        found, where, side = best_absolute_cut(j, known, own, data, rules, node, sums, short, lines, table, ranks, monotone)
    elif (
        straight is not None
        and monotone is None
        and rules.criterion == SQUARES
        and sums.shape[1] <= 4
        and not (own or rules.boundary)
    ):
        found, where = best_cut_of_squares(known, rules, table.sums, sums[KNOWN], node.tie)
    else:
        for g in range(known):
            table.order[g] = g
        found, where, side = best_cut(known, own, rules, table, sums, node.tie, monotone)
    threshold = LARGEST
    if 0 <= where < known - 1:
        threshold = midpoint(bounds[HIGH, start + code[where]], bounds[LOW, start + code[where + 1]])
    return found, where, threshold, min(side, 1) if own else -1
