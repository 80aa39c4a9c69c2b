"""The scores that a measure gives to answers which no model has to be asked for.

Accuracy, R² and mean squared errors are computed for all columns at once. Any other measure of scikit-learn judges a stand-in
that gives these answers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import log_softmax, softmax
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin

from aprendiz.core.rows import Array


class GivenNumbers(RegressorMixin, BaseEstimator):
    """Predicts what it was given."""

    def __init__(self, answers: Any = None):
        self.answers = answers

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def predict(self, X: Any) -> Array:
        """The given numbers."""
        return np.asarray(self.answers)


class GivenClasses(ClassifierMixin, BaseEstimator):
    """Predicts by the scores of the classes that it was given."""

    def __init__(self, answers: Any = None, classes: Any = None):
        self.answers, self.classes = answers, classes

    def __sklearn_is_fitted__(self) -> bool:
        return True

    @property
    def classes_(self) -> Array:
        """The labels."""
        return np.asarray(self.classes)

    def predict(self, X: Any) -> Array:
        """The class with the largest score."""
        return np.asarray(self.classes_[self.answers.argmax(axis=1)])

    def predict_proba(self, X: Any) -> Array:
        """The probabilities that the scores mean."""
        return np.asarray(softmax(self.answers, axis=1))

    def predict_log_proba(self, X: Any) -> Array:
        """Their logarithms."""
        return np.asarray(log_softmax(self.answers, axis=1))

    def decision_function(self, X: Any) -> Array:
        """The scores; of two classes, the second less the first."""
        found = self.answers
        return np.asarray(found[:, 1] - found[:, 0] if found.shape[1] == 2 else found)


def squares_left(answers: Array, y: Array) -> Array:
    """Σ (y − ŷ)² of each column."""
    off = answers - y[:, None]
    return np.asarray(np.einsum("ij,ij->j", off, off))


def r2(answers: Array, y: Array) -> Array:
    """R² as scikit-learn has it: where y is constant, 1 if it is met and 0 if not; none of a single row."""
    left, total = squares_left(answers, y), float(((y - y.mean()) ** 2).sum())
    if len(y) < 2:
        return np.full(len(left), np.nan)
    return 1.0 - left / total if total > 0 else np.where(left > 0, 0.0, 1.0)


MEASURES: dict[str, Callable[[Array, Array], Array]] = {
    "r2": r2,
    "neg_mean_squared_error": lambda answers, y: -squares_left(answers, y) / len(y),
    "neg_root_mean_squared_error": lambda answers, y: -np.sqrt(squares_left(answers, y) / len(y)),
    "neg_mean_absolute_error": lambda answers, y: -np.abs(answers - y[:, None]).mean(axis=0),
}


def score_numbers(scoring: Any, scorer: Any, answers: Array, y: Array) -> Array:
    """The score of each column of predicted numbers."""
    measure = MEASURES.get("r2" if scoring is None else scoring)
    if measure is not None:
        return measure(answers, y)
    return np.array([scorer(GivenNumbers(column), column[:, None], y) for column in answers.T])


def score_classes(scoring: Any, scorer: Any, answers: Array, codes: Array, labels: Array) -> Array:
    """The score of each column of answers (rows × columns × classes)."""
    if scoring in (None, "accuracy"):
        return np.asarray((answers.argmax(axis=2) == codes[:, None]).sum(axis=0) / len(codes))
    truth = labels[codes]
    return np.array(
        [scorer(GivenClasses(answers[:, j], labels), answers[:, j], truth) for j in range(answers.shape[1])], dtype=float
    )
