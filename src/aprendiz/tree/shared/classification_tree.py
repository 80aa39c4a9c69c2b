"""Trees that predict a class: shares of the classes in a leaf, and the prediction of least expected cost.

With N_k(t) the weight of class k in node t (after class weights), priors π and costs C(k, l) of predicting l where k is true,

    p_k(t) ∝ π_k N_k(t) / N_k(root),     prediction of t = argmin_l Σ_k p_k(t) C(k, l)                         (1)

Without priors π_k is the share of the class. Costs also change the splits: the search sees each class with the weight

    π'_k ∝ π_k·Σ_l C(k, l)                                                                                    (2)

("altered priors"), which is exact where the cost depends on the true class alone, as it does with two classes.

Reference: Breiman, Friedman, Olshen & Stone, "Classification and Regression Trees", 1984, section 4.4.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.class_weights import Totals, reweight
from aprendiz.core.learner import Classifier
from aprendiz.core.rows import Array, Rows
from aprendiz.core.several_targets import labelled
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.targets import classes, plain
from aprendiz.tree.contributions.additive_trees import AdditiveTrees, column_names
from aprendiz.tree.growth.plan import Plan
from aprendiz.tree.pruning.prunable_tree import PrunableTree
from aprendiz.tree.pruning.risk import decisions, equal_costs
from aprendiz.tree.reading.labelled_tree import Labelled
from aprendiz.tree.reading.readable_tree import ReadableTree
from aprendiz.tree.shared.decision_tree import counting_rows, grown_tree, sum_of_one
from aprendiz.tree.shared.several_targets import grown_for_targets, refuse_several


class ClassificationTree(Classifier, ReadableTree, PrunableTree):
    """The base of trees for classes."""

    least_classes = 1
    class_weight: Any = None
    priors: Any = None
    costs: Any = None
    classes_: Any  # an array, or a list of one for each of several targets
    costs_: Any

    def grow(self, rows: Rows, plan: Plan, seed: int) -> dict[str, Any]:
        if rows.several is not None:
            return grown_for_targets(self, rows, plan, seed)
        labels = rows.labels
        assert labels is not None
        if self.class_weight is not None:
            rows = reweight(rows, self.class_weight)
            rows = counting_rows(rows) if in_memory(rows) else rows
        costs = checked_costs(self.costs, labels)
        total = rows.sum(Totals.of, len(labels)).weight
        prior = prior_factors(self.priors, labels, total)
        factors = altered_priors(costs, prior * total)
        tree, search = grown_tree(rows, plan, seed, prior * factors, factors)
        return {
            "tree_": tree,
            "classes_": labels,
            "n_classes_": len(labels),
            "n_outputs_": 1,
            "costs_": costs,
            "search": search,
        }

    def predict_proba(self, X: Any, check_input: bool = True) -> Any:
        """The class proportions in the leaf of each row; of several targets, a list with those of each."""
        values = self.values(X)
        if self.n_outputs_ > 1:
            return [np.ascontiguousarray(values[:, k, :size]) for k, size in enumerate(self.n_classes_)]
        return np.ascontiguousarray(values[:, 0, :])

    def predict_log_proba(self, X: Any) -> Any:
        """The logarithms of `predict_proba`."""
        shares = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return [np.log(one) for one in shares] if isinstance(shares, list) else np.log(shares)

    def predict(self, X: Any, check_input: bool = True) -> Array:
        """The class of least expected cost for each row: (1)."""
        check_is_fitted(self)
        if self.n_outputs_ > 1:
            return labelled(self.values(X).argmax(axis=2), self.classes_)
        if (self.tree_.missing_branch < 0).any():  # rows may be shared out among leaves
            return self.classes_[(self.predict_proba(X) @ self.costs_).argmin(axis=1)]
        return self.classes_[decisions(self.tree_, self.costs_)][self.apply(X)]

    def additive_trees(self) -> AdditiveTrees:
        check_is_fitted(self)
        refuse_several(self, "A sum of trees")
        return sum_of_one(self.tree_, "probability", tuple(map(plain, self.classes_)))

    def encode_target(self, y: Any, count: int) -> Array:
        refuse_several(self, "prune")
        return classes(y, count, among=self.classes_)[1]

    def label_tree(self) -> Labelled:
        refuse_several(self, "A tree in words")
        labels = tuple(plain(label) for label in self.classes_)
        answers = tuple(labels[k] for k in decisions(self.tree_, self.costs_))
        costs = None if np.array_equal(self.costs_, equal_costs(len(labels))) else self.costs_
        return Labelled(self.tree_, column_names(self), self.columns_, labels, costs, answers)


def checked_costs(costs: Any, labels: Array) -> Array:
    """C of (1): 1 for every error, or as given."""
    if costs is None:
        return equal_costs(len(labels))
    given, classes = np.asarray(costs, dtype=np.float64), len(labels)
    if given.shape != (classes, classes):
        raise ValueError(
            f"costs has shape {given.shape}, but y has {classes} classes ({', '.join(map(str, labels[:5]))}…): "
            f"give {classes} rows (true classes) of {classes} predictions."
        )
    if not (np.isfinite(given).all() and (given >= 0).all()):
        k, l = np.argwhere(~(np.isfinite(given) & (given >= 0)))[0]
        raise ValueError(f"costs holds {given[k, l]} in row {k}, column {l}: costs are numbers of at least 0.")
    if np.diag(given).any():
        k = int(np.flatnonzero(np.diag(given))[0])
        raise ValueError(
            f"costs holds {given[k, k]:g} for a right prediction (class {plain(labels[k])!r}): the diagonal must be 0."
        )
    if not given.any(axis=1).all():
        k = int(np.flatnonzero(~given.any(axis=1))[0])
        raise ValueError(f"No wrong prediction for class {plain(labels[k])!r} has a cost: its row of costs is 0.")
    return given


def prior_factors(priors: Any, labels: Array, total: Array) -> Array:
    """What the weight of each class is multiplied by, so that the classes have the given shares."""
    if priors is None:
        return np.ones(len(labels))
    given = np.asarray(priors, dtype=np.float64)
    if given.shape != (len(labels),):
        raise ValueError(f"priors has shape {given.shape}, but y has {len(labels)} classes: give a share for each.")
    if not (np.isfinite(given).all() and (given > 0).all() and abs(given.sum() - 1.0) <= 1e-6):
        raise ValueError(f"priors must be shares above 0 that add to 1, got {given.tolist()}.")
    if not total.all():
        raise ValueError(f"No row of class {plain(labels[np.argmin(total)])!r} has weight: its prior says nothing about it.")
    return given / given.sum() * total.sum() / total


def altered_priors(costs: Array, total: Array) -> Array:
    """(2), as factors that keep the total weight; ones where all errors cost the same."""
    row = costs.sum(axis=1)
    return np.ones(len(row)) if (row == row[0]).all() else row * total.sum() / (row * total).sum()
