"""White coordinates: those in which the rows have mean 0 and no correlation, so that a criterion does not know the units.

    u = T(x − m),     T Σ Tᵀ = I                                                                              (1)
    t = β + uᵀv = b + xᵀw,     w = Tᵀv,   b = β − mᵀw                                                         (2)

A criterion that is a sum over the rows is summed in the columns as they are, around a pivot; its gradient g and curvature H go
to white coordinates by Lᵀg and LᵀHL, L the matrix of (2). The variance of t is ‖v‖². Directions in which nothing varies have no
coordinate. Of two classes, δ = T(μ₁ − μ₀) is the distance of their means.

Cost: one pass, n·d²/2 multiplications, and d³.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sums import find_pivot
from aprendiz.summaries.moments import Moments

EPS = float(np.finfo(float).eps)


@dataclass(frozen=True)
class Whitened:
    """T, the mean around the pivot, and of the two classes their distance and shares."""

    pivot: Array
    offset: Array  # m − pivot
    T: Array
    apart: Array  # δ
    share: Array
    weight: float

    @classmethod
    def of(cls, rows: Rows) -> Whitened:
        moments = rows.sum(Moments.by_class, find_pivot(rows), 2)
        refuse_empty_sums(moments.weight, moments.finite, rows)
        weight = float(moments.weight.sum())
        share = moments.weight / weight
        offset, apart = share @ moments.offset, moments.offset[1] - moments.offset[0]
        covariance = moments.within_scatter() / weight + share[0] * share[1] * np.outer(apart, apart)
        T = whitening(covariance, moments.pivot + offset)
        return cls(moments.pivot, offset, T, T @ apart, share, weight)

    @property
    def map(self) -> Array:
        """L of (2), around the pivot: (β, v) to (b, w)."""
        r, d = self.T.shape
        L = np.zeros((1 + d, 1 + r))
        L[0, 0], L[0, 1:], L[1:, 1:] = 1.0, -self.T @ self.offset, self.T.T
        return L

    def plane(self, white: Array) -> tuple[Array, float]:
        """w and b of (2), in the columns as they are."""
        w = self.T.T @ white[1:]
        return w, float(white[0] - w @ self.offset - w @ self.pivot)

    def least_squares(self) -> Array:
        """The plane of least squares on 0 and 1, less ½: its direction is δ."""
        slope = self.share[0] * self.share[1] * self.apart
        return np.append(self.share[1] - 0.5, slope)


def whitening(covariance: Array, mean: Array) -> Array:
    """T of (1), from the eigenvectors on a unit diagonal."""
    deviation = np.sqrt(np.maximum(np.diagonal(covariance), 0.0))
    varies = deviation > 4 * EPS * np.abs(mean)
    scale = np.where(varies, deviation, 1.0)
    A = np.where(varies[:, None] & varies, covariance / scale / scale[:, None], 0.0)
    values, vectors = linalg.eigh(A, check_finite=False)
    kept = values > 16 * max(len(values), 10) * EPS * max(values[-1], EPS)
    return np.asarray((vectors[:, kept] / np.sqrt(values[kept])).T / scale)


def across(direction: Array) -> Array:
    """An orthonormal basis, in columns, of what is perpendicular to a direction; of everything if that is 0."""
    if not np.any(direction):
        return np.eye(len(direction))
    return np.asarray(linalg.qr(direction[:, None])[0][:, 1:])
