"""A label that all rows of a fit have, or none: the classifier that always says so.

    f(x) = y,    P(1 | x) = y,    y = 0 or 1                                                                  (1)

Cost: none.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from aprendiz.core.rows import Array


class ConstantLabel(BaseEstimator):
    """The classifier (1), in the place of a base learner that one class alone would not let fit."""

    def __init__(self, label: int):
        self.label = label

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def predict(self, X: Any) -> Array:
        """The label of every row."""
        return np.full(row_count(X), self.label)

    decision_function = predict

    def predict_proba(self, X: Any) -> Array:
        """1 for the label, 0 for the other."""
        return np.tile([1.0 - self.label, float(self.label)], (row_count(X), 1))


def row_count(X: Any) -> int:
    """How many rows a table of any kind has."""
    if not hasattr(X, "shape") and not hasattr(X, "__len__"):
        X = np.asarray(X)
    return int(X.shape[0]) if getattr(X, "shape", None) else len(X)
