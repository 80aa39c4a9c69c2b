"""Linear discriminant analysis: classes are normal with one covariance for all; planes divide them.

    Σ = S/n,     δ_k(x) = log π_k + (x − m)ᵀw_k − ½(μ_k − m)ᵀw_k,     w_k = Σ⁻¹(μ_k − m)                          (1)

In coordinates in which Σ is I, only the plane through the K means matters: the directions in which they differ, those in which
they differ most first, are the columns of T (`scalings_`), at most K − 1, and

    w_k = T Tᵀ(μ_k − m),     transform: x ↦ Tᵀ(x − m)                                                             (2)

Columns are brought to variance 1 within classes first. Directions in which the rows do not vary within classes, as there are
with fewer rows than columns, are left out, or filled up by `shrinkage`: (1 − s)·Σ + s·(trace/d)·I. A whole column that is left
out though the means differ in it separates classes by itself: a warning names it.

Cost: one pass, n·d²/2 multiplications, and d³; with fewer rows than columns n²·d and n³ instead.
Reference: Hastie, Tibshirani & Friedman, "The elements of statistical learning", 2nd ed., section 4.3.
"""

from __future__ import annotations

import warnings
from typing import Any, Literal

import numpy as np
from scipy import linalg
from sklearn.base import ClassNamePrefixFeaturesOutMixin

from aprendiz.bayes.gaussian.class_moments import ClassRows
from aprendiz.bayes.gaussian.covariance_estimate import estimates_of, refuse_combinations, with_estimates
from aprendiz.bayes.gaussian.ellipsoid import EPS, ROUNDED, Ellipsoid
from aprendiz.bayes.gaussian.gaussian_classes import (
    NOTHING,
    GaussianClasses,
    Statistic,
    common_axes,
    log,
    priors_of_seen,
    standard,
)
from aprendiz.bayes.gaussian.shrinkage import covariances, shrunk_towards_diagonal, with_fourths
from aprendiz.core.learner import Transformer
from aprendiz.core.parameters import ArrayLike, Count, Fraction, NonNegative, ParameterError, check_parameters
from aprendiz.core.precision import double, in_dtype_of
from aprendiz.core.rows import Array, Rows

VANISHING = 1e-150  # numbers whose squares are none


class LinearDiscriminantAnalysis(ClassNamePrefixFeaturesOutMixin, GaussianClasses, Transformer):
    """Linear discriminant analysis (drop-in for scikit-learn's; weights, files, exact `partial_fit`, densities).

    Parameters
    ----------
    solver : {"svd", "lsqr", "eigen"}, default="svd"
        "svd" leaves out directions without variance; "lsqr" and "eigen" allow `shrinkage`; "lsqr" has no `transform`.
    shrinkage : "auto" or float, optional
        s; "auto" pulls the covariance of each class towards its diagonal as Ledoit and Wolf do.
    priors : array of shape (n_classes,), optional
        Class priors π, divided by their sum (with a warning if that is not 1); by default, the class proportions.
    n_components : int, optional
        Number of components of `transform`; by default, as many as there are.
    store_covariance : bool, default=False
        Whether to store the covariance with solver="svd" too.
    tol : float, default=1e-4
        Threshold below which a standard deviation, of columns scaled to deviation 1, counts as zero.
    covariance_estimator : object with `fit` and `covariance_`, optional
        Finds Σ_k of each class for Σ = Σ π_k Σ_k, from rows in memory without weights; with solver="eigen" or "lsqr", and
        without `shrinkage`.

    Attributes
    ----------
    classes_, priors_ : ndarray of shape (n_classes,)
    means_ : ndarray of shape (n_classes, n_features)
    xbar_ : ndarray of shape (n_features,)
        m.
    coef_, intercept_ : ndarray of shape (n_classes, n_features) and (n_classes,), or one row for two classes
        w_k and what stands without x in δ_k (with "lsqr" and "eigen" w_k = Σ⁻¹μ_k, as scikit-learn has it).
    scalings_ : ndarray of shape (n_features, rank)
        T of (2).
    explained_variance_ratio_ : ndarray
        Share of each direction in what separates the means.
    covariance_ : ndarray of shape (n_features, n_features), if kept
    ellipsoids_ : list of one Ellipsoid
        Σ, by its axes.
    n_parameters_ : int
        Parameters without priors.
    sums_ : ClassMoments or ClassRows
        The statistics, to which `partial_fit` adds.
    certificate_ : Certificate
        Whether the rows vary in every direction within their classes.
    """

    differences = {
        "coef_": "another form: float32 for float32 data with any solver and any number of classes",
        "scalings_": "another form: every direction that separates means, whatever Σ is; largest coefficient positive",
        "explained_variance_ratio_": "another form: shares in what separates the means, whatever Σ and the priors are",
    }
    in_data_dtype = frozenset({"coef_", "intercept_", "explained_variance_ratio_", "means_", "priors_", "scalings_", "xbar_"})
    tuning = {"solver": ("svd",), "n_components": (None,)}

    def __init__(
        self,
        solver: Literal["svd", "lsqr", "eigen"] = "svd",
        shrinkage: Literal["auto"] | Fraction | None = None,
        priors: ArrayLike | None = None,
        n_components: Count | None = None,
        store_covariance: bool = False,
        tol: NonNegative = 1e-4,
        covariance_estimator: Any = None,
    ):
        self.solver = solver
        self.shrinkage = shrinkage
        self.priors = priors
        self.n_components = n_components
        self.store_covariance = store_covariance
        self.tol = tol
        self.covariance_estimator = covariance_estimator

    # ---- learning ----------------------------------------------------------------------------------------------------

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        check_parameters(self)
        refuse_combinations(self)
        self.warn_of_sum_of_priors()
        return super().open(X, y, sample_weight, reset=reset)

    def warn_of_sum_of_priors(self) -> None:
        """A warning if the priors are rescaled."""
        total = 1.0 if self.priors is None else float(np.sum(self.priors))
        if not np.isclose(total, 1.0) and total > 0:
            warnings.warn(
                f"The priors do not sum to 1 but to {total:.6g}: they are divided by that.", UserWarning, stacklevel=5
            )

    def given_priors(self, labels: Array) -> Any:
        if self.priors is None:
            return None
        priors = np.asarray(self.priors, dtype=float)
        return priors / priors.sum() if priors.sum() > 0 else priors

    @property
    def pooled(self) -> bool:
        return self.solver == "svd" or (self.priors is None and self.shrinkage != "auto")

    @property
    def pulled(self) -> bool:
        return self.shrinkage is not None or self.covariance_estimator is not None

    def summarise(self, rows: Rows) -> Statistic:
        record = super().summarise(rows)
        if self.covariance_estimator is not None:
            return with_estimates(record, rows, self.covariance_estimator)
        return with_fourths(record, rows) if self.shrinkage == "auto" else record

    def learned(self, rows: Rows) -> dict[str, Any]:
        found = super().learned(rows)
        record = found["sums_"]
        if record.rows <= (record.total > 0).sum():
            raise ValueError(
                f"The number of samples must be more than the number of classes, got n_samples={record.rows}: nothing varies "
                "within the classes."
            )
        return found

    def shapes(self, record: Any) -> list[Ellipsoid]:
        by_estimator = self.covariance_estimator is not None
        if by_estimator or self.shrinkage == "auto" or (self.solver != "svd" and self.priors is not None):
            covariance = self.weighted_covariance(record)
            return [Ellipsoid.of(covariance, standard(np.diagonal(covariance)))]
        if not self.shrinkage:
            return [common_axes(record, scaled=True)]
        found = common_axes(record, scaled=False)
        return [found.blend(float(self.shrinkage), found.mean_variance)]

    def weighted_covariance(self, record: Any) -> Array:
        """Σ π_k Σ_k, each shrunk for itself, or as the estimator finds it."""
        moments = record.moments() if isinstance(record, ClassRows) else record
        if self.covariance_estimator is not None:
            each = estimates_of(record)
        else:
            each = shrunk_towards_diagonal(record) if self.shrinkage == "auto" else covariances(moments)
        shares = priors_of_seen(self.given_priors(record.labels), record.labels, record.total)
        covariance = np.tensordot(shares, each, 1)
        if self.shrinkage is not None and self.shrinkage != "auto":
            s, d = float(self.shrinkage), len(covariance)
            covariance = (1.0 - s) * covariance + s * np.trace(covariance) / d * np.eye(d)
        return np.asarray(covariance)

    def count(self, classes: int, columns: int) -> int:
        return classes * columns + columns * (columns + 1) // 2

    def more(self, record: Any, shapes: list[Ellipsoid], origin: Array, offsets: Array, priors: Array) -> dict[str, Any]:
        most = min(len(offsets) - 1, record.columns)
        if self.n_components is not None and self.n_components > most:
            raise ParameterError(
                f"n_components = {self.n_components} cannot be larger than min(n_features, n_classes - 1) = {most}."
            )
        warn_of_separating_column(shapes[0], origin, offsets[priors > 0])
        middle = priors @ offsets
        whitened, around = self.whitening(shapes[0]), offsets - middle
        if not whitened.shape[1] and record.rows > (record.total > 0).sum():  # fewer rows are refused
            warn_of_no_direction(self.tol if self.solver == "svd" else None)
        unit = np.ones(record.columns) if shapes[0].unit is None else shapes[0].unit
        T, ratio = separating(whitened, around * np.sqrt(priors)[:, None], unit)
        W = around @ T @ T.T
        kept = {"covariance_": shapes[0].matrix} if self.store_covariance or self.solver != "svd" else {}
        return {
            "xbar_": origin + middle,
            "scalings_": T,
            "explained_variance_ratio_": ratio[: self.n_components or most],
            **self.functions(W, around, origin + middle, log(priors), whitened),
            **kept,
        }

    def whitening(self, shape: Ellipsoid) -> Array:
        """The columns B with BᵀΣB = I, for the directions in which the rows vary within classes."""
        if not shape.full and shape.rest > 0:  # shrunk in the span of few rows: every direction counts
            shape = Ellipsoid.of(shape.matrix)
        assert shape.axes is not None
        limit = self.least_variance(shape)
        kept = shape.variances > limit
        unit = 1.0 if shape.unit is None else shape.unit
        return (shape.axes[kept] / unit).T / np.sqrt(shape.variances[kept])

    def least_variance(self, shape: Ellipsoid) -> float:
        """The variance up to which a direction is left out: of any size, if tol² is infinite."""
        return float(self.tol) * float(self.tol) if self.solver == "svd" else float(shape.rounding)

    def functions(self, W: Array, around: Array, middle: Array, start: Array, B: Array) -> dict[str, Any]:
        """coef_ and intercept_ as scikit-learn has them."""
        b = start - 0.5 * np.einsum("kj,kj->k", around, W) - W @ middle
        if len(W) == 2:
            return {"coef_": (W[1] - W[0])[None], "intercept_": np.array([b[1] - b[0]])}
        if self.solver != "svd":
            common = B @ (B.T @ middle)
            W, b = W + common, b - 0.5 * middle @ common
        return {"coef_": W, "intercept_": b}

    # ---- using -------------------------------------------------------------------------------------------------------

    def deciding_distance(self, Z: Array, k: int) -> Array:
        shape = self.ellipsoids_[0]
        least = max(self.least_variance(shape), NOTHING * shape.largest)
        if shape.full and shape.variances.min() > least:  # no direction is left out
            return self.distance(Z, k)
        along = Z @ double(self.scalings_)
        return np.asarray(np.einsum("ij,ij->i", along, along))

    def planes(self) -> tuple[Array, Array, Array]:
        middle, T = double(self.priors_) @ self.offsets_, double(self.scalings_)
        offset = self.offsets_ - middle
        W = offset @ T @ T.T
        return middle, W, log(self.priors_) - 0.5 * np.einsum("kj,kj->k", offset, W)

    def transform(self, X: Any) -> Any:
        """The rows in the directions that separate the means: (2)."""
        if self.solver == "lsqr":
            raise NotImplementedError("transform not implemented for 'lsqr' solver (use 'svd' or 'eigen').")
        return super().transform(X)

    def change(self, X: Array) -> Array:
        T = double(self.scalings_[:, : self._n_features_out])
        moved = X - self.origin_ - double(self.priors_) @ self.offsets_ if self.solver == "svd" else X
        return in_dtype_of(moved @ T, X, self.scalings_)

    @property
    def _n_features_out(self) -> int:
        most = min(len(self.classes_) - 1, len(self.scalings_), self.scalings_.shape[1])
        return most if self.n_components is None else min(most, self.n_components)


def warn_of_separating_column(shape: Ellipsoid, origin: Array, offsets: Array) -> None:
    """A warning if a column is constant in each class, but not in all of them."""
    assert shape.axes is not None
    variance = shape.variances @ np.square(shape.axes) + (0.0 if shape.full else shape.rest)
    deviation = np.sqrt(variance) * (1.0 if shape.unit is None else shape.unit)
    rounding = 8.0 * EPS * np.abs(origin + offsets).max(axis=0)
    apart = np.ptp(offsets, axis=0) > np.maximum(rounding, VANISHING)
    found = np.flatnonzero((deviation <= rounding) & apart)
    if len(found) and deviation.any():
        warnings.warn(
            f"Column {found[0]} is constant in each class, but not in all of them: it separates classes without an error, and "
            "is left out, as a direction without variance. Is it another form of the label? If not, give shrinkage and "
            "solver='eigen', or use FisherDiscriminant.",
            UserWarning,
            stacklevel=8,
        )


def warn_of_no_direction(tol: float | None) -> None:
    """A warning that no direction is left."""
    by_more = "" if tol is None else f" by more than tol={tol!r}"
    warnings.warn(
        f"The rows do not vary within their classes{by_more} in any direction: all are left out, and every row gets the class "
        "with the largest prior. Lower tol, or give shrinkage and solver='eigen'.",
        UserWarning,
        stacklevel=8,
    )


def separating(B: Array, offset: Array, unit: Array) -> tuple[Array, Array]:
    """The directions in which the whitened offsets of the means vary by more than rounding, the first most, and the share of
    each. One far class does not hide in which directions the others differ."""
    if not B.shape[1]:
        return B, np.zeros(len(offset) - 1)
    _, s, V = linalg.svd(offset @ B, full_matrices=False, check_finite=False)
    rounding = ROUNDED * EPS * np.linalg.norm((np.abs(offset) + unit) @ np.abs(B))
    kept = (s > rounding) | (np.arange(len(s)) == 0) & (s > 0)
    T = B @ V[kept].T
    signs = np.sign(T[np.abs(T).argmax(axis=0), np.arange(T.shape[1])]) if T.size else 1.0
    total = float((s**2).sum())
    return T * signs, (s**2 / total if total > 0 else np.zeros(len(s)))
