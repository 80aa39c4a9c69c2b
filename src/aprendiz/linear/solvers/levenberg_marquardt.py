"""Least squares of a curve that bends in its parameters: Gauss–Newton steps, damped where they would go too far.

    F(θ) = Σ ω r²,     r = y − f(x, θ),     J = ∂f/∂θ                                                          (1)
    (JᵀωJ + μ·D) δ = Jᵀωr,     D = diag(JᵀωJ),     θ ← θ + δ if F falls                                       (2)

μ falls by ten after a step that was taken and grows by ten after one that was not: near the minimum the steps are those of
Gauss–Newton, far from it those of steepest descent. At a minimum the residuals are orthogonal to every column of J:

    slope = max_j |J_jᵀωr| / (‖J_j‖·‖r‖), a cosine, is 0                                                       (3)

Cost: one pass over the rows for each step that is tried.
References: Marquardt, "An algorithm for least-squares estimation of nonlinear parameters", SIAM J. 11, 1963;
Moré, "The Levenberg–Marquardt algorithm: implementation and theory", 1978.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import linalg

from aprendiz.core.rows import Array
from aprendiz.linear.losses.gradients import Gradients

MOST_PASSES = 200  # passes
EPS = float(np.finfo(float).eps)
NOISE = 1e-13  # part of F that rounding may change
SMALL = 1e-6  # slope from which F could fall by about SMALL² of itself


@dataclass(frozen=True)
class Minimum:
    """Where the steps ended: θ, F of each pass that lowered it, (3), passes, and whether nothing is left to do."""

    theta: Array
    log: Array
    slope: float
    passes: int
    settled: bool


def minimise(at: Callable[[Array], Gradients], theta: Array, size: float) -> Minimum:
    """(2) from θ on. `at` gives F, Jᵀωr and JᵀωJ at some parameters; `size` is Σ ω y²."""
    here, damping = at(theta), 1e-3
    log = [here.loss]
    if not np.isfinite(here.loss):  # squares that overflow lead nowhere
        return Minimum(theta, np.array(log), np.inf, 1, False)
    for passes in range(1, MOST_PASSES):
        exact = here.loss <= (8 * EPS) ** 2 * size  # the curve goes through every row
        if exact or slope(here) <= 4 * EPS:
            return Minimum(theta, np.array(log), 0.0 if exact else slope(here), passes, True)
        step, gain = damped_step(here, damping)
        there = at(theta + step)
        level = there.loss <= here.loss * (1 + NOISE) and slope(there) < slope(here) / 2
        if level or there.loss < here.loss * (1 - NOISE):
            theta, here, damping = theta + step, there, damping / 10
            log.append(here.loss)
        elif gain <= NOISE * here.loss or damping > 1e12:
            return Minimum(theta, np.array(log), slope(here), passes + 1, slope(here) <= SMALL)
        else:
            damping *= 10
    return Minimum(theta, np.array(log), slope(here), MOST_PASSES, slope(here) <= SMALL)


def damped_step(here: Gradients, damping: float) -> tuple[Array, float]:
    """δ of (2), on columns of length 1, and by how much F would fall if f were linear."""
    length = lengths(here)
    A = here.curvature / length / length[:, None]
    A[np.diag_indices_from(A)] += damping
    g = here.gradient / length
    step = linalg.lstsq(A, g, check_finite=False)[0]
    return step / length, float(step @ g)


def slope(here: Gradients) -> float:
    """(3)."""
    if here.loss == 0:
        return 0.0
    return float((np.abs(here.gradient) / lengths(here)).max() / np.sqrt(here.loss))


def lengths(here: Gradients) -> Array:
    """‖J_j‖ of each column; 1 for a column of zeros."""
    squares = np.diagonal(here.curvature)
    return np.sqrt(np.where(squares > 0, squares, 1.0))
