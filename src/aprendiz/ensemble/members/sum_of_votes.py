"""An ensemble of trees as a sum of them, and what one row owes to its columns.

(1) of ensemble.py:  Σ_m (α_m / Σ α) v_m(x)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.rows import Array
from aprendiz.core.targets import plain
from aprendiz.ensemble.forest.forest import Forest
from aprendiz.tree.contributions.additive_trees import AdditiveTrees, Meaning, SumOfTrees, WeightedTree
from aprendiz.tree.contributions.row_contributions import RowContributions, explain
from aprendiz.tree.shared.several_targets import refuse_several


class SumOfVotes(SumOfTrees):
    """A base of `Ensemble`."""

    models_: list[Any]
    forest_: Forest
    costs_: Array | None
    adds: Meaning = "probability"  # what the votes of classifiers add up to
    votes: Callable[[Array, Array | None], Array]
    member_weights: Callable[[], Array]
    sums: Callable[[Any], Array]

    def refuse_models(self, what: str) -> None:
        """What only trees can tell."""
        check_is_fitted(self)
        if self.models_:
            raise TypeError(f"{what} needs decision trees, but the members of this ensemble are not.")

    def additive_trees(self) -> AdditiveTrees:
        self.refuse_models("A sum of trees")
        refuse_several(self, "A sum of trees")
        shares, costs = self.member_weights() / self.member_weights().sum(), getattr(self, "costs_", None)

        def made(number: int) -> WeightedTree:
            tree = self.forest_.tree(number)
            return WeightedTree(tree, shares[number] * self.votes(tree.value.reshape(tree.node_count, -1), costs))

        outputs = self.forest_.value.shape[1]
        if self.target == "numbers":
            return AdditiveTrees(len(shares), made, np.zeros(outputs), "number", tuple(range(outputs)) if outputs > 1 else ())
        labels = tuple(map(plain, self.classes_))
        return AdditiveTrees(len(shares), made, np.zeros(outputs), self.adds, labels)

    def additive_response(self, X: Any) -> Array:
        return self.sums(X) / self.member_weights().sum()

    def explain(self, row: Any) -> RowContributions:
        """What each column adds to the prediction for one row, in words and as a picture.

        Parameters
        ----------
        row : dict of column to cell, sequence of cells, row of a data frame, or table with one row
        """
        return explain(self, row)
