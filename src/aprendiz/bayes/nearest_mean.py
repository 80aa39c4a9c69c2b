"""Nearest mean: the class whose mean is closest; the simplest member of the discriminant family.

    Σ = σ²·I,     σ² = trace(S)/(n·d)                                                                           (1)
    δ_k(x) = log π_k + (xᵀμ_k − ½‖μ_k‖²)/σ²                                                                      (2)

With equal priors σ² does not matter for the decision: w_k = μ_k, b_k = −½‖μ_k‖², and (2) is largest where ‖x − μ_k‖ is
smallest. Otherwise a frequent class wins rows that are a little further from its mean, the more the wider the classes are.

Cost: one pass, O(n·d); prediction O(n·K·d).
Reference: Hastie, Tibshirani & Friedman, "The elements of statistical learning", 2nd ed., section 4.3.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from aprendiz.bayes.gaussian.class_spread import ClassSpread
from aprendiz.bayes.gaussian.column_by_column import ColumnByColumn
from aprendiz.bayes.gaussian.ellipsoid import Ellipsoid
from aprendiz.core.parameters import ArrayLike
from aprendiz.core.rows import Array
from aprendiz.core.sums import SMALLEST_SQUARE


class NearestMean(ColumnByColumn):
    """The class of the nearest mean (normal classes with the same variance in all directions; with priors if given).

    Parameters
    ----------
    priors : "equal", "shares" or array of shape (n_classes,), default="equal"
        π: all the same, the share of each class, or as given.

    Attributes
    ----------
    classes_, priors_ : ndarray of shape (n_classes,)
    means_ : ndarray of shape (n_classes, n_features)
    variance_ : float
        σ² of (1).
    coef_, intercept_ : ndarray of shape (n_classes, n_features) and (n_classes,)
        w_k and b_k: μ_k and −½‖μ_k‖² with equal priors, the second plus σ²·log π_k else.
    ellipsoids_ : list of one Ellipsoid
        Σ.
    n_parameters_ : int
        Parameters without priors: the means, and σ² if priors make it matter.
    sums_ : ClassSpread
        The statistics, to which `partial_fit` adds.
    certificate_ : Certificate
        Whether σ² is above 0.
    """

    def __init__(self, *, priors: Literal["equal", "shares"] | ArrayLike = "equal"):
        self.priors = priors

    def given_priors(self, labels: Array) -> Any:
        if isinstance(self.priors, str):
            return np.full(len(labels), 1.0 / len(labels)) if self.priors == "equal" else None
        return self.priors

    @property
    def pulled(self) -> bool:
        return True

    def shapes(self, record: ClassSpread) -> list[Ellipsoid]:
        d = record.columns
        total = float(record.spread.scatter.sum())
        if total < SMALLEST_SQUARE and record.spread.vanished.any():
            raise ValueError(
                "Input X holds values too small to be squared: column 0 has no variance, nor has any other. Scale the columns."
            )
        variance = total / (record.weight * d)
        return [Ellipsoid(np.full(d, variance), None, d)]

    def count(self, classes: int, columns: int) -> int:
        return classes * columns + int(not isinstance(self.priors, str) or self.priors != "equal")

    @property
    def variance_(self) -> float:
        """σ² of (1)."""
        return float(self.ellipsoids_[0].variances[0])

    @property
    def coef_(self) -> Array:
        """w_k."""
        return self.means_

    @property
    def intercept_(self) -> Array:
        """b_k."""
        equal = isinstance(self.priors, str) and self.priors == "equal"
        with np.errstate(divide="ignore"):
            extra = 0.0 if equal else self.variance_ * np.log(self.priors_)
        return extra - 0.5 * np.einsum("kj,kj->k", self.means_, self.means_)
