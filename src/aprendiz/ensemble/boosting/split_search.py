"""The best split of a node: the one that lowers the second-order objective most.

With G and H the sums of gradients and curvatures of some rows and λ = l2, a step v for all of them changes the objective by

    G·v + ½ (H + λ) v²,     least at  v = −G/(H + λ),  where it is  −½ G²/(H + λ)                                     (1)

so that a split lowers it by half of its gain

    Δ = G₁²/(H₁ + λ) + G₂²/(H₂ + λ) − G²/(H + λ)                                                                (2)

Numbers are cut between codes; the missing cells go to the side where Δ is larger. Levels are put in the order of G/H:
Σ G²/(H + λ) is convex in the sums of one side, so the best of all subsets is a cut in that order. Levels of few rows are not
told from each other: they and the missing are on one side.

Under a monotonic constraint steps are kept within bounds, and (1) is taken at the step that is allowed (monotone.py has the
bounds). All numbers here are in units (fixed_point.py); of equal gains the first column, then the first cut is taken.
"""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.hashing import mix
from aprendiz.core.rows import Array
from aprendiz.ensemble.boosting.records import (
    BELOW,
    COLUMN,
    GAIN,
    HIGHEST,
    LEVELS,
    LOWEST,
    MISSING,
    ROWS,
    SLOT,
    TIE,
    Buffers,
    G,
    H,
    Interactions,
    Monotone,
    N,
    Rules,
    Space,
    Table,
)


@compiled(inner=True)
def list_sums(cells: Array, groups: int, rules: Rules, sums: Array) -> None:
    """Gradients, curvatures and rows of each code of a column, whole numbers, from its histogram."""
    width, shift, mask = rules.words, rules.shift, (np.int64(1) << rules.shift) - 1
    for b in range(groups):
        if width == 1:
            sums[b, G], sums[b, N] = cells[b] >> shift, cells[b] & mask
        elif width == 2:
            sums[b, G], sums[b, H], sums[b, N] = cells[2 * b], cells[2 * b + 1] >> shift, cells[2 * b + 1] & mask
        else:
            sums[b, G], sums[b, H], sums[b, N] = cells[3 * b], cells[3 * b + 1], cells[3 * b + 2]
        if rules.constant:
            sums[b, H] = sums[b, N]


@compiled(inner=True)
def score(g: float, h: float, step: float) -> float:
    """How much a step lowers twice the objective: (1). h includes λ."""
    return -(2.0 * g + h * step) * step


@compiled(inner=True)
def best_cut(
    sums: Array, first: int, last: int, g: int, h: int, n: int, total: Array, rules: Rules, limits: Array | None
) -> tuple[float, int]:
    """The best cut after one of the groups `first` … `last` − 1: the sum of the scores of both sides, and the last group below.
    g, h, n are the sums of what is below the first group anyway. `limits` are sign and bounds. Scores are fractions, which are
    compared without a division."""
    top, bottom, where, l2 = -1.0, 1.0, int64(-1), rules.l2
    for b in range(first, last):
        if sums[b, N] == 0:
            continue  # as the cut before
        g, h, n = g + sums[b, G], h + sums[b, H], n + sums[b, N]
        if n < rules.min_rows:
            continue
        if total[N] - n < rules.min_rows:
            break
        left, right = 1.0 * g, 1.0 * (total[G] - g)
        below, above = l2 + h, l2 + (total[H] - h)
        if below - l2 < rules.min_curvature or above - l2 < rules.min_curvature:
            continue
        both, product = left * left * above + right * right * below, below * above
        if limits is not None:
            one = min(max(-left / below, limits[1]), limits[2])
            two = min(max(-right / above, limits[1]), limits[2])
            if limits[0] * (two - one) < 0.0:
                continue
            both, product = score(left, below, one) + score(right, above, two), 1.0
        if both * bottom > top * product:
            top, bottom, where = both, product, b
    return top / bottom, where


@compiled(inner=True)
def note_split(space: Space, t: int, j: int, below: int, side: int, g: int, h: int, n: int) -> None:
    """Write the best split so far down, with the sums of its first branch."""
    whole, left = space.whole[t], space.left[t]
    whole[COLUMN], whole[BELOW], whole[MISSING], whole[LEVELS] = j, below, side, 0
    left[G], left[H], left[N] = g, h, n


@compiled(inner=True)
def cut_numbers(
    t: int, j: int, best: float, sums: Array, space: Space, table: Table, rules: Rules, limits: Array | None
) -> float:
    """The best cut of a column with an order, if it is better than `best`."""
    size, total, missing = table.sizes[j], space.sums[t], table.missing[j] != 0
    found, where = best_cut(sums, 0, size if missing else size - 1, 0, 0, 0, total, rules, limits)
    side = int64(1)
    g = h = n = int64(0)
    if missing:
        a, b, c = sums[size, G], sums[size, H], sums[size, N]
        other, at = best_cut(sums, 0, size - 1, a, b, c, total, rules, limits)
        if other > found:
            found, where, side = other, at, 0
            g, h, n = a, b, c
    if where < 0 or found <= best:
        return best
    for b in range(where + 1):
        g, h, n = g + sums[b, G], h + sums[b, H], n + sums[b, N]
    if not missing:
        side = int64(2 * n <= total[N])
    note_split(space, t, j, where, side, g, h, n)
    bits = space.sides[t]
    for w in range(4):
        bits[w] = np.uint64(0)
    for b in range(where + 1, size):
        bits[b >> 6] |= np.uint64(1) << np.uint64(b & 63)
    if side:
        bits[size >> 6] |= np.uint64(1) << np.uint64(size & 63)
    return found


@compiled(inner=True)
def sort_levels(sums: Array, size: int, least: int, buffers: Buffers) -> int:
    """The levels of enough rows in the order of G/H (insertion: there are few). Returns how many."""
    count = int64(0)
    for b in range(size):
        if sums[b, N] < least or sums[b, H] <= 0:
            continue
        ratio, at = sums[b, G] / sums[b, H], count
        while at > 0 and buffers.ratios[at - 1] > ratio:
            buffers.ratios[at], buffers.levels[at] = buffers.ratios[at - 1], buffers.levels[at - 1]
            at -= 1
        buffers.ratios[at], buffers.levels[at] = ratio, b
        count += 1
    return count


@compiled(inner=True)
def cut_levels(
    t: int, j: int, best: float, sums: Array, space: Space, table: Table, rules: Rules, buffers: Buffers, levels: object
) -> float:
    """The best subset of levels, if it is better than `best`. Rare levels and the missing are on the side that is better."""
    size, total = table.sizes[j], space.sums[t]
    count = sort_levels(sums, size, rules.min_support, buffers)
    if count == 0:
        return best
    line = buffers.sums[1]
    g = h = n = int64(0)
    for i in range(count):
        for k in range(3):
            line[i, k] = sums[buffers.levels[i], k]
        g, h, n = g + line[i, G], h + line[i, H], n + line[i, N]
    a, b, c = total[G] - g, total[H] - h, total[N] - n  # of those that are not told apart
    found, where = best_cut(line, 0, count if c > 0 else count - 1, 0, 0, 0, total, rules, None)
    side = int64(1)
    g = h = n = int64(0)
    if c > 0:
        other, at = best_cut(line, 0, count - 1, a, b, c, total, rules, None)
        if other > found:
            found, where, side = other, at, 0
            g, h, n = a, b, c
    if where < 0 or found <= best:
        return best
    bits = space.sides[t]
    for w in range(4):
        bits[w] = np.uint64(0) - np.uint64(side)
    for i in range(count):
        b = buffers.levels[i]
        if i <= where:
            g, h, n = g + line[i, G], h + line[i, H], n + line[i, N]
            bits[b >> 6] &= ~(np.uint64(1) << np.uint64(b & 63))
        else:
            bits[b >> 6] |= np.uint64(1) << np.uint64(b & 63)
    if c == 0:
        side = int64(2 * n <= total[N])
    note_split(space, t, j, 0, side, g, h, n)
    space.whole[t, LEVELS] = 1
    bits[size >> 6] &= ~(np.uint64(1) << np.uint64(size & 63))
    if side:
        bits[size >> 6] |= np.uint64(1) << np.uint64(size & 63)
    return found


@compiled(inner=True)
def draw_columns(t: int, space: Space, rules: Rules, drawn: Array, interactions: Interactions | None) -> int:
    """The columns that a node looks at, in their order: those that may interact with the ones above, and of these as many as
    wanted, drawn by the key of the node. Returns how many."""
    count = int64(0)
    for j in range(len(drawn)):
        drawn[j] = j
    if interactions is not None:
        members, groups = interactions.members, space.groups[t]
        for j in range(members.shape[1]):
            for k in range(len(members)):
                if groups[k] and members[k, j]:
                    drawn[count] = j
                    count += 1
                    break
    else:
        count = len(drawn)
    wanted = max(int64(np.ceil(rules.share * count)), 1)
    if wanted >= count:
        return count
    for i in range(wanted):
        at = i + int64(mix(space.keys[t] + np.uint64(i)) % np.uint64(count - i))
        drawn[i], drawn[at] = drawn[at], drawn[i]
    drawn[:wanted].sort()
    return wanted


@compiled(inner=True)
def search(
    t: int, space: Space, table: Table, rules: Rules, buffers: Buffers, levels: object, monotone: Monotone | None,
    interactions: Interactions | None,
) -> bool:  # fmt: skip
    """Find the best split of a node from its histogram. Is there one?"""
    total, real, sums, best = space.sums[t], space.real[t], buffers.sums[0], -1.0
    cells = space.histograms[space.whole[t, SLOT]]
    g, h = np.float64(total[G]), np.float64(total[H]) + rules.l2
    own = g * g / h if h > 0.0 else 0.0
    if monotone is not None:
        own = score(g, h, min(max(-g / h, real[LOWEST]), real[HIGHEST]))
    for i in range(draw_columns(t, space, rules, buffers.drawn, interactions)):
        j = buffers.drawn[i]
        list_sums(cells[j], table.sizes[j] + 1, rules, sums)
        if levels is not None and table.unordered[j]:
            best = cut_levels(t, j, best, sums, space, table, rules, buffers, levels)
            continue
        if monotone is not None:
            buffers.ratios[0], buffers.ratios[1], buffers.ratios[2] = monotone.signs[j], real[LOWEST], real[HIGHEST]
            best = cut_numbers(t, j, best, sums, space, table, rules, buffers.ratios)
        else:
            best = cut_numbers(t, j, best, sums, space, table, rules, None)
    real[GAIN] = best - own
    if best > 0.0 and best - own > TIE * best:
        return True
    space.whole[t, COLUMN] = -1
    return False


@compiled(inner=True)
def may_be_divided(t: int, depth: int, space: Space, rules: Rules) -> bool:
    """Has a node room for a split?"""
    return depth < rules.max_depth and space.whole[t, ROWS] >= 2 * rules.min_rows
