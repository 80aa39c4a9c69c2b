"""What a learner says of the columns while it is fitted, method by method: a score for each column, and which ones it uses.

    lasso                e_j, the penalty at which the column enters the path (penalty_paths.py)              (1)
                         uses: w_j ≠ 0 at the penalty with the smallest error on inner folds
    shrunken centroids   max_k |d_kj|, the threshold at which the column drops out                            (2)
                         uses: those that are left at the threshold with the smallest error
    tree                 decrease of the impurity by splits on the column                                     (3)
                         uses: those it splits on
    forest               what out-of-bag rows lose when the column is permuted                                (4)
                         uses: mean loss of at least three standard errors over the trees
    another learner      ‖w_j‖, or its `feature_importances_`                                                 (5)
                         uses: those of at least the mean importance, or above 10⁻⁵ if it makes zeros

Cost: that of the fits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from sklearn.base import clone

from aprendiz.bayes import NearestShrunkenCentroids
from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.ensemble import RandomForestClassifier, RandomForestRegressor
from aprendiz.linear import LassoCV, LogisticRegressionCV
from aprendiz.selection.importances.importance_threshold import norms, threshold_of
from aprendiz.selection.importances.penalty_paths import entries, falling, least_penalty, standardised
from aprendiz.selection.shared.feature_importances import raw_importances
from aprendiz.selection.shared.target_of_task import as_floats
from aprendiz.tree import DecisionTreeClassifier, DecisionTreeRegressor

Method = Literal["lasso", "shrunken_centroids", "tree", "forest"]
PENALTIES = 100
STRENGTHS = 10  # penalties of logistic regression that folds compare
CLEAR = 3.0  # standard errors of an importance


@dataclass(frozen=True)
class EmbeddedScores:
    """The scores, which columns the learner itself uses (None if nobody asked), why that may be none, and the learner."""

    scores: Array
    used: Array | None
    why: str
    model: Any


@dataclass(frozen=True)
class Embedding:
    """What a method needs: the rows, the table and the target as they were given, the folds and the seed, and whether it is to
    say which columns it uses."""

    rows: ArrayRows
    X: Any
    y: Any
    cv: Any
    seed: int
    n_estimators: int
    asks: bool

    @property
    def of_classes(self) -> bool:
        return self.rows.labels is not None

    @property
    def told(self) -> dict[str, Any]:
        """The weights, for the fit of a learner."""
        return {} if self.rows.weight is None else {"sample_weight": self.rows.weight}


def by_lasso(task: Embedding) -> EmbeddedScores:
    """(1)."""
    rows = task.rows
    Z = standardised(as_floats(rows.X), rows.weight)
    assert rows.y is not None
    y = rows.y if task.of_classes else rows.y.astype(np.float64)
    found = entries(Z, y, rows.labels, falling(PENALTIES, least_penalty(*Z.shape)), weight=rows.weight)
    if not task.asks:
        return EmbeddedScores(found.entry, None, "", None)
    if task.of_classes:
        told = {"l1_ratios": (1.0,), "use_legacy_attributes": False, "scoring": "neg_log_loss"}
        model: Any = LogisticRegressionCV(Cs=strengths(Z, y, rows.labels), cv=task.cv, **told).fit(Z, y, **task.told)  # type: ignore[arg-type]
    else:
        model = LassoCV(cv=task.cv).fit(Z, y, **task.told)
    used = np.asarray(np.atleast_2d(model.coef_).any(axis=0))
    why = "the penalty with the smallest error on inner folds leaves no coefficient: nothing in the table predicts the target"
    return EmbeddedScores(found.entry, used, why, model)


def strengths(Z: Array, y: Array, labels: Array) -> Array:
    """C from where nothing enters to where a tenth of that penalty is paid, and less."""
    shares = np.bincount(y, minlength=len(labels)) / len(y)
    apart = np.eye(len(labels))[y] - shares
    largest = max(float(np.abs(apart.T @ Z).max()), 1e-300)
    return 1.0 / (largest * falling(STRENGTHS, 0.02))


def by_centroids(task: Embedding) -> EmbeddedScores:
    """(2)."""
    if not task.of_classes:
        raise ValueError("estimator='shrunken_centroids' compares classes, but the target is a quantity: choose 'lasso'.")
    threshold = "cv" if task.asks else 0.0
    model = NearestShrunkenCentroids(threshold, cv=task.cv).fit(task.X, task.y, **task.told)
    scores = model.differences_of(model.sums_)[0].largest
    why = "the threshold with the smallest error on inner folds leaves no column: the priors alone predict as well"
    return EmbeddedScores(scores, model.selected_features_ if task.asks else None, why, model)


def by_tree(task: Embedding) -> EmbeddedScores:
    """(3)."""
    kind = DecisionTreeClassifier if task.of_classes else DecisionTreeRegressor
    model = kind(random_state=task.seed).fit(task.X, task.y, **task.told)
    scores = model.feature_importances_
    return EmbeddedScores(scores, scores > 0, "the tree is a single leaf", model)


def by_forest(task: Embedding) -> EmbeddedScores:
    """(4)."""
    kind = RandomForestClassifier if task.of_classes else RandomForestRegressor
    model = kind(task.n_estimators, random_state=task.seed).fit(task.X, task.y, **task.told)
    return by_permutation(task, model)


def by_permutation(task: Embedding, model: Any) -> EmbeddedScores:
    """(4) of a fitted forest."""
    found = model.oob_permutation_importance(task.X, task.y, random_state=task.seed)
    why = f"no importance is as large as {CLEAR:g} standard errors; the largest is {found.z.max():.3g}"
    return EmbeddedScores(found.mean, (found.mean > 0) & (found.z >= CLEAR), why, model)


def by_learner(task: Embedding, learner: Any, getter: str | Callable[[Any], Any]) -> EmbeddedScores:
    """(5)."""
    model = clone(learner)
    if task.y is None:
        model.fit(task.X, **task.told)
    else:
        model.fit(task.X, task.y, **task.told)
    if isinstance(getter, str) and getter == "oob_permutation":
        if not hasattr(model, "oob_permutation_importance"):
            raise ParameterError(
                "importance_getter='oob_permutation' needs a forest of this library with bootstrap=True, not "
                f"{type(model).__name__}."
            )
        return by_permutation(task, model)
    scores = norms(raw_importances(model, getter), 2)
    least = threshold_of(None, scores, learner)
    return EmbeddedScores(
        scores, scores >= least, f"no importance reaches {least:.6g}, the largest is {scores.max():.6g}", model
    )


METHODS: dict[str, Callable[[Embedding], EmbeddedScores]] = {
    "lasso": by_lasso,
    "shrunken_centroids": by_centroids,
    "tree": by_tree,
    "forest": by_forest,
}
ALLOWED: dict[str, frozenset[str]] = {
    "lasso": frozenset({"sparse"}),
    "shrunken_centroids": NearestShrunkenCentroids.allows,
    "tree": DecisionTreeClassifier.allows,
    "forest": RandomForestClassifier.allows,
}
