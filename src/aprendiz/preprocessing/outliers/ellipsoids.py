"""Ellipsoids: a row is an outlier if it is far from the centre of the rows, by their own covariance.

    d²(x) = (x − m)ᵀ S⁻¹ (x − m)  >  χ²_r(p)                                                                  (1)

m and S (denominator n) come from one sum. For normal rows d² is about χ² with r = rank S degrees of freedom, so that a share
1 − p of good rows is beyond the limit too. Directions in which the rows do not vary are left out.

Outliers pull m and S towards themselves. The robust form replaces both by the orthogonalised estimate of Gnanadesikan and
Kettenring, made of medians alone: with σ(·) = 1.4826 times the median absolute deviation and columns u = x/σ(x),

    U_jk = ¼·(σ(u_j + u_k)² − σ(u_j − u_k)²)      correlations that outliers cannot make                       (2)
    U = E Λ Eᵀ,     v = Eᵀu                       uncorrelated directions                                      (3)
    d² = Σ_l (v_l − median v_l)²/σ(v_l)²                                                                      (4)

and multiplies the limit of (1) by median(d²)/χ²_r(½), so that the middle of the rows is where that of normal rows would be.

Cost: (1) one pass, n·d² multiplications; (2) to (4) 2·d + 6 passes of medians.
References: Rousseeuw & van Zomeren, JASA 85, 1990; Maronna & Zamar, Technometrics 44, 2002.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import chi2

from aprendiz.core.certificate import Certificate
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sums import find_pivot
from aprendiz.preprocessing.outliers.cell_limits import robust_centre
from aprendiz.summaries.moments import Moments
from aprendiz.summaries.quantiles import quantiles

INSIDE = 1e-12  # how much nearer to the centre than the ellipsoid itself a moved row comes: by rounding it could lie outside
SAME = 1e-12  # share of the largest eigenvalue below which rows do not vary, columns in one unit


@dataclass(frozen=True)
class OutlierEllipsoid:
    """Centre m, W with d² = ‖(x − m)W‖², and the largest d² that is no outlier."""

    centre: Array
    whitening: Array
    limit: float

    def scores(self, X: Array) -> Array:
        """d² of (1)."""
        with np.errstate(over="ignore", invalid="ignore"):
            found = (((X - self.centre) @ self.whitening) ** 2).sum(axis=1)
        return np.where(np.isnan(found), np.inf, found)  # ∞ − ∞: as far away as can be

    def outlying(self, X: Array) -> Array:
        """Which rows are outliers."""
        return self.scores(X) > self.limit

    def worst_columns(self, X: Array) -> Array:
        """−1: all columns decide together."""
        return np.full(len(X), -1)

    def clipped(self, X: Array) -> Array:
        """The rows with those outside moved towards the centre, onto the ellipsoid."""
        scores = self.scores(X)
        onto = np.divide(self.limit, scores, out=np.ones_like(scores), where=scores > self.limit)
        shrink = np.where(onto < 1.0, (1.0 - INSIDE) * np.sqrt(onto), 1.0)[:, None]
        return np.where(shrink < 1.0, self.centre + shrink * (X - self.centre), X).astype(X.dtype)


def classical_ellipsoid(rows: Rows, probability: float) -> tuple[OutlierEllipsoid, Certificate]:
    """(1)."""
    sums = rows.sum(Moments.of, find_pivot(rows))
    refuse_empty_sums(sums.weight, sums.finite, rows)
    covariance = sums.covariance()
    unit = nonzero(np.sqrt(np.maximum(np.diagonal(covariance), 0.0)))
    values, vectors = np.linalg.eigh(covariance / unit / unit[:, None])
    kept = values > SAME * max(values[-1], 1.0)
    whitening = vectors[:, kept] / np.sqrt(values[kept]) / unit[:, None]
    limit = float(chi2.ppf(probability, kept.sum())) if kept.any() else 0.0
    return OutlierEllipsoid(sums.mean, whitening, limit), full_rank(kept)


def robust_ellipsoid(rows: Rows, probability: float) -> tuple[OutlierEllipsoid, Certificate]:
    """(2) to (4)."""
    middle, spread = robust_centre(rows)
    unit = nonzero(spread)
    directions = np.linalg.eigh(robust_correlation(rows, middle, unit))[1] / unit[:, None]
    turned = rows.map(lambda X: (X - middle) @ directions)
    shift, width = robust_centre(turned)
    kept = width > SAME * max(width.max(), 1.0)
    rank = int(kept.sum())
    whitening = directions[:, kept] / width[kept]
    centre = middle + unit * ((unit[:, None] * directions) @ shift)  # (3) backwards: u = E v
    draft = OutlierEllipsoid(centre, whitening, 0.0)
    half = float(quantiles(rows.map(lambda X: draft.scores(X)[:, None]), [0.5])[0, 0])
    limit = float(chi2.ppf(probability, rank) * half / chi2.ppf(0.5, rank)) if rank else 0.0
    return OutlierEllipsoid(centre, whitening, limit), full_rank(kept)


def robust_correlation(rows: Rows, middle: Array, unit: Array) -> Array:
    """U of (2), one row of it at a time."""
    d = len(unit)
    U = np.eye(d)
    for j in range(d - 1):

        def sums_and_differences(X: Array, j: int = j) -> Array:
            Z = (X - middle) / unit
            return np.hstack([Z[:, j : j + 1] + Z[:, j + 1 :], Z[:, j : j + 1] - Z[:, j + 1 :]])

        plus, minus = np.split(robust_centre(rows.map(sums_and_differences))[1] ** 2, 2)
        U[j, j + 1 :] = U[j + 1 :, j] = (plus - minus) / 4.0
    return U


def full_rank(kept: Array) -> Certificate:
    """Whether every direction counts."""
    rank = int(np.count_nonzero(kept))
    return Certificate("the rows vary in every direction", rank == len(kept), {"rank": rank})


def nonzero(sizes: Array) -> Array:
    """Sizes to divide by: 1 in place of 0."""
    return np.where(sizes > 0, sizes, 1.0)
