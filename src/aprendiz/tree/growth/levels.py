"""Splits of a column without order.

    two classes, or one number     cuts of the levels in the order of S_1/w: the best subset is one of them (Breiman, Fisher),
                                   unless it is too small for a leaf
    more classes                   all 2^(M−1) − 1 subsets up to 12 levels; beyond, cuts in the order of the first principal
                                   component of the class proportions (Coppersmith), which need not find the best
    multiway                       one branch for each level

Reference: Coppersmith, Hong & Hosking, "Partitioning nominal attributes in decision trees", Data Mining and Knowledge
Discovery 3, 1999.
"""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.hashing import mix
from aprendiz.core.rows import Array
from aprendiz.tree.growth.cuts import add, best_cut, enough, sorting_order, worth
from aprendiz.tree.growth.impurity import merit
from aprendiz.tree.growth.records import KNOWN, LEFT, MAX_LEVELS_OF_ALL_SUBSETS, ColumnTable, GrowthRules


@compiled(inner=True)
def share_scores(groups: int, sums: Array) -> Array:
    """The last sum of each group as a share of its weight."""
    m, scores = sums.shape[1] - 2, np.empty(groups)
    for g in range(groups):
        scores[g] = sums[g, m - 1] / sums[g, m]
    return scores


@compiled(inner=True)
def principal_scores(groups: int, m: int, sums: Array, known: Array) -> Array:
    """The groups on the first principal component of their proportions S/w; `sums` hold m sums S, then w."""
    top = 0
    P, A, v, u, scores = np.empty((groups, m)), np.zeros((m, m)), np.zeros(m), np.zeros(m), np.zeros(groups)
    for g in range(groups):
        for k in range(m):
            P[g, k] = sums[g, k] / sums[g, m] - known[k] / known[m]
        for k in range(m):
            for h in range(m):
                A[k, h] += sums[g, m] * P[g, k] * P[g, h]
    for k in range(m):
        top = k if A[k, k] > A[top, top] else top
    v[top] = 1.0
    for _ in range(50):  # the power method
        size = 0.0
        for k in range(m):
            u[k] = 0.0
            for h in range(m):
                u[k] += A[k, h] * v[h]
            size += u[k] * u[k]
        for k in range(m):
            v[k] = u[k] / np.sqrt(size) if size > 0.0 else v[k]
    for g in range(groups):
        for k in range(m):
            scores[g] += P[g, k] * v[k]
    return scores


@compiled(inner=True)
def best_subset(groups: int, rules: GrowthRules, table: ColumnTable, sums: Array, tie: float) -> float:
    """The best division of the groups in two: Σ f. Their branches are in `table.side`."""
    m = table.sums.shape[1] - 2
    one_number = m == 1 or rules.classes == 2
    if not one_number and groups <= MAX_LEVELS_OF_ALL_SUBSETS:
        return best_of_all_subsets(groups, rules, table, sums, tie)
    scores = share_scores(groups, table.sums) if one_number else principal_scores(groups, m, table.sums, sums[KNOWN])
    order = sorting_order(scores)
    for g in range(groups):
        table.order[g] = order[g]
    best, where, _ = best_cut(groups, groups < 0, rules, table, sums, tie, None)  # no group of missing cells
    for g in range(groups):
        table.side[table.order[g]] = 0 if g <= where else 1
    return best


@compiled(inner=True)
def best_of_all_subsets(groups: int, rules: GrowthRules, table: ColumnTable, sums: Array, tie: float) -> float:
    """All 2^(groups − 1) − 1 divisions, from one to the next by moving one group (Gray code)."""
    left, values, best, chosen, inside = sums[LEFT], table.sums, -np.inf, 0, 0
    for k in range(len(left)):
        left[k] = 0.0
    for number in range(1, 2 ** (groups - 1)):
        moved, rest = 0, number
        while rest % 2 == 0:
            rest //= 2
            moved += 1
        inside ^= 1 << moved
        sign = 1.0 if inside >> moved & 1 else -1.0
        for k in range(len(left)):
            left[k] += sign * values[moved + 1, k]  # the first group stays on the other side
        found = worth(rules, sums, None)
        if found > best + tie:
            best, chosen = found, inside
    table.side[0] = 0
    for g in range(1, groups):
        table.side[g] = chosen >> (g - 1) & 1
    return best


@compiled(inner=True)
def all_branches(groups: int, rules: GrowthRules, table: ColumnTable) -> float:
    """A branch for each group: Σ f, −∞ unless two of them are large enough."""
    total, large = 0.0, 0
    for g in range(groups):
        total += merit(rules.criterion, table.sums[g])
        large += enough(rules, table.sums[g])
        table.side[g] = g
    return total if large >= 2 else -np.inf


@compiled(inner=True)
def random_subset(groups: int, rules: GrowthRules, table: ColumnTable, sums: Array, key: np.uint64) -> float:
    """A random division of the groups in two: Σ f."""
    side, left, alone = table.side, sums[LEFT], int64(mix(key) % np.uint64(groups))
    for g in range(groups):
        side[g] = int64(mix(key + np.uint64(g + 1)) & np.uint64(1))
    side[alone], side[(alone + 1) % groups] = 0, 1
    for k in range(len(left)):
        left[k] = 0.0
    for g in range(groups):
        if side[g] == 0:
            add(left, table.sums, g)
    return worth(rules, sums, None)


@compiled(inner=True)
def keep_sides(groups: int, size: int, table: ColumnTable, level_side: Array) -> None:
    """Write down which branch each level takes: −1 where the level does not occur."""
    for code in range(size):
        level_side[code] = -1
    for g in range(groups):
        if table.code[g] < size:
            level_side[table.code[g]] = table.side[g]
