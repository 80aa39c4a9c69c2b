"""How much a tree loses when columns are permuted among rows that it has not seen.

    loss_g = Σ_i ω_i [ ℓ(x_i with the columns of g from row π(i)) − ℓ(x_i) ] / Σ_i ω_i                        (1)

for each group g of columns (usually one) and a random permutation π of the rows.

All rows of a leaf came the same way. If it has no split on g, they keep their predictions. If g is one column in an order,
they keep them for all new cells of an interval (low, high], which take the same branches. So the rows are
sorted by their leaves once, the first split by each group and its interval are noted for each leaf, and only the rows
whose new cell lies outside go down again, from that split on. Cells are the codes of threshold_codes.py.

π is drawn inside strata of rows, of which there may be one alone, by Fisher & Yates' shuffle with the random numbers of
core/hashing.py; it is a function of a key.

Cost: O(depth) for each row that goes down again: in deep trees of many columns, a small part of rows × columns.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.hashing import uniform
from aprendiz.core.rows import Array
from aprendiz.ensemble.forest.forest import Forest
from aprendiz.ensemble.importance.threshold_codes import ThresholdCodes

NOTED_LEAF, NOTED_NODE, NOTED_GROUP, NOTED_LOW, NOTED_HIGH = range(5)  # of a noted split


class CodedTree(NamedTuple):
    """The codes of some rows, and a tree that takes them: its nodes, the code at the cut of each, and the branches of levels
    (threshold_codes.py, forest.py)."""

    cells: Array
    nodes: Array
    cut: Array
    level_start: Array
    level_branch: Array


@dataclass(frozen=True)
class PermutedDescent:
    """A forest and rows to be permuted.

    Attributes
    ----------
    forest : Forest
    codes : ThresholdCodes
    said : ndarray of shape (predictions, outputs)
        Each prediction of the forest: the number of a class, or numbers.
    truth : ndarray of shape (rows, outputs)
    weight : ndarray of shape (rows,)
    groups : bool of shape (groups, columns)
        Which columns are permuted together.
    strata : int32 of shape (groups or 1, rows)
        The stratum of each row for each group, or for all.
    """

    forest: Forest
    codes: ThresholdCodes
    said: Array
    truth: Array
    weight: Array
    groups: Array
    strata: Array

    def losses(self, tree: int, out: Array, keys: Array) -> Array:
        """(1) of a tree for each group, its mean over permutations by the keys of shape (groups, repeats). `out` are the
        rows that the tree has not seen."""
        forest, here = self.forest, slice(self.forest.start[tree], self.forest.start[tree + 1])
        levels = forest.level_start[here.start : here.stop + 1], forest.level_branch
        tree_of_codes = CodedTree(self.codes.cells[out], forest.nodes[here], self.codes.cut[here], *levels)
        judged, weight = (self.said, self.truth[out], forest.classes > 0), self.weight[out]
        order, runs = np.arange(len(weight)), np.zeros((here.stop - here.start, 2), np.int64)
        sort_by_leaf(tree_of_codes, order, np.empty_like(order), runs)
        top = int(np.iinfo(self.codes.cells.dtype).max) - 1  # but for missing cells
        noted = first_splits(tree_of_codes.nodes, tree_of_codes.cut, runs, *self.groups_of_columns, self.alone, top)
        choice, found = (self.groups, self.alone, self.strata[:, out], keys), np.zeros(len(self.groups))
        lose(tree_of_codes, judged, weight, *choice, order, runs, *by_group(noted, len(self.groups)), found)
        return found / (keys.shape[1] * weight.sum())

    @cached_property
    def groups_of_columns(self) -> tuple[Array, Array]:
        """Where the groups of each column begin, and the groups, one column after the other."""
        column, group = np.nonzero(self.groups.T)
        starts = np.searchsorted(column, np.arange(self.groups.shape[1] + 1))
        return starts.astype(np.int64), group.astype(np.int64)

    @cached_property
    def alone(self) -> Array:
        """The column of each group that is one column in an order; −1 of other groups."""
        column = self.groups.argmax(axis=1)
        return np.where((self.groups.sum(axis=1) == 1) & self.codes.ordered[column], column, -1)


def by_group(found: Array, groups: int) -> tuple[Array, Array]:
    """The splits group after group, and where each begins."""
    asked = found[np.argsort(found[:, NOTED_GROUP], kind="stable")]
    return np.searchsorted(asked[:, NOTED_GROUP], np.arange(groups + 1)), asked


# ---- kernels: the way down -----------------------------------------------------------------------------------------------


@compiled(inner=True)
def goes_right(code: int, cut: int, missing: int, to_right: bool, level_branch: Array, level: int) -> bool:
    """Whether a code takes the second branch of a split: by its cut, or by its levels, which begin at `level`."""
    if code == missing:
        return to_right
    if cut >= 0:
        return code > cut
    b = level_branch[level + code]
    return to_right if b < 0 else b == 1


@compiled(inner=True)
def largest(cells: Array) -> int:
    """The code of missing cells."""
    return int64(65535) if cells.itemsize == 2 else int64(4294967295)


@compiled
def sort_by_leaf(tree: CodedTree, order: Array, aside: Array, runs: Array) -> None:
    """Put the rows, 0, 1, …, into the order of their leaves; `runs` tells where those of each node begin and end."""
    cells, nodes, cut, level_start, level_branch = tree
    missing = largest(cells)
    runs[0, 1] = len(order)
    for t in range(len(nodes)):
        begin, end = runs[t, 0], runs[t, 1]
        if nodes[t]["feature"] < 0 or begin == end:
            continue
        column, own, to_right, left, right = nodes[t]["feature"], cut[t], nodes[t]["missing"] == 1, begin, int64(0)
        level = level_start[t] if own < 0 else int64(0)
        for s in range(begin, end):
            i = order[s]
            code = int64(cells[i, column])
            b = int64((code > own) & ((code != missing) | to_right))
            if own < 0:
                b = int64(goes_right(code, own, missing, to_right, level_branch, level))
            order[left], aside[right] = i, i
            left, right = left + 1 - b, right + b
        for s in range(right):
            order[left + s] = aside[s]
        runs[t + 1, 0], runs[t + 1, 1] = begin, left
        runs[nodes[t]["second"], 0], runs[nodes[t]["second"], 1] = left, end


@compiled(inner=True)
def fall(
    cells: Array, nodes: Array, cut: Array, level_start: Array, level_branch: Array, rows: Array, begin: Array, donor: Array,
    taken: Array, leaf: Array,
) -> None:  # fmt: skip
    """The leaf of some rows from some nodes on, with the cells of `taken` columns from their donors. In trees without splits
    about levels four rows go side by side."""
    done = 0 if len(level_branch) else len(rows) - len(rows) % 4
    for s in range(0, done, 4):
        a, b, c, d = begin[s], begin[s + 1], begin[s + 2], begin[s + 3]
        i, j, k, l = rows[s], rows[s + 1], rows[s + 2], rows[s + 3]
        while max(max(nodes[a]["feature"], nodes[b]["feature"]), max(nodes[c]["feature"], nodes[d]["feature"])) >= 0:
            a, b = step(cells, nodes, cut, taken, a, i, donor[i]), step(cells, nodes, cut, taken, b, j, donor[j])
            c, d = step(cells, nodes, cut, taken, c, k, donor[k]), step(cells, nodes, cut, taken, d, l, donor[l])
        leaf[s], leaf[s + 1], leaf[s + 2], leaf[s + 3] = a, b, c, d
    missing = largest(cells)
    for s in range(done, len(rows)):
        t, i = begin[s], rows[s]
        while nodes[t]["feature"] >= 0:
            code = int64(cells[donor[i] if taken[nodes[t]["feature"]] else i, nodes[t]["feature"]])
            level = level_start[t] if cut[t] < 0 else int64(0)
            right = goes_right(code, cut[t], missing, nodes[t]["missing"] == 1, level_branch, level)
            t = int64(nodes[t]["second"]) if right else t + 1
        leaf[s] = t


@compiled(inner=True)
def step(cells: Array, nodes: Array, cut: Array, taken: Array, t: int, i: int, donor: int) -> int:
    """The next node of row i after node t of a tree of cuts, without a jump of the program; a leaf leads to itself."""
    column, ahead = nodes[t]["feature"], int64(nodes[t]["second"])
    at = max(column, 0)
    code = int64(cells[donor if taken[at] else i, at])
    right = (code > cut[t]) & ((code != largest(cells)) | (nodes[t]["missing"] == 1))
    ahead = ahead if right else t + 1
    return ahead if column >= 0 else t


# ---- kernels: what is asked ----------------------------------------------------------------------------------------------


@compiled
def first_splits(nodes: Array, cut: Array, runs: Array, first: Array, group: Array, alone: Array, top: int) -> Array:
    """For each leaf with rows and each group that its path splits by: the leaf, the first split, the group, and the
    interval of codes, of which `top` is the largest, that would go the same way (an empty one if the group is no column in an
    order)."""
    above, room, used = np.empty(len(nodes), np.int64), len(nodes) + len(alone), 0
    found, at = np.empty((room, 5), np.int64), np.empty(len(alone), np.int64)
    above[0] = -1  # the others are written when the node above them is visited
    for g in range(len(alone)):
        at[g] = -1
    for t in range(len(nodes)):
        if nodes[t]["feature"] >= 0:
            above[t + 1] = above[nodes[t]["second"]] = t
        elif runs[t, 0] < runs[t, 1]:
            if used + len(alone) > room:
                room *= 2
                found = longer(found, room)
            own, k = used, t
            while above[k] >= 0:
                right, k = k != above[k] + 1, above[k]
                for s in range(first[nodes[k]["feature"]], first[nodes[k]["feature"] + 1]):
                    g = group[s]
                    if at[g] < own:
                        at[g], found[used, NOTED_LEAF], found[used, NOTED_GROUP] = used, t, g
                        found[used, NOTED_LOW], found[used, NOTED_HIGH] = -1, top if alone[g] >= 0 else -1
                        used += 1
                    narrow(found[at[g]], k, cut[k], right)
    return found[:used]


@compiled(inner=True)
def narrow(split: Array, node: int, cut: int, right: bool) -> None:
    """A split further up, and the branch that was taken there."""
    split[NOTED_NODE] = node
    if right:
        split[NOTED_LOW] = max(split[NOTED_LOW], cut)
    else:
        split[NOTED_HIGH] = min(split[NOTED_HIGH], cut)


@compiled(inner=True)
def longer(part: Array, room: int) -> Array:
    """The same numbers with more room behind them."""
    whole = np.empty((room, 5), np.int64)
    for s in range(len(part)):
        for k in range(5):
            whole[s, k] = part[s, k]
    return whole


# ---- kernels: the losses -------------------------------------------------------------------------------------------------


@compiled
def lose(
    tree: CodedTree, judged: tuple[Array, Array, bool], weight: Array, groups: Array, alone: Array, strata: Array, keys: Array,
    order: Array, runs: Array, starts: Array, asked: Array, found: Array,
) -> None:  # fmt: skip
    """(1), but for the sum of the weights: what the rows lose whose new cells may change their prediction."""
    cells, nodes, cut, level_start, level_branch = tree
    n, parts, lost = len(order), np.zeros(1, np.int64), losses_now(nodes, order, runs, judged)
    line, shuffled, donor, leaf = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, np.int64)
    some, begin, column = np.empty(n, np.int64), np.empty(n, np.int64), np.empty(n, cells.dtype)
    for g in range(len(groups)):
        if g == 0 or len(strata) > 1:
            parts = sort_by_stratum(strata[g], line)
        for i in range(n):
            column[i] = cells[i, max(alone[g], 0)]
        for r in range(keys.shape[1] if starts[g + 1] > starts[g] else 0):
            permute(parts, keys[g, r], line, shuffled, donor)
            count = find_moved(column, donor, order, runs, asked[starts[g] : starts[g + 1]], some, begin)
            fall(cells, nodes, cut, level_start, level_branch, some[:count], begin[:count], donor, groups[g], leaf)
            for s in range(count):
                i = some[s]
                found[g] += weight[i] * (loss_of(nodes[leaf[s]]["second"], i, judged) - lost[i])


@compiled(inner=True)
def losses_now(nodes: Array, order: Array, runs: Array, judged: tuple[Array, Array, bool]) -> Array:
    """The loss of each row as it is."""
    lost = np.empty(len(order))
    for t in range(len(nodes)):
        if nodes[t]["feature"] < 0:
            for s in range(runs[t, 0], runs[t, 1]):
                lost[order[s]] = loss_of(nodes[t]["second"], order[s], judged)
    return lost


@compiled(inner=True)
def loss_of(answer: int, i: int, judged: tuple[Array, Array, bool]) -> float:
    """The loss of a prediction for row i: 0 or 1, or the mean squared error."""
    said, truth, classes = judged
    if classes:
        return 1.0 if said[answer, 0] != truth[i, 0] else 0.0
    total = 0.0
    for k in range(said.shape[1]):
        total += (said[answer, k] - truth[i, k]) ** 2
    return total / said.shape[1]


@compiled(inner=True)
def find_moved(column: Array, donor: Array, order: Array, runs: Array, asked: Array, some: Array, begin: Array) -> int:
    """The rows whose new cell lies outside the interval of their leaf, and where they begin. Returns their number."""
    count = 0
    for q in range(len(asked)):
        low, high, t = asked[q, NOTED_LOW], asked[q, NOTED_HIGH], asked[q, NOTED_LEAF]
        for s in range(runs[t, 0], runs[t, 1]):
            code = int64(column[donor[order[s]]])
            some[count], begin[count] = order[s], asked[q, NOTED_NODE]
            count += (code <= low) | (code > high)
    return count


# ---- kernels: permutations -----------------------------------------------------------------------------------------------


@compiled(inner=True)
def sort_by_stratum(stratum: Array, line: Array) -> Array:
    """The rows of one stratum after those of another; returns where each begins."""
    highest = int64(0)
    for i in range(len(stratum)):
        highest = max(highest, int64(stratum[i]))
    parts = np.zeros(highest + 2, np.int64)
    for i in range(len(stratum)):
        parts[stratum[i] + 1] += 1
    at = np.empty(len(parts), np.int64)
    at[0] = parts[0]
    for s in range(1, len(parts)):
        parts[s] += parts[s - 1]
        at[s] = parts[s]
    for i in range(len(stratum)):
        line[at[stratum[i]]] = i
        at[stratum[i]] += 1
    return parts


@compiled(inner=True)
def permute(parts: Array, key: np.uint64, line: Array, shuffled: Array, donor: Array) -> None:
    """The row from which each row takes its cells: one of its stratum, at random."""
    for i in range(len(line)):
        shuffled[i] = line[i]
    for s in range(len(parts) - 1):
        low = parts[s]
        for i in range(parts[s + 1] - 1, low, -1):
            j = low + int64(uniform(key + np.uint64(i)) * (i - low + 1))
            shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
    for i in range(len(line)):
        donor[line[i]] = shuffled[i]
