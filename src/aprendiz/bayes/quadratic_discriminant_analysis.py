"""Quadratic discriminant analysis: each class is normal with a covariance of its own.

    Σ_k = S_k/n_k                                                                                              (1)
    with reg_param γ:  (1 − γ)·Σ_k + γ·I,     with shrinkage s:  (1 − s)·Σ_k + s·(trace/d)·I                    (2)

Everything else is that of the family (gaussian_classes.py). Frontiers are quadrics. A class that does not vary in some
direction, as with fewer rows than columns, gets a very small variance there, and the certificate says so; a class of one row
gets the variances that all rows have within their classes.

Cost: one pass, n·d²/2 multiplications, and K·d³; with fewer rows than columns K·n_k²·d instead.
Reference: Hastie, Tibshirani & Friedman, "The elements of statistical learning", 2nd ed., section 4.3.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from aprendiz.bayes.gaussian.covariance_estimate import estimates_of, refuse_combinations, with_estimates
from aprendiz.bayes.gaussian.ellipsoid import Ellipsoid
from aprendiz.bayes.gaussian.gaussian_classes import GaussianClasses, Statistic, class_axes, standard
from aprendiz.bayes.gaussian.shrinkage import shrunk_towards_diagonal, with_fourths
from aprendiz.core.parameters import ArrayLike, Fraction, NonNegative, check_parameters
from aprendiz.core.rows import Array, Rows


class QuadraticDiscriminantAnalysis(GaussianClasses):
    """Quadratic discriminant analysis (drop-in for scikit-learn's; weights, files, fewer rows than columns, densities).

    Parameters
    ----------
    solver : {"svd", "eigen"}, default="svd"
        Both find the axes of the covariances; "eigen" allows `shrinkage`.
    shrinkage : "auto" or float, optional
        s of (2); "auto" is that of Ledoit and Wolf, for each class.
    priors : array of shape (n_classes,), optional
        Class priors π; by default, the class proportions.
    reg_param : float, default=0.0
        γ of (2).
    store_covariance : bool, default=False
        Whether to store the covariances.
    tol : float, default=1e-4
        Accepted and ignored.
    covariance_estimator : object with `fit` and `covariance_`, optional
        Finds Σ_k of each class instead, from rows in memory without weights; with solver="eigen", without `shrinkage`.

    Attributes
    ----------
    classes_, priors_ : ndarray of shape (n_classes,)
    means_ : ndarray of shape (n_classes, n_features)
    scalings_, rotations_ : lists of ndarray
        Variances along the axes of each class, and the axes as columns.
    covariance_ : list of ndarray, if kept
    ellipsoids_ : list of Ellipsoid
        Σ_k of each class, by its axes.
    quadratic_ : Quadratics
        The discriminants as coefficients W, w, w₀.
    thresholds_ : dict
        With one column, the frontiers of each pair of classes.
    n_parameters_ : int
        Parameters without priors.
    sums_ : ClassMoments or ClassRows
        The statistics, to which `partial_fit` adds.
    certificate_ : Certificate
        Whether every class varies in every direction.
    """

    differences = {
        "tol": "no effect: classes that do not vary in some direction are allowed",
        "rotations_": "another form: of each axis, the sign that makes its largest entry positive",
    }
    exceptions = {"scaling": "decision_function is a log-density, which knows the units of the columns; posteriors do not"}
    in_data_dtype = frozenset({"means_", "covariance_"})
    tuning = {"reg_param": (0.0, 0.01, 0.1, 0.5)}

    def __init__(
        self,
        *,
        solver: Literal["svd", "eigen"] = "svd",
        shrinkage: Literal["auto"] | Fraction | None = None,
        priors: ArrayLike | None = None,
        reg_param: Fraction = 0.0,
        store_covariance: bool = False,
        tol: NonNegative = 1e-4,
        covariance_estimator: Any = None,
    ):
        self.solver = solver
        self.shrinkage = shrinkage
        self.priors = priors
        self.reg_param = reg_param
        self.store_covariance = store_covariance
        self.tol = tol
        self.covariance_estimator = covariance_estimator

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        check_parameters(self)
        refuse_combinations(self)
        return super().open(X, y, sample_weight, reset=reset)

    @property
    def pulled(self) -> bool:
        return self.shrinkage is not None or self.covariance_estimator is not None or self.reg_param > 0

    def summarise(self, rows: Rows) -> Statistic:
        record = super().summarise(rows)
        if self.covariance_estimator is not None:
            return with_estimates(record, rows, self.covariance_estimator)
        return with_fourths(record, rows) if self.shrinkage == "auto" else record

    def shapes(self, record: Any) -> list[Ellipsoid]:
        if self.covariance_estimator is not None or self.shrinkage == "auto":
            by_estimator = self.covariance_estimator is not None
            found = estimates_of(record) if by_estimator else shrunk_towards_diagonal(record)
            return [Ellipsoid.of(C, standard(np.diagonal(C))) for C in found]
        return [self.shape(axes) for axes in class_axes(record, scaled=not (self.shrinkage or self.reg_param))]

    def shape(self, found: Ellipsoid) -> Ellipsoid:
        """(2)."""
        if self.shrinkage is not None:
            found = found.blend(float(self.shrinkage), found.mean_variance)
        return found.blend(self.reg_param, 1.0) if self.solver == "svd" else found

    def count(self, classes: int, columns: int) -> int:
        return classes * (columns + columns * (columns + 1) // 2)

    def more(self, record: Any, shapes: list[Ellipsoid], origin: Array, offsets: Array, priors: Array) -> dict[str, Any]:
        return {"covariance_": [shape.matrix for shape in shapes]} if self.store_covariance else {}

    @property
    def scalings_(self) -> list[Array]:
        """Variances along the axes of each class."""
        return [shape.variances.astype(self.means_.dtype, copy=False) for shape in self.plain_axes()]

    @property
    def rotations_(self) -> list[Array]:
        """The axes of each class, as columns."""
        return [np.asarray(shape.axes, self.means_.dtype).T for shape in self.plain_axes()]

    def plain_axes(self) -> list[Ellipsoid]:
        """Σ_k of each class by axes in the space of the columns as they are."""
        return [shape if shape.unit is None else Ellipsoid.of(shape.matrix) for shape in self.ellipsoids_]
