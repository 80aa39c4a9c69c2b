"""Gaussian naive Bayes: each column is normal within each class, and independent of the others there.

    log P(k, x) = log π_k − ½ Σ_j [log 2πσ²_kj + (x_j − μ_kj)²/σ²_kj]                                         (1)
    μ_kj = Σ w x_j / Σ w,   σ²_kj = Σ w (x_j − μ_kj)² / Σ w + ε,   over the rows of class k                   (2)
    ε = var_smoothing · the largest variance of a column                                                      (3)

A diagonal covariance for each class, so the frontiers are quadrics. (2) is one sum over the rows, around a pivot for each
class. (3) follows from the same sums (within classes and between them), so that it does not depend on batches.

Missing cells are left out of (1) and (2). Where a class has no known cell in a column, it gets mean and variance of all rows.

Cost: one pass, O(n·d); prediction O(n·d·K); memory O(K·d).
Reference: Hand & Yu, "Idiot's Bayes: not so stupid after all?", International Statistical Review 69, 2001.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from aprendiz.bayes.generated_rows import GeneratedRows
from aprendiz.bayes.naive_bayes import checked_priors, spaced, united
from aprendiz.core.certificate import Certificate
from aprendiz.core.compiled import compiled
from aprendiz.core.parameters import ArrayLike, NonNegative
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import Spread, Sums, find_pivot


class GaussianNB(GeneratedRows):
    """Gaussian naive Bayes (drop-in for scikit-learn's; missing cells, exact `partial_fit`, files).

    Parameters
    ----------
    priors : array of shape (n_classes,), optional
        π; by default the share of each class.
    var_smoothing : float, default=1e-9
        ε of (3), as a part of the largest variance.

    Attributes
    ----------
    classes_, class_count_, class_prior_ : ndarray of shape (n_classes,)
        Labels, rows (or weight) and π of each class.
    theta_, var_ : ndarray of shape (n_classes, n_features)
        μ and σ² of (2).
    epsilon_ : float
        ε of (3).
    sums_ : ClassSpread
        The statistics, to which `partial_fit` adds.
    certificate_ : Certificate
        The smallest number of digits kept by a variance, and its class and column.
    """

    allows = frozenset({"missing"})
    differences = {
        "epsilon_": "another form: of the weighted variances, and of all batches of `partial_fit` together",
    }

    advice = "They lie too far from every class; look at them."
    tuning = {"var_smoothing": (1e-9, 1e-6, 1e-3, 1e-1)}

    def __init__(self, *, priors: ArrayLike | None = None, var_smoothing: NonNegative = 1e-9):
        self.priors = priors
        self.var_smoothing = var_smoothing

    def summarise(self, rows: Rows) -> ClassSpread:
        assert rows.labels is not None
        return rows.sum(ClassSpread.of, rows.labels, class_pivots(rows, len(rows.labels)))

    def conclude(self, record: ClassSpread) -> dict[str, Any]:
        mean, variance = record.spread.mean, record.variance
        all_mean, all_variance = record.pooled()
        epsilon = self.var_smoothing * float(all_variance.max())
        known = record.spread.weight > 0
        variance = np.where(known, variance, all_variance) + epsilon
        worst = np.unravel_index(np.argmin(record.spread.digits), mean.shape)
        digits = float(record.spread.digits[worst])
        found = {"digits": digits, "class": record.labels[worst[0]], "column": int(worst[1])}
        return {
            "classes_": record.labels,
            "class_count_": record.total,
            "class_prior_": checked_priors(self.priors, record.labels, record.total),
            "theta_": np.where(known, mean, all_mean),
            "var_": np.where(variance > 0, variance, 1.0),  # nothing varies at all: every class says the same
            "epsilon_": epsilon,
            "certificate_": Certificate("means and variances keep at least eight digits", digits >= 8, found),
        }

    def log_prior(self) -> Array:
        with np.errstate(divide="ignore"):
            return np.log(self.class_prior_)

    def drawn(self, owner: Array, random: np.random.Generator) -> Array:
        return self.theta_[owner] + np.sqrt(self.var_[owner]) * random.normal(size=(len(owner), self.theta_.shape[1]))

    def judge(self) -> Callable[[Block], Array]:
        mean, precision, log_variance, prior = self.theta_, 1.0 / self.var_, np.log(2.0 * np.pi * self.var_), self.log_prior()

        def log_joint(block: Block) -> Array:
            joint = np.empty((len(block), len(mean)))
            gaussian_joint(block.X, mean, precision, log_variance, prior, joint)
            return joint

        return log_joint


def class_pivots(rows: Rows, classes: int) -> Array:
    """A point inside each class: the median of some of its rows in the first block, or of all rows there."""
    everywhere = find_pivot(rows)

    def of_classes(block: Block) -> Array:
        pivots = np.tile(everywhere, (classes, 1))
        for k in np.flatnonzero(np.bincount(block.y, minlength=classes)):
            some = block.X[np.flatnonzero(block.y == k)[:100]].astype(np.float64)
            middle = np.sort(some, axis=0)[len(some) // 2]  # missing cells come last
            pivots[k] = np.where(np.isfinite(middle), middle, everywhere)
        return pivots

    return rows.first(of_classes)


@dataclass(frozen=True)
class ClassSpread(Sums):
    """Labels, weight of each class, and the spread of its columns (classes × columns)."""

    labels: Array
    total: Array
    spread: Spread
    declared: bool = False  # whether the labels were announced, so that no others may come

    @classmethod
    def of(cls, labels: Array, pivot: Array, block: Block) -> Self:
        shape = pivot.shape
        weight, first, second, known = np.zeros(shape), np.zeros(shape), np.zeros(shape), np.zeros(shape, np.int64)
        spread_by_class(block.X, block.y, block.weights, pivot, weight, first, second, known)
        total = np.bincount(block.y, block.weight, len(labels)).astype(np.float64)
        return cls(labels, total, Spread(weight, first, second, known, pivot))

    def __add__(self, other: Self) -> Self:
        labels, here, there = united(self.labels, other.labels)
        total = spaced(self.total, here, len(labels)) + spaced(other.total, there, len(labels))
        mine, theirs = self.wider(here, len(labels)), other.wider(there, len(labels))
        if self.spread.pivot is not other.spread.pivot:  # a class that one of them has not seen takes the other's pivot
            pivot = np.where(mine.known > 0, mine.pivot, theirs.pivot)
            mine, theirs = replace(mine, pivot=pivot), replace(theirs, pivot=np.where(theirs.known > 0, theirs.pivot, pivot))
        return type(self)(labels, total, mine + theirs, self.declared or other.declared)

    def wider(self, where: Array, classes: int) -> Spread:
        """The spread with room for more classes."""
        if classes == len(self.labels):
            return self.spread
        return Spread(*(spaced(getattr(self.spread, name), where, classes) for name in Spread.__dataclass_fields__))

    def announced(self, declared: bool) -> Self:
        return replace(self, declared=declared)

    @property
    def weight(self) -> float:
        """Total weight n."""
        return float(self.total.sum())

    @property
    def columns(self) -> int:
        return int(self.spread.pivot.shape[1])

    @property
    def finite(self) -> bool:
        return self.spread.finite

    @property
    def means(self) -> Array:
        """Of each class."""
        return self.spread.mean

    @property
    def variance(self) -> Array:
        """Within each class."""
        weight = self.spread.weight
        return np.divide(self.spread.scatter, weight, out=np.zeros_like(weight), where=weight > 0)

    def pooled(self) -> tuple[Array, Array]:
        """Mean and variance of each column over all classes: within them, and between their means."""
        weight = self.spread.weight.sum(axis=0)
        share = np.divide(self.spread.weight, weight, out=np.zeros_like(self.spread.weight), where=weight > 0)
        first = self.spread.mean[np.argmax(share, axis=0), np.arange(self.columns)]  # a pivot for the mean of the means
        mean = first + (share * np.where(share > 0, self.spread.mean - first, 0.0)).sum(axis=0)
        between = share * np.where(share > 0, self.spread.mean - mean, 0.0) ** 2
        return mean, (share * self.variance + between).sum(axis=0)


# ---- kernels -----------------------------------------------------------------------------------------------------------


@compiled
def spread_by_class(X, y, w, pivot, weight, first, second, known):  # type: ignore[no-untyped-def]
    """Add weight, Σ w (x − pivot), Σ w (x − pivot)² and the number of the known cells, class by class."""
    for i in range(X.shape[0]):
        k = y[i]
        if w[i] == 0.0:
            continue
        for j in range(X.shape[1]):
            z = X[i, j] - pivot[k, j]
            there = z == z
            z = z if there else 0.0
            weight[k, j] += w[i] * there
            first[k, j] += w[i] * z
            second[k, j] += w[i] * z * z
            known[k, j] += there


@compiled
def gaussian_joint(X, mean, precision, log_variance, log_prior, joint):  # type: ignore[no-untyped-def]
    """(1) for each row and class."""
    for i in range(X.shape[0]):
        for k in range(len(mean)):
            total = 0.0
            for j in range(X.shape[1]):
                z = X[i, j] - mean[k, j]
                total += log_variance[k, j] + z * z * precision[k, j] if z == z else 0.0
            joint[i, k] = log_prior[k] - 0.5 * total
