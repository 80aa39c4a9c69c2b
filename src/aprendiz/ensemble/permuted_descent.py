"""How much a tree loses when columns are permuted among rows that it has not seen.

    loss_g = Σ_i ω_i [ ℓ(x_i with the columns of g from row π(i)) − ℓ(x_i) ] / Σ_i ω_i                        (1)

for each group g of columns (usually one) and a random permutation π of the rows.

All rows of a leaf came the same way. If it asks nothing about g, they keep their answers. If g is one column of numbers, they
keep them for all new cells of an interval (low, high], which answer the questions about it as the way did. So the rows are
sorted by their leaves once, the first question about each group and its interval are noted for each leaf, and only the rows
whose new cell lies outside go down again, from that question on.

π is drawn inside strata of rows, of which there may be one alone, by Fisher & Yates' shuffle with the random numbers of
core/random.py; it is a function of a key.

Cost: O(depth) for each row that goes down again: in deep trees of many columns, a small part of rows × columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from aprendiz.core.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.ensemble.forest import Forest


@dataclass(frozen=True)
class PermutedDescent:
    """A forest and rows to be permuted.

    Attributes
    ----------
    forest : Forest
    cells : numbers, codes and places of the columns (tree/descent.py, `cells_of`)
    said : ndarray of shape (answers, outputs)
        What each answer of the forest says: the number of a class, or numbers.
    truth : ndarray of shape (rows, outputs)
    weight : ndarray of shape (rows,)
    groups : bool of shape (groups, columns)
        Which columns are permuted together.
    strata : int32 of shape (groups or 1, rows)
        The stratum of each row for each group, or for all.
    """

    forest: Forest
    cells: tuple[Array, Array, Array]
    said: Array
    truth: Array
    weight: Array
    groups: Array
    strata: Array

    def losses(self, tree: int, out: Array, keys: Array) -> Array:
        """(1) of a tree for each group, its mean over permutations by the keys of shape (groups, repeats). `out` are the
        rows that the tree has not seen."""
        forest, begin, end = self.forest, self.forest.start[tree], self.forest.start[tree + 1]
        numbers, codes, where = self.columns
        nodes, levels = forest.nodes[begin:end], (forest.level_start[begin : end + 1], forest.level_branch)
        down = numbers[:, out], codes[:, out], where, nodes, *levels
        judged, weight = (self.said, self.truth[out], forest.classes > 0), self.weight[out]
        order, runs = sort_by_leaf(*down, len(out))
        asked = by_group(*first_questions(nodes, runs, *self.groups_of_columns, self.alone), len(self.groups))
        simple, found = not len(codes) and not len(forest.level_branch), np.zeros(len(self.groups))
        choice = self.groups, self.alone, self.strata[:, out], keys
        lose(*down, simple, judged, weight, *choice, order, runs, *asked, found)
        return found / (keys.shape[1] * weight.sum())

    @cached_property
    def columns(self) -> tuple[Array, Array, Array]:
        """The cells, column after column."""
        numbers, codes, where = self.cells
        return np.ascontiguousarray(numbers.T), np.ascontiguousarray(codes.T), where

    @cached_property
    def groups_of_columns(self) -> tuple[Array, Array]:
        """Where the groups of each column begin, and the groups, one column after the other."""
        column, group = np.nonzero(self.groups.T)
        starts = np.searchsorted(column, np.arange(self.groups.shape[1] + 1))
        return starts.astype(np.int64), group.astype(np.int64)

    @cached_property
    def alone(self) -> Array:
        """The column of each group that is one column of numbers, counted among these; −1 of other groups."""
        where = self.cells[2]
        return np.array([max(where[np.argmax(group)], -1) if group.sum() == 1 else -1 for group in self.groups], np.int64)


# ---- kernels: the way down -----------------------------------------------------------------------------------------------


@compiled
def goes_right(numbers, codes, where, nodes, level_start, level_branch, t, i):  # type: ignore[no-untyped-def]
    """1 if the cell of row i takes the second branch of node t, else 0."""
    j, threshold = where[nodes[t].feature], nodes[t].threshold
    if j >= 0:
        x = numbers[j, i]
        return np.int64((not x <= threshold) & ((x == x) | (nodes[t].missing == 1)))
    code, b = codes[-1 - j, i], np.int64(-1)
    if code >= 0:
        b = np.int64(level_branch[level_start[t] + code]) if threshold != threshold else np.int64(not code <= threshold)
    return b if b >= 0 else np.int64(nodes[t].missing)


@compiled
def sort_by_leaf(numbers, codes, where, nodes, level_start, level_branch, n):  # type: ignore[no-untyped-def]
    """The rows in the order of their leaves, and where those of each node begin and end."""
    order, aside = np.arange(n), np.empty(n, np.int64)
    runs = np.zeros((len(nodes), 2), np.int64)
    runs[0, 1] = n
    for t in range(len(nodes)):
        if nodes[t].feature < 0:
            continue
        left, right = runs[t, 0], 0
        for s in range(runs[t, 0], runs[t, 1]):
            i = order[s]
            b = goes_right(numbers, codes, where, nodes, level_start, level_branch, t, i)
            order[left], aside[right] = i, i
            left, right = left + 1 - b, right + b
        order[left : left + right] = aside[:right]
        runs[t + 1] = runs[t, 0], left
        runs[nodes[t].second] = left, runs[t, 1]
    return order, runs


@compiled
def fall(  # type: ignore[no-untyped-def]
    numbers, codes, where, nodes, level_start, level_branch, simple, rows, begin, donor, taken, leaf
):
    """The leaf of some rows from some nodes on, with the cells of `taken` columns from their donors. In trees of thresholds
    alone four rows go side by side."""
    done = 0
    if simple:
        done = len(rows) - len(rows) % 4
        for s in range(0, done, 4):
            a, b, c, d = np.int64(begin[s]), np.int64(begin[s + 1]), np.int64(begin[s + 2]), np.int64(begin[s + 3])
            i, j, k, l = rows[s], rows[s + 1], rows[s + 2], rows[s + 3]
            while max(max(nodes[a].feature, nodes[b].feature), max(nodes[c].feature, nodes[d].feature)) >= 0:
                a, b = step(numbers, i, donor[i], taken, a, nodes), step(numbers, j, donor[j], taken, b, nodes)
                c, d = step(numbers, k, donor[k], taken, c, nodes), step(numbers, l, donor[l], taken, d, nodes)
            leaf[s], leaf[s + 1], leaf[s + 2], leaf[s + 3] = a, b, c, d
    for s in range(done, len(rows)):
        t, i = np.int64(begin[s]), rows[s]
        while nodes[t].feature >= 0:
            k = donor[i] if taken[nodes[t].feature] else i
            b = goes_right(numbers, codes, where, nodes, level_start, level_branch, t, k)
            t = np.int64(nodes[t].second) if b == 1 else t + 1
        leaf[s] = t


@compiled
def step(X, i, donor, taken, t, nodes):  # type: ignore[no-untyped-def]
    """The next node of row i after node t of a tree of thresholds, without a jump of the program; a leaf leads to itself."""
    column, ahead = nodes[t].feature, np.int64(nodes[t].second)
    at = max(column, 0)
    x = X[at, donor if taken[at] else i]
    right = (not x <= nodes[t].threshold) & ((x == x) | (nodes[t].missing == 1))
    ahead = ahead if right else t + 1
    return ahead if column >= 0 else t


# ---- kernels: what is asked ----------------------------------------------------------------------------------------------


@compiled
def first_questions(nodes, runs, first, group, alone):  # type: ignore[no-untyped-def]
    """For each leaf with rows and each group that its way asks about: the leaf, the first question, the group, and the
    interval of cells that would go the same way (an empty one if the group is no column of numbers)."""
    above, room, used = np.full(len(nodes), -1, np.int32), len(nodes) + len(alone), 0
    whole, ends, at = np.empty((room, 3), np.int32), np.empty((room, 2)), np.full(len(alone), -1, np.int64)
    for t in range(len(nodes)):
        if nodes[t].feature >= 0:
            above[t + 1] = above[nodes[t].second] = t
        elif runs[t, 0] < runs[t, 1]:
            if used + len(alone) > room:
                room *= 2
                whole, ends = longer(whole, room), longer(ends, room)
            own, k = used, np.int64(t)
            while above[k] >= 0:
                k, right = np.int64(above[k]), k != above[k] + 1
                c = nodes[k].feature
                for s in range(first[c], first[c + 1]):
                    g = group[s]
                    if at[g] < own:
                        at[g], whole[used, 0], whole[used, 2] = used, t, g
                        ends[used, 0], ends[used, 1] = -np.inf, np.inf if alone[g] >= 0 else -np.inf
                        used += 1
                    whole[at[g], 1] = k
                    if right:
                        ends[at[g], 0] = max(ends[at[g], 0], nodes[k].threshold)
                    else:
                        ends[at[g], 1] = min(ends[at[g], 1], nodes[k].threshold)
    return whole[:used], ends[:used]


@compiled
def longer(part, room):  # type: ignore[no-untyped-def]
    """The same numbers with more room behind them."""
    whole = np.empty((room, part.shape[1]), part.dtype)
    whole[: len(part)] = part
    return whole


@compiled
def by_group(whole, ends, groups):  # type: ignore[no-untyped-def]
    """The questions group after group: where each begins, leaves and nodes, and intervals."""
    starts = np.zeros(groups + 1, np.int64)
    for s in range(len(whole)):
        starts[whole[s, 2] + 1] += 1
    starts = np.cumsum(starts)
    at, sorted_whole, sorted_ends = starts.copy(), np.empty((len(whole), 2), np.int32), np.empty((len(whole), 2))
    for s in range(len(whole)):
        place = at[whole[s, 2]]
        sorted_whole[place, 0], sorted_whole[place, 1] = whole[s, 0], whole[s, 1]
        sorted_ends[place, 0], sorted_ends[place, 1] = ends[s, 0], ends[s, 1]
        at[whole[s, 2]] = place + 1
    return starts, sorted_whole, sorted_ends


# ---- kernels: the losses -------------------------------------------------------------------------------------------------


@compiled
def lose(  # type: ignore[no-untyped-def]
    numbers, codes, where, nodes, level_start, level_branch, simple,
    judged, weight, groups, alone, strata, keys, order, runs, starts, asked, ends, found,
):  # fmt: skip
    """(1), but for the sum of the weights: what the rows lose whose new cells may change their answer."""
    n, parts = len(order), np.zeros(1, np.int64)
    lost, leaf = losses_now(nodes, order, runs, judged), np.empty(n, np.int64)
    line, shuffled, donor = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    some, begin, missing = np.empty(n, np.int64), np.empty(n, np.int64), np.full(n, np.nan)
    for g in range(len(groups)):
        if g == 0 or len(strata) > 1:
            parts = sort_by_stratum(strata[g], line)
        here, cells = slice(starts[g], starts[g + 1]), numbers[alone[g]] if alone[g] >= 0 else missing
        for r in range(keys.shape[1] if starts[g + 1] > starts[g] else 0):
            permute(parts, keys[g, r], line, shuffled, donor)
            count = moved(cells, donor, order, runs, asked[here], ends[here], some, begin)
            fall(
                numbers, codes, where, nodes, level_start, level_branch, simple,
                some[:count], begin[:count], donor, groups[g], leaf,
            )  # fmt: skip
            for s in range(count):
                i = some[s]
                found[g] += weight[i] * (loss_of(nodes[leaf[s]].second, i, judged) - lost[i])


@compiled
def losses_now(nodes, order, runs, judged):  # type: ignore[no-untyped-def]
    """The loss of each row as it is."""
    lost = np.empty(len(order))
    for t in range(len(nodes)):
        if nodes[t].feature < 0:
            for s in range(runs[t, 0], runs[t, 1]):
                lost[order[s]] = loss_of(nodes[t].second, order[s], judged)
    return lost


@compiled
def loss_of(answer, i, judged):  # type: ignore[no-untyped-def]
    """The loss of an answer for row i: 0 or 1, or the mean squared error."""
    said, truth, classes = judged
    if classes:
        return 1.0 if said[answer, 0] != truth[i, 0] else 0.0
    total = 0.0
    for k in range(said.shape[1]):
        total += (said[answer, k] - truth[i, k]) ** 2
    return total / said.shape[1]


@compiled
def moved(cells, donor, order, runs, asked, ends, some, begin):  # type: ignore[no-untyped-def]
    """The rows whose new cell lies outside the interval of their leaf, and where they begin. Returns their number."""
    count = 0
    for q in range(len(asked)):
        low, high, t = ends[q, 0], ends[q, 1], asked[q, 0]
        for s in range(runs[t, 0], runs[t, 1]):
            x = cells[donor[order[s]]]
            some[count], begin[count] = order[s], asked[q, 1]
            count += not ((low < x) & (x <= high))
    return count


# ---- kernels: permutations -----------------------------------------------------------------------------------------------


@compiled
def sort_by_stratum(stratum, line):  # type: ignore[no-untyped-def]
    """The rows of one stratum after those of another; returns where each begins."""
    parts = np.zeros(stratum.max() + 2, np.int64)
    for i in range(len(stratum)):
        parts[stratum[i] + 1] += 1
    parts = np.cumsum(parts)
    at = parts.copy()
    for i in range(len(stratum)):
        line[at[stratum[i]]] = i
        at[stratum[i]] += 1
    return parts


@compiled
def permute(parts, key, line, shuffled, donor):  # type: ignore[no-untyped-def]
    """The row from which each row takes its cells: one of its stratum, at random."""
    shuffled[:] = line
    for s in range(len(parts) - 1):
        low = parts[s]
        for i in range(parts[s + 1] - 1, low, -1):
            j = low + np.int64(uniform(key + np.uint64(i)) * (i - low + 1))
            shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
    for i in range(len(line)):
        donor[line[i]] = shuffled[i]


@compiled
def uniform(key):  # type: ignore[no-untyped-def]
    """A number in [0, 1): (2) of core/random.py."""
    z = (key + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return np.float64(z >> np.uint64(11)) * 2.0**-53
