"""Forests for classes: weights of classes, priors and costs as in a single tree (tree/shared/classification_tree.py)."""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.class_weights import reweighted
from aprendiz.core.rows import Array, Rows
from aprendiz.ensemble.forest.random_trees import RandomTrees
from aprendiz.ensemble.members.ensemble_data import EnsembleData
from aprendiz.ensemble.members.voting import VotingEnsemble
from aprendiz.tree.decision_tree_classifier import DecisionTreeClassifier
from aprendiz.tree.shared.classification_tree import checked_costs


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

    def balanced(self, counts: Array, data: EnsembleData) -> Array:
        if self.class_weight != "balanced_subsample":
            return counts
        total = np.bincount(data.y, counts, data.classes)
        return counts * (counts.sum() / (data.classes * np.maximum(total, 1e-300)))[data.y]

    def bare_tree(self) -> DecisionTreeClassifier:
        return DecisionTreeClassifier(**self.growth_parameters(), priors=self.priors, costs=self.costs)
