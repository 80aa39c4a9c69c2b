"""Forests for numbers."""

from __future__ import annotations

import numpy as np

from aprendiz.core.rows import Array, Rows
from aprendiz.ensemble.averaging import AveragingEnsemble
from aprendiz.ensemble.random_trees import RandomTrees
from aprendiz.ensemble.tree_maker import TreeMaker
from aprendiz.ensemble.workshop import Workshop
from aprendiz.tree.coding import CodedTable
from aprendiz.tree.decision_tree_regressor import DecisionTreeRegressor
from aprendiz.tree.regression_tree import refuse_targets


class RegressionForest(AveragingEnsemble, RandomTrees):
    """The base of forests for numbers."""

    def charged(self, rows: Rows) -> tuple[Rows, Array | None]:
        rows.sum(refuse_targets, self.plan())
        return rows, None

    def tree_maker(self, table: CodedTable, shop: Workshop) -> TreeMaker:
        z = np.ascontiguousarray(shop.y.reshape(shop.count, -1), dtype=np.float64)
        return TreeMaker(table, np.empty(0, np.int32), z, None, None, self.plan(), self.ccp_alpha)

    def bare_tree(self) -> DecisionTreeRegressor:
        return DecisionTreeRegressor(criterion=self.criterion, splitter=self.splitter, max_features=self.max_features)
