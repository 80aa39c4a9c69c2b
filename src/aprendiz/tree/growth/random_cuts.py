"""Cuts at a random place between the lowest and the highest value of a node, as in extremely randomised trees.

Reference: Geurts, Ernst & Wehenkel, "Extremely randomized trees", Machine Learning 63, 2006.
"""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.hashing import mix, uniform
from aprendiz.core.rows import Array
from aprendiz.tree.growth.cuts import add, worth
from aprendiz.tree.growth.records import HIGH, LEFT, LOW, ColumnTable, GrowthRules, Monotone, Node, NodeBuffers


@compiled(inner=True)
def random_threshold(low: float, high: float, key: np.uint64) -> float:
    """A number with low ≤ number < high."""
    share = uniform(key)
    threshold = (1.0 - share) * low + share * high
    return threshold if low <= threshold < high else low  # rounding, between two values that are close


@compiled(inner=True)
def random_cut(
    groups: int, own: bool, start: int, rules: GrowthRules, bounds: Array, table: ColumnTable, sums: Array, key: np.uint64,
    monotone: Monotone | None,
) -> tuple[float, int, float, int]:  # fmt: skip
    """A random cut from a table, the missing on a random side: Σ f, the last group below it, the threshold, the side."""
    left, where = sums[LEFT], 0
    low, high = bounds[HIGH, start + table.code[0]], bounds[LOW, start + table.code[groups - 1]]
    threshold = random_threshold(low, high, key)
    side = int64(mix(key + np.uint64(1)) & np.uint64(1)) if own else 1
    for k in range(len(left)):
        left[k] = table.sums[groups, k] if side == 0 else 0.0
    for g in range(groups - 1):
        if g > 0 and bounds[LOW, start + table.code[g]] > threshold:
            break
        where = g
        add(left, table.sums, g)
    return worth(rules, sums, monotone), where, max(threshold, bounds[HIGH, start + table.code[where]]), side


@compiled(inner=True)
def random_cut_of_codes(
    j: int, short: Array, at: int, size: int, start: int, bounds: Array, rules: GrowthRules, node: Node, work: NodeBuffers,
    near_y: Array | None, near_z: Array | None, near_code: Array, monotone: Monotone | None,
) -> tuple[float, int, float, int]:  # fmt: skip
    """The same straight from the codes of a short column: Σ f, the last code below the cut, the threshold, and the number of
    different codes as far as it matters (1: nothing to split; 0: some cells are missing, and nothing is done)."""
    left, rows = work.sums[LEFT], node.rows
    lowest, highest = size, int64(0)
    for i in range(len(rows)):
        code = int64(short[at, rows[i]])
        near_code[i] = code
        lowest, highest = min(lowest, code), max(highest, code)
    if highest == size or lowest == highest:
        return -np.inf, -1, 0.0, 0 if highest == size else 1
    threshold = random_threshold(bounds[HIGH, start + lowest], bounds[LOW, start + highest], mix(node.key + np.uint64(j)))
    limit, above = lowest, highest
    while limit + 1 < above:
        middle = (limit + above) // 2
        if bounds[LOW, start + middle] <= threshold:
            limit = middle
        else:
            above = middle
    below = add_below(limit, lowest, near_code, len(rows), near_y, near_z, work.near_w, left)
    return worth(rules, work.sums, monotone), below, max(threshold, bounds[HIGH, start + below]), 2


@compiled(inner=True)
def add_below(
    limit: int, lowest: int, near_code: Array, n: int, near_y: Array | None, near_z: Array | None, near_w: Array, left: Array
) -> int:
    """The sums of the rows with codes up to a limit, without a jump of the program, which nobody could foresee. Returns the
    highest of these codes."""
    below, m, w, inside_rows = lowest, len(left) - 2, 0.0, int64(0)
    for k in range(m):
        left[k] = 0.0
    for i in range(n):
        code = int64(near_code[i])
        inside = code <= limit
        below = max(below, code if inside else lowest)
        share = 1.0 if inside else 0.0
        inside_rows += inside
        w += share * near_w[i]
        if near_y is not None:
            left[near_y[i]] += share * near_w[i]
        if near_z is not None:
            for k in range(m):
                left[k] += share * near_z[i, k]
    left[m], left[m + 1] = w, inside_rows
    return below
