"""The most that the best cut can err, of any two distributions with given means and covariances.

    one column     L ≤ 1/(1 + (m₀ − m₁)²/(s₀ + s₁)²)                                                             (1)
    d columns      L ≤ inf_a 1/(1 + (aᵀδ)²/(√(aᵀΣ₀a) + √(aᵀΣ₁a))²),     δ = m₀ − m₁                              (2)

(1) is the one-sided inequality of Chebyshev for both classes at once; (2) is (1) for projections aᵀx and the best direction.
By Cauchy, (√u + √v)² = min over 0 < λ < 1 of u/(1 − λ) + v/λ, so the infimum is a search for one number:

    sup_a (aᵀδ)²/(√(aᵀΣ₀a) + √(aᵀΣ₁a))² = max_λ δᵀ(Σ₀/(1 − λ) + Σ₁/λ)⁻¹δ                                          (3)
                                        = max_λ Σ_j c_j²·λ(1 − λ)/(λμ_j + (1 − λ)(1 − μ_j))

in the axes in which Σ₀ + Σ₁ is I, Σ₀ is diag(μ) and δ is c. (3) is concave in λ. A direction in which neither class varies, but
the means differ, separates the classes without error.

Cost: O(d³).
Reference: Lanckriet, El Ghaoui, Bhattacharyya & Jordan, "A robust minimax approach to classification", JMLR 3, 2002.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg
from scipy.optimize import minimize_scalar

from aprendiz.core.rows import Array
from aprendiz.core.targets import refuse_bad_number

ROUNDED = 1e-12  # variances and offsets, as parts of the largest, that are nothing but rounding


def one_column(m0: float, s0: float, m1: float, s1: float) -> float:
    """(1)."""
    check_deviations(s0, s1)
    if m0 == m1:
        return 1.0
    return 1.0 / (1.0 + (m0 - m1) ** 2 / (s0 + s1) ** 2) if s0 + s1 > 0 else 0.0


def several_columns(m0: Any, C0: Any, m1: Any, C1: Any) -> float:
    """(2) of means and covariance matrices."""
    delta = np.atleast_1d(np.asarray(m0, dtype=np.float64) - np.asarray(m1, dtype=np.float64))
    first, second = (checked_covariance(name, C, len(delta)) for name, C in (("s0", C0), ("s1", C1)))
    if not delta.any():
        return 1.0
    values, axes = linalg.eigh(first + second)
    along = axes.T @ delta
    varies = values > ROUNDED * max(values[-1], 0.0)
    if np.abs(along[~varies]).max(initial=0.0) > ROUNDED * np.abs(along).max():
        return 0.0
    whitening = axes[:, varies] / np.sqrt(values[varies])
    mu, turn = linalg.eigh(whitening.T @ first @ whitening)
    c = turn.T @ (whitening.T @ delta)
    return float(1.0 / (1.0 + largest_ratio(np.clip(mu, 0.0, 1.0), c)))


def largest_ratio(mu: Array, c: Array) -> float:
    """(3)."""

    def ratio(share: float) -> float:
        return float(c**2 @ (share * (1.0 - share) / (share * mu + (1.0 - share) * (1.0 - mu))))

    found = minimize_scalar(lambda share: -ratio(share), bounds=(0.0, 1.0), method="bounded", options={"xatol": 1e-13})
    return float(-found.fun)


def checked_covariance(name: str, given: Any, columns: int) -> Array:
    """A symmetric matrix without negative variances; a number or vector holds standard deviations."""
    C = np.asarray(given, dtype=np.float64)
    refuse_bad_number(name, C)
    if C.shape in ((), (columns,)):
        if (C < 0).any():
            raise ValueError(f"{name} holds {C.min():g}: standard deviations are at least 0.")
        return np.diag(np.broadcast_to(C, columns) ** 2)
    if C.shape != (columns, columns):
        raise ValueError(
            f"{name} has shape {C.shape}, the means have {columns} columns: give a covariance matrix of that size."
        )
    size = float(np.abs(C).max())
    if np.abs(C - C.T).max() > ROUNDED * size or linalg.eigvalsh(C)[0] < -ROUNDED * columns * size:
        raise ValueError(f"{name} is not a covariance matrix: it must be symmetric, with no negative eigenvalue.")
    return 0.5 * (C + C.T)


def check_deviations(s0: float, s1: float) -> None:
    for name, s in (("s0", s0), ("s1", s1)):
        if not 0 <= s < np.inf:
            raise ValueError(f"{name} must be a finite standard deviation of at least 0, got {s!r}.")
