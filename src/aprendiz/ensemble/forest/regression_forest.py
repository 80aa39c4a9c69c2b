"""Forests for numbers."""

from __future__ import annotations

from aprendiz.core.rows import Array, Rows
from aprendiz.ensemble.forest.random_trees import RandomTrees
from aprendiz.ensemble.members.averaging import AveragingEnsemble
from aprendiz.tree.decision_tree_regressor import DecisionTreeRegressor
from aprendiz.tree.shared.regression_tree import refuse_targets


class RegressionForest(AveragingEnsemble, RandomTrees):
    """The base of forests for numbers."""

    def charged(self, rows: Rows) -> tuple[Rows, Array | None]:
        rows.sum(refuse_targets, self.bare_tree().plan())
        return rows, None

    def bare_tree(self) -> DecisionTreeRegressor:
        return DecisionTreeRegressor(**self.growth_parameters())
