"""Knockoff copies of a table: columns that have the correlations of the others, and know nothing of the target.

Of a table Z, centred, with ‖z_j‖² = n:

    fixed        Z̃ = Z(I − Σ⁻¹S) + √n·U C,      CᵀC = 2S − SΣ⁻¹S,   UᵀU = I,  Uᵀ(1, Z) = 0                     (1)
    gaussian     z̃ | z ~ N(z − zΣ⁻¹S, 2S − SΣ⁻¹S)                                                             (2)

with S = diag(s) (distances.py). In (1) Σ = ZᵀZ/n, and Z̃ᵀZ̃ = ZᵀZ, Z̃ᵀZ = ZᵀZ − nS exactly; nothing is assumed of the columns,
and of the target that it is linear with normal noise. There must be room for U: n ≥ 2d + 1. With fewer rows, at least d + 2,
rows of zeros are added, and to the target noise of the variance of the residuals; U is then at right angles to the ones of
both parts, since the target is centred in the first.

In (2) nothing is assumed of the target; the rows are taken for normal, with the two moments of the table ("second order").
Σ is shrunk towards I, as far as Ledoit & Wolf say: with more columns than rows it would be singular otherwise.

    Σ = (1 − ρ)ZᵀZ/n + ρI = V diag((1 − ρ)λ_i + ρ) Vᵀ + ρ(I − VVᵀ)                                             (3)

With many columns, s is the same for all, and (2) follows from the n singular vectors V alone.

Cost: (1) and (2) d³ + n·d²; with many columns n²·d, and no matrix of d × d.
References: Barber & Candès, Annals of Statistics 43, 2015; Candès, Fan, Janson & Lv, "Panning for gold: model-X knockoffs",
JRSS B 80, 2018; Ledoit & Wolf, J. Multivariate Analysis 88, 2004.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from aprendiz.core.rows import Array
from aprendiz.selection.knockoffs.distances import Distance, distances_of

MANY_COLUMNS = 1000  # from which on no matrix of d × d is made
SOME_COLUMNS = 500  # up to which distances that differ are found without being asked for
DIGITS = 1e-10  # part of the largest eigenvalue, below which columns depend on each other


@dataclass(frozen=True)
class Copies:
    """A table, its knockoffs, the target, and s."""

    Z: Array
    copy: Array
    y: Array
    distance: Array
    shrinkage: float


def fixed_copies(Z: Array, y: Array, kind: Distance, random: np.random.Generator) -> Copies:
    """(1)."""
    n, d = Z.shape
    scale = np.sqrt(n)
    Z, y = with_room(Z, y - y.mean(), random)
    correlation = Z.T @ Z / n
    np.fill_diagonal(correlation, 1.0)
    values, V = linalg.eigh(correlation)
    if values[0] <= DIGITS * values[-1]:
        raise ValueError(
            "Some column is a combination of others, so that no copy can be told from it: leave such columns out, or choose "
            "method='gaussian', which shrinks the correlations."
        )
    s = distances_of(correlation, float(values[0]), kind)
    away = (V / values) @ V.T * s  # Σ⁻¹S
    C = root_of(2.0 * np.diag(s) - s[:, None] * away)
    parts = np.zeros((len(Z), 2 if len(Z) > n else 1))
    parts[:n, 0], parts[n:, -1] = 1.0, 1.0
    basis = linalg.qr(np.column_stack([parts, Z]), mode="economic")[0]
    U = random.standard_normal((len(Z), d))
    for _ in range(2):  # twice is enough
        U -= basis @ (basis.T @ U)
    U = linalg.qr(U, mode="economic")[0]
    return Copies(Z, Z - Z @ away + scale * (U @ C), y, s, 0.0)


def with_room(Z: Array, y: Array, random: np.random.Generator) -> tuple[Array, Array]:
    """Rows of zeros, and noise, as far as there are too few rows for (1): at least two, one for the second column of ones."""
    n, d = Z.shape
    if n > 2 * d:
        return Z, y
    lacking = 2 * d + 2 - n
    if n < d + 2:
        raise ValueError(
            f"method='fixed' needs more rows than columns, at least {d + 2} for {d} columns, and there are {n}: choose "
            "method='gaussian'."
        )
    rest = y - Z @ linalg.lstsq(Z, y)[0]
    noise = np.sqrt(float(rest @ rest) / (n - d - 1))
    return np.vstack([Z, np.zeros((lacking, d))]), np.append(y, noise * random.standard_normal(lacking))


def root_of(A: Array) -> Array:
    """A symmetric C with CC = A; negative eigenvalues are rounding."""
    values, V = linalg.eigh(0.5 * (A + A.T))
    return np.asarray((V * np.sqrt(np.maximum(values, 0.0))) @ V.T)


def gaussian_copies(Z: Array, y: Array, kind: Distance, random: np.random.Generator) -> Copies:
    """(2)."""
    n, d = Z.shape
    rho = shrinkage_of(Z)
    if d > MANY_COLUMNS:
        return thin_copies(Z, y, rho, random)
    correlation = (1.0 - rho) * (Z.T @ Z / n)
    np.fill_diagonal(correlation, 1.0)
    values, V = linalg.eigh(correlation)
    values = np.maximum(values, DIGITS * values[-1])
    s = distances_of(correlation, float(values[0]), kind)
    away = (V / values) @ V.T * s
    C = root_of(2.0 * np.diag(s) - s[:, None] * away)
    return Copies(Z, Z - Z @ away + random.standard_normal((n, d)) @ C, y, s, rho)


def thin_copies(Z: Array, y: Array, rho: float, random: np.random.Generator) -> Copies:
    """(2) with s alike for all columns, from the singular vectors of (3)."""
    n, d = Z.shape
    values, V = singular_vectors(Z)
    inside = (1.0 - rho) * values + rho
    s = min(1.0, 2.0 * (rho if len(values) < d else float(inside.min())))
    away, noise = s / inside, np.sqrt(np.maximum(0.0, 2.0 * s - s * s / inside))
    outside, spread = s / rho, np.sqrt(max(0.0, 2.0 * s - s * s / rho))
    copy = random.standard_normal((n, d))
    copy = spread * copy + ((copy @ V) * (noise - spread)) @ V.T
    copy += (1.0 - outside) * Z - ((Z @ V) * (away - outside)) @ V.T
    return Copies(Z, copy, y, np.full(d, s), rho)


def singular_vectors(Z: Array) -> tuple[Array, Array]:
    """λ and V of (3), from the smaller of the two products."""
    n, d = Z.shape
    values, W = linalg.eigh(Z @ Z.T / n if n < d else Z.T @ Z / n)
    kept = values > DIGITS * values[-1]
    values, W = values[kept], W[:, kept]
    return values, (Z.T @ W) / np.sqrt(n * values) if n < d else W


def shrinkage_of(Z: Array) -> float:
    """ρ of (3) by Ledoit & Wolf, from the rows alone: Σ‖z_i‖⁴ and ‖ZZᵀ‖² are those of the smaller side."""
    n, d = Z.shape
    G = Z @ Z.T / n if n <= d else Z.T @ Z / n
    squares = float((G * G).sum())  # ‖ZᵀZ/n‖²
    apart = squares - 2.0 * float(np.trace(G)) + d  # ‖ZᵀZ/n − I‖², I has the same trace
    sizes = np.einsum("ij,ij->i", Z, Z)
    noise = (float(sizes @ sizes) / n - squares) / n
    return float(min(1.0, max(noise / apart if apart > 0 else 1.0, 1e-3 if n > d else 1e-2)))
