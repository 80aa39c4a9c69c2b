"""Growing a tree: in every node, the question that lowers the impurity most.

With S_k the weight of class k in a node (or the weighted sum of output k) and w its weight, the impurities have the form

    w·i(t) = constant − f(S, w),                                                                              (1)

    gini, squared error    f = Σ S_k² / w                  entropy    f = Σ S_k log S_k − w log w
    error rate             f = max S_k                     poisson    f = Σ S_k log(S_k / w)

so that a question with branches b lowers the impurity of all rows by

    Δ = Σ_b f(S_b, w_b) − f(S, w)                                                                             (2)

which needs nothing but a table of each column in the node: for every value that occurs, S and w. Columns are codes 0, 1, 2, …
(coding.py), in the order of the values where they have one. A column with at most 255 values is tallied in a histogram; a
longer one is kept sorted from the start, since a part of sorted rows is sorted. With the table,

    numbers, ordered levels     every cut between neighbouring values: Δ by running sums
    levels, two classes or      the levels in the order of S_1/w: the best subset is a cut in that order (Breiman, Fisher),
      one number                unless it is too small for a leaf
    levels, more classes        all 2^(M−1) − 1 subsets up to 12 levels; beyond, cuts in the order of the first principal
                                component of the class proportions (Coppersmith), which need not find the best
    levels, multiway            one branch for each level

Absolute errors are no function of sums: prefix sums of |y − median| come from a tree of counts over the ranks of y.

Missing cells, by `missing`: OWN, they take the side that lowers the impurity more (a level of their own among levels);
SURROGATE and FRACTIONAL, (2) is over the known rows, and the others follow the best substitute question or go to every branch
with a share of their weight. Equal gains: the first column, the lowest cut. Gain ratio: Δ / entropy of the branches, among the
columns whose Δ is at least the average one, each with the question of largest Δ (C4.5).

Cost: O(n·d) a level; nothing is sorted after the start.
References: Breiman, Friedman, Olshen & Stone, "Classification and Regression Trees", 1984; Quinlan, "C4.5", 1993; Coppersmith,
Hong & Hosking, "Partitioning nominal attributes in decision trees", Data Mining and Knowledge Discovery 3, 1999.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np
from numba import types
from numba.extending import intrinsic

from aprendiz.core.compiled import compiled

SQUARES, ENTROPY, ERROR, POISSON, ABSOLUTE = range(5)  # f of (1)
OWN, SURROGATE, FRACTIONAL = range(3)  # what a missing cell does
LEAF = -2
SUBSETS = 12  # levels of which all subsets are tried, where there are more than two classes
LARGEST = float(np.finfo(np.float64).max)  # a threshold that every known number is below
TIE = 1e-12  # gains closer than this part of the node's impurity are equal

# How a node is divided, and when it is not: numbers only.
Rules = namedtuple(
    "Rules",
    "criterion classes ratio multiway missing random max_depth min_split min_leaf min_weight min_decrease "
    "max_features max_leaves surrogates",
)
# Arrays that the kernels share have the same names everywhere:
#   short, long    codes of the short columns and of the long ones, a row for each column
#   layout         for each column: where it stands (short: its number, long: −1 − its number), how many codes it has (the one
#                  after the last means missing), whether it is without order, where its values begin in `bounds`
#   bounds         lowest and highest value of each code
#   y, z, weight   class, numbers and weight of each row of the table
#   rows, lines    the rows of the node; the same in the order of each long column
#   near_y, near_z, near_w    class, weighted numbers (around `V[ORIGIN]`) and weight of the rows of the node, side by side
#   near_code      their codes in a column
#   table          the table of a column in the node: for each value the sums S, then weight and rows
#   slots          whole numbers beside the table: code of each value, their order, their branch; branches kept by code
#   H, marks       a histogram with the columns of `table`, and a bit for each code: set if it occurs
#   V              vectors with the entries of a row of `table`
PLACE, SIZE, UNORDERED, START = range(4)
LOW, HIGH = range(2)
CODE, ORDER, SIDE, BEST = range(4)
TOTAL, KNOWN, LEFT, RIGHT, OTHER, CENTRE, ORIGIN = range(7)
GAIN, RATIO = range(2)


# ---- impurity ----------------------------------------------------------------------------------------------------------


@compiled
def merit(criterion, A, g, m):
    """f of (1); row g of A holds m sums and the weight."""
    s, w = 0.0, A[g, m]
    if w <= 0.0:
        return 0.0
    if criterion == SQUARES:
        for k in range(m):
            s += A[g, k] * A[g, k]
        return s / w
    if criterion == ENTROPY:
        for k in range(m):
            if A[g, k] > 0.0:
                s += A[g, k] * np.log(A[g, k])
        return s - w * np.log(w)
    if criterion == ERROR:
        for k in range(m):
            s = max(s, A[g, k])
        return s
    if criterion == ABSOLUTE:  # no function of sums
        return 0.0
    for k in range(m):  # POISSON
        if A[g, k] <= 0.0:
            return -np.inf
        s += A[g, k] * np.log(A[g, k] / w)
    return s


@compiled
def impurity_of_classes(criterion, V, m):
    """i(t) of the class weights in `V[TOTAL]`; entropy in bits."""
    f = merit(criterion, V, TOTAL, m) / V[TOTAL, m]
    return max(0.0, -f / np.log(2.0) if criterion == ENTROPY else 1.0 - f)


@compiled
def impurity_of_numbers(criterion, rows, z, weight, V):
    """i(t) of the numbers of a node around its means (of absolute errors, its median)."""
    loss, total = 0.0, 0.0
    for i in range(len(rows)):
        v = weight[rows[i]]
        total += v
        for k in range(z.shape[1]):
            x, c = z[rows[i], k], V[CENTRE, k]
            if criterion == SQUARES:
                loss += v * (x - c) * (x - c)
            elif criterion == ABSOLUTE:
                loss += v * abs(x - c)
            elif x > 0.0:
                loss += v * x * np.log(x / c)
    return loss / (total * z.shape[1])


# ---- the table of a column ---------------------------------------------------------------------------------------------


@intrinsic
def lowest_bit(typing_context, word):
    """The number of the lowest bit that is set."""

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

    return types.int64(types.uint64), generate


@compiled
def fill(short, at, rows, near_y, near_z, near_w, rules, H, marks):
    """The histogram of a short column, but for the numbers of rows; the codes that occur are marked."""
    m, one = H.shape[1] - 2, np.uint64(1)
    if rules.classes:
        for i in range(len(rows)):
            b = short[at, rows[i]]
            marks[b >> 6] |= one << np.uint64(b & 63)
            H[b, near_y[i]] += near_w[i]
    else:
        for i in range(len(rows)):
            b = short[at, rows[i]]
            marks[b >> 6] |= one << np.uint64(b & 63)
            H[b, m] += near_w[i]
            for k in range(m):
                H[b, k] += near_z[i, k]


@compiled
def count(short, at, rows, H):
    """The numbers of rows in the histogram of a short column."""
    for i in range(len(rows)):
        H[short[at, rows[i]], H.shape[1] - 1] += 1.0


@compiled
def listed(rules, table, slots, H, marks):
    """The table of a short column from its histogram, which is left empty: the codes that occur, in order, with sums, weight
    and rows. Returns how many."""
    groups, m = 0, table.shape[1] - 2
    for word in range(4):
        bits, marks[word] = marks[word], np.uint64(0)
        while bits != np.uint64(0):
            b = 64 * word + lowest_bit(bits)
            bits &= bits - np.uint64(1)
            slots[CODE, groups] = b
            w = 0.0
            for k in range(m + 2):
                table[groups, k] = H[b, k]
                H[b, k] = 0.0
            if rules.classes:
                for k in range(m):
                    w += table[groups, k]
                table[groups, m] = w
            groups += 1
    return groups


@compiled
def best_cut_of_histogram(rules, H, marks, V, tie):
    """As `best_cut`, of the squares of one number or of classes, without missing cells, straight from the histogram, which is
    left empty: most of the work of most trees. Returns Σ f, the code below the cut, the one above, and whether there are two
    codes at all."""
    m, best, below, above, first, before = H.shape[1] - 2, -np.inf, -1, -1, -1, -1
    least = rules.min_leaf if rules.min_leaf > 1 else 0  # rows are not counted where one is enough
    a = b = w = n = 0.0
    A, B, W, N = V[KNOWN, 0], V[KNOWN, min(m - 1, 1)], V[KNOWN, m], V[KNOWN, m + 1]
    for k in range(m):
        V[LEFT, k] = 0.0
    for word in range(4):
        bits, marks[word] = marks[word], np.uint64(0)
        while bits != np.uint64(0):
            code = 64 * word + lowest_bit(bits)
            bits &= bits - np.uint64(1)
            if before < 0:
                first = code
            elif n >= least and N - n >= least and w >= rules.min_weight and W - w >= rules.min_weight and w < W:
                left, right = a * a, (A - a) * (A - a)
                if m > 1:
                    left, right = left + b * b, right + (B - b) * (B - b)
                    for k in range(2, m):
                        left += V[LEFT, k] * V[LEFT, k]
                        right += (V[KNOWN, k] - V[LEFT, k]) * (V[KNOWN, k] - V[LEFT, k])
                found = (left * (W - w) + right * w) / (w * (W - w))
                if found > best + tie:
                    best, below, above = found, before, code
            before = code
            x, y = H[code, 0], H[code, 1]
            H[code, 0] = H[code, 1] = 0.0
            a += x
            if m == 1:
                w += y
            else:  # classes: the weight is the sum of theirs
                w += x + y
                b += y
                for k in range(2, m):
                    V[LEFT, k] += H[code, k]
                    w += H[code, k]
                    H[code, k] = 0.0
            if least:
                n += H[code, m + 1]
                H[code, m + 1] = 0.0
    return best, below, above, before > first


@compiled
def tally_ready(ready, j, size, table, slots):
    """The table of a column from one with a line for every code."""
    groups, width = 0, table.shape[1]
    for b in range(size + 1):
        if ready[j, b, width - 1] > 0.0:
            slots[CODE, groups] = b
            for k in range(width):
                table[groups, k] = ready[j, b, k]
            groups += 1
    return groups


@compiled
def tally_long(long, lines, c, y, z, weight, V, rules, table, slots):
    """The table of a long column: runs of equal codes in its sorted rows."""
    m, g, last = table.shape[1] - 2, -1, np.int64(-1)
    for i in range(lines.shape[1]):
        r = lines[c, i]
        if long[c, r] != last:
            last = np.int64(long[c, r])
            g += 1
            slots[CODE, g] = last
            for k in range(m + 2):
                table[g, k] = 0.0
        w = weight[r]
        table[g, m] += w
        table[g, m + 1] += 1.0
        if rules.classes:
            table[g, y[r]] += w
        else:
            for k in range(m):
                table[g, k] += w * (z[r, k] - V[ORIGIN, k])
    return g + 1


# ---- the best question about a column ----------------------------------------------------------------------------------


@compiled
def enough(rules, A, g, m):
    """May a branch be so small?"""
    return A[g, m + 1] >= rules.min_leaf and A[g, m] >= rules.min_weight


@compiled
def worth(rules, V, m):
    """Σ f of `V[LEFT]` and the rest of `V[KNOWN]`; −∞ if a side is too small."""
    for k in range(m + 2):
        V[RIGHT, k] = V[KNOWN, k] - V[LEFT, k]
    if not (enough(rules, V, LEFT, m) and enough(rules, V, RIGHT, m)):
        return -np.inf
    if rules.criterion == POISSON:
        for k in range(m):  # a difference of sums that should be 0 is rounding
            if min(V[LEFT, k], V[RIGHT, k]) <= TIE * V[TOTAL, k]:
                return -np.inf
    return merit(rules.criterion, V, LEFT, m) + merit(rules.criterion, V, RIGHT, m)


@compiled
def best_cut_of_squares(groups, rules, table, V, tie):
    """As `best_cut`, of one or two sums of squares and no missing: most of the work of most trees."""
    m, best, where = table.shape[1] - 2, -np.inf, -1
    a = b = w = n = 0.0
    A, B, W, N = V[KNOWN, 0], V[KNOWN, m - 1], V[KNOWN, m], V[KNOWN, m + 1]
    for g in range(groups - 1):
        a, b, w, n = a + table[g, 0], b + table[g, m - 1], w + table[g, m], n + table[g, m + 1]
        if n < rules.min_leaf or N - n < rules.min_leaf or w < rules.min_weight or W - w < rules.min_weight:
            continue
        found = (a * a + b * b) / w + ((A - a) * (A - a) + (B - b) * (B - b)) / (W - w)
        if found > best + tie:
            best, where = found, g
    return 0.5 * best if m == 1 else best, where


@compiled
def best_cut_of_line(long, lines, c, y, z, weight, rules, V, tie):
    """The best cut of a long column without missing cells, for sums of squares, straight from its sorted rows: Σ f, the code
    below the cut and the one above. Moving a row of class k changes Σ S² by w(2S_k + w)."""
    m, best, below, above = V.shape[1] - 2, -np.inf, -1, -1
    w = n = left = right = 0.0
    W, N, last = V[KNOWN, m], V[KNOWN, m + 1], lines.shape[1] - 1
    for k in range(m):
        V[LEFT, k], V[RIGHT, k] = 0.0, V[KNOWN, k]
        right += V[KNOWN, k] * V[KNOWN, k]
    peak = right  # when it was last summed anew
    for i in range(last):
        r = lines[c, i]
        v = weight[r]
        if rules.classes:
            k, s = y[r], v
        else:
            k, s = 0, v * (z[r, 0] - V[ORIGIN, 0])
        left += s * (2.0 * V[LEFT, k] + s)
        right -= s * (2.0 * V[RIGHT, k] - s)
        V[LEFT, k] += s
        V[RIGHT, k] -= s
        w, n = w + v, n + 1.0
        if m == 1:
            left, right = V[LEFT, 0] * V[LEFT, 0], V[RIGHT, 0] * V[RIGHT, 0]
        elif right < 1e-3 * peak:  # most of it was taken away, and its rounding stays
            right = 0.0
            for q in range(m):
                right += V[RIGHT, q] * V[RIGHT, q]
            peak = right
        code, up = long[c, r], long[c, lines[c, i + 1]]
        if code == up or n < rules.min_leaf or N - n < rules.min_leaf or w < rules.min_weight or W - w < rules.min_weight:
            continue
        found = left / w + right / (W - w)
        if found > best + tie:
            best, below, above = found, np.int64(code), np.int64(up)
    return best, below, above


@compiled
def best_cut(groups, gap, rules, table, slots, V, tie):
    """The best cut of the groups in their order: Σ f, the last group below it, and the side of the missing (2: the cut lies
    between all known values and the missing). `gap`: the missing are the group after the last, and belong to the sum."""
    m = table.shape[1] - 2
    best, where, side = -np.inf, -1, 1
    for k in range(m + 2):
        V[LEFT, k] = 0.0
    for g in range(groups if gap else groups - 1):
        for k in range(m + 2):
            V[LEFT, k] += table[slots[ORDER, g], k]
        found = worth(rules, V, m)
        if found > best + tie:
            best, where, side = found, g, 2 if g == groups - 1 else 1
        if gap and g < groups - 1:
            for k in range(m + 2):
                V[OTHER, k] = V[LEFT, k]
                V[LEFT, k] += table[groups, k]
            found = worth(rules, V, m)
            for k in range(m + 2):
                V[LEFT, k] = V[OTHER, k]
            if found > best + tie:
                best, where, side = found, g, 0
    return best, where, side


@compiled
def sorting_order(scores):
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


@compiled
def share_scores(groups, table):
    """The last sum of each group as a share of its weight."""
    m, scores = table.shape[1] - 2, np.empty(groups)
    for g in range(groups):
        scores[g] = table[g, m - 1] / table[g, m]
    return scores


@compiled
def principal_scores(groups, table, V):
    """The groups on the first principal component of their proportions S/w."""
    m, top = table.shape[1] - 2, 0
    P, A, v, u, scores = np.empty((groups, m)), np.zeros((m, m)), np.zeros(m), np.zeros(m), np.zeros(groups)
    for g in range(groups):
        for k in range(m):
            P[g, k] = table[g, k] / table[g, m] - V[KNOWN, k] / V[KNOWN, m]
        for k in range(m):
            for h in range(m):
                A[k, h] += table[g, m] * P[g, k] * P[g, h]
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


@compiled
def best_subset(groups, rules, table, slots, V, tie):
    """The best division of the groups in two: Σ f."""
    m = table.shape[1] - 2
    one_number = m == 1 or rules.classes == 2
    if not one_number and groups <= SUBSETS:
        return best_of_all_subsets(groups, rules, table, slots, V, tie)
    order = sorting_order(share_scores(groups, table) if one_number else principal_scores(groups, table, V))
    for g in range(groups):
        slots[ORDER, g] = order[g]
    best, where, _ = best_cut(groups, groups < 0, rules, table, slots, V, tie)  # no group of missing cells
    for g in range(groups):
        slots[SIDE, slots[ORDER, g]] = 0 if g <= where else 1
    return best


@compiled
def best_of_all_subsets(groups, rules, table, slots, V, tie):
    """All 2^(groups − 1) − 1 divisions, from one to the next by moving one group (Gray code)."""
    m, best, chosen, inside = table.shape[1] - 2, -np.inf, 0, 0
    for k in range(m + 2):
        V[LEFT, k] = 0.0
    for number in range(1, 2 ** (groups - 1)):
        moved, rest = 0, number
        while rest % 2 == 0:
            rest //= 2
            moved += 1
        inside ^= 1 << moved
        sign = 1.0 if inside >> moved & 1 else -1.0
        for k in range(m + 2):
            V[LEFT, k] += sign * table[moved + 1, k]  # the first group stays on the other side
        found = worth(rules, V, m)
        if found > best + tie:
            best, chosen = found, inside
    slots[SIDE, 0] = 0
    for g in range(1, groups):
        slots[SIDE, g] = chosen >> (g - 1) & 1
    return best


@compiled
def all_branches(groups, rules, table, slots):
    """A branch for each group: Σ f, −∞ unless two of them are large enough."""
    total, large, m = 0.0, 0, table.shape[1] - 2
    for g in range(groups):
        total += merit(rules.criterion, table, g, m)
        large += enough(rules, table, g, m)
        slots[SIDE, g] = g
    return total if large >= 2 else -np.inf


# ---- absolute errors ---------------------------------------------------------------------------------------------------


@compiled
def running_losses(sequence, z, weight, place, ladder, origin):
    """Σ w |z − median| of the first 1, 2, … rows of a sequence, by sums around `origin`. `place` is the rank of a row among
    `ladder`, the sorted z; a Fenwick tree over the ranks finds the median and the sums on both sides of it in O(log n)."""
    n = len(ladder)
    weights, sums, losses = np.zeros(n + 1), np.zeros(n + 1), np.empty(len(sequence))
    top = 1
    while 2 * top <= n:
        top *= 2
    W = S = 0.0
    for i in range(len(sequence)):
        r = sequence[i]
        w, s = weight[r], weight[r] * (z[r, 0] - origin)
        W, S = W + w, S + s
        at = place[r] + 1
        while at <= n:
            weights[at] += w
            sums[at] += s
            at += at & -at
        below, below_sum, at, step = 0.0, 0.0, 0, top
        while step:
            if at + step <= n and below + weights[at + step] < 0.5 * W:
                at += step
                below, below_sum = below + weights[at], below_sum + sums[at]
            step //= 2
        median = ladder[min(at, n - 1)] - origin
        losses[i] = (median * below - below_sum) + (S - below_sum - median * (W - below))
    return losses


@compiled
def in_code_order(short, at, rows, lines, table, slots, groups):
    """The rows of a node by the codes of a column, and where each group begins."""
    m, starts = table.shape[1] - 2, np.zeros(groups + 1, np.int64)
    for g in range(groups):
        starts[g + 1] = starts[g] + np.int64(table[g, m + 1])
    position, sequence = np.empty(256, np.int64), np.empty(starts[groups], rows.dtype)
    if at < 0:
        for i in range(len(sequence)):
            sequence[i] = lines[-1 - at, i]
        return sequence, starts
    for b in range(256):
        position[b] = -1
    for g in range(groups):
        position[slots[CODE, g]] = starts[g]
    for i in range(len(rows)):
        b = short[at, rows[i]]
        if position[b] >= 0:
            sequence[position[b]] = rows[i]
            position[b] += 1
    return sequence, starts


@compiled
def one_after_another(sequence, starts, order):
    """The rows of the groups, in an order of the groups."""
    rows, at = np.empty(len(sequence), sequence.dtype), 0
    for g in range(len(order)):
        for i in range(starts[order[g]], starts[order[g] + 1]):
            rows[at] = sequence[i]
            at += 1
    return rows


@compiled
def best_absolute_cut(sequence, starts, order, first, rules, z, weight, table, V, place, ladder, tie):
    """The best cut of groups in an order, not within the `first` ones: the decrease, and the last group below."""
    m, best, where = table.shape[1] - 2, -np.inf, -1
    rows = one_after_another(sequence, starts, order)
    below = running_losses(rows, z, weight, place, ladder, V[ORIGIN, 0])
    above = running_losses(rows[::-1], z, weight, place, ladder, V[ORIGIN, 0])[::-1]
    for k in range(m + 2):
        V[LEFT, k] = 0.0
    for g in range(len(order) - 1):
        for k in range(m + 2):
            V[LEFT, k] += table[order[g], k]
            V[RIGHT, k] = V[KNOWN, k] - V[LEFT, k]
        if g + 1 >= first and enough(rules, V, LEFT, m) and enough(rules, V, RIGHT, m):
            end = np.int64(V[LEFT, m + 1])
            found = below[-1] - below[end - 1] - above[end]
            if found > best + tie:
                best, where = found, g
    return best, where


@compiled
def absolute_levels(sequence, starts, rules, z, weight, table, slots, V, place, ladder, tie):
    """The best question of absolute errors about levels: the decrease. Levels are cut in the order of their medians, which
    need not find the best."""
    groups, losses, large, m = len(starts) - 1, 0.0, 0, table.shape[1] - 2
    medians = np.empty(groups)
    for g in range(groups):
        part = sequence[starts[g] : starts[g + 1]]
        ranks = np.empty(len(part))
        for i in range(len(part)):
            ranks[i] = place[part[i]]
        order, at = sorting_order(ranks), 0
        below = weight[part[order[0]]]
        while below < 0.5 * table[g, m]:
            at += 1
            below += weight[part[order[at]]]
        medians[g] = z[part[order[at]], 0]
        losses += running_losses(part, z, weight, place, ladder, V[ORIGIN, 0])[-1]
        large += enough(rules, table, g, m)
        slots[SIDE, g] = g
    if rules.multiway:
        return running_losses(sequence, z, weight, place, ladder, V[ORIGIN, 0])[-1] - losses if large >= 2 else -np.inf
    by_median = sorting_order(medians)
    best, where = best_absolute_cut(sequence, starts, by_median, 0, rules, z, weight, table, V, place, ladder, tie)
    for g in range(groups):
        slots[SIDE, by_median[g]] = 0 if g <= where else 1
    return best


@compiled
def absolute_order(sequence, starts, own, rules, z, weight, table, V, place, ladder, tie):
    """The best cut of absolute errors: the decrease, the last group below, the side of the missing (as `best_cut`)."""
    groups = len(starts) - 1 - own
    order = np.empty(groups + own, np.int64)
    for g in range(groups + own):
        order[g] = g
    best, where = best_absolute_cut(sequence, starts, order, 0, rules, z, weight, table, V, place, ladder, tie)
    side = 2 if where == groups - 1 else 1
    if own:
        order[0] = groups
        for g in range(groups):
            order[g + 1] = g
        other, at = best_absolute_cut(sequence, starts, order, 2, rules, z, weight, table, V, place, ladder, tie)
        if other > best + tie:
            best, where, side = other, at - 1, 0
    return best, where, side


@compiled
def absolute_division(sequence, starts, sides, z, weight, place, ladder, origin):
    """The decrease of absolute errors by a division of the groups in two."""
    rows, end = one_after_another(sequence, starts, sorting_order(sides)), 0
    for g in range(len(sides)):
        end += 0 if sides[g] else starts[g + 1] - starts[g]
    below = running_losses(rows[:end], z, weight, place, ladder, origin)[-1]
    above = running_losses(rows[end:], z, weight, place, ladder, origin)[-1]
    return running_losses(rows, z, weight, place, ladder, origin)[-1] - below - above


# ---- random questions --------------------------------------------------------------------------------------------------


@compiled
def mix(z):
    """A number that looks random, of a number (core/random.py)."""
    z = (z + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


@compiled
def random_cut(groups, own, start, rules, bounds, table, slots, V, key):
    """A cut at a random place between the lowest and the highest value, the missing on a random side: Σ f, the last group
    below it, the threshold, the side."""
    m, where = table.shape[1] - 2, 0
    low, high = bounds[HIGH, start + slots[CODE, 0]], bounds[LOW, start + slots[CODE, groups - 1]]
    share = np.float64(mix(key) >> np.uint64(11)) * 2.0**-53
    threshold = (1.0 - share) * low + share * high
    if not low <= threshold < high:  # rounding, between two values that are close
        threshold = low
    side = np.int64(mix(key + np.uint64(1)) & np.uint64(1)) if own else 1
    for k in range(m + 2):
        V[LEFT, k] = table[groups, k] if side == 0 else 0.0
    for g in range(groups - 1):
        if g > 0 and bounds[LOW, start + slots[CODE, g]] > threshold:
            break
        where = g
        for k in range(m + 2):
            V[LEFT, k] += table[g, k]
    return worth(rules, V, m), where, max(threshold, bounds[HIGH, start + slots[CODE, where]]), side


@compiled
def random_cut_of_codes(short, at, size, start, rows, near_y, near_z, near_w, near_code, rules, bounds, V, key):
    """As `random_cut`, straight from the codes of a short column: Σ f, the last code below the cut, the threshold, and the
    number of different codes as far as it matters (1: nothing to ask; 0: some cells are missing, and nothing is done)."""
    m, lowest, highest = V.shape[1] - 2, size, 0
    for i in range(len(rows)):
        near_code[i] = short[at, rows[i]]
        lowest, highest = min(lowest, near_code[i]), max(highest, near_code[i])
    if highest == size or lowest == highest:
        return -np.inf, -1, 0.0, 0 if highest == size else 1
    low, high = bounds[HIGH, start + lowest], bounds[LOW, start + highest]
    share = np.float64(mix(key) >> np.uint64(11)) * 2.0**-53
    threshold = (1.0 - share) * low + share * high
    if not low <= threshold < high:  # rounding, between two values that are close
        threshold = low
    limit, above = lowest, highest
    while limit + 1 < above:
        middle = (limit + above) // 2
        if bounds[LOW, start + middle] <= threshold:
            limit = middle
        else:
            above = middle
    below = lowest
    for k in range(m + 2):
        V[LEFT, k] = 0.0
    w, n = 0.0, 0
    for i in range(len(rows)):  # without a jump of the program, which nobody could foresee
        inside = near_code[i] <= limit
        below = max(below, near_code[i] if inside else lowest)
        share = 1.0 if inside else 0.0
        n += inside
        w += share * near_w[i]
        if rules.classes:
            V[LEFT, near_y[i]] += share * near_w[i]
        else:
            for k in range(m):
                V[LEFT, k] += share * near_z[i, k]
    V[LEFT, m], V[LEFT, m + 1] = w, n
    return worth(rules, V, m), below, max(threshold, bounds[HIGH, start + below]), 2


@compiled
def random_subset(groups, rules, table, slots, V, key):
    """A random division of the groups in two: Σ f."""
    m, alone = table.shape[1] - 2, np.int64(mix(key) % np.uint64(groups))
    for g in range(groups):
        slots[SIDE, g] = np.int64(mix(key + np.uint64(g + 1)) & np.uint64(1))
    slots[SIDE, alone], slots[SIDE, (alone + 1) % groups] = 0, 1
    for k in range(m + 2):
        V[LEFT, k] = 0.0
        for g in range(groups):
            if slots[SIDE, g] == 0:
                V[LEFT, k] += table[g, k]
    return worth(rules, V, m)


# ---- the best question of a node ---------------------------------------------------------------------------------------


@compiled
def midpoint(a, b):
    """A threshold with a ≤ threshold < b."""
    middle = 0.5 * a + 0.5 * b
    return middle if a <= middle < b else a


@compiled
def ask(j, groups, short, layout, bounds, z, weight, rows, lines, table, slots, V, place, ladder, rules, tie, key):
    """The best question about column j, from its table: the decrease (2), the threshold, the last code below it, the side of
    the missing (−1: not its concern) and the number of branches, 0 where there is nothing to ask. Among levels, the branches
    are in `slots[SIDE]`, and the first level takes the first branch."""
    m, start = table.shape[1] - 2, layout[START, j]
    gap = slots[CODE, groups - 1] == layout[SIZE, j]
    own = gap and rules.missing == OWN
    known = groups - gap
    values = known + own
    if known == 0 or values < 2:
        return -np.inf, np.nan, -1, -1, 0
    for k in range(m + 2):
        V[KNOWN, k] = V[TOTAL, k] - (table[known, k] if gap and not own else 0.0)
    base, absolute = merit(rules.criterion, V, KNOWN, m), rules.criterion == ABSOLUTE
    if layout[UNORDERED, j]:
        if absolute and (rules.multiway or not rules.random):
            sequence, starts = in_code_order(short, layout[PLACE, j], rows, lines, table, slots, values)
            gain = absolute_levels(sequence, starts, rules, z, weight, table, slots, V, place, ladder, tie)
        elif rules.multiway:
            gain = all_branches(values, rules, table, slots) - base
        elif rules.random:
            gain = random_subset(values, rules, table, slots, V, key) - base
            if absolute and gain > -np.inf:
                sequence, starts = in_code_order(short, layout[PLACE, j], rows, lines, table, slots, values)
                sides = np.empty(values)
                for g in range(values):
                    sides[g] = slots[SIDE, g]
                gain = absolute_division(sequence, starts, sides, z, weight, place, ladder, V[ORIGIN, 0])
        else:
            gain = best_subset(values, rules, table, slots, V, tie) - base
        for g in range(values - 1, -1, -1):
            if slots[SIDE, 0] == 1:
                slots[SIDE, g] = 1 - slots[SIDE, g]
        return gain, np.nan, -1, slots[SIDE, known] if own else -1, values if rules.multiway else 2
    if rules.random and known > 1:
        found, where, threshold, side = random_cut(known, own, start, rules, bounds, table, slots, V, key)
        gain = found - base
        if absolute and gain > -np.inf:
            sequence, starts = in_code_order(short, layout[PLACE, j], rows, lines, table, slots, values)
            sides = np.empty(values)
            for g in range(values):
                sides[g] = side if g == known else g > where
            gain = absolute_division(sequence, starts, sides, z, weight, place, ladder, V[ORIGIN, 0])
        return gain, threshold, slots[CODE, where], side if own else -1, 2
    if absolute:
        sequence, starts = in_code_order(short, layout[PLACE, j], rows, lines, table, slots, values)
        gain, where, side = absolute_order(sequence, starts, own, rules, z, weight, table, V, place, ladder, tie)
    elif rules.criterion == SQUARES and m <= 2 and not own:
        found, where = best_cut_of_squares(known, rules, table, V, tie)
        gain, side = found - base, 1
    else:
        for g in range(known):
            slots[ORDER, g] = g
        found, where, side = best_cut(known, own, rules, table, slots, V, tie)
        gain = found - base
    threshold = LARGEST
    if 0 <= where < known - 1:
        threshold = midpoint(bounds[HIGH, start + slots[CODE, where]], bounds[LOW, start + slots[CODE, where + 1]])
    return gain, threshold, slots[CODE, max(where, 0)], min(side, 1) if own else -1, 2


@compiled
def split_entropy(j, groups, layout, below, side, table, slots, part):
    """Entropy of the branches of a question, times the weight; missing cells that go elsewhere are one branch more."""
    m = table.shape[1] - 2
    for b in range(groups + 2):
        part[0, b] = 0.0
    for g in range(groups):
        if slots[CODE, g] == layout[SIZE, j]:
            b = side if side >= 0 else groups
        elif layout[UNORDERED, j]:
            b = slots[SIDE, g]
        else:
            b = 0 if slots[CODE, g] <= below else 1
        part[0, b] += table[g, m]
        part[0, groups + 1] += table[g, m]
    return -merit(ENTROPY, part, 0, groups + 1)


@compiled
def keep_branches(groups, size, slots):
    """Write down which branch each level takes: −1 where the level does not occur."""
    for code in range(size):
        slots[BEST, code] = -1
    for g in range(groups):
        if slots[CODE, g] < size:
            slots[BEST, slots[CODE, g]] = slots[SIDE, g]


@compiled
def search(
    short, long, layout, bounds, y, z, weight, rows, lines, near_y, near_z, near_w, near_code,
    table, slots, H, marks, V, gains, drawn, part, place, ladder, rules, tie, key, ready,
):  # fmt: skip
    """The best question of a node: column (−1: none), decrease, threshold, last code below, side of the missing, branches.
    Of a question about levels, `slots[BEST]` has the branches. `ready` holds the tables of all columns where they are made
    already (levelwise.py)."""
    d, m = layout.shape[1], V.shape[1] - 2
    best, column, threshold, below, side, branches = -np.inf, -1, np.nan, -1, -1, 0
    straight = rules.criterion == SQUARES and not rules.random and (rules.classes > 0 or m == 1)
    for k in range(m + 2):
        V[KNOWN, k] = V[TOTAL, k]
    base = merit(rules.criterion, V, KNOWN, m)
    seen = asked = 0
    own_key = key
    chosen = -1  # by gain ratio, in a last round
    two = len(rows) == 2 and not rules.ratio  # any question that tells them apart is the best
    while True:
        if chosen < 0:
            if seen == d or (seen >= rules.max_features and asked > 0) or (two and best > -np.inf):
                if not rules.ratio or asked == 0:
                    break
                chosen = best_ratio(gains, tie)
                if chosen < 0:
                    break
                j = chosen
            else:
                if rules.max_features < d:
                    key = mix(key)
                    other = seen + np.int64(key % np.uint64(d - seen))
                    drawn[seen], drawn[other] = drawn[other], drawn[seen]
                j = drawn[seen]
                seen += 1
        at, size = layout[PLACE, j], layout[SIZE, j]
        if at < 0 and straight and not layout[UNORDERED, j] and long[-1 - at, lines[-1 - at, len(rows) - 1]] < size:
            asked += long[-1 - at, lines[-1 - at, 0]] < long[-1 - at, lines[-1 - at, len(rows) - 1]]
            for k in range(m + 2):
                V[KNOWN, k] = V[TOTAL, k]
            most, low, high = best_cut_of_line(long, lines, -1 - at, y, z, weight, rules, V, tie)
            if most - base > best + tie:
                best, column, below, side, branches = most - base, j, low, -1, 2
                threshold = midpoint(bounds[HIGH, layout[START, j] + low], bounds[LOW, layout[START, j] + high])
            continue
        if len(ready) > 0:
            groups = tally_ready(ready, j, size, table, slots)
        elif at >= 0:
            if rules.random and rules.criterion != ABSOLUTE and not layout[UNORDERED, j]:
                for k in range(m + 2):
                    V[KNOWN, k] = V[TOTAL, k]
                found, low, cut, kinds = random_cut_of_codes(
                    short, at, size, layout[START, j], rows, near_y, near_z, near_w, near_code, rules, bounds, V,
                    mix(own_key + np.uint64(j)),
                )  # fmt: skip
                asked += kinds > 1
                if kinds > 1 and found - base > best + tie:
                    best, column, below, side, branches, threshold = found - base, j, low, -1, 2, cut
                if kinds > 0:
                    continue
            fill(short, at, rows, near_y, near_z, near_w, rules, H, marks)
            missing = (marks[size >> 6] >> np.uint64(size & 63)) & np.uint64(1)
            plain = straight and not layout[UNORDERED, j] and not missing
            if rules.min_leaf > 1 or not plain:
                count(short, at, rows, H)
            if plain:
                for k in range(m + 2):
                    V[KNOWN, k] = V[TOTAL, k]
                most, low, high, several = best_cut_of_histogram(rules, H, marks, V, tie)
                asked += several
                if most - base > best + tie:
                    best, column, below, side, branches = most - base, j, low, -1, 2
                    threshold = midpoint(bounds[HIGH, layout[START, j] + low], bounds[LOW, layout[START, j] + high])
                continue
            groups = listed(rules, table, slots, H, marks)
        else:
            groups = tally_long(long, lines, -1 - at, y, z, weight, V, rules, table, slots)
        found = ask(
            j, groups, short, layout, bounds, z, weight, rows, lines, table, slots, V, place, ladder, rules, tie,
            mix(own_key + np.uint64(j)),
        )  # fmt: skip
        if found[4] == 0:
            continue
        asked += 1
        if rules.ratio and chosen < 0:
            gains[GAIN, j] = found[0]
            gains[RATIO, j] = found[0] / max(split_entropy(j, groups, layout, found[2], found[3], table, slots, part), 1e-300)
        elif found[0] > best + tie:
            best, threshold, below, side, branches = found
            column = j
            if layout[UNORDERED, j]:
                keep_branches(groups, layout[SIZE, j], slots)
        if chosen >= 0:
            break
    return column, best, threshold, below, side, branches


@compiled
def best_ratio(gains, tie):
    """The column of largest gain ratio among those with at least the average gain; −1 if none gains anything."""
    gain, ratio, total, number = gains[GAIN], gains[RATIO], 0.0, 0
    for j in range(len(gain)):
        if gain[j] > -np.inf:
            total, number = total + gain[j], number + 1
    column, best = -1, 0.0
    for j in range(len(gain)):
        if gain[j] > tie and gain[j] >= total / number - tie and ratio[j] > best * (1.0 + TIE):
            column, best = j, ratio[j]
    return column


@compiled
def gather(rows, y, z, weight, rules, near_y, near_z, near_w, V, place):
    """The rows of a node side by side, and their sums. Returns the impurity and, for absolute errors, the sorted numbers."""
    m, ladder = V.shape[1] - 2, np.empty(0)
    for k in range(m + 2):
        V[TOTAL, k] = 0.0
    V[TOTAL, m + 1] = len(rows)
    if rules.classes:
        kinds = 0
        for i in range(len(rows)):
            r = rows[i]
            near_y[i], near_w[i] = y[r], weight[r]
            V[TOTAL, y[r]] += weight[r]
        for k in range(m):
            V[TOTAL, m] += V[TOTAL, k]
            kinds += V[TOTAL, k] > 0.0
        return impurity_of_classes(rules.criterion, V, m) if kinds > 1 else 0.0, ladder
    for i in range(len(rows)):
        near_w[i] = weight[rows[i]]
        V[TOTAL, m] += near_w[i]
    pure = True
    for k in range(m):
        first, mean = z[rows[0], k], 0.0
        for i in range(len(rows)):
            mean += near_w[i] * (z[rows[i], k] - first)
            pure &= z[rows[i], k] == first
        V[CENTRE, k] = first + mean / V[TOTAL, m]
    if rules.criterion == ABSOLUTE:
        ladder = sorted_numbers(rows, z, near_w, V, place)
    for k in range(m):
        V[ORIGIN, k] = 0.0 if rules.criterion == POISSON else V[CENTRE, k]
    for i in range(len(rows)):
        for k in range(m):
            near_z[i, k] = near_w[i] * (z[rows[i], k] - V[ORIGIN, k])
            V[TOTAL, k] += near_z[i, k]
    return 0.0 if pure else impurity_of_numbers(rules.criterion, rows, z, weight, V), ladder


@compiled
def sorted_numbers(rows, z, near_w, V, place):
    """The numbers of a node in order, the rank of each row among them, and their weighted median as the centre."""
    numbers = np.empty(len(rows))
    for i in range(len(rows)):
        numbers[i] = z[rows[i], 0]
    order, ladder, half, below = sorting_order(numbers), np.empty(len(rows)), 0.0, 0.0
    for i in range(len(rows)):
        ladder[i] = numbers[order[i]]
        place[rows[order[i]]] = i
        half += 0.5 * near_w[i]
    for i in range(len(rows)):
        below += near_w[order[i]]
        if below >= half:
            last = i + 1 if below <= half * (1.0 + 1e-15) and i + 1 < len(rows) else i
            V[CENTRE, 0] = 0.5 * ladder[i] + 0.5 * ladder[last]
            break
    return ladder


# ---- surrogates --------------------------------------------------------------------------------------------------------


@compiled
def direction_table(codes, size, rows, weight, branch, table, slots):
    """A table with the branches of the node's question for classes; rows that are missing in either are left out. `rows` are
    in the order of the codes, or the column is short. Returns the number of groups."""
    groups = 0
    if size <= 255:
        both = np.zeros((256, 2))
        for i in range(len(rows)):
            if branch[rows[i]] >= 0:
                both[codes[rows[i]], branch[rows[i]]] += weight[rows[i]]
        for b in range(size):
            if both[b, 0] + both[b, 1] > 0.0:
                slots[CODE, groups] = b
                table[groups, 0], table[groups, 1] = both[b, 0], both[b, 1]
                groups += 1
        return groups
    last = np.int64(-1)
    for i in range(len(rows)):
        r = rows[i]
        if branch[r] < 0 or codes[r] == size:
            continue
        if codes[r] != last:
            last = np.int64(codes[r])
            slots[CODE, groups] = last
            table[groups, 0] = table[groups, 1] = 0.0
            groups += 1
        table[groups - 1, branch[r]] += weight[r]
    return groups


@compiled
def best_substitute(groups, unordered, table, slots):
    """The question that agrees most with the node's own: weight that agrees, weight of the larger branch, of both branches,
    last group below, branch below. Among levels, each takes the branch of most of its rows."""
    zero = one = 0.0
    for g in range(groups):
        zero, one = zero + table[g, 0], one + table[g, 1]
    best, below, first = 0.0, -1, 0
    if unordered:
        for g in range(groups):
            slots[SIDE, g] = 0 if table[g, 0] >= table[g, 1] else 1
            best += max(table[g, 0], table[g, 1])
        return best, max(zero, one), zero + one, below, first
    left_zero = left_one = 0.0
    for g in range(groups - 1):
        left_zero, left_one = left_zero + table[g, 0], left_one + table[g, 1]
        same, flipped = left_zero + (one - left_one), left_one + (zero - left_zero)
        if max(same, flipped) > best:
            best, below, first = max(same, flipped), g, 0 if same >= flipped else 1
    return best, max(zero, one), zero + one, below, first


@compiled
def substitutes(own, short, long, layout, bounds, rows, lines, weight, branch, most, table, slots):
    """The columns whose questions agree best with the node's own beyond what its larger branch would, best first; and for each
    column last code below and branch below, threshold and share that agrees, and the branches of levels."""
    d = layout.shape[1]
    agreed, kind, real = np.zeros(d), np.zeros((d, 2), np.int64), np.zeros((d, 2))
    widest = 1
    for j in range(d):
        widest = max(widest, layout[SIZE, j] * layout[UNORDERED, j])
    levels = np.zeros((d, widest), np.int32) - np.int32(1)
    for j in range(d):
        if j == own:
            continue
        at = layout[PLACE, j]
        if at >= 0:
            groups = direction_table(short[at], layout[SIZE, j], rows, weight, branch, table, slots)
        else:
            groups = direction_table(long[-1 - at], layout[SIZE, j], lines[-1 - at], weight, branch, table, slots)
        best, larger, both, below, first = best_substitute(groups, layout[UNORDERED, j], table, slots)
        if groups < 2 or best <= larger * (1.0 + TIE):
            continue
        agreed[j], real[j, 1] = best, best / both
        if layout[UNORDERED, j]:
            real[j, 0] = np.nan
            for g in range(groups):
                levels[j, slots[CODE, g]] = slots[SIDE, g]
        else:
            start, code = layout[START, j], slots[CODE, below]
            threshold = midpoint(bounds[HIGH, start + code], bounds[LOW, start + slots[CODE, below + 1]])
            while bounds[LOW, start + code + 1] <= threshold:  # values that only rows without a branch have
                code += 1
            kind[j, 0], kind[j, 1], real[j, 0] = code, first, max(threshold, bounds[HIGH, start + code])
    kept = 0
    for j in range(d):
        kept += agreed[j] > 0.0
    return sorting_order(-agreed)[: min(most, kept)], kind, real, levels


@compiled
def send_missing(rows, branch, largest, order, kind, levels, short, long, layout):
    """Rows without a branch follow the first substitute whose cell is known, else the larger branch."""
    for i in range(len(rows)):
        if branch[rows[i]] >= 0:
            continue
        branch[rows[i]] = largest
        for s in range(len(order)):
            j = order[s]
            code = code_of(j, rows[i], short, long, layout)
            if code == layout[SIZE, j] or (layout[UNORDERED, j] and levels[j, code] < 0):
                continue
            below = kind[j, 1] if code <= kind[j, 0] else 1 - kind[j, 1]
            branch[rows[i]] = levels[j, code] if layout[UNORDERED, j] else below
            break


# ---- dividing a node ---------------------------------------------------------------------------------------------------


@compiled
def code_of(j, row, short, long, layout):
    at = layout[PLACE, j]
    return np.int64(short[at, row]) if at >= 0 else np.int64(long[-1 - at, row])


@compiled
def assign(j, below, side, levels, short, long, layout, rows, branch):
    """The branch of each row, `side` (−1: none yet) for the missing. Returns how many have none."""
    size, unordered, nowhere = layout[SIZE, j], layout[UNORDERED, j], 0
    for i in range(len(rows)):
        code = code_of(j, rows[i], short, long, layout)
        if code == size:
            branch[rows[i]] = side
            nowhere += side < 0
        elif unordered:
            branch[rows[i]] = levels[code]
        else:
            branch[rows[i]] = 0 if code <= below else 1
    return nowhere


@compiled
def part_in_two(j, below, side, short, long, layout, rows, spare, branch, marked):
    """Put the rows whose code is at most `below` before the others, both as they stood, in one pass without a jump of the
    program; `side` is the branch of the missing. Returns how many come first. If `marked`, their branches are written down."""
    at, size, first, second = layout[PLACE, j], layout[SIZE, j], 0, 0
    for i in range(len(rows)):
        r = rows[i]
        code = np.int64(short[at, r]) if at >= 0 else np.int64(long[-1 - at, r])
        b = np.int64(code > below) if code < size else side
        rows[first], spare[second] = r, r
        first, second = first + 1 - b, second + b
        if marked:
            branch[r] = b
    for i in range(second):
        rows[first + i] = spare[i]
    return first


@compiled
def heaviest(branches, rows, weight, branch, part):
    """The branch with the most weight, the first of equals; `part` gets the weights, then their sum."""
    best, total = 0, 0.0
    for b in range(branches):
        part[0, b] = 0.0
    for i in range(len(rows)):
        if branch[rows[i]] >= 0:
            part[0, branch[rows[i]]] += weight[rows[i]]
            total += weight[rows[i]]
    for b in range(1, branches):
        if part[0, b] > part[0, best] * (1.0 + TIE):
            best = b
    part[0, branches] = total
    return best


@compiled
def deal(branches, source, target, starts, branch):
    """Write rows branch by branch, each branch from its start on, in the order they had; a row without a branch goes to all."""
    if branches == 2:  # without a branch in the code
        left, right = starts[0], starts[1]
        for i in range(len(source)):
            b = branch[source[i]]
            if b < 0:
                break
            target[left if b == 0 else right] = source[i]
            left, right = left + 1 - b, right + b
        else:
            return
    at = np.empty(branches, np.int64)
    for b in range(branches):
        at[b] = starts[b]
    for i in range(len(source)):
        b = branch[source[i]]
        for every in range(branches if b < 0 else 1):
            to = every if b < 0 else b
            target[at[to]] = source[i]
            at[to] += 1


@compiled
def longer(a):
    """The same rows with as much room again."""
    b = np.empty((2 * a.shape[0], a.shape[1]), a.dtype)
    for i in range(a.shape[0]):
        for k in range(a.shape[1]):
            b[i, k] = a[i, k]
    return b


@compiled
def doubled(a):
    """The same entries with as much room again."""
    b = np.empty(2 * len(a), a.dtype)
    for i in range(len(a)):
        b[i] = a[i]
    return b


@compiled
def wider(a):
    """The same columns with as much room again."""
    b = np.empty((a.shape[0], 2 * a.shape[1]), a.dtype)
    for i in range(a.shape[0]):
        for k in range(a.shape[1]):
            b[i, k] = a[i, k]
    return b


@compiled
def comes_first(a, b, real):
    """Is node a divided before node b: larger gain, or the older one?"""
    return real[a, DECREASE] > real[b, DECREASE] or (real[a, DECREASE] == real[b, DECREASE] and a < b)


@compiled
def sift_up(heap, at, real):
    """Restore a heap after an entry was added at the end."""
    while at > 0 and comes_first(heap[at], heap[(at - 1) // 2], real):
        heap[at], heap[(at - 1) // 2] = heap[(at - 1) // 2], heap[at]
        at = (at - 1) // 2


@compiled
def sift_down(heap, length, real):
    """Restore a heap after its first entry was replaced."""
    at = 0
    while 2 * at + 1 < length:
        down = 2 * at + 1
        if down + 1 < length and comes_first(heap[down + 1], heap[down], real):
            down += 1
        if comes_first(heap[at], heap[down], real):
            return
        heap[at], heap[down] = heap[down], heap[at]
        at = down


# ---- the tree ----------------------------------------------------------------------------------------------------------

# What is known of a node: whole numbers, and real ones, after which its sums follow.
PARENT, BRANCH, COLUMN, MISSING, ROWS, LEVELS, BELOW, PARTS, DEPTH, BEGIN, END, TOP = range(12)
THRESHOLD, IMPURITY, WEIGHT, DECREASE, SUMS = range(5)


@compiled
def grow(short, long, layout, bounds, y, z, weight, rows, lines, rules, seed):
    """Grow a tree on some rows; `lines` holds them in the order of each long column. Both are used up, and so is `weight`.

    Returns the nodes in the order in which they came to be (whole and real numbers, named above), the branches of levels, one
    run after another, from `LEVELS` on, and the surrogate questions: node, column, branch below and start of the levels;
    threshold and share that agrees.
    """
    n, d, m = len(rows), layout.shape[1], rules.classes if rules.classes else z.shape[1]
    values = 259
    for j in range(d):
        values = max(values, layout[SIZE, j] + 3)
    table, slots = np.empty((values, m + 2)), np.empty((4, values), np.int64)
    H, V, nothing_ready = np.zeros((256, m + 2)), np.zeros((7, m + 2)), np.empty((0, 0, 0))
    marks = np.zeros(4, np.uint64)
    near_y, near_z, near_w = np.empty(n, np.int32), np.empty((0 if rules.classes else n, m)), np.empty(n)
    near_code = np.empty(n if rules.random else 0, np.int32)
    gains, drawn, part = np.empty((2, d)), np.empty(d, np.int64), np.empty((1, values))
    branch, place = np.empty(len(weight), np.int32), np.empty(len(weight) if rules.criterion == ABSOLUTE else 0, np.int64)
    directions = np.empty((values if rules.missing == SURROGATE else 1, 2))
    spare, fractional = np.empty(n, rows.dtype), rules.missing == FRACTIONAL
    shares = weight[rows] if fractional else np.empty(1)
    scale = 1.0 / np.log(2.0) if rules.criterion == ENTROPY else 1.0 if rules.classes else 1.0 / m
    least = 0.0
    for i in range(n):
        least += rules.min_decrease * weight[rows[i]]

    whole, real, keys = np.empty((64, 12), np.int64), np.empty((64, SUMS + m)), np.empty(64, np.uint64)
    levels, level_count = np.empty(256, np.int32), 0
    others, other_real, other_count = np.empty((8, 4), np.int64), np.empty((8, 2)), 0
    waiting = np.empty(64, np.int64)  # nodes with a question that are not yet divided: a stack, or a heap by decrease
    nodes = queue = 0
    leaves, top, above, new = 1, n, -1, 1
    starts = np.zeros(values, np.int64)
    starts[1] = n
    while True:
        for b in range(new):  # the branches of the node that was divided last; at first, the root
            if nodes == len(whole):
                whole, real, keys, waiting = longer(whole), longer(real), doubled(keys), doubled(waiting)
            t, nodes = nodes, nodes + 1
            node, of = whole[t], real[t]
            node[PARENT], node[BRANCH], node[COLUMN], node[MISSING], node[LEVELS], node[PARTS] = above, b, LEAF, 0, -1, 0
            node[BEGIN], node[END], node[TOP], node[ROWS] = starts[b], starts[b + 1], top, starts[b + 1] - starts[b]
            node[DEPTH] = whole[above, DEPTH] + 1 if above >= 0 else 0
            keys[t] = mix(keys[above] + np.uint64(b + 1)) if above >= 0 else np.uint64(seed)
            here, lines_here = rows[starts[b] : starts[b + 1]], lines[:, starts[b] : starts[b + 1]]
            if fractional:
                weight[here] = shares[starts[b] : starts[b + 1]]
            of[IMPURITY], ladder = gather(here, y, z, weight, rules, near_y, near_z, near_w, V, place)
            of[WEIGHT], of[THRESHOLD] = V[TOTAL, m], -2.0
            of[SUMS:] = V[TOTAL, :m] if rules.classes else V[CENTRE, :m]
            if (
                of[IMPURITY] == 0.0
                or node[DEPTH] >= rules.max_depth
                or len(here) < rules.min_split
                or len(here) < 2 * rules.min_leaf
                or of[WEIGHT] < 2.0 * rules.min_weight
            ):
                continue
            for j in range(d):
                drawn[j], gains[GAIN, j] = j, -np.inf
            tie = TIE * of[WEIGHT] * of[IMPURITY]
            column, gain, threshold, below, side, branches = search(
                short, long, layout, bounds, y, z, weight, here, lines_here, near_y, near_z, near_w, near_code,
                table, slots, H, marks, V, gains, drawn, part, place, ladder, rules, tie, keys[t], nothing_ready,
            )  # fmt: skip
            if column < 0 or not gain > -tie or (gain + tie) * scale < least:
                continue
            node[COLUMN], node[BELOW], node[MISSING], node[PARTS] = column, below, side, branches
            of[DECREASE], of[THRESHOLD] = gain, threshold
            if layout[UNORDERED, column]:
                size = layout[SIZE, column]
                while level_count + size > len(levels):
                    levels = doubled(levels)
                for code in range(size):
                    levels[level_count + code] = slots[BEST, code]
                node[LEVELS], level_count = level_count, level_count + size
            waiting[queue] = t
            queue += 1
            if rules.max_leaves > 0:
                sift_up(waiting, queue - 1, real)
        if above >= 0 and new == 2 and whole[above, MISSING] < 0 and not fractional:  # nothing was missing: the heavier branch
            whole[above, MISSING] = np.int64(real[nodes - 1, WEIGHT] > real[nodes - 2, WEIGHT] * (1.0 + TIE))
        t = -1
        while queue > 0 and t < 0:
            queue -= 1
            t = waiting[queue] if rules.max_leaves < 0 else waiting[0]
            if rules.max_leaves > 0:
                waiting[0] = waiting[queue]
                sift_down(waiting, queue, real)
                if leaves + whole[t, PARTS] - 1 > rules.max_leaves:  # too many leaves: it stays one
                    whole[t, COLUMN], whole[t, LEVELS], whole[t, MISSING], real[t, THRESHOLD] = LEAF, -1, 0, -2.0
                    t = -1
        if t < 0:
            break
        if rules.max_leaves < 0:
            top = whole[t, TOP]
        node, above, new = whole[t], t, whole[t, PARTS]
        leaves += new - 1

        first, last, column = node[BEGIN], node[END], node[COLUMN]
        here, lines_here = rows[first:last], lines[:, first:last]
        if fractional:
            weight[here] = shares[first:last]
        if new == 2 and rules.missing == OWN and not layout[UNORDERED, column]:
            middle = part_in_two(column, node[BELOW], node[MISSING], short, long, layout, here, spare, branch, len(lines) > 0)
            starts[0], starts[1], starts[2] = 0, middle, len(here)
            for c in range(len(lines)):
                deal(new, lines_here[c], spare, starts, branch)
                lines_here[c, :] = spare[: len(here)]
            starts[0], starts[1], starts[2] = first, first + middle, last
            continue
        of_levels = levels[max(node[LEVELS], 0) : max(node[LEVELS], 0) + layout[SIZE, column]]
        nowhere = assign(column, node[BELOW], node[MISSING], of_levels, short, long, layout, here, branch)
        largest = heaviest(new, here, weight, branch, part)
        if node[MISSING] < 0:
            node[MISSING] = -1 if fractional else largest
        if rules.missing == SURROGATE:
            order, kind, numbers, their_levels = substitutes(
                column, short, long, layout, bounds, here, lines_here, weight, branch, rules.surrogates, directions, slots
            )
            for s in range(len(order)):
                if other_count == len(others):
                    others, other_real = longer(others), longer(other_real)
                j = order[s]
                others[other_count, 0], others[other_count, 1], others[other_count, 2] = t, j, kind[j, 1]
                others[other_count, 3], other_real[other_count, 0], other_real[other_count, 1] = (
                    -1,
                    numbers[j, 0],
                    numbers[j, 1],
                )
                size = layout[SIZE, j]
                if layout[UNORDERED, j]:
                    while level_count + size > len(levels):
                        levels = doubled(levels)
                    for code in range(size):
                        levels[level_count + code] = their_levels[j, code]
                    others[other_count, 3], level_count = level_count, level_count + size
                other_count += 1
            if nowhere:
                send_missing(here, branch, largest, order, kind, their_levels, short, long, layout)
                nowhere = 0

        # the rows of its branches: in its own place, or, where some are shared out, behind all others
        starts[: new + 1] = 0
        for i in range(len(here)):
            if branch[here[i]] >= 0:
                starts[branch[here[i]] + 1] += 1
        for b in range(new):
            starts[b + 1] += starts[b] + nowhere
        if nowhere == 0:
            deal(new, here, spare, starts, branch)
            here[:] = spare[: len(here)]
            if fractional:
                shares[first:last] = weight[here]
            for c in range(len(lines)):
                deal(new, lines_here[c], spare, starts, branch)
                lines_here[c, :] = spare[: len(here)]
            starts[: new + 1] += first
            continue
        starts[: new + 1] += top
        top = starts[new]
        while top > len(rows):
            rows, shares, lines = doubled(rows), doubled(shares), wider(lines)
        deal(new, rows[first:last], rows, starts, branch)
        for b in range(new):
            for i in range(starts[b], starts[b + 1]):
                shares[i] = weight[rows[i]] * (part[0, b] / part[0, new] if branch[rows[i]] < 0 else 1.0)
        for c in range(len(lines)):
            deal(new, lines[c, first:last], lines[c], starts, branch)

    return whole[:nodes], real[:nodes], levels[:level_count], others[:other_count], other_real[:other_count]


@compiled
def search_tables(tables, spread, layout, bounds, rules, keys):
    """The best question of each of some nodes, from the tables of all columns (nodes × columns × codes × entries) and weight
    times impurity of the nodes: column (−1: none), last code below and side of the missing; decrease and threshold."""
    nodes, d, m = len(tables), layout.shape[1], tables.shape[3] - 2
    whole, real = np.empty((nodes, 3), np.int64), np.empty((nodes, 2))
    table, slots, H, V = np.empty((260, m + 2)), np.empty((4, 260), np.int64), np.zeros((1, m + 2)), np.zeros((7, m + 2))
    marks = np.zeros(4, np.uint64)
    gains, drawn, part, none = np.empty((2, d)), np.empty(d, np.int64), np.empty((1, 260)), np.empty(0)
    codes, long, lines = np.empty((1, 1), np.uint8), np.empty((0, 1), np.int32), np.empty((0, 1), np.int32)
    rows, y, z, place = np.empty(0, np.int32), np.empty(0, np.int32), np.empty((0, 1)), np.empty(0, np.int64)
    for t in range(nodes):
        for k in range(m + 2):
            V[TOTAL, k] = 0.0
            for b in range(tables.shape[2]):
                V[TOTAL, k] += tables[t, 0, b, k]
        for j in range(d):
            drawn[j], gains[GAIN, j] = j, -np.inf
        column, gain, threshold, below, side, _ = search(
            codes, long, layout, bounds, y, z, none, rows, lines, y, z, none, rows,
            table, slots, H, marks, V, gains, drawn, part, place, none, rules, TIE * spread[t], keys[t], tables[t],
        )  # fmt: skip
        whole[t, 0], whole[t, 1], whole[t, 2] = column, below, side
        real[t, 0], real[t, 1] = gain, threshold
    return whole, real
