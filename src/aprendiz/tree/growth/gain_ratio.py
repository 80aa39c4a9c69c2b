"""C4.5's gain ratio: Δ / entropy of the branches, among the columns whose Δ is at least the average one.

Every column takes part with its split of largest Δ.
Reference: Quinlan, "C4.5: Programs for Machine Learning", 1993.
"""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array
from aprendiz.tree.growth.levels import keep_sides
from aprendiz.tree.growth.records import TIE, ColumnTable, LevelBranches, Ratios


@compiled(inner=True)
def split_entropy(groups: int, size: int, unordered: bool, below: int, side: int, table: ColumnTable, weight: Array) -> float:
    """Entropy of the branches of a split, times the weight; missing cells that go elsewhere are one branch more."""
    total, entropy, m = 0.0, 0.0, table.sums.shape[1] - 2
    for b in range(groups + 1):
        weight[b] = 0.0
    for g in range(groups):
        if table.code[g] == size:
            b = side if side >= 0 else groups
        elif unordered:
            b = table.side[g]
        else:
            b = 0 if table.code[g] <= below else 1
        weight[b] += table.sums[g, m]
        total += table.sums[g, m]
    if total <= 0.0:
        return 0.0
    for b in range(groups + 1):
        if weight[b] > 0.0:
            entropy += weight[b] * np.log(weight[b])
    return -(entropy - total * np.log(total))


@compiled(inner=True)
def note_ratio(
    j: int, groups: int, size: int, ordered: bool, gain: float, threshold: float, below: int, side: int, branches: int,
    table: ColumnTable, levels: LevelBranches | None, ratios: Ratios,
) -> None:  # fmt: skip
    """Write down the best split of column j."""
    spread = split_entropy(groups, size, not ordered, below, side, table, ratios.branch_weight)
    ratios.gain[j], ratios.ratio[j], ratios.threshold[j] = gain, gain / max(spread, 1e-300), threshold
    ratios.whole[j, 0], ratios.whole[j, 1], ratios.whole[j, 2] = below, side, branches
    if levels is not None and not ordered:
        keep_sides(groups, size, table, ratios.sides[j])


@compiled(inner=True)
def best_ratio(ratios: Ratios, tie: float) -> int:
    """The column of largest gain ratio among those with at least the average gain; −1 if none gains anything."""
    gain, ratio, total, number = ratios.gain, ratios.ratio, 0.0, int64(0)
    for j in range(len(gain)):
        if gain[j] > -np.inf:
            total, number = total + gain[j], number + 1
    column, best = int64(-1), 0.0
    for j in range(len(gain)):
        if gain[j] > tie and gain[j] >= total / number - tie and ratio[j] > best * (1.0 + TIE):
            column, best = j, ratio[j]
    return column
