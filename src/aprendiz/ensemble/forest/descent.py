"""Rows down all trees of a forest.

Many rows of numbers are not sent down one by one: the processor would wait at every node for the branch of the split before.
They are divided, as in the growth of a tree: at each node all rows that came there are put in two parts, without a jump of the
program, and the parts go on, until few rows are left, which go alone. So a tree is read once for a block of rows, and each
split compares one column, whose cells stand side by side, with one threshold.

Cost: O(depth) for each row and tree.
"""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array, Block
from aprendiz.ensemble.forest.forest import Forest
from aprendiz.tree.shared.descent import cells_of

MANY_ROWS = 64  # rows that are worth being turned into columns; four times as many where trees are small
SMALL = 64  # nodes of a small tree
FEW_ROWS = 4  # rows that go on alone


class ForestDescent:
    """A forest made ready for many rows."""

    def __init__(self, forest: Forest):
        self.forest = forest
        self.nodes = forest.nodes, forest.level_start, forest.level_branch

    def leaves(self, block: Block) -> Array:
        """The leaf of each row in each tree, counted from its root."""
        found, cells = np.empty((len(self.forest), len(block)), np.int32), self.cells(block)
        descend(*cells, *self.nodes, self.forest.start[:-1], False, found, rooms(len(block)))
        return np.ascontiguousarray(found.T).astype(np.int64)

    def answers(self, tree: int, block: Block) -> Array:
        """The prediction of one tree for each row, as rows of `value`."""
        found = np.empty((1, len(block)), np.int32)
        descend(*self.cells(block), *self.nodes, self.forest.start[tree : tree + 1], True, found, rooms(len(block)))
        return found[0]

    def sums(self, table: Array, weight: Array, block: Block, first: Array | None = None, trees: slice = slice(None)) -> Array:
        """Σ over the trees of weight × the row of `table` that is their prediction, added to `first` (None: zeros)."""
        starts, total = self.forest.start[:-1][trees][: len(weight)], np.zeros((len(block), table.shape[1]))
        if first is not None:
            total += first
        add_trees(*self.cells(block), *self.nodes, starts, table, weight, rooms(len(block)), total)
        return total

    def cells(self, block: Block) -> tuple[Array | None, Array, Array, Array | None, bool]:
        """The cells of some rows (tree/shared/descent.py), or, if that is worth it, the same with columns side by side instead
        of the numbers, and whether none of these is missing."""
        numbers, codes, where = cells_of(block.X)
        many = MANY_ROWS if len(self.forest.nodes) > SMALL * len(self.forest) else 4 * MANY_ROWS
        if len(block) < many or codes.shape[1] or len(self.forest.level_branch):
            return numbers, codes, where, None, False
        columns = np.ascontiguousarray(numbers.T)
        return None, codes, where, columns, not np.isnan(columns).any()


def rooms(rows: int) -> Array:
    """Room for the numbers of rows: all, a part of them, and parts that wait (node, first row, last row); and for what is found
    of each row."""
    return np.empty((6, rows + 1), np.int32)


# ---- kernels -----------------------------------------------------------------------------------------------------------


@compiled
def descend(
    numbers: Array | None, codes: Array, where: Array, columns: Array | None, complete: bool, nodes: Array, level_start: Array,
    level_branch: Array, starts: Array, answered: bool, found: Array, room: Array,
) -> None:  # fmt: skip
    """The leaf of each row in each of the trees that begin at `starts`, or its prediction."""
    for tree in range(len(starts)):
        go_down(
            numbers, codes, where, columns, complete, nodes, level_start, level_branch, starts[tree], answered, found[tree],
            room,
        )  # fmt: skip


@compiled(inner=True)
def go_down(
    numbers: Array | None, codes: Array, where: Array, columns: Array | None, complete: bool, nodes: Array, level_start: Array,
    level_branch: Array, start: int, answered: bool, found: Array, room: Array,
) -> None:  # fmt: skip
    """The leaf of each row in one tree, or its prediction."""
    if columns is not None:
        divide(columns, complete, nodes[start:], answered, found, room)
    if numbers is not None:
        go_alone(numbers, codes, where, nodes[start:], level_start, level_branch, start, answered, found)


@compiled(inner=True)
def go_alone(
    numbers: Array, codes: Array, where: Array, tree: Array, level_start: Array, level_branch: Array, start: int,
    answered: bool, found: Array,
) -> None:  # fmt: skip
    """The same, one row after another."""
    for i in range(len(found)):
        t = int64(0)
        while tree[t]["feature"] >= 0:
            j, threshold = where[tree[t]["feature"]], tree[t]["threshold"]
            b = -1
            if j >= 0:
                x = numbers[i, j]
                if x == x:
                    b = int64(not x <= threshold)
            else:
                code = codes[i, -1 - j]
                if code >= 0 and threshold == threshold:
                    b = int64(not code <= threshold)
                elif code >= 0:
                    b = int64(level_branch[level_start[start + t] + code])
            if b < 0:
                b = int64(tree[t]["missing"])
            t = int64(tree[t]["second"]) if b == 1 else t + 1
        found[i] = tree[t]["second"] if answered else t


@compiled(inner=True)
def divide(columns: Array, complete: bool, tree: Array, answered: bool, found: Array, room: Array) -> None:
    """The same for rows of numbers, node by node. A part that waits is a node and a range of `rows`."""
    rows, other, node, begin, end, waiting = room[0], room[1], room[2], room[3], room[4], int64(1)
    for i in range(len(found)):
        rows[i] = i
    node[0], begin[0], end[0] = 0, 0, len(found)
    while waiting > 0:
        waiting -= 1
        t, low, high = int64(node[waiting]), int64(begin[waiting]), int64(end[waiting])
        while high - low > FEW_ROWS and tree[t]["feature"] >= 0:
            here = tree[t]
            j, threshold, missing, second = here["feature"], here["threshold"], here["missing"] == 1, int64(here["second"])
            middle, count = low, int64(0)
            for i in range(low, high):  # those of the first branch to the front, the others aside
                r = rows[i]
                x = columns[j, r]
                right = int64(x > threshold) if complete else int64((x > threshold) | ((x != x) & missing))
                rows[middle], other[count] = r, r
                middle, count = middle + 1 - right, count + right
            for i in range(count):
                rows[middle + i] = other[i]
            if middle == low:
                t = second
                continue
            if middle < high:
                node[waiting], begin[waiting], end[waiting] = second, middle, high
                waiting += 1
            t, high = t + 1, middle
        for i in range(low, high):
            u, r = t, rows[i]
            while tree[u]["feature"] >= 0:
                here = tree[u]
                x = columns[here["feature"], r]
                right = int64((x > here["threshold"]) | ((x != x) & (here["missing"] == 1)))
                u = int64(here["second"]) if right else u + 1
            found[r] = tree[u]["second"] if answered else u


@compiled
def add_trees(
    numbers: Array | None, codes: Array, where: Array, columns: Array | None, complete: bool, nodes: Array, level_start: Array,
    level_branch: Array, starts: Array, table: Array, weight: Array, room: Array, total: Array,
) -> None:  # fmt: skip
    """Add the weighted predictions of the trees, one after the other, to `total`."""
    found = room[5, : len(total)]
    for tree in range(len(starts)):
        go_down(numbers, codes, where, columns, complete, nodes, level_start, level_branch, starts[tree], True, found, room)
        w = weight[tree]
        for i in range(len(total)):
            for k in range(table.shape[1]):
                total[i, k] += w * table[found[i], k]
