"""Trees that say a number: the mean (or, for absolute errors, the median) of the rows in a leaf."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.learner import Regressor
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.targets import numbers
from aprendiz.tree.contributions.additive_trees import AdditiveTrees, column_names
from aprendiz.tree.growth.plan import Plan
from aprendiz.tree.pruning.prunable_tree import PrunableTree
from aprendiz.tree.reading.labelled_tree import Labelled
from aprendiz.tree.reading.readable_tree import ReadableTree
from aprendiz.tree.shared.decision_tree import grown_tree, sum_of_one


class RegressionTree(Regressor, ReadableTree, PrunableTree):
    """The base of trees for numbers."""

    recursive_dependence = True

    def grow(self, rows: Rows, plan: Plan, seed: int) -> dict[str, Any]:
        rows.sum(refuse_targets, plan)
        tree, search = grown_tree(rows, plan, seed)
        if plan.criterion == "poisson" and not tree.value[0].all():
            raise ValueError("Sum of y is not positive, which is necessary for Poisson regression.")
        return {"tree_": tree, "n_outputs_": tree.value.shape[1], "search": search}

    def predict(self, X: Any, check_input: bool = True) -> Array:
        """The mean (or median) of the leaf of each row."""
        values = self.values(X)[:, :, 0]
        return np.ascontiguousarray(values[:, 0] if self.n_outputs_ == 1 else values)

    def _compute_partial_dependence_recursion(self, grid: Array, target_features: Array) -> Array:
        """What scikit-learn's `partial_dependence` asks of a tree: (1) of tree_methods.py."""
        found = np.zeros(len(grid))
        self.tree_.compute_partial_dependence(np.asarray(grid, dtype=np.float64), target_features, found)
        return found

    def additive_trees(self) -> AdditiveTrees:
        check_is_fitted(self)
        return sum_of_one(self.tree_, "number", tuple(range(self.n_outputs_)) if self.n_outputs_ > 1 else ())

    def encode_target(self, y: Any, count: int) -> Array:
        return numbers(y, count)

    def label_tree(self) -> Labelled:
        values = self.tree_.value[:, :, 0]
        answers = tuple(values[:, 0].tolist()) if self.n_outputs_ == 1 else tuple(map(tuple, values.tolist()))
        return Labelled(self.tree_, column_names(self), self.columns_, None, None, answers)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


def refuse_targets(plan: Plan, block: Block) -> int:
    """What the criterion cannot measure."""
    z = block.y
    if plan.criterion == "poisson" and (z < 0).any():
        row = block.start + int(np.argwhere(z < 0)[0][0])
        raise ValueError(f"Some value(s) of y are negative (row {row}), which is not allowed for Poisson regression.")
    return 0
