"""The first singular triplets of a table, and what is known of the rest.

    A ≈ U S Vᵀ,     A v_i = σ_i u_i,     ‖A − U S Vᵀ‖ = ‖A(I − VVᵀ)‖                                           (1)
    ‖A(I − VVᵀ)‖²_F = ‖A‖²_F − Σ_{i≤k} σ_i²                                                                    (2)
    |σ_i − a singular value of A| ≤ ‖R‖,     R = Aᵀ U − V S                                                    (3)

(3): A + δ has the triplets exactly, δ = −U Rᵀ. Where the norm (1) is at most σ_k, the values near to which they are are the
largest. If R = 0 no matrix of rank k is nearer to A, in either norm (Eckart and Young).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from aprendiz.core.certificate import Certificate
from aprendiz.core.rows import MOST_ROWS, Array

EPS = float(np.finfo(float).eps)
LOST = 1e-6  # of the norm of A, which rounding may take


@dataclass(frozen=True)
class SingularSpace:
    """v_i as rows and σ_i, variances of the coordinates A v_i and of all columns, and the evidence."""

    vectors: Array
    values: Array
    variances: Array
    total_variance: float
    rows: int
    norm: float  # ‖A‖_F
    left: float  # (2), before rounding
    spectral: tuple[float, float]  # bounds on (1)
    residual: float  # ‖R‖_F of (3)
    method: str
    settled: bool = True

    @property
    def rounding(self) -> float:
        """What the rounding of sums, and of the decomposition, may have done to a norm: more terms, more of it."""
        terms = 128.0 + min(self.rows, MOST_ROWS) / 2.0 + self.vectors.shape[1]
        return EPS * terms * self.norm

    def certificate(self) -> Certificate:
        """Upper bounds on what the components leave, and how far from singular they are. Directions that are not quite at right
        angles, VᵀV = I + E, leave or take ‖A‖·‖E‖ more."""
        orthogonality = float(np.linalg.norm(self.vectors @ self.vectors.T - np.eye(len(self.vectors))))
        slip = self.rounding + self.norm * orthogonality
        frobenius = float(np.sqrt(self.left**2 + slip * self.norm)) if self.squared else self.left + slip
        spectral = min(self.spectral[1] + slip, frobenius)
        ordinary = self.norm == 0 or 1e-140 < self.norm < 1e140
        return Certificate(
            "the components leave no more of the rows than the bounds say, and their singular values are some of A's",
            bool(ordinary and orthogonality <= 1e-8 and slip <= LOST * max(self.norm, 1e-300) and np.isfinite(spectral)),
            {
                "frobenius": frobenius,
                "spectral": spectral,
                "spectral_at_least": max(self.spectral[0] - slip, 0.0),
                "residual": self.residual + slip,
                "norm": self.norm,
                "orthogonality": orthogonality,
            },
        )

    @property
    def squared(self) -> bool:
        """Does (2) come from the difference of two squares, which may have lost half of the digits?"""
        return self.method == "krylov"


def upright(vectors: Array) -> Array:
    """Rows with the sign that makes the entry of largest size positive."""
    largest = np.abs(vectors).argmax(axis=1)
    signs = np.sign(vectors[np.arange(len(vectors)), largest])
    return vectors * np.where(signs == 0, 1.0, signs)[:, None]
