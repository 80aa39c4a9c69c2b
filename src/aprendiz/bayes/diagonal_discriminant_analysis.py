"""Diagonal discriminant analysis: classes are normal, and their columns do not depend on each other within a class.

    shared:   Σ = diag(S)/n                     planes, K·d + d parameters
    else:     Σ_k = diag(S_k)/n_k               quadrics, 2·K·d parameters: Gaussian naive Bayes

With many columns and few rows this crude model is hard to beat: it has few numbers to estimate. Shrinking its means towards
their centre, so that columns drop out, makes it the nearest shrunken centroids.

Cost: one pass, O(n·d); prediction O(n·K·d); memory O(K·d).
Reference: Dudoit, Fridlyand & Speed, J. American Statistical Association 97, 2002.
"""

from __future__ import annotations

import numpy as np

from aprendiz.bayes.gaussian.class_spread import ClassSpread
from aprendiz.bayes.gaussian.column_by_column import ColumnByColumn
from aprendiz.bayes.gaussian.ellipsoid import Ellipsoid
from aprendiz.core.parameters import ArrayLike
from aprendiz.core.rows import Array


class DiagonalDiscriminantAnalysis(ColumnByColumn):
    """Diagonal discriminant analysis (normal classes with independent columns; linear if they share their variances).

    Parameters
    ----------
    shared : bool, default=True
        One variance of a column for all classes, or one for each.
    priors : array of shape (n_classes,), optional
        Class priors π; by default, the class proportions.

    Attributes
    ----------
    classes_, priors_ : ndarray of shape (n_classes,)
    means_ : ndarray of shape (n_classes, n_features)
    variances_ : ndarray of shape (n_features,) or (n_classes, n_features)
    coef_, intercept_ : ndarray of shape (n_classes, n_features) and (n_classes,), if shared
        δ_k(x) = xᵀw_k + b_k, the logarithms of the posteriors up to a number.
    ellipsoids_ : list of Ellipsoid
        Σ, or Σ_k of each class.
    n_parameters_ : int
        Parameters without priors.
    sums_ : ClassSpread
        The statistics, to which `partial_fit` adds.
    certificate_ : Certificate
        Whether every column varies, in every class if variances are not shared.
    """

    tuning = {"shared": (True, False)}

    def __init__(self, *, shared: bool = True, priors: ArrayLike | None = None):
        self.shared = shared
        self.priors = priors

    @property
    def pulled(self) -> bool:
        return True

    def shapes(self, record: ClassSpread) -> list[Ellipsoid]:
        record.refuse_vanished()
        if self.shared:
            return [Ellipsoid(record.spread.scatter.sum(axis=0) / record.weight, None, record.columns)]
        return [Ellipsoid(variance, None, record.columns) for variance in record.variance]

    def count(self, classes: int, columns: int) -> int:
        return classes * columns + (columns if self.shared else classes * columns)

    @property
    def variances_(self) -> Array:
        """Of the columns, of each class if they are not shared."""
        found = np.stack([shape.variances for shape in self.ellipsoids_])
        return found[0] if self.one_shape else found

    @property
    def coef_(self) -> Array:
        """w_k."""
        return self.plane_coefficients()[0]

    @property
    def intercept_(self) -> Array:
        """b_k."""
        return self.plane_coefficients()[1]
