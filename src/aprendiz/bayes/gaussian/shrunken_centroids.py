"""Shrunken centroids: how far each class lies from all rows, column by column, and how much of that is kept.

With n_k rows in class k, n in all, K classes, and x̄ the means,

    s_j² = Σ_k Σ_{i∈k} (x_ij − x̄_kj)² / (n − K),     u_j = s_j + s_0                                          (1)
    m_k  = √(1/n_k − 1/n),     d_kj = (x̄_kj − x̄_j) / (m_k·u_j)                                                (2)
    d'_kj = sign(d_kj)·max(|d_kj| − Δ, 0),     x̄'_kj = x̄_j + m_k·u_j·d'_kj                                    (3)
          = x̄_kj ∓ m_k·u_j·Δ where |d_kj| > Δ, which loses no digits where one class lies far from the others

m_k·s_j is the standard error of x̄_kj − x̄_j: the class is a part of all rows, so its share is subtracted, and √(1/n_k + 1/n)
would be too large. s_0, usually the median of the s_j, keeps columns of tiny spread from having large d.

Rows may have weights, which count rows: n_k and n are then sums of weights. Where neither s_j nor s_0 is above 0 there is
nothing to divide by, and u_j = 1. A class without rows has the mean of all rows, d = 0.

Reference: Tibshirani, Hastie, Narasimhan & Chu, "Diagnosis of multiple cancer types by shrunken centroids of gene expression",
PNAS 99, 2002.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from aprendiz.bayes.gaussian.class_spread import ClassSpread
from aprendiz.core.certificate import Certificate
from aprendiz.core.rows import Array


def class_factors(total: Array) -> Array:
    """m of (2) for classes of some weights; 0 for a class without rows, and for one that has them all."""
    inverse = np.divide(1.0, total, out=np.zeros_like(total), where=total > 0)
    return np.sqrt(np.maximum(inverse - (total > 0) / total.sum(), 0.0))


def within_spread(total: Array, squares: Array) -> Array:
    """s of (1) from the squares Σ (x − x̄_k)² of each column; 0 where each class has a single row."""
    free = float(total.sum()) - np.count_nonzero(total)
    if free > 0:
        return np.asarray(np.sqrt(squares / free))
    if squares.any():
        raise ValueError(
            f"sample_weight sums to {total.sum():.6g}, no more than the {np.count_nonzero(total)} classes: "
            "weights count rows here, so scale them to sum to the number of rows."
        )
    return np.zeros_like(squares)


def median_spread(spread: Array) -> float:
    """s_0: the median of the s_j; where most columns do not vary within classes, the median of those that do."""
    middle = float(np.median(spread))
    return middle if middle > 0 or not spread.any() else float(np.median(spread[spread > 0]))


def units(spread: Array, offset: float) -> Array:
    """u of (1), 1 where there is nothing to divide by."""
    unit = spread + offset
    return np.where(unit > 0, unit, 1.0)


def soft_threshold(difference: Array, threshold: float) -> Array:
    """d' of (3); Δ = 0 leaves everything as it is."""
    return np.sign(difference) * np.maximum(np.abs(difference) - threshold, 0.0)


@dataclass(frozen=True)
class ClassDifferences:
    """x̄_k, x̄, u, m and d of (2): classes × columns, columns, columns, classes, and classes × columns."""

    means: Array
    centre: Array
    unit: Array
    factor: Array
    difference: Array

    @classmethod
    def of(cls, total: Array, centroids: Array, centre: Array, unit: Array) -> Self:
        """Of centroids x̄_k around the centre x̄ of all rows."""
        factor = class_factors(total)
        scale = np.where(factor > 0, factor, 1.0)[:, None] * unit
        return cls(centroids, centre, unit, factor, np.where(factor[:, None] > 0, (centroids - centre) / scale, 0.0))

    @property
    def largest(self) -> Array:
        """max_k |d_kj|: the threshold at which a column drops out."""
        return np.asarray(np.abs(self.difference).max(axis=0))

    def centroids(self, threshold: float) -> Array:
        """x̄' of (3)."""
        taken = self.factor[:, None] * self.unit * np.clip(self.difference, -threshold, threshold)
        return np.where(np.abs(self.difference) <= threshold, self.centre, self.means - taken)


def far_scores(X: Array, centroids: Array, unit: Array, log_prior: Array) -> Array:
    """log π_k − ½ Σ ((x − x̄'_k)/u)² of each row and class, each class by itself, however far it is from the others."""
    with np.errstate(over="ignore"):
        squares = [np.square((X - one) / unit).sum(axis=1) for one in centroids]
    return np.asarray(log_prior - 0.5 * np.column_stack(squares))


def digits_kept(record: ClassSpread) -> Certificate:
    """That the means and variances of every class and column keep eight digits (`Spread.digits`), and where they keep
    fewest."""
    kept = record.spread.digits
    k, j = (int(index) for index in np.unravel_index(np.argmin(kept), kept.shape))
    found = {"digits": float(kept[k, j]), "class": record.labels[k], "column": j}
    return Certificate("means and variances keep at least eight digits", bool(kept[k, j] >= 8), found)
