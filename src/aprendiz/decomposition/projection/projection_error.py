"""What is known of principal axes: how much of the rows they leave, and whether any others could leave less.

‖Z − ZVᵀV‖²_F = Σ_{j>k} λ_j,     the least of all projections on k directions (Eckart–Young)                (1)
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from aprendiz.core.certificate import Certificate
from aprendiz.core.rows import Array

Certify = Callable[[Array, float, float], Certificate]  # of the components, the error (1) and the share of the squares it is

SMALL = 1e-10  # of Σ w‖x − m‖²
EXACT = 1e-9  # residual of an eigenvector beside the largest eigenvalue


def eckart_young(V: Array, error: float, share: float, lost: float) -> Certificate:
    """That no projection on k directions leaves less than the error of this one, and that it is `error`, both up to 10⁻¹⁰ of
    Σ w‖x − m‖²."""
    skew = distance_from_orthonormal(V)
    return Certificate(
        "no other rank-k projection leaves a smaller squared error, but for rounding",
        skew < SMALL and lost < SMALL,
        {"error": error, "share": share, "skew": skew, "rounding": lost},
    )


def eigenvector_residuals(V: Array, error: float, share: float, lost: float, residual: float, tolerance: float) -> Certificate:
    """That each component is an eigenvector of the scatter, up to its residual beside the largest eigenvalue. That no larger
    eigenvalue was missed is certain only in so far as the iterations began at random."""
    skew = distance_from_orthonormal(V)
    return Certificate(
        "the components are eigenvectors of the covariance, up to their residuals",
        skew < SMALL and lost < SMALL and residual <= max(EXACT, 2.0 * tolerance),
        {"error": error, "share": share, "residual": residual, "skew": skew, "rounding": lost},
    )


def distance_from_orthonormal(V: Array) -> float:
    """The largest entry of VVᵀ − I."""
    return float(np.abs(V @ V.T - np.eye(len(V))).max(initial=0.0))
