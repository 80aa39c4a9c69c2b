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
from typing import Any

import numpy as np

from aprendiz.bayes.gaussian.class_spread import ClassSpread, class_pivots, smoothed
from aprendiz.bayes.naive.generated_rows import GeneratedRows
from aprendiz.bayes.naive.independent_columns import CLASSES_AS_THEY_COME, checked_priors
from aprendiz.bayes.naive.stored_tables import GAUSSIANS
from aprendiz.compilation.compiled import compiled
from aprendiz.core.certificate import Certificate
from aprendiz.core.parameters import ArrayLike, NonNegative
from aprendiz.core.precision import double
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.locale import _

LITTLE = 0.01  # part of the variance of a column that smoothing may add without changing what the column says


class GaussianNB(GeneratedRows):
    """Gaussian naive Bayes (drop-in for scikit-learn's; missing cells, exact `partial_fit`, files).

    Parameters
    ----------
    priors : array of shape (n_classes,), optional
        Class priors π; by default, the class proportions.
    var_smoothing : float, default=1e-9
        Fraction of the largest variance that is added to all variances: ε of (3).

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
        The smallest number of digits kept by a variance, and its class and column; ε as a part of the smallest variance of a
        column, and that column.
    """

    stored_check = GAUSSIANS

    allows = frozenset({"missing"})
    in_data_dtype = frozenset({"class_count_", "class_prior_", "theta_", "var_"})
    differences = {
        **CLASSES_AS_THEY_COME,
        "epsilon_": "another form: of the weighted variances, and of all batches of `partial_fit` together",
    }

    tuning = {"var_smoothing": (1e-9, 1e-6, 1e-3, 1e-1)}

    def __init__(self, *, priors: ArrayLike | None = None, var_smoothing: NonNegative = 1e-9):
        self.priors = priors
        self.var_smoothing = var_smoothing

    def summarise(self, rows: Rows) -> ClassSpread:
        assert rows.labels is not None
        return rows.sum(ClassSpread.of, rows.labels, class_pivots(rows, len(rows.labels)))

    def conclude(self, record: ClassSpread) -> dict[str, Any]:
        record.refuse_vanished()
        mean, variance = record.spread.mean, record.variance
        all_mean, all_variance = record.pool()
        known, largest = record.spread.weight > 0, float(all_variance.max())
        variance = smoothed(np.where(known, variance, all_variance), self.var_smoothing, largest)
        epsilon = self.var_smoothing * largest
        return {
            "classes_": record.labels,
            "class_count_": record.total,
            "class_prior_": checked_priors(self.priors, record.labels, record.total),
            "theta_": np.where(known, mean, all_mean),
            "var_": np.where(variance > 0, variance, 1.0),  # nothing varies at all: every class says the same
            "epsilon_": epsilon,
            "certificate_": proof(record, epsilon, all_variance),
        }

    def log_prior(self) -> Array:
        with np.errstate(divide="ignore"):
            return np.log(self.class_prior_)

    def advice(self) -> str:
        return _("Such rows lie too far from every class: check them.")

    def draw_rows(self, owner: Array, random: np.random.Generator) -> Array:
        mean, deviation = double(self.theta_), np.sqrt(double(self.var_))
        return mean[owner] + deviation[owner] * random.normal(size=(len(owner), mean.shape[1]))

    def log_joint_function(self) -> Callable[[Block], Array]:
        mean, variance, prior = double(self.theta_), double(self.var_), double(self.log_prior())
        precision, log_variance = 1.0 / variance, np.log(2.0 * np.pi * variance)

        def log_joint(block: Block) -> Array:
            joint = np.empty((len(block), len(mean)))
            gaussian_joint(block.X, mean, precision, log_variance, prior, joint)
            return joint

        return log_joint


def proof(record: ClassSpread, epsilon: float, variance: Array) -> Certificate:
    """That means and variances of the classes, before smoothing, keep eight digits (`Spread.digits`), and that what smoothing
    adds is at most a hundredth of the variance of every column over all classes; else columns of small units have no say."""
    kept, varies = record.spread.digits, variance > 0
    worst = np.unravel_index(np.argmin(kept), kept.shape)
    share = np.divide(epsilon, variance, out=np.zeros_like(variance), where=varies)
    known = {"digits": float(kept[worst]), "class": record.labels[worst[0]], "column": int(worst[1])}
    known |= {"smoothing": float(share.max(initial=0.0)), "most_smoothed": int(share.argmax())}
    claim = "means and variances keep at least eight digits, and smoothing adds little to them"
    return Certificate(claim, bool(kept[worst] >= 8 and known["smoothing"] <= LITTLE), known)


# ---- kernels -----------------------------------------------------------------------------------------------------------


@compiled
def gaussian_joint(X: Array, mean: Array, precision: Array, log_variance: Array, log_prior: Array, joint: Array) -> None:
    """(1) for each row and class."""
    for i in range(X.shape[0]):
        for k in range(len(mean)):
            total = 0.0
            for j in range(X.shape[1]):
                z = X[i, j] - mean[k, j]
                total += log_variance[k, j] + z * z * precision[k, j] if z == z else 0.0
            joint[i, k] = log_prior[k] - 0.5 * total
