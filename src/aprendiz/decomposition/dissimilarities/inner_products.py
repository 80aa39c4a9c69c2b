"""Inner products of points that have given distances, and what is known of points that are made from them.

    B = −½ JΔ²J,     J = I − 11ᵀ/n                                                                            (1)

If x_i are points with mean 0 and δ_ij = ‖x_i − x_j‖, then B_ij = x_iᵀx_j. Dissimilarities are divided by a power of two near
the largest of them, so that squares of very small and very large ones have all their digits.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from aprendiz.core.certificate import Certificate
from aprendiz.core.rows import Array
from aprendiz.decomposition.majorization.guttman import Sweep
from aprendiz.kernel.solvers.centred_spectrum import centre
from aprendiz.kernel.solvers.tiles import for_each, multiply, runs

SMALL_RESIDUAL, SMALL_ANGLE = 1e-8, 1e-9
EPS = float(np.finfo(float).eps)


def unit_of(D: Array) -> float:
    """A power of two of the size of the largest number."""
    return float(2.0 ** np.frexp(D.max(initial=0.0))[1])


def inner_products(D: Array) -> Array:
    """(1)."""
    B = half_squares(D)
    centre(B)
    return B


def half_squares(D: Array) -> Array:
    """−½Δ²."""
    out = np.empty(D.shape)

    def rows(run: slice) -> None:
        np.multiply(D[run], -0.5, out=out[run])
        out[run] *= D[run]

    for_each(rows, runs(0, len(D)))
    return out


def evidence(D: Array, embedding: Array, values: Array) -> Certificate:
    """That ‖Bv − λv‖ ≤ 10⁻⁸·|λ|_max for each column v of the embedding, made of length 1, that they are at right angles to
    10⁻⁹, and that no larger eigenvalues are left out. `lost` is what the rounding of Δ² and of (1) may change in B."""
    unit, n = unit_of(D), len(D)
    D, embedding, values = D / unit, embedding / unit, values / unit**2
    B = inner_products(D)
    spectrum = linalg.eigvalsh(B, check_finite=False)[::-1]
    largest = float(np.abs(spectrum).max(initial=0.0))
    size = largest if largest > 0 else 1.0
    kept = values > 0
    V = embedding[:, kept] / np.sqrt(values[kept])
    residual = float(np.linalg.norm(multiply(B, V) - V * values[kept], axis=0).max(initial=0.0)) / size
    angle = float(np.abs(V.T @ V - np.eye(int(kept.sum()))).max(initial=0.0))
    missed = float(np.abs(spectrum[: len(values)] - values).max(initial=0.0)) / size
    lost = 8.0 * n * EPS * float(D.max(initial=0.0)) ** 2 / size
    return Certificate(
        "the embedding is made of the largest eigenpairs of the inner products",
        bool(residual + lost <= SMALL_RESIDUAL and angle <= SMALL_ANGLE and missed <= SMALL_RESIDUAL),
        {
            "residual": residual,
            "orthogonality": angle,
            "rounding": lost,
            "missed": missed,
            **shares(spectrum, values),
            "distance_error": distance_error(D, embedding),
        },
    )


def shares(spectrum: Array, values: Array) -> dict[str, Any]:
    """The part of all |λ| that the embedding has, and that of the negative λ."""
    total = float(np.abs(spectrum).sum())
    if total == 0.0:
        return {"share": 1.0, "negative": 0.0}
    negative = float(-np.minimum(spectrum, 0.0).sum()) / total
    return {"share": float(np.maximum(values, 0.0).sum()) / total, "negative": negative}


def distance_error(D: Array, embedding: Array) -> float:
    """√(Σ (d_ij − δ_ij)² / Σ δ_ij²): 0 if the points have the given distances."""
    squares = float(np.vdot(D, D))
    return float(np.sqrt(2.0 * Sweep.of(embedding, D).stress / squares)) if squares > 0 else 0.0


def reconstruction_error(D: Array, embedding: Array) -> float:
    """‖B − XXᵀ‖/n of some points X, in Frobenius' norm."""
    unit = unit_of(D)
    B, X = inner_products(D / unit), embedding / unit
    left = sum(float(np.linalg.norm(B[run] - X[run] @ X.T)) ** 2 for run in runs(0, len(B)))
    return float(np.sqrt(left)) / len(B) * unit**2
