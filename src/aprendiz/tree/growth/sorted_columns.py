"""Long columns: the table of a column with more than 255 values, from its rows in their order.

The rows of a node stand in a line for each long column. A part of a sorted line is sorted, so nothing is sorted again.
"""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array
from aprendiz.tree.growth.records import KNOWN, LEFT, ORIGIN, RIGHT, ColumnTable, Data, GrowthRules


@compiled(inner=True)
def list_runs(codes: Array, line: Array, data: Data, origin: Array, classes: int, table: ColumnTable) -> int:
    """The table of a long column: runs of equal codes in its line. Returns how many."""
    y, z, weight, sums = data.y, data.z, data.weight, table.sums
    m, g, last = sums.shape[1] - 2, -1, int64(-1)
    for i in range(len(line)):
        r = line[i]
        if codes[r] != last:
            last = int64(codes[r])
            g += 1
            table.code[g] = last
            for k in range(m + 2):
                sums[g, k] = 0.0
        w = weight[r]
        sums[g, m] += w
        sums[g, m + 1] += 1.0
        if classes:
            sums[g, y[r]] += w
        else:
            for k in range(m):
                sums[g, k] += w * (z[r, k] - origin[k])
    return g + 1


@compiled(inner=True)
def best_cut_of_line(
    codes: Array, line: Array, data: Data, rules: GrowthRules, sums: Array, tie: float
) -> tuple[float, int, int]:
    """The best cut of a long column without missing cells, for sums of squares, straight from its line: Σ f, the code below the
    cut and the one above. Moving a row of class k changes Σ S² by w(2S_k + w)."""
    y, z, weight, origin = data.y, data.z, data.weight, sums[ORIGIN]
    known, left_sums, right_sums = sums[KNOWN], sums[LEFT], sums[RIGHT]
    m, best, below, above = len(known) - 2, -np.inf, -1, -1
    w = n = left = right = 0.0
    W, N = known[m], known[m + 1]
    for k in range(m):
        left_sums[k], right_sums[k] = 0.0, known[k]
        right += known[k] * known[k]
    peak = right  # when it was last summed anew
    for i in range(len(line) - 1):
        r = line[i]
        v = weight[r]
        if rules.classes:
            k, s = y[r], v
        else:
            k, s = 0, v * (z[r, 0] - origin[0])
        left += s * (2.0 * left_sums[k] + s)
        right -= s * (2.0 * right_sums[k] - s)
        left_sums[k] += s
        right_sums[k] -= s
        w, n = w + v, n + 1.0
        if m == 1:
            left, right = left_sums[0] * left_sums[0], right_sums[0] * right_sums[0]
        elif right < 1e-3 * peak:  # most of it was taken away, and its rounding stays
            right = 0.0
            for q in range(m):
                right += right_sums[q] * right_sums[q]
            peak = right
        code, up = codes[r], codes[line[i + 1]]
        if code == up or n < rules.min_leaf or N - n < rules.min_leaf or w < rules.min_weight or W - w < rules.min_weight:
            continue
        found = left / w + right / (W - w)
        if found > best + tie:
            best, below, above = found, int64(code), int64(up)
    return best, below, above
