"""Fits of a classifier to the training rows of folds, and its scores of the rows that it has not seen.

    ensemble       a classifier for each fold, calibrated on the test rows of the fold                         (1)
    no ensemble    the scores of all test rows together calibrate one classifier, fitted to all rows           (2)

A learner of one pass is fitted from the sums of the other folds (summaries/other_folds.py), where there are no weights and
every class stands in every training part.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import LeaveOneOut, check_cv
from sklearn.utils import _safe_indexing

from aprendiz.bayes.calibration.calibrated_classifier import (
    CalibratedClassifier,
    calibrate,
    class_scores,
    places,
    response_method,
)
from aprendiz.core.rows import Array
from aprendiz.core.targets import as_target, plain
from aprendiz.summaries.folds import checked_splits, is_partition
from aprendiz.summaries.other_folds import OtherFolds

Splits = Sequence[tuple[Array, Array]]


@dataclass(frozen=True)
class CalibrationData:
    """The rows of a fit: the table as it was given, its target, the numbers of the classes, weights, and what the classifier
    is given beside them."""

    X: Any
    y: Array
    codes: Array
    weight: Array | None
    labels: Array
    params: Mapping[str, Any]

    def fit(self, estimator: Any, rows: Array | None = None) -> Any:
        """A copy of the classifier fitted to some rows, or to all."""
        if rows is None:
            return clone(estimator).fit(self.X, self.y, **self.params)
        return clone(estimator).fit(_safe_indexing(self.X, rows), self.y[rows], **rows_of(self.params, rows, len(self.y)))

    def calibrate(self, model: Any, scores: Array, rows: Array, method: str) -> CalibratedClassifier:
        """A fitted classifier with its calibrators, from the scores of some rows."""
        weight = None if self.weight is None else self.weight[rows]
        return calibrate(model, scores, self.codes[rows], weight, self.labels, method)


def rows_of(params: Mapping[str, Any], rows: Array, count: int) -> dict[str, Any]:
    """Fit parameters with an entry for each row, cut to some of them."""

    def cut(value: Any) -> Any:
        by_row = isinstance(value, (list, tuple)) or hasattr(value, "shape")
        return as_target(value)[rows] if by_row and len(value) == count else value

    return {name: cut(value) for name, value in params.items()}


# ---- folds ---------------------------------------------------------------------------------------------------------------


def folds_of(cv: Any, data: CalibrationData, params: Mapping[str, Any]) -> Splits:
    """Training and test rows of each fold."""
    if isinstance(cv, LeaveOneOut):
        raise ValueError(
            "LeaveOneOut cross-validation does not leave rows of all classes to calibrate on: give fewer folds, such as cv=5."
        )
    wanted = cv if isinstance(cv, int) else getattr(cv, "n_splits", None)
    counts = np.bincount(data.codes, minlength=len(data.labels))
    if wanted and counts.min() < wanted:
        label = plain(data.labels[counts.argmin()])
        raise ValueError(
            f"Requesting {wanted}-fold cross-validation but provided less than {wanted} examples for at least one class: "
            f"{label!r} has {counts.min()}. Give fewer folds, or more rows of that class."
        )
    found = check_cv(cv, data.y, classifier=True).split(data.X, data.y, **params)
    return checked_splits(found, len(data.y), data.weight)


def fold_models(estimator: Any, data: CalibrationData, splits: Splits) -> Iterator[tuple[Any, Array]]:
    """The classifier fitted to the training rows of each fold, and the numbers of its test rows."""
    shortcut = None
    if not data.params and all(np.bincount(data.codes[train], minlength=len(data.labels)).all() for train, _ in splits):
        shortcut = OtherFolds.of(estimator, data.X, data.y, splits)
    for number, (train, test) in enumerate(splits):
        if shortcut is None:
            yield data.fit(estimator, train), test
        else:
            model = clone(estimator)
            shortcut.fit(model, number)
            yield model, test


def calibrate_each(estimator: Any, data: CalibrationData, splits: Splits, method: str) -> list[CalibratedClassifier]:
    """(1)."""
    found = []
    for model, test in fold_models(estimator, data, splits):
        found.append(data.calibrate(model, class_scores(model, _safe_indexing(data.X, test)), test, method))
    return found


def calibrate_together(estimator: Any, data: CalibrationData, splits: Splits, method: str) -> CalibratedClassifier:
    """(2)."""
    if not is_partition(splits, len(data.y)):
        raise ValueError("ensemble=False needs folds that test every row once: give such folds, or ensemble=True.")
    classes = len(data.labels)
    scores = np.zeros((len(data.y), 1 if classes == 2 else classes))
    for number, (model, test) in enumerate(fold_models(estimator, data, splits)):
        place, found = places(model, data.labels), class_scores(model, _safe_indexing(data.X, test))
        if len(place) < classes:
            found = widen_probabilities(model, found, place, data.labels, number)
        scores[test] = found
    rows = np.arange(len(data.y))
    return data.calibrate(data.fit(estimator), scores, rows, method)


def widen_probabilities(model: Any, scores: Array, place: Array, labels: Array, fold: int) -> Array:
    """Probabilities of a classifier that has not seen all classes, 0 for the others; other scores cannot be compared."""
    missing = plain(np.delete(labels, place)[0])
    if response_method(model) != "predict_proba":
        raise ValueError(
            f"Fold {fold} of cv has no training rows of the class {missing!r}, so its scores cannot be compared with those of "
            "other folds: give folds with all classes, or ensemble=True."
        )
    if len(place) == 2:
        scores = np.column_stack([1.0 - scores, scores])
    wide = np.zeros((len(scores), len(labels)))
    wide[:, place] = scores
    return wide if len(labels) > 2 else wide[:, 1:]
