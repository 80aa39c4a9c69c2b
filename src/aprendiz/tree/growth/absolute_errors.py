"""Splits that lower Σ w |z − median|: no function of sums, so rows are taken in one by one.

A Fenwick tree over the ranks of z finds the median of the rows so far, and the sums on both sides of it, in O(log n). Several
targets have a median each, and their losses add.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.hashing import mix
from aprendiz.core.rows import Array
from aprendiz.tree.growth.cuts import add, enough, sorting_order
from aprendiz.tree.growth.levels import principal_scores, random_subset
from aprendiz.tree.growth.monotone import is_forbidden
from aprendiz.tree.growth.records import (
    KNOWN,
    LEFT,
    ORIGIN,
    PLACE,
    RIGHT,
    ColumnTable,
    Data,
    GrowthRules,
    LongColumns,
    Monotone,
    Node,
    Ranks,
)


@compiled(inner=True)
def sort_numbers(rows: Array, z: Array, near_w: Array, centre: Array, ranks: Ranks) -> None:
    """The numbers of a node in order, the rank of each row among them, and their weighted median as the centre."""
    numbers = np.empty(len(rows))
    for k in range(z.shape[1]):
        place, ladder = ranks.place[k], ranks.ladder[k]
        for i in range(len(rows)):
            numbers[i] = z[rows[i], k]
        order, half, below = sorting_order(numbers), 0.0, 0.0
        for i in range(len(rows)):
            ladder[i] = numbers[order[i]]
            place[rows[order[i]]] = i
            half += 0.5 * near_w[i]
        for i in range(len(rows)):
            below += near_w[order[i]]
            if below >= half:
                last = i + 1 if below <= half * (1.0 + 1e-15) and i + 1 < len(rows) else i
                centre[k] = 0.5 * ladder[i] + 0.5 * ladder[last]
                break


@compiled(inner=True)
def running_losses(sequence: Array, n: int, data: Data, ranks: Ranks, origin: Array, medians: Array | None) -> Array:
    """Σ w |z − median| of the first 1, 2, … rows of a sequence, by sums around `origin`; `n` rows are in the node. The medians
    are written to `medians`, where they are wanted (of a single target)."""
    z, weight, losses = data.z, data.weight, np.zeros(len(sequence))
    weights, totals = np.empty(n + 1), np.empty(n + 1)
    top = 1
    while 2 * top <= n:
        top *= 2
    for k in range(z.shape[1]):
        place, ladder, zero, W, S = ranks.place[k], ranks.ladder[k], origin[k], 0.0, 0.0
        for at in range(n + 1):
            weights[at] = totals[at] = 0.0
        for i in range(len(sequence)):
            r = sequence[i]
            w, s = weight[r], weight[r] * (z[r, k] - zero)
            W, S = W + w, S + s
            at = place[r] + 1
            while at <= n:
                weights[at] += w
                totals[at] += s
                at += at & -at
            if medians is not None:
                medians[i] = 0.5 * ladder[rank_at(0.5 * W, False, n, top, weights)]
                medians[i] += 0.5 * ladder[rank_at(0.5 * W * (1.0 + 1e-15), True, n, top, weights)]
            below, below_sum, at, step = 0.0, 0.0, 0, top
            while step:
                if at + step <= n and below + weights[at + step] < 0.5 * W:
                    at += step
                    below, below_sum = below + weights[at], below_sum + totals[at]
                step //= 2
            median = ladder[min(at, n - 1)] - zero
            losses[i] += (median * below - below_sum) + (S - below_sum - median * (W - below))
    return losses


@compiled(inner=True)
def rank_at(mass: float, beyond: bool, n: int, top: int, weights: Array) -> int:
    """The first rank up to which the weights of a Fenwick tree add to `mass`, or, `beyond` it, to more."""
    at, below, step = 0, 0.0, top
    while step:
        if at + step <= n:
            more = below + weights[at + step]
            if more < mass or (beyond and more == mass):
                at, below = at + step, more
        step //= 2
    return min(at, n - 1)


@compiled(inner=True)
def last_loss(sequence: Array, n: int, data: Data, ranks: Ranks, origin: Array) -> float:
    """Σ w |z − median| of a sequence."""
    losses = running_losses(sequence, n, data, ranks, origin, None)
    return losses[len(losses) - 1]


@compiled(inner=True)
def group_starts(table: ColumnTable, groups: int) -> Array:
    """Where the rows of each group begin if they stand one group after another."""
    rows, starts = table.sums.shape[1] - 1, np.zeros(groups + 1, np.int64)
    for g in range(groups):
        starts[g + 1] = starts[g] + int64(table.sums[g, rows])
    return starts


@compiled(inner=True)
def in_group_order(
    j: int, starts: Array, data: Data, node: Node, short: Array | None, lines: LongColumns | None, table: ColumnTable
) -> Array:
    """The rows of a node by the codes of a column, without those of other groups."""
    at, rows, groups = data.layout[PLACE, j], node.rows, len(starts) - 1
    sequence = np.empty(starts[groups], np.int32)
    if lines is not None and at < 0:
        for i in range(len(sequence)):
            sequence[i] = lines.rows[-1 - at, node.begin + i]
        return sequence
    position, codes = np.empty(256, np.int64), short[at]  # type: ignore[index]  # None only for ready tables
    for b in range(256):
        position[b] = -1
    for g in range(groups):
        position[table.code[g]] = starts[g]
    for i in range(len(rows)):
        b = codes[rows[i]]
        if position[b] >= 0:
            sequence[position[b]] = rows[i]
            position[b] += 1
    return sequence


@compiled(inner=True)
def one_after_another(sequence: Array, starts: Array, order: Array) -> Array:
    """The rows of the groups, in an order of the groups."""
    rows, at = np.empty(len(sequence), np.int32), 0
    for g in range(len(order)):
        for i in range(starts[order[g]], starts[order[g] + 1]):
            rows[at] = sequence[i]
            at += 1
    return rows


@compiled(inner=True)
def best_cut_in_order(
    sequence: Array, starts: Array, order: Array, first: int, n: int, data: Data, rules: GrowthRules, table: ColumnTable,
    sums: Array, ranks: Ranks, tie: float, monotone: Monotone | None,
) -> tuple[float, int]:  # fmt: skip
    """The best cut of groups in an order, not within the `first` ones: the decrease, and the last group below."""
    left, right, known, best, where = sums[LEFT], sums[RIGHT], sums[KNOWN], -np.inf, -1
    m, rows = len(left) - 2, one_after_another(sequence, starts, order)
    back, last = np.empty(len(rows), np.int32), len(rows) - 1
    for i in range(len(rows)):
        back[i] = rows[last - i]
    lower: Any = np.empty(len(rows)) if monotone is not None else None
    upper: Any = np.empty(len(rows)) if monotone is not None else None
    below = running_losses(rows, n, data, ranks, sums[ORIGIN], lower)
    above = running_losses(back, n, data, ranks, sums[ORIGIN], upper)
    for k in range(len(left)):
        left[k] = 0.0
    for g in range(len(order) - 1):
        add(left, table.sums, order[g])
        for k in range(len(left)):
            right[k] = known[k] - left[k]
        if g + 1 >= first and enough(rules, left) and enough(rules, right):
            end = int64(left[m + 1])
            if monotone is not None and is_forbidden(lower[end - 1], upper[last - end], monotone.limits):
                continue
            found = below[last] - below[end - 1] - above[last - end]
            if found > best + tie:
                best, where = found, g
    return best, where


@compiled(inner=True)
def best_absolute_cut(
    j: int, known: int, own: bool, data: Data, rules: GrowthRules, node: Node, sums: Array, short: Array | None,
    lines: LongColumns | None, table: ColumnTable, ranks: Ranks, monotone: Monotone | None,
) -> tuple[float, int, int]:  # fmt: skip
    """The best cut of a column with an order: the decrease, the last group below, the side of the missing (as `best_cut`).
    `own`: the missing are the group after the last."""
    starts, order, n = group_starts(table, known + own), np.empty(known + own, np.int64), len(node.rows)
    sequence = in_group_order(j, starts, data, node, short, lines, table)
    for g in range(len(order)):
        order[g] = g
    best, where = best_cut_in_order(sequence, starts, order, 0, n, data, rules, table, sums, ranks, node.tie, monotone)
    side = 2 if where == known - 1 else 1
    if own:
        order[0] = known
        for g in range(known):
            order[g + 1] = g
        other, at = best_cut_in_order(sequence, starts, order, 2, n, data, rules, table, sums, ranks, node.tie, monotone)
        if other > best + node.tie:
            best, where, side = other, at - 1, 0
    return best, where, side


@compiled(inner=True)
def median_scores(sequence: Array, starts: Array, data: Data, table: ColumnTable, ranks: Ranks) -> Array:
    """The median of each group; of several targets, the medians on their first principal component."""
    groups, targets = len(starts) - 1, data.z.shape[1]
    medians, mean, scores = np.empty((groups, targets + 1)), np.zeros(targets + 1), np.empty(groups)
    for g in range(groups):
        part, w = sequence[starts[g] : starts[g + 1]], table.sums[g, targets]
        place = np.empty(len(part))
        for k in range(targets):
            for i in range(len(part)):
                place[i] = ranks.place[k, part[i]]
            order, at = sorting_order(place), 0
            below = data.weight[part[order[0]]]
            while below < 0.5 * w:
                at += 1
                below += data.weight[part[order[at]]]
            scores[g] = data.z[part[order[at]], k]
            medians[g, k] = w * scores[g]
            mean[k] += medians[g, k]
        medians[g, targets] = w
        mean[targets] += w
    return scores if targets == 1 else principal_scores(groups, targets, medians, mean)


@compiled(inner=True)
def best_absolute_levels(
    j: int, groups: int, data: Data, rules: GrowthRules, node: Node, sums: Array, short: Array | None,
    lines: LongColumns | None, table: ColumnTable, ranks: Ranks, codes: Array | None,
) -> float:  # fmt: skip
    """The best split of levels: the decrease. Levels are cut in the order of their medians, which need not find the best."""
    if codes is not None and not rules.multiway:
        found = random_subset(groups, rules, table, sums, mix(node.key + np.uint64(j)))
        return found if found == -np.inf else absolute_decrease(j, groups, data, node, sums, short, lines, table, ranks, None)
    starts, n, losses, large, origin = group_starts(table, groups), len(node.rows), 0.0, 0, sums[ORIGIN]
    sequence = in_group_order(j, starts, data, node, short, lines, table)
    for g in range(groups):
        losses += last_loss(sequence[starts[g] : starts[g + 1]], n, data, ranks, origin)
        large += enough(rules, table.sums[g])
        table.side[g] = g
    if rules.multiway:
        return last_loss(sequence, n, data, ranks, origin) - losses if large >= 2 else -np.inf
    by_median = sorting_order(median_scores(sequence, starts, data, table, ranks))
    best, where = best_cut_in_order(sequence, starts, by_median, 0, n, data, rules, table, sums, ranks, node.tie, None)
    for g in range(groups):
        table.side[by_median[g]] = 0 if g <= where else 1
    return best


@compiled(inner=True)
def absolute_decrease(
    j: int, groups: int, data: Data, node: Node, sums: Array, short: Array | None, lines: LongColumns | None,
    table: ColumnTable, ranks: Ranks, monotone: Monotone | None,
) -> float:  # fmt: skip
    """The decrease by the division of the groups in two that is in `table.side`; −∞ if it is forbidden."""
    starts, sides, origin, n, end = group_starts(table, groups), np.empty(groups), sums[ORIGIN], len(node.rows), 0
    sequence = in_group_order(j, starts, data, node, short, lines, table)
    for g in range(groups):
        sides[g] = table.side[g]
        end += 0 if table.side[g] else starts[g + 1] - starts[g]
    rows = one_after_another(sequence, starts, sorting_order(sides))
    lower: Any = np.empty(end) if monotone is not None else None
    upper: Any = np.empty(len(rows) - end) if monotone is not None else None
    below = running_losses(rows[:end], n, data, ranks, origin, lower)
    above = running_losses(rows[end:], n, data, ranks, origin, upper)
    if monotone is not None and is_forbidden(lower[-1], upper[-1], monotone.limits):
        return -np.inf
    return last_loss(rows, n, data, ranks, origin) - below[-1] - above[-1]
