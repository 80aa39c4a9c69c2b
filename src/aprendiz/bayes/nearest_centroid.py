"""Nearest centroid: a row belongs to the class whose centre is nearest.

    k(x) = argmin_k ‖x − c_k‖            c_k the mean of the class (euclidean) or its median by columns (manhattan)   (1)
    g_k(x) = −‖(x − c_k)/s‖² + 2 log π_k                                                                      (2)

(1) decides where the classes have equal priors, (2) otherwise, with s the spread of each column within classes. The centres
may be drawn towards the mean of all rows (shrunken_centroids.py, `shrink_threshold`).

Conventions are scikit-learn's, so that the class can be exchanged for it: distances of (1) are in the units of the columns, the
posterior is proportional to exp(g), not to exp(½ g), and priors are equal by default. NearestShrunkenCentroids is the method of
the paper in one piece.

Cost: one pass for means, K times two or three for medians, O(n·d) each; prediction O(n·d·K).
Reference: Tibshirani, Hastie, Narasimhan & Chu, PNAS 99, 2002; Hastie, Tibshirani & Friedman, "The elements of statistical
learning", section 18.2.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from sklearn.utils.metaestimators import available_if

from aprendiz.bayes.gaussian.class_spread import ClassSpread, class_pivots
from aprendiz.bayes.gaussian.shrunken_centroids import ClassDifferences, digits_kept, soft_threshold, units, within_spread
from aprendiz.bayes.naive.independent_columns import log_posterior
from aprendiz.compilation.compiled import compiled
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.learner import Classifier, Passes
from aprendiz.core.parameters import ArrayLike, Positive
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.targets import plain
from aprendiz.summaries.quantiles import quantiles


class NearestCentroid(Classifier, Passes):
    """Nearest centroid (drop-in for scikit-learn's; weights, files).

    Parameters
    ----------
    metric : "euclidean" or "manhattan", default="euclidean"
        The distance of (1); the centre is the mean or the median by columns.
    shrink_threshold : float or None, default=None
        Δ, by which differences between centres and the mean of all rows are shrunken.
    priors : "uniform", "empirical" or array of shape (n_classes,), default="uniform"
        π: equal, the share of each class, or as given.

    Attributes
    ----------
    classes_, class_prior_ : ndarray of shape (n_classes,)
        Labels and π.
    centroids_ : ndarray of shape (n_classes, n_features)
        c, shrunken if asked.
    deviations_ : ndarray of shape (n_classes, n_features)
        Differences between centres and the mean of all rows in standard errors, shrunken if asked.
    within_class_std_dev_ : ndarray of shape (n_features,)
        s: spread around the centres that are not shrunken.
    certificate_ : Certificate
        The smallest number of digits kept by a variance, and its class and column.
    """

    allows = frozenset({"sparse"})
    differences = {
        "within_class_std_dev_": "another form: 0 where each class has a single row, NaN there; zeros give no warning",
        "deviations_": "another form: in the units of the column where nothing varies within classes, infinite there",
    }
    tuning = {"shrink_threshold": (None, 0.5, 1.0, 2.0)}

    def __init__(
        self,
        metric: Literal["euclidean", "manhattan"] = "euclidean",
        *,
        shrink_threshold: Positive | None = None,
        priors: ArrayLike | Literal["uniform", "empirical"] = "uniform",
    ):
        self.metric = metric
        self.shrink_threshold = shrink_threshold
        self.priors = priors

    def learned(self, rows: Rows) -> dict[str, Any]:
        assert rows.labels is not None
        record = rows.sum(ClassSpread.of, rows.labels, class_pivots(rows, len(rows.labels)))
        refuse_empty_sums(record.weight, record.finite, rows)
        if not record.total.all():
            label = plain(record.labels[np.argmin(record.total)])
            raise ValueError(f"sample_weight: the class {label!r} has no weight, so it has no centre; leave its rows out.")
        means, squares = record.spread.mean, record.spread.scatter
        if not squares.any() and (means == means[0]).all():
            raise ValueError("All features have zero variance: all rows of X are the same. Give columns in which they differ.")
        centroids = means if self.metric == "euclidean" else class_medians(rows)
        squares = squares + record.total[:, None] * (means - centroids) ** 2
        spread = within_spread(record.total, squares.sum(axis=0))
        unit = units(spread, float(np.median(spread)))
        differences = ClassDifferences.of(record.total, centroids, record.pool()[0], unit)
        deviations = differences.difference
        if self.shrink_threshold is not None:
            deviations = soft_threshold(deviations, self.shrink_threshold)
            centroids = differences.centroids(self.shrink_threshold)
        return {
            "classes_": record.labels,
            "class_prior_": self.shares(record),
            "centroids_": centroids,
            "deviations_": deviations,
            "within_class_std_dev_": spread,
            "certificate_": digits_kept(record),
        }

    def shares(self, record: ClassSpread) -> Array:
        """π."""
        classes = len(record.labels)
        if isinstance(self.priors, str):
            return np.full(classes, 1.0 / classes) if self.priors == "uniform" else record.total / record.weight
        priors = np.asarray(self.priors, dtype=np.float64)
        if priors.shape != (classes,):
            raise ValueError(f"priors has shape {priors.shape}, there are {classes} classes: give one prior for each.")
        if not (priors >= 0).all() or not priors.any():
            raise ValueError(f"priors must be non-negative, and not all zero, got {priors.tolist()}.")
        if not np.isclose(priors.sum(), 1.0):
            warnings.warn("The priors do not sum to 1: they are divided by their sum.", UserWarning, stacklevel=2)
            priors = priors / priors.sum()
        return priors

    # ---- what it says --------------------------------------------------------------------------------------------------

    def away(self, scale: Array) -> Callable[[Block], Array]:
        """The function that gives the distances of a block to the centres (euclidean ones squared), rows × classes."""
        centroids, manhattan = self.centroids_, self.metric == "manhattan"
        if centroids.shape != (len(self.classes_), self.n_features_in_) or scale.shape != centroids.shape[1:]:
            raise ValueError(f"centroids_ has shape {centroids.shape}, which does not go with the classes: fit again.")

        def distances(block: Block) -> Array:
            found = np.empty((len(block), len(centroids)))
            to_centres(block.X, centroids, scale, manhattan, found)
            return found

        return distances

    def score_function(self) -> Callable[[Block], Array]:
        """g of (2) of a block, rows × classes."""
        s = self.within_class_std_dev_
        distances = self.away(np.where(s > 0, s, 1.0))
        with np.errstate(divide="ignore"):
            prior = 2.0 * np.log(self.class_prior_)
        power = 2 if self.metric == "manhattan" else 1
        return lambda block: prior - distances(block) ** power

    def predict(self, X: Any) -> Array:
        """The class of the nearest centre, (1); with unequal priors, of the largest (2)."""
        rows = self.new_rows(X)
        if np.isclose(self.class_prior_, 1.0 / len(self.classes_)).all():
            distances = self.away(np.ones(self.n_features_in_))
            return self.classes_[rows.each(lambda block: distances(block).argmin(axis=1))]
        scores = self.score_function()
        return self.classes_[rows.each(lambda block: scores(block).argmax(axis=1))]

    def is_euclidean(self) -> bool:
        """Scores and probabilities are those of normal columns: for the euclidean distance only."""
        return self.metric == "euclidean"

    @available_if(is_euclidean)
    def decision_function(self, X: Any) -> Array:
        """(2) for each row and class; for two classes, that of the second less that of the first."""
        scores = self.new_rows(X).each(self.score_function())
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    @available_if(is_euclidean)
    def predict_log_proba(self, X: Any) -> Array:
        """The logarithm of the share of exp(g), for each row and class."""
        rows, scores = self.new_rows(X), self.score_function()
        return rows.each(lambda block: log_posterior(scores(block)))

    @available_if(is_euclidean)
    def predict_proba(self, X: Any) -> Array:
        """The share of exp(g), for each row and class."""
        return np.exp(self.predict_log_proba(X))


def class_medians(rows: Rows) -> Array:
    """The median of each column in each class."""
    assert rows.labels is not None
    found = [quantiles(of_class(rows, k), [0.5])[0] for k in range(len(rows.labels))]
    return np.array(found)


def of_class(rows: Rows, k: int) -> Rows:
    """The rows of a class; where they are not in memory, the others without weight."""
    if in_memory(rows):
        assert rows.y is not None
        mine = rows.y == k
        return rows.like(X=rows.X[mine], y=rows.y[mine], weight=None if rows.weight is None else rows.weight[mine])
    return rows.changed(lambda block: replace(block, weight=block.weights * (block.y == k)))


@compiled
def to_centres(X: Array, centroids: Array, scale: Array, manhattan: bool, found: Array) -> None:
    """Σ ((x − c)/scale)², or Σ |x − c|/scale, for each row and centre."""
    for i in range(X.shape[0]):
        for k in range(len(centroids)):
            total = 0.0
            for j in range(X.shape[1]):
                z = (X[i, j] - centroids[k, j]) / scale[j]
                total += abs(z) if manhattan else z * z
            found[i, k] = total
