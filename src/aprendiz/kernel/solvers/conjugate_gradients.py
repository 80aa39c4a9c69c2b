"""Solutions to the last digit of double precision, from an approximate inverse M⁻¹, such as a factor in single precision.

Several systems with the same K and a shift each, side by side: (K + α_j I) x_j = y_j. From x = 0, in rounds:

    r = y − (K + αI) x              the true residual, in double precision                                        (1)
    z = M⁻¹r,  p = z + β p,  β = rᵀz / (rᵀz before)                                                               (2)
    x ← x + τ p,  r ← r − τ (K + αI) p,  τ = rᵀz / pᵀ(K + αI)p                                                    (3)

The error shrinks at each step by (√κ − 1)/(√κ + 1), κ the condition number of M⁻¹(K + αI), close to 1 if M is a good factor. A
round ends when r of (3) is small beside that of (1), and the last one when r is of the size of rounding:

    ‖r‖ ≤ 4ε·(‖K + αI‖·‖x‖ + ‖y‖)                                                                                 (4)

Cost: a product with K at each step, for all systems at once.
Reference: Hestenes & Stiefel, "Methods of conjugate gradients for solving linear systems", 1952; Higham, "Accuracy and
stability of numerical algorithms", chapter 12.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from aprendiz.core.rows import Array

EPS = float(np.finfo(float).eps)
CLOSE = 4 * EPS  # (4)
ROUNDS, STEPS = 4, 30  # rounds at most, and steps of a round
ROUND_GAIN = 1e-12  # of the residual in a round: rounding makes the r of (3) and that of (1) differ by as much

Product = Callable[[Array], Array]
Approximation = Callable[..., Array]  # M⁻¹R, and the `numbers` of the columns of R


@dataclass(frozen=True)
class Solutions:
    """x as columns, and for each ‖r‖ of (1) as a part of ‖K + αI‖·‖x‖ + ‖y‖."""

    columns: Array
    residuals: Array


def refine(product: Product, shifts: Array, Y: Array, approximate: Approximation, size: float) -> Solutions:
    """(1) to (4), for all columns of Y; `size` is ‖K‖, or a little less. Powers of two bring columns to the size of 1."""
    unit = 2.0 ** np.frexp(np.abs(Y).max(axis=0, initial=0.0))[1].astype(float)
    Y = Y / unit
    X, residuals = np.zeros_like(Y), np.where(np.any(Y != 0, axis=0), np.inf, 0.0)
    left = np.flatnonzero(residuals)
    for turn in range(ROUNDS + 1):
        R, terms = residual(product, shifts[left], Y[:, left], X[:, left], size)
        found = np.linalg.norm(R, axis=0) / terms
        go_on = (found < 0.5 * residuals[left]) & (found > CLOSE)
        residuals[left] = found
        left, R, goal = left[go_on], R[:, go_on], CLOSE * terms[go_on]
        if not len(left) or turn == ROUNDS:
            break
        X[:, left] += one_round(product, shifts[left], R, partial(approximate, numbers=left), goal)
    return Solutions(X * unit, np.where(np.isfinite(X).all(axis=0) & np.isfinite(residuals), residuals, np.inf))


def residual(product: Product, shifts: Array, Y: Array, X: Array, size: float) -> tuple[Array, Array]:
    """r of (1), and the sizes of the terms on the right of (4)."""
    R = Y - product(X) - shifts * X if X.any() else Y.copy()
    return R, (size + np.abs(shifts)) * np.linalg.norm(X, axis=0) + np.linalg.norm(Y, axis=0)


def one_round(product: Product, shifts: Array, R: Array, approximate: Callable[[Array], Array], goal: Array) -> Array:
    """(2) and (3) from x = 0. A column whose curvature is not positive stays where it is: M or the matrix is not definite."""
    X, length = np.zeros_like(R), np.linalg.norm(R, axis=0)
    goal = np.maximum(0.5 * goal, ROUND_GAIN * length)
    P, before = np.zeros_like(R), np.ones(R.shape[1])
    moving = np.ones(R.shape[1], bool)
    for _ in range(STEPS):
        Z = approximate(R / length) * length
        inner = np.einsum("ij,ij->j", R, Z)
        moving &= np.isfinite(inner) & (inner > 0)
        if not moving.any():
            break
        P = np.where(moving, Z + np.where(moving, inner / before, 0.0) * P, 0.0)
        image = product(P) + shifts * P
        curvature = np.einsum("ij,ij->j", P, image)
        moving &= curvature > 0
        step = np.where(moving, inner / np.where(moving, curvature, 1.0), 0.0)
        X += step * P
        R = R - step * image
        before = np.where(moving, inner, 1.0)
        moving &= np.linalg.norm(R, axis=0) > goal
        if not moving.any():
            break
    return X
