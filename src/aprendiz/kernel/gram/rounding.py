"""How far an inner product may be off after arithmetic with relative error u.

Coordinates that were rounded to (1 + δ), |δ| ≤ u, and a sum of d products in any order give

    |error of xᵀz| ≤ ((1 + u)ᵈ⁺² − 1)·Σ|x_j z_j| ≤ e_d·‖x‖·‖z‖,     e_d = (d + 2)·u/(1 − (d + 2)·u)                 (1)

(Higham, Accuracy and Stability of Numerical Algorithms, 2002, §3.1).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.rows import Array

SMALLEST_SINGLE, LARGEST_SINGLE = 1e-30, 1e37  # squares that are numbers of single precision, with their products


def largest(values: Array) -> float:
    return float(np.max(np.abs(values), initial=0.0))


def summation_error(P: Any, eps: float) -> float:
    """e_d of (1); d is the largest number of entries of a row. Infinite in single precision (eps tells) where squares would
    overflow or vanish."""
    rows, size = P.coordinates, largest(P.squares)
    if eps > 2.0**-40 and not (SMALLEST_SINGLE <= size <= LARGEST_SINGLE or size == 0.0):
        return np.inf
    d = int(np.diff(rows.indptr).max(initial=0)) if sparse.issparse(rows) else rows.shape[1]
    share = (d + 2) * eps
    return share / (1.0 - share) if share < 1.0 else np.inf


def product_error(P: Any, eps: float) -> float:
    """(1) for the longest rows."""
    return summation_error(P, eps) * largest(P.squares)


def gaussian_error(gamma: float, P: Any, eps: float, more: float = 0.0) -> float:
    """Of e^(−γ(‖x‖² + ‖z‖² − 2xᵀz)): the inner product and both squares are off as (1) says, and sums and factors by a few
    roundings of terms of at most γ‖x‖²; `more` roundings are those of the coordinates. |e⁻ᵃ − e⁻ᵇ| ≤ |a − b| for a, b ≥ 0."""
    size = gamma * largest(P.squares)
    return min(size * (4.0 * summation_error(P, eps) + (8.0 + 4.0 * more) * eps) + 4.0 * eps, 1.0)
