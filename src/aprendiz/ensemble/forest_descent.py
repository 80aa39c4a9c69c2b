"""Rows down all trees of a forest.

A block of rows stays in the cache of the processor while one tree after the other is asked. In trees of thresholds alone eight
rows go down side by side: each would otherwise wait for its next node to come from memory.

Cost: O(depth) for each row and tree.
"""

from __future__ import annotations

import numpy as np

from aprendiz.core.compiled import compiled
from aprendiz.core.rows import Array, Block
from aprendiz.ensemble.forest import Forest
from aprendiz.tree.descent import cells_of


class ForestDescent:
    """A forest made ready for many rows."""

    def __init__(self, forest: Forest):
        self.forest = forest
        self.nodes = forest.nodes, forest.level_start, forest.level_branch
        self.simple = not len(forest.level_branch)

    def leaves(self, block: Block) -> Array:
        """The leaf of each row in each tree, counted from its root."""
        found = np.empty((len(self.forest), len(block)), np.int32)
        numbers, codes, where = cells_of(block.X)
        for tree, start in enumerate(self.forest.start[:-1]):
            descend(numbers, codes, where, *self.nodes, start, self.simple and not codes.shape[1], found[tree])
        return np.ascontiguousarray(found.T).astype(np.int64)

    def answers(self, tree: int, block: Block) -> Array:
        """The answer of one tree for each row, as rows of `value`."""
        numbers, codes, where = cells_of(block.X)
        found, start = np.empty(len(block), np.int32), self.forest.start[tree]
        descend(numbers, codes, where, *self.nodes, start, self.simple and not codes.shape[1], found)
        return self.forest.nodes["second"][start:][found]

    def sums(self, table: Array, weight: Array, block: Block) -> Array:
        """Σ over the trees of weight × the row of `table` that is their answer."""
        numbers, codes, where = cells_of(block.X)
        total = np.zeros((len(block), table.shape[1]))
        starts = self.forest.start[: len(weight)]
        add_trees(numbers, codes, where, *self.nodes, starts, self.simple and not codes.shape[1], table, weight, total)
        return total


# ---- kernels -----------------------------------------------------------------------------------------------------------


@compiled
def step(X, i, t, nodes):
    """The next node of row i after node t of a tree of thresholds; a leaf leads to itself."""
    column, ahead = nodes[t].feature, np.int64(nodes[t].second)
    x = X[i, max(column, 0)]
    right = (not x <= nodes[t].threshold) & ((x == x) | (nodes[t].missing == 1))
    ahead = ahead if right else t + 1
    return ahead if column >= 0 else t


@compiled
def descend(numbers, codes, where, nodes, level_start, level_branch, start, simple, found):
    """The leaf of each row in the tree that begins at `start`."""
    n, done, tree = len(found), 0, nodes[start:]
    if simple:
        for i in range(0, n - 7, 8):
            a = b = c = d = e = f = g = h = np.int64(0)
            while True:
                a, b = step(numbers, i, a, tree), step(numbers, i + 1, b, tree)
                c, d = step(numbers, i + 2, c, tree), step(numbers, i + 3, d, tree)
                e, f = step(numbers, i + 4, e, tree), step(numbers, i + 5, f, tree)
                g, h = step(numbers, i + 6, g, tree), step(numbers, i + 7, h, tree)
                low = max(tree[a].feature, tree[b].feature, tree[c].feature, tree[d].feature)
                high = max(tree[e].feature, tree[f].feature, tree[g].feature, tree[h].feature)
                if low < 0 and high < 0:
                    break
            found[i], found[i + 1], found[i + 2], found[i + 3] = a, b, c, d
            found[i + 4], found[i + 5], found[i + 6], found[i + 7] = e, f, g, h
        done = n - n % 8
    for i in range(done, n):
        t = np.int64(0)
        while tree[t].feature >= 0:
            j, threshold = where[tree[t].feature], tree[t].threshold
            b = -1
            if j >= 0:
                x = numbers[i, j]
                if x == x:
                    b = np.int64(not x <= threshold)
            else:
                code = codes[i, -1 - j]
                if code >= 0 and threshold == threshold:
                    b = np.int64(not code <= threshold)
                elif code >= 0:
                    b = np.int64(level_branch[level_start[start + t] + code])
            if b < 0:
                b = np.int64(tree[t].missing)
            t = np.int64(tree[t].second) if b == 1 else t + 1
        found[i] = t


@compiled
def add_trees(numbers, codes, where, nodes, level_start, level_branch, starts, simple, table, weight, total):
    """Add the weighted answers of the trees, one after the other."""
    found = np.empty(len(total), np.int32)
    for tree in range(len(starts)):
        start, w = starts[tree], weight[tree]
        descend(numbers, codes, where, nodes, level_start, level_branch, start, simple, found)
        for i in range(len(total)):
            answer = nodes[start + found[i]].second
            for k in range(table.shape[1]):
                total[i, k] += w * table[answer, k]
