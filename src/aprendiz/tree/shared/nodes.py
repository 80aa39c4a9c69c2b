"""The nodes of a decision tree, as arrays.

Nodes stand in depth-first order: the root is 0, a node stands before its children, and the first branch comes first. A node
that is no leaf splits on one column, `feature[t]`:

    x ≤ threshold[t] ?      branch 0, else branch 1 (numbers; of an ordinal column, the number of the level)
    which level ?           branch level_branch[level_start[t] + level]; threshold is NaN
    the cell is missing     as the first surrogate split whose cell is known says, else branch missing_branch[t];
                            −1 stands for every branch, in proportion to the weight of the children

A level that no row of the fit had in that node (branch −1) counts as missing. Branch b of node t leads to
`children[child_start[t] + b]`. The names of the arrays are scikit-learn's where it has the same.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.tree.shared.tree_methods import TreeMethods

LEAF, NOBODY = -2, -1  # what `feature` is in a leaf, and the parent of the root
LARGEST = float(np.finfo(np.float64).max)  # a threshold between all numbers and the missing cells


@dataclass(frozen=True)
class Tree(TreeMethods):
    """Nodes, their splits and what is known of the rows in them (see above).

    Attributes
    ----------
    feature : int64 of shape (nodes,)
        Column of the split, −2 in a leaf.
    threshold : float64 of shape (nodes,)
        −2 in a leaf.
    child_start, children : int64 of shape (nodes + 1,) and (nodes − 1,)
    level_start, level_branch : int64 of shape (nodes + 1,), int32
        A node without a split on levels has none.
    missing_branch : int32 of shape (nodes,)
    impurity, weighted_n_node_samples : float64 of shape (nodes,)
    n_node_samples : int64 of shape (nodes,)
    value : float64 of shape (nodes, outputs, classes)
        Class proportions, or means of the outputs (one "class").
    surrogate_start, surrogate_feature, surrogate_threshold : int64 of shape (nodes + 1,), int64, float64
    surrogate_first : int32
        The branch of x ≤ threshold.
    surrogate_level_start, surrogate_level_branch : int64, int32
        As for the nodes' own splits.
    surrogate_agreement : float64
        Share of the rows known in both columns that the surrogate sends where the split does.
    n_features : int
        Columns of the table; 0 if the tree was not told.
    counts : int64 of shape (outputs,), optional
        Classes of each of several targets: those that have fewer than others have zeros in `value` behind theirs.
    """

    feature: Array
    threshold: Array
    child_start: Array
    children: Array
    level_start: Array
    level_branch: Array
    missing_branch: Array
    impurity: Array
    n_node_samples: Array
    weighted_n_node_samples: Array
    value: Array
    surrogate_start: Array
    surrogate_feature: Array
    surrogate_threshold: Array
    surrogate_first: Array
    surrogate_level_start: Array
    surrogate_level_branch: Array
    surrogate_agreement: Array
    n_features: int = 0
    counts: Array | None = None

    @classmethod
    def of(cls, **arrays: Any) -> Tree:
        """A tree from some of its arrays: without the others, no splits on levels, no surrogates, and missing cells go
        to the heaviest branch."""
        nodes = len(arrays["feature"])
        nothing, whole = np.zeros(0), np.zeros(nodes + 1, np.int64)
        usual: dict[str, Array] = {
            "level_start": whole,
            "level_branch": nothing.astype(np.int32),
            "surrogate_start": whole,
            "surrogate_feature": nothing.astype(np.int64),
            "surrogate_threshold": nothing,
            "surrogate_first": nothing.astype(np.int32),
            "surrogate_level_start": np.zeros(1, np.int64),
            "surrogate_level_branch": nothing.astype(np.int32),
            "surrogate_agreement": nothing,
        }
        if "missing_branch" not in arrays:
            arrays["missing_branch"] = heaviest_branches(
                arrays["child_start"], arrays["children"], arrays["weighted_n_node_samples"]
            )
        return cls(**{**usual, **arrays})

    # ---- looking at it -------------------------------------------------------------------------------------------------

    @property
    def node_count(self) -> int:
        return len(self.feature)

    @property
    def is_leaf(self) -> Array:
        return self.feature == LEAF

    @property
    def n_leaves(self) -> int:
        return int(self.is_leaf.sum())

    def children_of(self, node: Any) -> Array:
        """The children of a node, branch by branch."""
        return self.children[self.child_start[node] : self.child_start[node + 1]]

    def levels_of(self, node: Any) -> Array:
        """The branch of each level, where the node splits on levels; else empty."""
        return self.level_branch[self.level_start[node] : self.level_start[node + 1]]

    @cached_property
    def parent(self) -> Array:
        """The parent of each node, −1 for the root."""
        parent = np.full(self.node_count, NOBODY, np.int64)
        parent[self.children] = np.repeat(np.arange(self.node_count), np.diff(self.child_start))
        return parent

    @cached_property
    def depth(self) -> Array:
        """Splits between the root and each node: those to a node above it, which is twice as far in each round."""
        above = np.maximum(self.parent, 0)
        depth = (self.parent != NOBODY).astype(np.int64)
        while above.any():
            depth, above = depth + depth[above], above[above]
        return depth

    @property
    def max_depth(self) -> int:
        return int(self.depth.max())

    @cached_property
    def last(self) -> Array:
        """One past the last node of each subtree: the nodes below t are t + 1, …, last[t] − 1."""
        last = np.arange(1, self.node_count + 1)
        for node in range(self.node_count - 1, 0, -1):
            last[self.parent[node]] = max(last[self.parent[node]], last[node])
        return last

    @cached_property
    def leaves_below(self) -> Array:
        """Leaves of the subtree of each node: 1 for a leaf."""
        before = np.concatenate([[0], np.cumsum(self.is_leaf)])
        return before[self.last] - before[:-1]

    @property
    def children_left(self) -> Array:
        """The first branch of each node, −1 in a leaf."""
        return self.branch(0)

    @property
    def children_right(self) -> Array:
        """The second branch of each node, −1 in a leaf."""
        return self.branch(1)

    def branch(self, number: int) -> Array:
        there = np.diff(self.child_start) > number
        found = np.full(self.node_count, NOBODY, np.int64)
        found[there] = self.children[self.child_start[:-1][there] + number]
        return found

    @property
    def missing_go_to_left(self) -> Array:
        """Whether a missing cell takes the first branch."""
        return ((self.missing_branch == 0) & ~self.is_leaf).astype(np.uint8)

    # ---- cutting it ----------------------------------------------------------------------------------------------------

    def pruned(self, stumps: Array) -> Tree:
        """The tree in which the nodes marked in `stumps` are leaves."""
        kept = np.ones(self.node_count, bool)
        for node in np.flatnonzero(stumps & ~self.is_leaf):
            kept[node + 1 : self.last[node]] = False
        cut = kept & stumps & ~self.is_leaf
        asks = kept & ~cut & ~self.is_leaf
        new = np.cumsum(kept) - 1
        sizes = np.where(asks, np.diff(self.child_start), 0)
        families = [new[self.children_of(t)] for t in np.flatnonzero(asks)]
        per_node = {f.name: getattr(self, f.name)[kept] for f in fields(self) if f.name in PER_NODE}
        per_node["feature"] = np.where(asks, self.feature, LEAF)[kept]
        per_node["threshold"] = np.where(asks, self.threshold, float(LEAF))[kept]
        level_start, levels = select_runs(self.level_start, self.level_branch, asks, kept)
        surrogate_start, which = select_runs(self.surrogate_start, np.arange(len(self.surrogate_feature)), asks, kept)
        there = np.repeat(asks, np.diff(self.surrogate_start))
        surrogate_level_start, surrogate_levels = select_runs(
            self.surrogate_level_start, self.surrogate_level_branch, there, there
        )
        return replace(
            self,
            **per_node,
            child_start=starts(sizes[kept]),
            children=np.concatenate(families) if families else np.zeros(0, np.int64),
            level_start=level_start,
            level_branch=levels,
            surrogate_start=surrogate_start,
            surrogate_feature=self.surrogate_feature[which],
            surrogate_threshold=self.surrogate_threshold[which],
            surrogate_first=self.surrogate_first[which],
            surrogate_agreement=self.surrogate_agreement[which],
            surrogate_level_start=surrogate_level_start,
            surrogate_level_branch=surrogate_levels,
        )


ARRAYS = tuple(f.name for f in fields(Tree) if f.name not in ("n_features", "counts"))
PER_NODE = ("missing_branch", "impurity", "n_node_samples", "weighted_n_node_samples", "value")


def starts(sizes: Array) -> Array:
    """Where runs of the given sizes begin, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)


def select_runs(start: Array, items: Array, full: Array, kept: Array) -> tuple[Array, Array]:
    """Runs of items for those that are kept, empty unless `full`."""
    sizes = np.where(full, np.diff(start), 0)
    inside = np.repeat(full, np.diff(start))
    return starts(sizes[kept]), items[inside]


def heaviest_branches(child_start: Array, children: Array, weight: Array) -> Array:
    """The branch with the most weight, the first of equals; 0 in a leaf."""
    heaviest = np.zeros(len(child_start) - 1, np.int32)
    for node in np.flatnonzero(np.diff(child_start)):
        heaviest[node] = int(np.argmax(weight[children[child_start[node] : child_start[node + 1]]]))
    return heaviest
