"""The best cut of the values of a column in an order, from its table: Δ of (2) by running sums.

Between two values whose rows are all of one class the gain is a convex function of how many of them lie below the cut, so that
a cut there is never better than both of its neighbours, and is not looked at.

Reference: Fayyad & Irani, "On the handling of continuous-valued attributes in decision tree generation", Machine Learning 8,
1992.
"""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array
from aprendiz.tree.growth.impurity import merit
from aprendiz.tree.growth.monotone import is_forbidden, value_of_sums
from aprendiz.tree.growth.records import (
    ABSOLUTE,
    ASIDE,
    KNOWN,
    LEFT,
    ORIGIN,
    POISSON,
    RIGHT,
    TIE,
    TOTAL,
    ColumnTable,
    GrowthRules,
    Monotone,
)


@compiled(inner=True)
def midpoint(a: float, b: float) -> float:
    """A threshold with a ≤ threshold < b."""
    middle = 0.5 * a + 0.5 * b
    return middle if a <= middle < b else a


@compiled(inner=True)
def add(target: Array, values: Array, g: int) -> None:
    """Add row g of a table to a vector of sums."""
    for k in range(len(target)):
        target[k] += values[g, k]


@compiled(inner=True)
def enough(rules: GrowthRules, sums: Array) -> bool:
    """May a branch be so small?"""
    m = len(sums) - 2
    return sums[m + 1] >= rules.min_leaf and sums[m] >= rules.min_weight


@compiled(inner=True)
def worth(rules: GrowthRules, sums: Array, monotone: Monotone | None) -> float:
    """Σ f of the left branch and the rest of the known rows; −∞ if a side is too small, or the cut is forbidden."""
    left, right, known, total = sums[LEFT], sums[RIGHT], sums[KNOWN], sums[TOTAL]
    for k in range(len(left)):
        right[k] = known[k] - left[k]
    if not (enough(rules, left) and enough(rules, right)):
        return -np.inf
    if rules.criterion == POISSON:
        for k in range(len(left) - 2):  # a difference of sums that should be 0 is rounding
            if min(left[k], right[k]) <= TIE * total[k]:
                return -np.inf
    if monotone is not None and rules.criterion != ABSOLUTE:  # medians are no function of sums
        origin = sums[ORIGIN]
        if is_forbidden(value_of_sums(left, origin), value_of_sums(right, origin), monotone.limits):
            return -np.inf
    return merit(rules.criterion, left) + merit(rules.criterion, right)


@compiled(inner=True)
def best_cut_of_squares(groups: int, rules: GrowthRules, values: Array, known: Array, tie: float) -> tuple[float, int]:
    """As `best_cut`, of one or two sums of squares and no missing cells. Returns Σ f and the last group below the cut."""
    m, best, where = values.shape[1] - 2, -np.inf, int64(-1)
    a = b = w = n = 0.0
    A, B, W, N = known[0], known[m - 1], known[m], known[m + 1]
    for g in range(groups - 1):
        a, b, w, n = a + values[g, 0], b + values[g, m - 1], w + values[g, m], n + values[g, m + 1]
        if n < rules.min_leaf or N - n < rules.min_leaf or w < rules.min_weight or W - w < rules.min_weight:
            continue
        found = (a * a + b * b) / w + ((A - a) * (A - a) + (B - b) * (B - b)) / (W - w)
        if found > best + tie:
            best, where = found, g
    return 0.5 * best if m == 1 else best, where


@compiled(inner=True)
def only_class(values: Array, g: int) -> int:
    """The class of all rows of a group; −1 if there are several."""
    m = values.shape[1] - 2
    for k in range(m):
        if values[g, k] == values[g, m]:
            return k
    return -1


@compiled(inner=True)
def best_cut(
    groups: int, gap: bool, rules: GrowthRules, table: ColumnTable, sums: Array, tie: float, monotone: Monotone | None
) -> tuple[float, int, int]:
    """The best cut of the groups in their order: Σ f, the last group below it, and the side of the missing (2: the cut lies
    between all known values and the missing). `gap`: the missing are the group after the last, and belong to the sum."""
    left, aside, values, order = sums[LEFT], sums[ASIDE], table.sums, table.order
    best, where, side, above = -np.inf, int64(-1), int64(1), int64(-1)
    free = rules.min_leaf <= 1 and rules.min_weight <= 0.0 and monotone is None  # else a neighbour may not be allowed
    skips = rules.classes > 0 and (free or rules.boundary)
    if rules.boundary and groups > 0:  # else the first cut is looked at in any case: of equal ones the first is taken
        above = only_class(values, order[0])
    for k in range(len(left)):
        left[k] = 0.0
    for g in range(groups if gap else groups - 1):
        add(left, values, order[g])
        if skips and g < groups - 1:
            kind, above = above, only_class(values, order[g + 1])
            if kind == above and kind >= 0:
                continue
        found = worth(rules, sums, monotone)
        if found > best + tie:
            best, where, side = found, g, 2 if g == groups - 1 else 1
        if gap and g < groups - 1:
            for k in range(len(left)):
                aside[k] = left[k]
            add(left, values, groups)
            found = worth(rules, sums, monotone)
            for k in range(len(left)):
                left[k] = aside[k]
            if found > best + tie:
                best, where, side = found, g, 0
    return best, where, side


@compiled(inner=True)
def sorting_order(scores: Array) -> Array:
    """The places of some numbers from the lowest to the highest, equal ones as they stand: runs are merged, each with its
    neighbour."""
    n, width = len(scores), 1
    order, other = np.empty(n, np.int64), np.empty(n, np.int64)
    for i in range(n):
        order[i] = i
    while width < n:
        for start in range(0, n, 2 * width):
            a, b, to = start, min(start + width, n), start
            middle, end = b, min(start + 2 * width, n)
            while to < end:
                if b >= end or (a < middle and scores[order[a]] <= scores[order[b]]):
                    other[to] = order[a]
                    a += 1
                else:
                    other[to] = order[b]
                    b += 1
                to += 1
        order, other = other, order
        width *= 2
    return order
