"""Many trees in a few arrays: the nodes of all of them, one tree behind the other.

A tree of a forest is asked for its prediction alone, so a node keeps little (a `tree.nodes.Tree` has everything, and `tree(i)`
makes one). Nodes stand in depth-first order: the first branch of node t is t + 1, the second one `second[t]`, counted from the
root of its tree. All splits have two branches; nodes.py says which cells take which.

A leaf (feature −1) has in `second` the row of `value` that is its prediction. Leaves of a single class share it: the first K
rows of `value` are the K classes. Fully grown trees have hardly any other leaves.

The 16 bytes that a row needs of a node stand together. Memory: 20 bytes an inner node, 24 a leaf of a single class.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.tree.shared import nodes as single

FOREST_LEAF = -1  # what `feature` is in a leaf
ARRAYS = ("start", "nodes", "level_start", "level_branch", "impurity", "value", "leaf_rows", "leaf_weight")


@dataclass(frozen=True)
class Forest:
    """The nodes of all trees (see above).

    Attributes
    ----------
    start : int64 of shape (trees + 1,)
        Where the nodes of each tree begin.
    nodes : records of shape (nodes,)
        threshold    NaN where the split is by levels
        second       the second branch, or the prediction of a leaf
        feature      column of the split, −1 in a leaf
        missing      the branch of missing cells
    level_start, level_branch : int64 of shape (nodes + 1,), or empty if no column has levels; int8
        The branch of each level, −1 where the node knows nothing of it.
    impurity : float32
        Of the nodes one after the other, without the leaves of a single class, where it is 0.
    value : float64 of shape (predictions, classes or outputs)
        Shares of the classes, or numbers.
    leaf_rows, leaf_weight : int32 and float32 of shape (leaves,)
        How many rows of the fit each leaf had, and their weight.
    classes : int
        0 for numbers.
    """

    start: Array
    nodes: Array
    level_start: Array
    level_branch: Array
    impurity: Array
    value: Array
    leaf_rows: Array
    leaf_weight: Array
    classes: int

    def __len__(self) -> int:
        return len(self.start) - 1

    @property
    def arrays(self) -> dict[str, Array]:
        """The arrays by name."""
        return {name: getattr(self, name) for name in ARRAYS}

    @cached_property
    def impurity_start(self) -> Array:
        """Where the impurities of each tree begin."""
        return np.concatenate([[0], np.cumsum(has_impurity(self.nodes, self.classes))])[self.start]

    def impurities(self, number: int) -> Array:
        """The impurity of each node of a tree."""
        nodes = self.nodes[self.start[number] : self.start[number + 1]]
        found = np.zeros(len(nodes))
        found[has_impurity(nodes, self.classes)] = self.impurity[self.impurity_start[number] : self.impurity_start[number + 1]]
        return found

    @cached_property
    def leaf_start(self) -> Array:
        """Where the leaves of each tree begin."""
        return np.concatenate([[0], np.cumsum(self.nodes["feature"] == FOREST_LEAF)])[self.start]

    def first(self, trees: int) -> Forest:
        """The first trees alone."""
        end, leaves = self.start[trees], self.leaf_start[trees]
        levels = self.level_start[: end + 1]
        return replace(
            self,
            start=self.start[: trees + 1],
            nodes=self.nodes[:end],
            impurity=self.impurity[: self.impurity_start[trees]],
            level_start=levels,
            level_branch=self.level_branch[: levels[-1] if len(levels) else 0],
            leaf_rows=self.leaf_rows[:leaves],
            leaf_weight=self.leaf_weight[:leaves],
        )

    def tree(self, number: int) -> single.Tree:
        """One tree with all that is known of it. The prediction of an inner node is the mean of those of its leaves."""
        here = slice(self.start[number], self.start[number + 1])
        leaves = slice(self.leaf_start[number], self.leaf_start[number + 1])
        feature, second = self.nodes["feature"][here].astype(np.int64), self.nodes["second"][here].astype(np.int64)
        leaf, asks = feature == FOREST_LEAF, np.flatnonzero(feature != FOREST_LEAF)
        rows, weight, value = np.zeros(len(leaf), np.int64), np.zeros(len(leaf)), np.zeros((len(leaf), self.value.shape[1]))
        rows[leaf], weight[leaf], value[leaf] = self.leaf_rows[leaves], self.leaf_weight[leaves], self.value[second[leaf]]
        add_up(feature, second, rows, weight, value)
        levels = {}
        if len(self.level_start):
            runs = self.level_start[here.start : here.stop + 1]
            branch = self.level_branch[runs[0] : runs[-1]].astype(np.int32)
            levels = {"level_start": runs - runs[0], "level_branch": branch}
        return single.Tree.of(
            feature=np.where(leaf, single.LEAF, feature),
            threshold=self.nodes["threshold"][here].copy(),
            child_start=single.starts(np.where(leaf, 0, 2)),
            children=np.column_stack([asks + 1, second[asks]]).ravel(),
            missing_branch=self.nodes["missing"][here].astype(np.int32),
            impurity=self.impurities(number),
            n_node_samples=rows,
            weighted_n_node_samples=weight,
            value=value[:, None, :] if self.classes else value[:, :, None],
            **levels,
        )


def empty_forest(columns: int, classes: int, outputs: int, levels: bool) -> Forest:
    """A forest without trees."""
    return Forest(
        start=np.zeros(1, np.int64),
        nodes=np.zeros(0, node_type(columns)),
        level_start=np.zeros(1 if levels else 0, np.int64),
        level_branch=np.zeros(0, np.int8),
        impurity=np.zeros(0, np.float32),
        value=np.eye(classes) if classes else np.zeros((0, outputs)),
        leaf_rows=np.zeros(0, np.int32),
        leaf_weight=np.zeros(0, np.float32),
        classes=classes,
    )


def node_type(columns: int) -> np.dtype[Any]:
    """The type of a node: 16 bytes, with many columns 24."""
    feature, missing = (np.int16, np.int16) if columns < 2**15 else (np.int32, np.int64)  # and no gaps
    return np.dtype([("threshold", np.float64), ("second", np.int32), ("feature", feature), ("missing", missing)], align=True)


def has_impurity(nodes: Array, classes: int) -> Array:
    """Which nodes are no leaves of a single class."""
    return (nodes["feature"] != FOREST_LEAF) | (nodes["second"] >= classes)


@compiled
def add_up(feature: Array, second: Array, rows: Array, weight: Array, value: Array) -> None:
    """Rows, weight and mean prediction of the inner nodes, from the leaves up."""
    for t in range(len(feature) - 1, -1, -1):
        if feature[t] < 0:
            continue
        a, b = t + 1, second[t]
        rows[t], weight[t] = rows[a] + rows[b], weight[a] + weight[b]
        for k in range(value.shape[1]):
            value[t, k] = (weight[a] * value[a, k] + weight[b] * value[b, k]) / weight[t]


# ---- planting ----------------------------------------------------------------------------------------------------------


class GrowingForest:
    """A forest to which trees are added. What `forest` gave stays as it was."""

    def __init__(self, before: Forest, trees: int):
        self.classes = before.classes
        self.arrays_so_far = {name: GrowingArray(array, trees) for name, array in before.arrays.items()}

    def add(self, one: Forest) -> int:
        """Put a tree behind the others. Returns the place of its first own prediction."""
        arrays_so_far = self.arrays_so_far
        answers = arrays_so_far["value"].used
        leaf = one.nodes["feature"] == FOREST_LEAF
        own = leaf & (one.nodes["second"] >= self.classes)  # not the predictions that all trees share
        nodes = one.nodes.copy()
        nodes["second"][own] += answers - self.classes
        arrays_so_far["nodes"].add(nodes)
        arrays_so_far["start"].add(arrays_so_far["start"].view[-1:] + one.start[1:])
        arrays_so_far["value"].add(one.value[self.classes :])
        if len(one.level_start):
            arrays_so_far["level_start"].add(arrays_so_far["level_start"].view[-1:] + one.level_start[1:])
        for name in ("level_branch", "impurity", "leaf_rows", "leaf_weight"):
            arrays_so_far[name].add(getattr(one, name))
        return answers

    @property
    def forest(self) -> Forest:
        """The trees so far."""
        return Forest(**{name: pile.view for name, pile in self.arrays_so_far.items()}, classes=self.classes)


MAX_ROOM = 2**26  # cells that are reserved before they are needed, where that is more than doubling


class GrowingArray:
    """Arrays one behind the other in a buffer that is filled from the front: views of the front stay as they are. The buffer
    has room for as many parts as are expected (pages that nobody has written to take no memory)."""

    def __init__(self, first: Array, parts: int):
        self.used, self.left, self.room = len(first), max(parts, 1), -1
        self.buffer, self.to_read = first, read_only(first)

    @property
    def view(self) -> Array:
        """All that is there, read-only."""
        return self.to_read[: self.used]

    def add(self, part: Array) -> None:
        end = self.used + len(part)
        if end > self.room:  # at first, always: the first array belongs to somebody else
            self.room = end + min(int(1.1 * len(part) * (self.left - 1)), max(end, MAX_ROOM))
            buffer = np.empty((self.room, *self.buffer.shape[1:]), self.buffer.dtype)
            buffer[: self.used] = self.view
            self.buffer, self.to_read = buffer, read_only(buffer)
        self.buffer[self.used : end] = part
        self.used, self.left = end, max(self.left - 1, 1)


def read_only(array: Array) -> Array:
    """The same array for readers."""
    view = array.view()
    view.flags.writeable = False
    return view
