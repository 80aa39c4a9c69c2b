"""How much a tree loses when columns are permuted among rows that it has not seen.

    loss_g = Σ_i ω_i [ ℓ(x_i with the columns of g from row π(i)) − ℓ(x_i) ] / Σ_i ω_i                        (1)

for each group g of columns (usually one) and a random permutation π of the rows. A row whose way to its leaf asks nothing about
g keeps its answer, so each row is sent down once, and its first question about each group is noted, and, for a column of
numbers, the interval (low, high] of cells that would go the same way. Only the rows that have such a question and get a cell
from outside go down again, from there on.

π is drawn inside strata of rows, of which there may be one alone, by Fisher & Yates' shuffle with the random numbers of
core/random.py; it is a function of a key.

Cost: O(rows·depth·groups on the way) for a tree, in place of O(rows·depth·columns).
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
        numbers, codes, where = self.cells
        down = (
            numbers[out],
            codes[out],
            where,
            forest.nodes[begin:end],
            forest.level_start[begin : end + 1],
            forest.level_branch,
        )
        weight, lost = self.weight[out], np.empty(len(out))
        judged = self.said, self.truth[out], forest.classes > 0
        noted = first_questions(*down, judged, *self.groups_of_columns, self.alone, lost)
        noted = by_group(*noted, len(self.groups))
        simple = not codes.shape[1] and not len(forest.level_branch)
        found = np.zeros(len(self.groups))
        lose(*down, simple, judged, weight, self.groups, self.alone, self.strata[:, out], keys, noted, lost, found)
        return found / (keys.shape[1] * weight.sum())

    @cached_property
    def groups_of_columns(self) -> tuple[Array, Array]:
        """Where the groups of each column begin, and the groups, one column after the other."""
        column, group = np.nonzero(self.groups.T)
        starts = np.searchsorted(column, np.arange(self.groups.shape[1] + 1))
        return starts.astype(np.int64), group.astype(np.int64)

    @cached_property
    def alone(self) -> Array:
        """The column of each group that is one column of numbers, −1 of others; counted among the numbers."""
        where = self.cells[2]
        return np.array([where[np.argmax(group)] if group.sum() == 1 else -1 for group in self.groups], np.int64)


# ---- kernels -----------------------------------------------------------------------------------------------------------


@compiled
def next_node(numbers, codes, where, nodes, level_start, level_branch, t, i):  # type: ignore[no-untyped-def]
    """The node after node t for the cell of row i."""
    j, threshold = where[nodes[t].feature], nodes[t].threshold
    b = np.int64(-1)
    if j >= 0:
        x = numbers[i, j]
        if x == x:
            b = np.int64(not x <= threshold)
    else:
        code = codes[i, -1 - j]
        if code >= 0 and threshold == threshold:
            b = np.int64(not code <= threshold)
        elif code >= 0:
            b = np.int64(level_branch[level_start[t] + code])
    if b < 0:
        b = np.int64(nodes[t].missing)
    return np.int64(nodes[t].second) if b == 1 else t + 1


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
def first_questions(  # type: ignore[no-untyped-def]
    numbers, codes, where, nodes, level_start, level_branch, judged, first, group, alone, lost
):
    """The loss of each row as it is, and its first question about each group: rows, nodes, groups, low and high ends."""
    at, used, room = np.full(len(alone), -1, np.int64), 0, 16 * len(lost) + len(alone)
    rows, asked, about = np.empty(room, np.int32), np.empty(room, np.int32), np.empty(room, np.int32)
    low, high = np.empty(room), np.empty(room)
    for i in range(len(lost)):
        t, own = np.int64(0), used
        if used + len(alone) > room:
            room = 2 * room
            rows, asked, about = longer(rows, room), longer(asked, room), longer(about, room)
            low, high = longer(low, room), longer(high, room)
        while nodes[t].feature >= 0:
            c, after = nodes[t].feature, next_node(numbers, codes, where, nodes, level_start, level_branch, t, i)
            for s in range(first[c], first[c + 1]):
                g = group[s]
                if at[g] < own:
                    at[g], rows[used], asked[used], about[used] = used, i, t, g
                    low[used], high[used] = -np.inf, np.inf if alone[g] >= 0 else -np.inf
                    used += 1
                if alone[g] >= 0:
                    narrow(low, high, at[g], numbers[i, alone[g]], nodes[t].threshold)
            t = after
        lost[i] = loss_of(nodes[t].second, i, judged)
    return rows[:used], asked[:used], about[:used], low[:used], high[:used]


@compiled
def narrow(low, high, at, x, threshold):  # type: ignore[no-untyped-def]
    """The interval of cells that answer a question, and those before it, as x does; none if x is missing."""
    if x <= threshold:
        high[at] = min(high[at], threshold)
    elif x == x:
        low[at] = max(low[at], threshold)
    else:
        high[at] = -np.inf


@compiled
def longer(part, room):  # type: ignore[no-untyped-def]
    """The same numbers with more room behind them."""
    whole = np.empty(room, part.dtype)
    whole[: len(part)] = part
    return whole


@compiled
def by_group(rows, asked, about, low, high, groups):  # type: ignore[no-untyped-def]
    """The questions group after group: where each begins, rows, nodes and ends."""
    starts = np.zeros(groups + 1, np.int64)
    for s in range(len(rows)):
        starts[about[s] + 1] += 1
    starts = np.cumsum(starts)
    at, row, node, ends = starts.copy(), np.empty(len(rows), np.int32), np.empty(len(rows), np.int32), np.empty((len(rows), 2))
    for s in range(len(rows)):
        place = at[about[s]]
        row[place], node[place], ends[place, 0], ends[place, 1] = rows[s], asked[s], low[s], high[s]
        at[about[s]] = place + 1
    return starts, row, node, ends


@compiled
def lose(  # type: ignore[no-untyped-def]
    numbers, codes, where, nodes, level_start, level_branch, simple,
    judged, weight, groups, alone, strata, keys, noted, lost, found,
):  # fmt: skip
    """Send the rows that may change their answer down again with the group's cells of other rows; sum what they lose."""
    starts, rows, asked, ends = noted
    n, runs = len(lost), np.zeros(1, np.int64)
    order, shuffled, donor, leaf = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    some, begin, cells = np.empty(n, np.int32), np.empty(n, np.int32), np.full(n, np.nan)
    for g in range(len(groups)):
        if g == 0 or len(strata) > 1:
            runs = sort_by_stratum(strata[g], order)
        here = slice(starts[g], starts[g + 1])
        for i in range(n):
            cells[i] = numbers[i, alone[g]] if alone[g] >= 0 else np.nan
        for r in range(keys.shape[1] if starts[g + 1] > starts[g] else 0):
            permute(runs, keys[g, r], order, shuffled, donor)
            count = moved(cells, donor, rows[here], asked[here], ends[here], some, begin)
            fall(
                numbers, codes, where, nodes, level_start, level_branch, simple,
                some[:count], begin[:count], donor, groups[g], leaf,
            )  # fmt: skip
            for s in range(count):
                i = some[s]
                found[g] += weight[i] * (loss_of(nodes[leaf[s]].second, i, judged) - lost[i])


@compiled
def moved(cells, donor, rows, asked, ends, some, begin):  # type: ignore[no-untyped-def]
    """The rows whose new cell lies outside their interval, and where they begin. Returns their number."""
    count = 0
    for s in range(len(rows)):
        x = cells[donor[rows[s]]]
        some[count], begin[count] = rows[s], asked[s]
        count += not (ends[s, 0] < x and x <= ends[s, 1])
    return count


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
            t = next_node(numbers, codes, where, nodes, level_start, level_branch, t, k)
        leaf[s] = t


@compiled
def step(X, i, donor, taken, t, nodes):  # type: ignore[no-untyped-def]
    """The next node of row i after node t of a tree of thresholds, without a jump of the program; a leaf leads to itself."""
    column, ahead = nodes[t].feature, np.int64(nodes[t].second)
    at = max(column, 0)
    x = X[donor if taken[at] else i, at]
    right = (not x <= nodes[t].threshold) & ((x == x) | (nodes[t].missing == 1))
    ahead = ahead if right else t + 1
    return ahead if column >= 0 else t


@compiled
def sort_by_stratum(stratum, order):  # type: ignore[no-untyped-def]
    """The rows of one stratum after those of another; returns where each begins."""
    runs = np.zeros(stratum.max() + 2, np.int64)
    for i in range(len(stratum)):
        runs[stratum[i] + 1] += 1
    runs = np.cumsum(runs)
    at = runs.copy()
    for i in range(len(stratum)):
        order[at[stratum[i]]] = i
        at[stratum[i]] += 1
    return runs


@compiled
def permute(runs, key, order, shuffled, donor):  # type: ignore[no-untyped-def]
    """The row from which each row takes its cells: another of its stratum, at random."""
    shuffled[:] = order
    for s in range(len(runs) - 1):
        low = runs[s]
        for i in range(runs[s + 1] - 1, low, -1):
            j = low + np.int64(uniform(key + np.uint64(i)) * (i - low + 1))
            shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
    for i in range(len(order)):
        donor[order[i]] = shuffled[i]


@compiled
def uniform(key):  # type: ignore[no-untyped-def]
    """A number in [0, 1): (2) of core/random.py."""
    z = (key + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z = z ^ (z >> np.uint64(31))
    return np.float64(z >> np.uint64(11)) * 2.0**-53
