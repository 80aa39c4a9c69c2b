"""What scikit-learn's `Tree` can do beside holding arrays, so that code written for it works on ours: export_text, plot_tree,
recursive partial dependence.

Cost: O(depth) a row; partial dependence (tree/contributions/averages.py) O(nodes).
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.rows import Array, Block


class TreeMethods:
    """The base of `Tree` (nodes.py)."""

    feature: Array
    threshold: Array
    children: Array
    child_start: Array
    level_branch: Array
    impurity: Array
    weighted_n_node_samples: Array
    value: Array
    n_features: int
    counts: Array | None

    @property
    @abstractmethod
    def depth(self) -> Array: ...

    @property
    @abstractmethod
    def parent(self) -> Array: ...

    @property
    @abstractmethod
    def is_leaf(self) -> Array: ...

    @property
    def capacity(self) -> int:
        """The number of nodes that there is room for: that of the nodes."""
        return len(self.feature)

    @property
    def n_outputs(self) -> int:
        return int(self.value.shape[1])

    @property
    def n_classes(self) -> Array:
        """The number of classes of each target, 1 for numbers."""
        return np.full(self.n_outputs, self.value.shape[2]) if self.counts is None else self.counts

    @property
    def max_n_classes(self) -> int:
        return int(self.value.shape[2])

    def apply(self, X: Any) -> Array:
        """The leaf of each row of a table of numbers."""
        return self.descent().leaves(block_of(X))

    def predict(self, X: Any) -> Array:
        """The value of the leaf of each row: rows × classes, or rows × outputs (× classes, if there are several)."""
        values: Array = self.descent().values(block_of(X))
        return values[:, 0, :] if self.n_outputs == 1 else values

    def descent(self) -> Any:
        from aprendiz.tree.shared.descent import TreeDescent  # which knows the record that this is a part of

        return TreeDescent(self)  # type: ignore[arg-type]

    def decision_path(self, X: Any) -> Any:
        """The nodes that each row passes: a sparse matrix of rows × nodes, 1 where it does."""
        return self.paths_to(self.apply(X))

    def paths_to(self, leaf: Array) -> Any:
        """The nodes on the way to some leaves, a row for each."""
        depth, parent = self.depth, self.parent
        starts = np.concatenate([[0], np.cumsum(depth[leaf] + 1)])
        nodes, here, at = np.empty(starts[-1], np.int64), leaf.copy(), starts[1:] - 1
        while len(here):
            nodes[at] = here
            deeper = parent[here] >= 0
            here, at = parent[here[deeper]], at[deeper] - 1
        return sparse.csr_matrix((np.ones(len(nodes), np.int64), nodes, starts), shape=(len(leaf), len(self.feature)))

    def compute_node_depths(self) -> Array:
        """The depth of each node, 1 for the root."""
        return self.depth + 1

    def compute_feature_importances(self, normalize: bool = True) -> Array:
        """The decrease of the impurity by the splits on each column, as parts of the weight of the root, or of their sum."""
        found = self.decreases(self.weighted_n_node_samples) / self.weighted_n_node_samples[0]
        return found / found.sum() if normalize and found.sum() > 0 else found

    def decreases(self, weight: Array, columns: int | None = None) -> Array:
        """The decrease of weight × impurity by the splits on each column."""
        total, asks = weight * self.impurity, ~self.is_leaf
        columns = self.n_features if columns is None else columns
        return np.bincount(self.feature[asks], total[asks] - self.sums_of_branches(total), columns).astype(np.float64)

    def sums_of_branches(self, amounts: Array) -> Array:
        """Σ over the branches of each node that is divided."""
        asks = np.flatnonzero(~self.is_leaf)
        return np.add.reduceat(amounts[self.children], self.child_start[asks]) if len(asks) else np.zeros(0)

    def compute_partial_dependence(self, grid: Array, target_features: Array, out: Array) -> None:
        """Add the mean over the other columns for each row of `grid`, whose columns are `target_features`, to `out`."""
        if len(self.level_branch):
            raise ValueError('A tree with splits on levels cannot be averaged by recursion: give method="brute".')
        from aprendiz.tree.contributions.additive_trees import AdditiveTrees, WeightedTree
        from aprendiz.tree.contributions.averages import averages

        table = np.zeros((len(grid), max(int(self.feature.max()), int(np.max(target_features))) + 1))
        table[:, target_features] = grid
        known = np.isin(np.arange(table.shape[1]), target_features)
        one = WeightedTree(self, self.value[:, 0, :1])  # type: ignore[arg-type]
        out += averages(AdditiveTrees(1, lambda _number: one, np.zeros(1), "number"), block_of(table), known)[:, 0]


def block_of(X: Any) -> Block:
    """A table of numbers, dense or sparse, as a block of rows."""
    table = X.toarray() if sparse.issparse(X) else np.asarray(X)
    if table.ndim != 2:
        raise ValueError(f"X must be a table of rows and columns, got an array of shape {table.shape}.")
    return Block(np.ascontiguousarray(table, dtype=np.float32 if table.dtype == np.float32 else np.float64), None, None, 0)
