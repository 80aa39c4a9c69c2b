"""Short columns: the table of a column with at most 255 values, by a histogram.

Only the codes that occur are looked at: each sets a bit when its first row is added. The histogram is left empty. A column is
given as the table and its place in it: a view of it would be counted by all threads at once.
"""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.compilation.words import lowest_bit
from aprendiz.core.rows import Array
from aprendiz.tree.growth.records import ColumnTable, GrowthRules


@compiled(inner=True)
def fill(
    short: Array, at: int, rows: Array, near_y: Array | None, near_z: Array | None, near_w: Array, H: Array, marks: Array
) -> None:
    """The histogram of a short column, but for the numbers of rows; the codes that occur are marked. Of classes, the weight is
    left out too: it is the sum of theirs."""
    one = np.uint64(1)
    if near_y is not None:
        for i in range(len(rows)):
            b = short[at, rows[i]]
            marks[b >> 6] |= one << np.uint64(b & 63)
            H[b, near_y[i]] += near_w[i]
    if near_z is not None:
        m = near_z.shape[1]
        for i in range(len(rows)):
            b = short[at, rows[i]]
            marks[b >> 6] |= one << np.uint64(b & 63)
            H[b, m] += near_w[i]
            for k in range(m):
                H[b, k] += near_z[i, k]


@compiled(inner=True)
def count(short: Array, at: int, rows: Array, H: Array) -> None:
    """The numbers of rows in the histogram of a short column."""
    last = H.shape[1] - 1
    for i in range(len(rows)):
        H[short[at, rows[i]], last] += 1.0


@compiled(inner=True)
def list_values(classes: int, H: Array, marks: Array, table: ColumnTable) -> int:
    """The table of a short column from its histogram: the codes that occur, in order, with sums, weight and rows. Returns how
    many."""
    sums, code, groups, m = table.sums, table.code, int64(0), H.shape[1] - 2
    for word in range(len(marks)):
        bits, marks[word] = marks[word], np.uint64(0)
        while bits != np.uint64(0):
            b = 64 * word + lowest_bit(bits)
            bits &= bits - np.uint64(1)
            code[groups] = b
            w = 0.0
            for k in range(m + 2):
                sums[groups, k] = H[b, k]
                H[b, k] = 0.0
            if classes:
                for k in range(m):
                    w += sums[groups, k]
                sums[groups, m] = w
            groups += 1
    return groups


@compiled(inner=True)
def best_cut_of_classes(
    rules: GrowthRules, H: Array, marks: Array, known: Array, left: Array, tie: float
) -> tuple[float, int, int, bool]:
    """The best cut of Σ S_k² / w, without missing cells, straight from the histogram: most of the work of most trees. Returns
    Σ f, the code below the cut, the one above, and whether there are two codes at all. Of the classes, of which there are at
    least two, the first two are in registers, the others in `left`."""
    m, best, none = H.shape[1] - 2, -np.inf, int64(-1)
    below = above = first = before = none
    least, weight = rules.min_leaf if rules.min_leaf > 1 else 0, rules.min_weight  # one row is not counted
    a = b = w = n = 0.0
    A, B, W, N = known[0], known[1], known[m], known[m + 1]
    for k in range(2, m):
        left[k] = 0.0
    for word in range(len(marks)):
        bits, marks[word] = marks[word], np.uint64(0)
        while bits != np.uint64(0):
            code = 64 * word + lowest_bit(bits)
            bits &= bits - np.uint64(1)
            if before < 0:
                first = code
            elif n >= least and N - n >= least and w >= weight and W - w >= weight and w < W:
                inside, outside = a * a + b * b, (A - a) * (A - a) + (B - b) * (B - b)
                for k in range(2, m):
                    s = left[k]
                    inside += s * s
                    outside += (known[k] - s) * (known[k] - s)
                found = (inside * (W - w) + outside * w) / (w * (W - w))
                if found > best + tie:
                    best, below, above = found, before, code
            before = code
            x, y = H[code, 0], H[code, 1]
            H[code, 0] = H[code, 1] = 0.0
            a += x
            b += y
            w += x + y
            for k in range(2, m):
                s = H[code, k]
                left[k] += s
                w += s
                H[code, k] = 0.0
            if least:
                n += H[code, m + 1]
                H[code, m + 1] = 0.0
    return best, below, above, before > first


@compiled(inner=True)
def best_cut_of_numbers(rules: GrowthRules, H: Array, marks: Array, known: Array, tie: float) -> tuple[float, int, int, bool]:
    """The same for one number, S² / w."""
    best, none = -np.inf, int64(-1)
    below = above = first = before = none
    least, weight = rules.min_leaf if rules.min_leaf > 1 else 0, rules.min_weight  # one row is not counted
    a = w = n = 0.0
    A, W, N = known[0], known[1], known[2]
    for word in range(len(marks)):
        bits, marks[word] = marks[word], np.uint64(0)
        while bits != np.uint64(0):
            code = 64 * word + lowest_bit(bits)
            bits &= bits - np.uint64(1)
            if before < 0:
                first = code
            elif n >= least and N - n >= least and w >= weight and W - w >= weight and w < W:
                found = (a * a * (W - w) + (A - a) * (A - a) * w) / (w * (W - w))
                if found > best + tie:
                    best, below, above = found, before, code
            before = code
            a += H[code, 0]
            w += H[code, 1]
            n += H[code, 2]
            H[code, 0] = H[code, 1] = H[code, 2] = 0.0
    return best, below, above, before > first
