"""The least squares classifier: a linear function fitted to 0 and 1, cut at ½.

    min over w, b of Σ ω (y − b − xᵀw)²,     y = 0 or 1;     the second class where b + xᵀw > ½               (1)

More classes have an indicator y_k each, and the largest b_k + xᵀw_k decides (indicators.py). The plane is explicit and one sum
over the rows, but (1) is not the number of errors: rows far on their own side pull as much as rows on the wrong one, and there
are distributions on which nearly all rows come out wrong where a plane with few errors exists.

Cost: one pass, n·d²/2 multiplications, as least squares.
Reference: Devroye, Györfi & Lugosi, "A probabilistic theory of pattern recognition", 1996, chapter 4.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.arriving_classes import ArrivingClasses
from aprendiz.core.rows import Rows
from aprendiz.linear.designs.indicators import Indicated, indicator_fit, sum_indicators
from aprendiz.linear.shared.linear_classifier import LinearClassifier
from aprendiz.linear.solvers.least_squares import Solution
from aprendiz.summaries.moments import Triangle


class LeastSquaresClassifier(LinearClassifier, ArrivingClasses):
    """Least squares on labels 0 and 1, cut at ½ (right on ill-conditioned data, exact by `partial_fit`).

    Parameters
    ----------
    fit_intercept : bool, default=True
        Whether to fit an intercept.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
    intercept_ : ndarray of shape (1,) or (n_classes,)
        b − ½, so that a decision above 0 is a fitted value above ½.
    rank_ : int
        Number of independent columns.
    method_ : str
        "normal equations" or "orthogonal", and "polished".
    sums_ : Indicated
        The statistics, to which `partial_fit` adds.
    certificate_ : Certificate
        Condition number of the scaled columns, digits that can be trusted, rank.
    """

    allows = frozenset({"sparse"})

    def __init__(self, *, fit_intercept: bool = True):
        self.fit_intercept = fit_intercept

    def summarise(self, rows: Rows) -> Indicated:
        return sum_indicators(rows, Triangle.joint, self.fit_intercept)

    def conclude(self, record: Indicated) -> dict[str, Any]:
        return self.answer(record.solve(self.fit_intercept), record)

    def learned(self, rows: Rows) -> dict[str, Any]:
        """By the normal equations where that is safe."""
        solution, record = indicator_fit(rows, self.fit_intercept)
        return {**self.answer(solution, record), "sums_": record}

    def answer(self, solution: Solution, record: Indicated) -> dict[str, Any]:
        return {
            "classes_": record.labels,
            "coef_": np.ascontiguousarray(solution.coef.T),
            "intercept_": (solution.intercept if self.fit_intercept else np.zeros(solution.coef.shape[1])) - 0.5,
            "rank_": solution.rank,
            "method_": solution.method,
            "certificate_": solution.certificate(),
        }
