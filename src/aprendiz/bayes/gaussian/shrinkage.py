"""How far to shrink a covariance towards its diagonal: the estimate of Ledoit and Wolf.

On the columns of a class, standardised to z, with n rows and R = Σ ω z zᵀ/n,

    β = (Σ ω ‖z‖⁴/n − ‖R‖²)/(n·d),     δ = (‖R‖² − d)/d,     s = min(β, δ)/δ                                     (1)
    Σ_k ← (1 − s)·Σ_k + s·diag(Σ_k)                                                                              (2)

β is how far R is expected to be from the truth, δ how far it is from I: the smaller the sample, the more is shrunk. If columns
do not vary in a class, the target is, as in scikit-learn, trace(R)/d times the variances, 1 for those columns. Σ ω ‖z‖⁴ needs
the means and deviations, so it takes a second pass over the rows.

Reference: Ledoit & Wolf, "A well-conditioned estimator for large-dimensional covariance matrices", J. Multivariate Analysis
88, 2004.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from aprendiz.bayes.gaussian.class_moments import ClassMoments, ClassRows
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import Sums


@dataclass(frozen=True)
class Fourths(Sums):
    """Σ ω ‖z‖⁴ of each class."""

    fourths: Array

    @classmethod
    def of(cls, means: Array, deviations: Array, block: Block) -> Self:
        Z = (block.X - means[block.y]) / deviations[block.y]
        squares = np.einsum("ij,ij->i", Z, Z)
        return cls(np.bincount(block.y, block.weights * squares**2, len(means)))


def with_fourths(record: ClassMoments | ClassRows, rows: Rows) -> ClassMoments | ClassRows:
    """The record with what (1) needs of the rows."""
    moments = record.moments() if isinstance(record, ClassRows) else record
    deviations = np.sqrt(np.diagonal(covariances(moments), axis1=1, axis2=2))
    return replace(record, fourths=rows.sum(Fourths.of, record.means, np.where(deviations > 0, deviations, 1.0)).fourths)


def covariances(record: ClassMoments) -> Array:
    """S_k/n_k."""
    return record.scatter / np.maximum(record.total, np.finfo(float).tiny)[:, None, None]


def shrunk_towards_diagonal(record: Any) -> Array:
    """(2) of each class."""
    if record.fourths is None:
        raise ValueError(
            'shrinkage="auto" looks at the rows twice, so it is not available to partial_fit: give a number from 0 to 1.'
        )
    moments = record.moments() if isinstance(record, ClassRows) else record
    found = covariances(moments)
    for k, C in enumerate(found):
        variances = np.diagonal(C)
        s = ledoit_wolf(C, float(record.fourths[k]), float(record.total[k]))
        target = np.mean(variances > 0) * np.where(variances > 0, variances, 1.0)
        found[k] = (1.0 - s) * C + s * np.diag(target)
    return found


def ledoit_wolf(covariance: Array, fourth: float, n: float) -> float:
    """s of (1); nothing is shrunk where nothing varies."""
    if n == 0:
        return 0.0
    d, deviation = len(covariance), np.sqrt(np.diagonal(covariance))
    scale = np.where(deviation > 0, deviation, 1.0)
    R = covariance / scale / scale[:, None]
    trace, square = float(np.trace(R)), float((R * R).sum())
    delta = (square - trace**2 / d) / d
    beta = min((fourth / n - square) / (n * d), delta)
    return beta / delta if beta > 0 else 0.0
