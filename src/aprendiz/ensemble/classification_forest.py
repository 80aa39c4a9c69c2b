"""Forests for classes: weights of classes, priors and costs as in a single tree (tree/classification_tree.py)."""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.class_weights import reweighted
from aprendiz.core.rows import Array, Rows
from aprendiz.ensemble.random_trees import RandomTrees
from aprendiz.ensemble.tree_maker import TreeMaker
from aprendiz.ensemble.voting import VotingEnsemble
from aprendiz.ensemble.workshop import Workshop
from aprendiz.tree.classification_tree import altered_priors, checked_costs, prior_factors
from aprendiz.tree.coding import CodedTable
from aprendiz.tree.decision_tree_classifier import DecisionTreeClassifier


class ClassificationForest(VotingEnsemble, RandomTrees):
    """The base of forests for classes."""

    class_weight: Any
    priors: Any
    costs: Any

    def charged(self, rows: Rows) -> tuple[Rows, Array | None]:
        assert rows.labels is not None
        if self.class_weight is not None and self.class_weight != "balanced_subsample":
            rows = reweighted(rows, self.class_weight)
        return rows, checked_costs(self.costs, rows.labels)  # type: ignore[arg-type]

    def tree_maker(self, table: CodedTable, shop: Workshop) -> TreeMaker:
        assert shop.labels is not None
        assert shop.costs is not None
        total = np.bincount(shop.y, shop.weight, shop.classes).astype(np.float64)
        prior = prior_factors(self.priors, shop.labels, total)
        factors = altered_priors(shop.costs, prior * total)
        y = shop.y.astype(np.int32)
        return TreeMaker(table, y, np.empty((0, 1)), prior * factors, factors, self.plan(), self.ccp_alpha)

    def balanced(self, counts: Array, shop: Workshop) -> Array:
        if self.class_weight != "balanced_subsample":
            return counts
        total = np.bincount(shop.y, counts, shop.classes)
        return counts * (counts.sum() / (shop.classes * np.maximum(total, 1e-300)))[shop.y]

    def bare_tree(self) -> DecisionTreeClassifier:
        return DecisionTreeClassifier(criterion=self.criterion, splitter=self.splitter, max_features=self.max_features)
