"""Patterns in residuals, found by regressions on the predictors and on one thing more.

With e the residuals, Z the columns (1, X) of rank k, M the projection onto what Z does not explain, and n rows,

    a missing square     q = M z_j²:   F = b²·‖q‖²/(‖Me − b·q‖²/(n − k − 1)),   b = qᵀe/‖q‖²                  (1)
    RESET                the same with ŷ² and ŷ³ together: are any powers of the predictions missing?         (2)
    uneven noise         n·R² of e² on Z, about χ² with k − 1 degrees of freedom                              (3)
    dependence           d = Σ (e_i − e_{i−1})²/Σ e²: near 2 if neighbours are independent, near 0 if alike   (4)

For a least squares fit of all columns (1) is the test of the coefficient of z_j² in the larger model, b > 0 a U and b < 0 an
arch; for any other model it asks the same of what it left. Where there are nearly as many columns as rows, Z is (1, z_j) alone.
(3) is Koenker's form of the test of Breusch and Pagan, which does not need normal noise. The p-value of (4) is that of a normal
d with mean 2 and variance 4/n; it means something only if the order of the rows does.

References: Ramsey, JRSS B 31, 1969; Breusch & Pagan, Econometrica 47, 1979; Koenker, Journal of Econometrics 17, 1981; Durbin &
Watson, Biometrika 37, 1950.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import chdtrc, fdtrc, ndtr

from aprendiz.core.rows import Array

SAME = 1e-9  # share of a column that others do not explain, below which it depends on them
SPARE = 5  # rows for each column of Z, at least


@dataclass(frozen=True)
class Pattern:
    """The test of a missing square of a predictor, or of the predictions.

    Attributes
    ----------
    name : str
    f, p : float
        F of (1) and its p-value; NaN where the square follows from the columns.
    bend : float
        Curvature: how much the residuals rise, in standard deviations, between the middle and one standard deviation of the
        predictor beside it. Above 0 a U, below 0 an arch.
    p_holm : float
        p raised for the number of predictors.
    """

    name: str
    f: float
    p: float
    bend: float
    p_holm: float = float("nan")

    @property
    def shape(self) -> str:
        """ "U", "arch", or "" where nothing is known."""
        return "" if np.isnan(self.f) else "U" if self.bend > 0 else "arch"


def unit(columns: Array) -> Array:
    """Columns of mean 0 and standard deviation 1; those that do not vary are 0."""
    away = columns - columns.mean(axis=0)
    size = away.std(axis=0)
    return np.divide(away, size, out=np.zeros_like(away), where=size > np.finfo(float).eps * np.abs(columns).max(axis=0))


def basis(columns: Array) -> Array:
    """An orthonormal basis of (1, columns), without directions that depend on others."""
    Z = np.column_stack([np.ones(len(columns)), unit(columns)])
    U, s, _ = np.linalg.svd(Z, full_matrices=False)
    return U[:, s > SAME * s[0]]


def left_over(Q: Array, values: Array) -> Array:
    """What a basis does not explain; zero where that is rounding. Twice is enough for all digits."""
    rest = values - Q @ (Q.T @ values)
    rest -= Q @ (Q.T @ rest)
    size = np.linalg.norm(values - values.mean(axis=0), axis=0)
    return np.where(np.linalg.norm(rest, axis=0) > SAME * size, rest, 0.0)


def added_terms(e: Array, Q: Array, terms: Array) -> tuple[float, float, Array]:
    """F and p of some terms beside a basis, and their coefficients: (1), or (2) for several."""
    rest = left_over(Q, terms)
    rest = rest[:, np.linalg.norm(rest, axis=0) > 0]
    unexplained = e - Q @ (Q.T @ e)
    nothing = (float("nan"), float("nan"), np.full(terms.shape[1], np.nan))
    if not rest.shape[1]:
        return nothing
    coefficients, _, rank, _ = np.linalg.lstsq(rest, unexplained, rcond=SAME)
    explained, df = rest @ coefficients, len(e) - Q.shape[1] - int(rank)
    residual = float(((unexplained - explained) ** 2).sum())
    if df < 1 or not float(unexplained @ unexplained) > 0:
        return nothing
    F = float(explained @ explained) / rank / max(residual / df, np.finfo(float).tiny)
    return F, float(fdtrc(rank, df, F)), coefficients


def missing_square(name: str, e: Array, X: Array, values: Array) -> Pattern:
    """(1) of a predictor or of the predictions."""
    z = unit(values[:, None])
    columns = X if len(e) > SPARE * (X.shape[1] + 2) else np.empty((len(e), 0))
    F, p, coefficients = added_terms(e, basis(np.column_stack([columns, z])), z**2)
    size = float(e.std())
    return Pattern(name, F, p, float(coefficients[0]) / size if size > 0 and not np.isnan(F) else float("nan"))


def reset(e: Array, X: Array, fitted: Array) -> tuple[float, float]:
    """(2): F and its p-value."""
    z = unit(fitted[:, None])
    columns = X if len(e) > SPARE * (X.shape[1] + 3) else np.empty((len(e), 0))
    F, p, _ = added_terms(e, basis(np.column_stack([columns, z])), np.hstack([z**2, z**3]))
    return F, p


def breusch_pagan(e: Array, X: Array, fitted: Array) -> tuple[float, float]:
    """(3): the statistic and its p-value; on the predictions where there are too many columns."""
    Q = basis(X if len(e) > SPARE * (X.shape[1] + 2) else fitted[:, None])
    square = e**2 - np.mean(e**2)
    total, df = float(square @ square), Q.shape[1] - 1
    if not total > 0 or df < 1:
        return float("nan"), float("nan")
    statistic = len(e) * float(((Q.T @ square) ** 2).sum()) / total
    return statistic, float(chdtrc(df, statistic))


def durbin_watson(e: Array) -> tuple[float, float]:
    """(4), and its two-sided p-value for rows in order."""
    total = float(e @ e)
    if not total > 0 or len(e) < 3:
        return float("nan"), float("nan")
    d = float((np.diff(e) ** 2).sum()) / total
    return d, float(2.0 * ndtr(-abs(d - 2.0) * np.sqrt(len(e)) / 2.0))
