"""Down the tree: the leaf that each row reaches, and the prediction of trees whose missing cells take every branch.

A row starts at the root and follows one split after the other (nodes.py says how). In a tree of thresholds alone a step is
one comparison, and rows go down four at a time, since the processor would otherwise wait for each answer.

Where missing cells take every branch, a row reaches several leaves; its prediction is the mean of theirs,

    value(x) = Σ_leaves s(x, leaf)·value(leaf),     s = Π of the weights of the branches taken / their node       (1)

Cost: O(depth) a row; (1) O(leaves) at worst.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.columns import Mixed
from aprendiz.core.rows import Array, Block
from aprendiz.tree.shared.nodes import Tree, heaviest_branches


class TableCells(NamedTuple):
    """Cells of some rows: numbers, codes of levels, and where each column stands: its number among the first, or −1 − that
    among the others."""

    numbers: Array
    codes: Array
    where: Array


class Splits(NamedTuple):
    """The splits of all nodes (nodes.py), with the branch that missing cells take in the end."""

    feature: Array
    threshold: Array
    child_start: Array
    children: Array
    level_start: Array
    level_branch: Array
    missing: Array


class SurrogateSplits(NamedTuple):
    """The splits that stand in for those of a node where its cell is missing, and where those of each node start."""

    start: Array
    feature: Array
    threshold: Array
    first: Array
    level_start: Array
    level_branch: Array


class TreeDescent:
    """A tree made ready for many rows."""

    def __init__(self, tree: Tree):
        self.tree = tree
        self.thresholds = not len(tree.level_branch)
        self.simple = self.thresholds and not len(tree.surrogate_feature) and not (tree.missing_branch < 0).any()
        self.shared = bool((tree.missing_branch < 0).any())
        heaviest = heaviest_branches(tree.child_start, tree.children, tree.weighted_n_node_samples) if self.shared else None
        missing = tree.missing_branch if heaviest is None else np.where(tree.missing_branch < 0, heaviest, tree.missing_branch)
        here = np.arange(tree.node_count)
        step = np.column_stack([np.where(tree.is_leaf, here, branch) for branch in (tree.children_left, tree.children_right)])
        self.steps = tree.feature.astype(np.int32), tree.threshold, step.ravel().astype(np.int32), missing
        self.splits = Splits(
            *(tree.feature, tree.threshold, tree.child_start, tree.children, tree.level_start, tree.level_branch, missing)
        )
        self.surrogates = SurrogateSplits(
            *(tree.surrogate_start, tree.surrogate_feature, tree.surrogate_threshold, tree.surrogate_first),
            *(tree.surrogate_level_start, tree.surrogate_level_branch),
        )

    def leaves(self, block: Block) -> Array:
        """The leaf of each row; of a row that reaches several, the one at the end of the heaviest branches."""
        cells = cells_of(block.X)
        leaf = np.empty(len(block), np.int64)
        if (self.simple and not cells.codes.shape[1]) or self.none_is_missing(cells):
            descend_thresholds(cells.numbers, *self.steps, leaf)
        else:
            descend(cells, self.splits, self.surrogates, leaf)
        return leaf

    def none_is_missing(self, cells: TableCells) -> bool:
        """Does every row have a branch at every split?"""
        return self.thresholds and not cells.codes.shape[1] and not np.isnan(cells.numbers).any()

    def values(self, block: Block) -> Array:
        """The value of each row: (1), of shape (rows, outputs, classes)."""
        cells = cells_of(block.X)
        if not self.shared or self.none_is_missing(cells):
            return self.tree.value[self.leaves(block)]
        flat = np.ascontiguousarray(self.tree.value.reshape(self.tree.node_count, -1))
        total = np.zeros((len(block), flat.shape[1]))
        every = self.tree.missing_branch
        share_out(cells, self.splits, self.surrogates, every, self.tree.weighted_n_node_samples, flat, total)
        return total.reshape(len(block), *self.tree.value.shape[1:])


def cells_of(X: Any) -> TableCells:
    """The cells of a table of numbers, or of a mixed one."""
    if not isinstance(X, Mixed):
        return TableCells(X, np.empty((len(X), 0), np.int32), np.arange(X.shape[1]))
    where = np.empty(X.shape[1], np.int64)
    where[list(X.columns.numeric)] = np.arange(len(X.columns.numeric))
    where[list(X.columns.coded)] = -1 - np.arange(len(X.columns.coded))
    return TableCells(X.numbers, X.codes, where)


# ---- kernels -----------------------------------------------------------------------------------------------------------


@compiled
def descend_thresholds(X: Array, feature: Array, threshold: Array, step: Array, missing: Array, leaf: Array) -> None:
    """The leaf of each row in a tree of thresholds. Four rows go down side by side, each without a jump of the program: what
    comes next is looked up by the answer, and a leaf leads to itself."""
    n = len(X)
    for i in range(0, n - 3, 4):
        a = b = c = d = int64(0)
        while feature[a] >= 0 or feature[b] >= 0 or feature[c] >= 0 or feature[d] >= 0:
            a = int64(step[2 * a + goes_right(X[i, max(feature[a], 0)], threshold[a], missing[a])])
            b = int64(step[2 * b + goes_right(X[i + 1, max(feature[b], 0)], threshold[b], missing[b])])
            c = int64(step[2 * c + goes_right(X[i + 2, max(feature[c], 0)], threshold[c], missing[c])])
            d = int64(step[2 * d + goes_right(X[i + 3, max(feature[d], 0)], threshold[d], missing[d])])
        leaf[i], leaf[i + 1], leaf[i + 2], leaf[i + 3] = a, b, c, d
    for i in range(n - n % 4, n):
        a = int64(0)
        while feature[a] >= 0:
            a = int64(step[2 * a + goes_right(X[i, feature[a]], threshold[a], missing[a])])
        leaf[i] = a


@compiled(inner=True)
def goes_right(x: float, threshold: float, missing: int) -> int:
    """1 for the second branch; a missing cell goes where the node says."""
    return int64((not x <= threshold) & ((x == x) | (missing == 1)))


@compiled(inner=True)
def answer(cells: TableCells, i: int, column: int, threshold: float, level_branch: Array, level: int, first: int) -> int:
    """The branch that the cell of a row takes, −1 where it is missing (or a level that the split does not know)."""
    at = cells.where[column]
    if at >= 0:
        x = cells.numbers[i, at]
        if x != x:
            return -1
    else:
        code = cells.codes[i, -1 - at]
        if code < 0:
            return -1
        if threshold != threshold:
            return level_branch[level + code]
        x = float(code)
    return first if x <= threshold else 1 - first


@compiled(inner=True)
def branch_of(t: int, i: int, cells: TableCells, splits: Splits, others: SurrogateSplits) -> int:
    """The branch that a row takes at node t, by its split or the first surrogate that can say; else −1."""
    b = answer(cells, i, splits.feature[t], splits.threshold[t], splits.level_branch, splits.level_start[t], 0)
    s = others.start[t]
    while b < 0 and s < others.start[t + 1]:
        b = answer(
            cells, i, others.feature[s], others.threshold[s], others.level_branch, others.level_start[s], others.first[s]
        )
        s += 1
    return b


@compiled
def descend(cells: TableCells, splits: Splits, surrogates: SurrogateSplits, leaf: Array) -> None:
    """The leaf of each row."""
    feature, child_start, children, missing = splits.feature, splits.child_start, splits.children, splits.missing
    for i in range(len(leaf)):
        t = 0
        while feature[t] >= 0:
            b = branch_of(t, i, cells, splits, surrogates)
            t = children[child_start[t] + (b if b >= 0 else missing[t])]
        leaf[i] = t


@compiled
def share_out(
    cells: TableCells, splits: Splits, surrogates: SurrogateSplits, every: Array, weight: Array, value: Array, total: Array
) -> None:
    """(1): from the last node to be looked at to the next, with the share of the row that is there. `every` has −1 where
    missing cells take every branch."""
    feature, child_start, children = splits.feature, splits.child_start, splits.children
    waiting, shares = np.empty(len(feature), np.int64), np.empty(len(feature))
    for i in range(len(total)):
        waiting[0], shares[0], count = 0, 1.0, 1
        while count > 0:
            count -= 1
            t, share = waiting[count], shares[count]
            if feature[t] < 0:
                for k in range(total.shape[1]):
                    total[i, k] += share * value[t, k]
                continue
            b = branch_of(t, i, cells, splits, surrogates)
            if b < 0 and every[t] >= 0:
                b = every[t]
            whole = 0.0
            for c in range(child_start[t], child_start[t + 1]):
                whole += weight[children[c]]
            for c in range(child_start[t + 1] - 1, child_start[t] - 1, -1):
                if b < 0 or c - child_start[t] == b:
                    waiting[count] = children[c]
                    shares[count] = share * weight[children[c]] / whole if b < 0 else share
                    count += 1
