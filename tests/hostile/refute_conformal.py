"""Certificates of conformal prediction: the rows of hostile tables counted one by one."""

from fractions import Fraction

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin

import aprendiz as ap

from .checks import insist
from .hostile_tables import with_extremes


class Remembers(RegressorMixin, BaseEstimator):
    """A regressor that keeps its rows, to be asked which it has seen; it predicts one of its targets."""

    def fit(self, X, y):
        self.seen_ = {row.tobytes() for row in np.ascontiguousarray(X)}
        self.value_ = float(np.sort(y)[len(y) // 2])
        return self

    def predict(self, X):
        return np.full(len(X), self.value_)


def intervals(seed):
    """No calibration row was seen, and in exact numbers at least k of them lie in the interval of one model."""
    X, words = with_extremes(seed)
    numbered = np.column_stack([X, np.arange(len(X))])
    method = ("split", "plus")[seed % 2]
    coverage = (0.5, 0.8, 0.9)[seed % 3]
    model = ap.ConformalRegressor(Remembers(), method=method, cv=None if method == "split" else 3, random_state=seed)
    model.fit(numbered, X[:, 0])
    holds = model.certificate_.holds
    rows = [row for row in numbered if any(row.tobytes() not in one.centre.seen_ for one in model.models_)]
    insist(not holds or len(rows) >= model.certificate_.rows, words, len(rows))
    if method == "split" and holds:
        low, high = (
            Fraction(float(end)) if np.isfinite(end) else None for end in model.predict_interval(numbered[:1], coverage)[0]
        )
        inside = sum((low is None or low <= Fraction(row[0])) and (high is None or Fraction(row[0]) <= high) for row in rows)
        k = -(-(len(rows) + 1) * round(100 * coverage) // 100)
        insist(inside >= min(k, len(rows)), words, inside)
    return holds
