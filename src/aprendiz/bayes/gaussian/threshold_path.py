"""The classes that shrunken centroids give to rows for many thresholds at once.

With z_j = (x_j − x̄_j)/u_j, the logarithm of the posterior is, up to what all classes share,

    g_k(x, Δ) = log π_k + m_k·Σ_j z_j d'_kj − ½ m_k²·Σ_j d'_kj²                                               (1)
    Σ_j z_j d'_kj = A − Δ·B,   A = Σ z_j d_kj,   B = Σ z_j sign(d_kj),   both over the columns with |d_kj| > Δ   (2)

A column counts for the thresholds below its |d_kj|. So it is added once to A and B, at the largest of these thresholds, and
running sums from the largest threshold down give (2) for all of them.

(1) is a difference of numbers of the size of the largest squared distance m_k²·Σ d². Where a class lies so far away that the
others would lose their digits, the distances from the shrunken centroids are taken instead, for one threshold after the other.

Cost: n·d·K for any number of thresholds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from aprendiz.bayes.gaussian.ellipsoid import FAR
from aprendiz.bayes.gaussian.shrunken_centroids import ClassDifferences, far_scores, soft_threshold
from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array, Block
from aprendiz.core.sums import Sums


@dataclass(frozen=True)
class ThresholdPath:
    """What each threshold leaves.

    Attributes
    ----------
    thresholds : ndarray of shape (n_thresholds,)
    columns : ndarray of shape (n_thresholds,)
        Columns in which some class still differs.
    errors : ndarray of shape (n_thresholds,)
        Share of the rows, the same that were fitted, whose class is not predicted.
    """

    thresholds: Array
    columns: Array
    errors: Array

    def __str__(self) -> str:
        width = max(len("columns"), len(str(int(self.columns.max()))))
        lines = [f"{'threshold':>9}  {'columns':>{width}}  {'error':>6}"]
        for threshold, columns, error in zip(self.thresholds, self.columns, self.errors, strict=True):
            lines.append(f"{threshold:9.3f}  {columns:{width}d}  {error:6.4f}")
        return "\n".join(lines)


def columns_left(differences: ClassDifferences, thresholds: Array) -> Array:
    """How many columns some class still differs in."""
    ordered = np.sort(differences.largest)
    return len(ordered) - np.searchsorted(ordered, thresholds, side="right")


@dataclass(frozen=True)
class Thresholded:
    """(1) for ascending thresholds: d is columns × classes, `count` how many thresholds are below |d|, `start` what (1) has
    beside its first sum, classes × thresholds."""

    differences: ClassDifferences
    d: Array
    count: Array
    thresholds: Array
    start: Array
    log_prior: Array
    far: bool

    @classmethod
    def of(cls, differences: ClassDifferences, log_prior: Array, thresholds: Array) -> Self:
        d = np.ascontiguousarray(differences.difference.T)
        count = np.searchsorted(thresholds, np.abs(d), side="left")
        squares = [(soft_threshold(differences.difference, t) ** 2).sum(axis=1) for t in thresholds]
        distance = differences.factor[:, None] ** 2 * np.column_stack(squares)
        start, far = log_prior[:, None] - 0.5 * distance, bool(distance.max() > FAR)
        return cls(differences, d, count, thresholds, start, log_prior, far)

    def classes(self, X: Array) -> Array:
        """The number of the class, rows × thresholds."""
        said = np.empty((len(X), len(self.thresholds)), np.intp)
        known = self.differences
        if self.far:
            for t, threshold in enumerate(self.thresholds):
                said[:, t] = far_scores(X, known.centroids(threshold), known.unit, self.log_prior).argmax(axis=1)
            return said
        classes_along(X, known.centre, known.unit, known.factor, self.d, self.count, self.thresholds, self.start, said)
        return said


@dataclass(frozen=True)
class FoldErrors(Sums):
    """Weight of the rows whose class is not predicted, thresholds × folds, and of all rows of each fold."""

    wrong: Array
    total: Array

    @classmethod
    def of(cls, models: Sequence[Thresholded], fold: Array | None, block: Block) -> Self:
        """`models[k]` judges the rows of fold k (all rows if `fold` is None)."""
        wrong, total = np.zeros((len(models[0].thresholds), len(models))), np.zeros(len(models))
        number = np.zeros(len(block), np.intp) if fold is None else fold[block.numbers]
        for k in np.unique(number):
            mine = number == k
            weight = block.weights[mine]
            wrong[:, k] = weight @ (models[k].classes(block.X[mine]) != block.y[mine, None])
            total[k] = weight.sum()
        return cls(wrong, total)

    @property
    def share(self) -> Array:
        """Of the rows of each fold; NaN for a fold without weight."""
        return np.divide(self.wrong, self.total, out=np.full_like(self.wrong, np.nan), where=self.total > 0)


@compiled
def classes_along(
    X: Array, centre: Array, unit: Array, factor: Array, d: Array, count: Array, thresholds: Array, start: Array, said: Array
) -> None:
    """The class with the largest (1), the first of equal ones, for each row and threshold."""
    classes, number = start.shape
    for i in range(X.shape[0]):
        A, B = np.zeros((classes, number)), np.zeros((classes, number))
        for j in range(X.shape[1]):
            z = (X[i, j] - centre[j]) / unit[j]
            for k in range(classes):
                last = count[j, k] - 1
                if last >= 0:
                    A[k, last] += z * d[j, k]
                    B[k, last] += z if d[j, k] > 0.0 else -z
        best = np.full(number, -np.inf)
        said[i] = 0
        for k in range(classes):
            a, b = 0.0, 0.0
            for t in range(number - 1, -1, -1):
                a += A[k, t]
                b += B[k, t]
                score = start[k, t] + factor[k] * (a - thresholds[t] * b)
                if score > best[t]:
                    best[t], said[i, t] = score, k
