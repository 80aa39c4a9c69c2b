"""Nearest shrunken centroids: diagonal discriminant analysis that forgets the columns in which the classes do not differ.

    δ_k(x) = Σ_j (x_j − x̄'_kj)² / u_j² − 2 log π_k                                                            (1)
    P(k | x) = exp(−½ δ_k(x)) / Σ_l exp(−½ δ_l(x))                                                            (2)

x̄' are the class means drawn towards the mean of all rows by a threshold Δ, in units of their standard errors, and u the spread
within classes (shrunken_centroids.py). Where every class is drawn all the way, the column adds the same to each δ and drops
out: the fit selects columns. Δ = 0 is diagonal discriminant analysis (with u for the standard deviations); a Δ beyond every
difference leaves the priors alone to decide.

Δ may be chosen by cross-validation. One pass gives the sums of all folds, the rows outside a fold are the sum of the others
(class_folds.py), and a second pass the errors of all thresholds (threshold_path.py).

Everything is a sum over the rows of a class, so `partial_fit` is exact, and another threshold does not need the rows again:
`model.set_params(shrink_threshold=t).fit_sums(model.sums_)`.

Cost: one pass, O(n·d), for any Δ; two for "cv", O(n·d·K), whatever the number of thresholds; prediction O(n·K·columns left).
Reference: Tibshirani, Hastie, Narasimhan & Chu, "Diagnosis of multiple cancer types by shrunken centroids of gene expression",
PNAS 99, 2002.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Annotated, Any, Literal

import numpy as np
from sklearn.model_selection import BaseCrossValidator

from aprendiz.bayes.gaussian.class_folds import fold_numbers, fold_spreads
from aprendiz.bayes.gaussian.class_spread import ClassSpread, class_pivots
from aprendiz.bayes.gaussian.ellipsoid import FAR
from aprendiz.bayes.gaussian.shrunken_centroids import (
    ClassDifferences,
    class_factors,
    digits_kept,
    far_scores,
    median_spread,
    soft_threshold,
    units,
    within_spread,
)
from aprendiz.bayes.gaussian.threshold_path import FoldErrors, Thresholded, ThresholdPath, columns_left
from aprendiz.bayes.naive.generated_rows import GeneratedRows
from aprendiz.bayes.naive.independent_columns import checked_priors
from aprendiz.compilation.compiled import compiled
from aprendiz.core.blas import single_blas
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.parameters import ArrayLike, Count, Finite, NonNegative, ParameterError, Seed, Within
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.locale import _
from aprendiz.summaries.folds import sums_of_others

Rule = Literal["best", "one_se"]
SAME = 1e-12  # mean errors that differ by rounding
NOTHING_TRIED = {"thresholds_": None, "columns_left_": None, "cv_errors_": None}


class NearestShrunkenCentroids(GeneratedRows):
    """Nearest shrunken centroids (class means that keep only the columns in which they differ).

    Parameters
    ----------
    shrink_threshold : float or "cv", default=0.0
        Δ, or "cv" to choose it by cross-validation.
    offset : float or "median", default="median"
        s_0, which is added to the spread of each column; by default the median of the spreads.
    priors : array of shape (n_classes,), optional
        Class priors π; by default, the class proportions.
    n_thresholds : int, default=30
        How many thresholds "cv" tries, from 0 to the one that leaves no column.
    cv : int, splitter or list of splits, default=10
        Folds of "cv", stratified if a number; every row must be tested once.
    rule : "best" or "one_se", default="best"
        The threshold with the smallest error, or the largest one within a standard error of it. Of equal errors the largest
        threshold is taken.
    random_state : int, RandomState or None, default=None
        Shuffles the rows before they are dealt to folds; None keeps their order.

    Attributes
    ----------
    classes_, class_count_, class_prior_ : ndarray of shape (n_classes,)
        Labels, rows (or weight) and π of each class.
    centroids_ : ndarray of shape (n_classes, n_features)
        x̄', the shrunken means.
    shrunken_ : ndarray of shape (n_classes, n_features)
        d', what is left of the differences between each class and all rows, in standard errors.
    within_class_std_dev_ : ndarray of shape (n_features,)
        s of each column.
    offset_ : float
        s_0.
    shrink_threshold_ : float
        Δ that was used.
    selected_features_ : ndarray of shape (n_features,)
        True for the columns in which some class differs.
    n_parameters_ : int
        Parameters without priors: K means and a spread for each selected column.
    thresholds_, columns_left_ : ndarray of shape (n_thresholds,) or None
        With "cv": what was tried, and how many columns each threshold leaves in the fit to all rows.
    cv_errors_ : ndarray of shape (n_thresholds, n_folds) or None
        With "cv": share of the rows of each fold whose class is not predicted.
    sums_ : ClassSpread
        The statistics, to which `partial_fit` adds.
    certificate_ : Certificate
        The smallest number of digits kept by a variance, and its class and column.
    """

    least_classes = 2  # shrinks differences between classes
    tuning = {"shrink_threshold": (0.0, 0.5, 1.0, 2.0, 4.0)}

    def __init__(
        self,
        shrink_threshold: NonNegative | Literal["cv"] = 0.0,
        *,
        offset: Finite | Literal["median"] = "median",
        priors: ArrayLike | None = None,
        n_thresholds: Count = 30,
        cv: Annotated[int, Within(2)] | BaseCrossValidator | ArrayLike = 10,
        rule: Rule = "best",
        random_state: Seed = None,
    ):
        self.shrink_threshold = shrink_threshold
        self.offset = offset
        self.priors = priors
        self.n_thresholds = n_thresholds
        self.cv = cv
        self.rule = rule
        self.random_state = random_state

    # ---- the fit -------------------------------------------------------------------------------------------------------

    def summarise(self, rows: Rows) -> ClassSpread:
        assert rows.labels is not None
        return rows.sum(ClassSpread.of, rows.labels, class_pivots(rows, len(rows.labels)))

    def conclude(self, record: ClassSpread) -> dict[str, Any]:
        if self.shrink_threshold == "cv":
            raise ValueError('shrink_threshold="cv" needs the rows themselves, all at once: call fit, or give a number.')
        return {**self.shrunken_by(record, float(self.shrink_threshold)), **NOTHING_TRIED}

    def learned(self, rows: Rows) -> dict[str, Any]:
        if self.shrink_threshold != "cv":
            return super().learned(rows)
        assert rows.labels is not None
        fold = fold_numbers(self.cv, rows.each(lambda block: block.y), self.random_state)
        own = fold_spreads(rows, class_pivots(rows, len(rows.labels)), fold)
        others = sums_of_others(own)
        record = others[0] + own[0]
        refuse_empty_sums(record.weight, record.finite, rows)
        differences = self.differences_of(record)[0]
        thresholds = np.linspace(0.0, float(differences.largest.max()), self.n_thresholds)
        errors = rows.sum(FoldErrors.of, [self.along(one, thresholds) for one in others], fold).share
        return {
            **self.shrunken_by(record, float(thresholds[self.choose(errors)])),
            "thresholds_": thresholds,
            "columns_left_": columns_left(differences, thresholds),
            "cv_errors_": errors,
            "sums_": record,
        }

    def choose(self, errors: Array) -> int:
        """The number of the threshold that `rule` takes; folds without weight have no say."""
        errors = errors[:, ~np.isnan(errors[0])]
        mean, folds = errors.mean(axis=1), errors.shape[1]
        limit = mean.min() + SAME
        if self.rule == "one_se" and folds > 1:
            best = np.flatnonzero(mean <= limit)[-1]
            limit += errors[best].std(ddof=1) / np.sqrt(folds)
        return int(np.flatnonzero(mean <= limit)[-1])

    def differences_of(self, record: ClassSpread) -> tuple[ClassDifferences, Array, float]:
        """How the classes differ, s and s_0."""
        centre = record.pool()[0]
        spread = within_spread(record.total, record.spread.scatter.sum(axis=0))
        offset = median_spread(spread) if self.offset == "median" else float(self.offset)
        means = np.where(record.total[:, None] > 0, record.spread.mean, centre)
        return ClassDifferences.of(record.total, means, centre, units(spread, offset)), spread, offset

    def along(self, record: ClassSpread, thresholds: Array) -> Thresholded:
        """The fits to a record for all thresholds."""
        priors = checked_priors(self.priors, record.labels, record.total)
        with np.errstate(divide="ignore"):
            return Thresholded.of(self.differences_of(record)[0], np.log(priors), thresholds)

    def shrunken_by(self, record: ClassSpread, threshold: float) -> dict[str, Any]:
        """The fitted attributes for a threshold."""
        differences, spread, offset = self.differences_of(record)
        shrunken = soft_threshold(differences.difference, threshold)
        selected = (shrunken != 0).any(axis=0)
        if not selected.any() and differences.difference.any():
            warnings.warn(
                _(
                    "shrink_threshold={threshold} removes every column, the priors alone decide: the largest difference is "
                    "{largest}; choose a smaller threshold to keep some."
                ).format(threshold=f"{threshold:.6g}", largest=f"{differences.largest.max():.6g}"),
                UserWarning,
                stacklevel=2,
            )
        return {
            "classes_": record.labels,
            "class_count_": record.total,
            "class_prior_": checked_priors(self.priors, record.labels, record.total),
            "centroids_": differences.centroids(threshold),
            "shrunken_": shrunken,
            "within_class_std_dev_": spread,
            "offset_": offset,
            "shrink_threshold_": threshold,
            "selected_features_": selected,
            "n_parameters_": int(selected.sum()) * (len(record.labels) + 1),
            "certificate_": digits_kept(record),
        }

    def path(self, X: Any, y: Any = None, thresholds: ArrayLike | None = None, *, sample_weight: Any = None) -> ThresholdPath:
        """Columns left and error on the same rows for each threshold, by default `n_thresholds` of them as "cv" tries them.

        Nothing is set: it is a look at what thresholds do, in two passes over the rows.
        """
        rows = self.open(X, y, sample_weight)
        with single_blas(rows.work):
            record = self.summed_up(rows)
            differences = self.differences_of(record)[0]
            grid = np.linspace(0.0, float(differences.largest.max()), self.n_thresholds)
            grid = grid if thresholds is None else checked_thresholds(thresholds)
            order = np.argsort(grid, kind="stable")
            errors = rows.sum(FoldErrors.of, [self.along(record, grid[order])], None).share[:, 0]
            return ThresholdPath(grid, columns_left(differences, grid), errors[np.argsort(order, kind="stable")])

    # ---- what it says --------------------------------------------------------------------------------------------------

    def log_prior(self) -> Array:
        with np.errstate(divide="ignore"):
            return np.log(self.class_prior_)

    def advice(self) -> str:
        return _("Such rows lie too far from every class: check them.")

    @property
    def far_apart(self) -> bool:
        """Is a class so far away that distances from the common centre would cost the digits of the others?"""
        return bool((class_factors(self.class_count_) ** 2 * (self.shrunken_**2).sum(axis=1)).max() > FAR)

    def log_joint_function(self) -> Callable[[Block], Array]:
        """−½ δ of (1) over the selected columns, less what all classes share: −½ Σ z² with z = (x − x̄)/u, unless classes are
        far apart."""
        if self.selected_features_.shape != (self.n_features_in_,):
            raise ValueError(f"selected_features_ does not go with {self.n_features_in_} columns: fit again.")
        columns = np.flatnonzero(self.selected_features_)
        centre = self.sums_.pool()[0][columns]
        unit = units(self.within_class_std_dev_, self.offset_)[columns]
        W = np.ascontiguousarray((class_factors(self.class_count_)[:, None] * self.shrunken_[:, columns]).T)
        start, centroids, far = self.log_prior() - 0.5 * (W * W).sum(axis=0), self.centroids_[:, columns], self.far_apart

        def log_joint(block: Block) -> Array:
            if far:
                return far_scores(block.X[:, columns], centroids, unit, self.log_prior())
            joint = np.tile(start, (len(block), 1))
            add_products(block.X, columns, centre, unit, W, joint)
            joint[~(joint < np.inf).all(axis=1)] = -np.inf  # cells so large that nothing can be told
            return joint

        return log_joint

    def decision_function(self, X: Any) -> Array:
        """−½ δ of (1), up to what all classes share, for each row and class; for two classes the log-odds of the second."""
        scores = self.check_rows(self.new_rows(X)).each(self.log_joint_function())
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    def predict_joint_log_proba(self, X: Any) -> Array:
        """log P(k, x) for each row and class, each column normal with standard deviation u."""
        return self.check_rows(self.new_rows(X)).each(self.joint_density_function())

    def joint_density_function(self) -> Callable[[Block], Array]:
        log_joint = self.log_joint_function()
        centre, unit = self.sums_.pool()[0], units(self.within_class_std_dev_, self.offset_)
        shared = -np.log(unit).sum() - 0.5 * len(unit) * np.log(2.0 * np.pi)
        rest = ~self.selected_features_ if self.far_apart else slice(None)  # what `log_joint_function` leaves out

        def joint_density(block: Block) -> Array:
            with np.errstate(over="ignore"):
                squares = (((block.X - centre) / unit) ** 2)[:, rest].sum(axis=1)
            return log_joint(block) + (shared - 0.5 * squares)[:, None]

        return joint_density

    def draw_rows(self, owner: Array, random: np.random.Generator) -> Array:
        unit = units(self.within_class_std_dev_, self.offset_)
        return self.centroids_[owner] + unit * random.normal(size=(len(owner), len(unit)))


def checked_thresholds(thresholds: Any) -> Array:
    grid = np.atleast_1d(np.asarray(thresholds, dtype=np.float64))
    if grid.ndim != 1 or not len(grid):
        raise ParameterError(f"thresholds has shape {grid.shape}: give a list of at least one threshold.")
    for index, threshold in enumerate(grid):
        if not (np.isfinite(threshold) and threshold >= 0):
            raise ParameterError(f"thresholds[{index}] must be a number of at least 0, got {threshold}.")
    return grid


@compiled
def add_products(X: Array, columns: Array, centre: Array, unit: Array, W: Array, scores: Array) -> None:
    """Add Σ_j z_j W_jk over some columns."""
    for i in range(X.shape[0]):
        for c in range(len(columns)):
            z = (X[i, columns[c]] - centre[c]) / unit[c]
            for k in range(W.shape[1]):
                scores[i, k] += z * W[c, k]
