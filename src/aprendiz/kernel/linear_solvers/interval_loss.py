"""The losses of linear support vector machines, as sums over the rows: how far t = θᵀz lies outside of an interval.

    classes     [l, u] = [1, ∞) for a row of the class, (−∞, −1] for the others
    numbers     [l, u] = [y − ε, y + ε]
    ℓ(t)        r, or r² if squared,      r = distance of t from [l, u]                                       (1)
    F(θ)        ½‖θ‖² + Σ c ℓ(t),         z = (x, B),  c = C·weight                                           (2)

The dual has a multiplier for each row, c·γ, with γ > 0 below the interval and γ < 0 above it:

    D(γ)        −½‖v‖² + Σ c (γ·e − [squared] γ²/4),   v = Σ c γ z,   e = l if γ > 0 else u,   |γ| ≤ 1 unless squared   (3)
    D(γ) ≤ min F ≤ F(θ), for any γ and any θ                                                                  (4)

What the solvers sum is a smooth loss whose slope is c·γ⁺, with multipliers γ from before and a steepness κ:

    γ⁺ = clip(γ + κ(l − t), 0, 1) + clip(γ + κ(u − t), −1, 0),                                                (5)

so that gradient and curvature of ½‖θ‖² + Σ (smooth loss) are

    g = θ − Σ c γ⁺ z,      H = I + κ Σ c z zᵀ over the rows with 0 < |γ⁺| < 1                                 (6)

The squared loss is (5) with γ = 0, κ = 2 and no upper bound: it is smooth by itself.

Cost of a sum: n·d multiplications, and d²/2 for each row of the curvature.
Reference: Hsieh, Chang, Lin, Keerthi & Sundararajan, "A dual coordinate descent method for large-scale linear SVM", ICML 2008.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.hashing import mix
from aprendiz.core.rows import Array, Block
from aprendiz.core.sums import Sums
from aprendiz.core.threads import scratch

ENOUGH_ROWS = 1024  # of a block, for a curvature that is nearly right
STEPS = 0.5 ** np.arange(25)  # lengths of a step that a line search looks at


def intervals(classes: int, plane: int, epsilon: float, y: Array) -> Array:
    """l and u of each row, and γ = 0. No classes: y are numbers. Two classes: one plane, of the second class."""
    ends = np.zeros((len(y), 3))
    if classes == 0:
        ends[:, 0], ends[:, 1] = y - epsilon, y + epsilon
    else:
        own = y == (1 if classes == 2 else plane)
        ends[:, 0], ends[:, 1] = np.where(own, 1.0, -np.inf), np.where(own, np.inf, -1.0)
    return ends


@dataclass(frozen=True)
class MarginSums(Sums):
    """Σ w, Σ w ℓ of (1), Σ w (γ⁺e − γ⁺²/4) of (3), Σ w γ⁺ z, the curvature of (6) without κ, and the number of its rows."""

    weight: float
    loss: float
    gain: float
    v: Array
    curvature: Array
    inside: int

    @classmethod
    def of(cls, theta: Array, scale: float, kappa: float, squared: bool, block: Block) -> MarginSums:
        """At θ, whose last entry belongs to the column of the intercept, of value `scale`."""
        return cls.with_curvature(1, theta, scale, kappa, squared, block)

    @classmethod
    def roughly(cls, theta: Array, scale: float, kappa: float, squared: bool, block: Block) -> MarginSums:
        """The same, with the curvature of a sample of the rows."""
        return cls.with_curvature(max(1, len(block) // ENOUGH_ROWS), theta, scale, kappa, squared, block)

    @classmethod
    def with_curvature(cls, of: int, theta: Array, scale: float, kappa: float, squared: bool, block: Block) -> MarginSums:
        """The curvature is that of a random row of each so many, times their number."""
        n, p = len(block), len(theta)
        v, S = np.zeros(p), scratch(-(-n // of), p)
        loss, gain, inside, used = margin_pass(block.X, block.y, block.weights, theta, scale, kappa, squared, of, v, S)
        return cls(float(block.weights.sum()), loss, gain, v, S[:used].T @ S[:used], inside)


@dataclass(frozen=True)
class SlopesAlong(Sums):
    """Σ w γ⁺ dt at θ + s·δ, for each s of `STEPS`, where dt = δᵀz."""

    slopes: Array

    @classmethod
    def of(cls, theta: Array, delta: Array, scale: float, kappa: float, squared: bool, block: Block) -> SlopesAlong:
        lines = np.column_stack([theta, delta])
        T = block.X @ lines[:-1] + scale * lines[-1]
        slopes = np.zeros(len(STEPS))
        slope_pass(T, block.y, block.weights, kappa, squared, STEPS, slopes)
        return cls(slopes)


def next_multipliers(thetas: Array, kappas: Array, scale: float, ends: Array, X: Any) -> Array:
    """l, u and γ after (5) at one θ after the other; a κ of zero changes nothing."""
    ends = ends.copy()
    for theta, kappa in zip(thetas, kappas, strict=True):
        if kappa > 0.0:
            update_pass(X, ends, theta, scale, float(kappa))
    return ends


def gap_of_rows(t: Array, ends: Array, weight: Array, gamma: Array, squared: bool) -> tuple[float, float]:
    """Σ w ℓ of (1), and Σ w (γe − γ²/4) of (3), of scores and multipliers that are known."""
    r = np.maximum(np.maximum(ends[:, 0] - t, t - ends[:, 1]), 0.0)
    e = np.where(gamma > 0, ends[:, 0], np.where(gamma < 0, ends[:, 1], 0.0))
    gain = gamma * e - (0.25 * gamma**2 if squared else 0.0)
    return float(weight @ (r * r if squared else r)), float(weight @ gain)


@compiled(inner=True)
def next_gamma(low: float, high: float, gamma: float, t: float, kappa: float, squared: bool) -> float:
    """(5)."""
    up = max(gamma + kappa * (low - t), 0.0)
    down = min(gamma + kappa * (high - t), 0.0)
    if not squared:
        up, down = min(up, 1.0), max(down, -1.0)
    return up + down


@compiled
def margin_pass(
    X: Array, ends: Array, weight: Array, theta: Array, scale: float, kappa: float, squared: bool, of: int, v: Array, S: Array
) -> tuple[float, float, int, int]:
    """Σ w ℓ, Σ w (γ⁺e − γ⁺²/4), and the number of rows of the curvature; a random row of each so many, if it is one of these,
    is written to S, times the root of its weight and of their number: how many were written. Σ w γ⁺ z is added to v."""
    n, d = X.shape
    loss, gain, inside, used = 0.0, 0.0, int64(0), int64(0)
    for i in range(n):
        w = weight[i]
        if w == 0.0:
            continue
        t = float(scale * theta[d])
        for j in range(d):
            t += theta[j] * X[i, j]
        low, high = ends[i, 0], ends[i, 1]
        r = max(low - t, t - high, 0.0)
        gamma = next_gamma(low, high, ends[i, 2], t, kappa, squared)
        loss += w * (r * r if squared else r)
        if gamma == 0.0:
            continue
        gain += w * gamma * (low if gamma > 0.0 else high)
        if squared:
            gain -= 0.25 * w * gamma * gamma
        for j in range(d):
            v[j] += w * gamma * X[i, j]
        v[d] += w * gamma * scale
        if squared or abs(ends[i, 2] + kappa * ((low if gamma > 0.0 else high) - t)) <= 1.0:  # not clipped
            inside += 1
            if of == 1 or i % of == int64(mix(np.uint64(i // of)) % np.uint64(of)):  # tables may repeat themselves
                root = np.sqrt(w * of)
                for j in range(d):
                    S[used, j] = root * X[i, j]
                S[used, d] = root * scale
                used += 1
    return loss, gain, inside, used


@compiled
def update_pass(X: Array, ends: Array, theta: Array, scale: float, kappa: float) -> None:
    """γ ← γ⁺ of each row, whichever rows are beside it."""
    n, d = X.shape
    for i in range(n):
        t = float(scale * theta[d])
        for j in range(d):
            t += theta[j] * X[i, j]
        ends[i, 2] = next_gamma(ends[i, 0], ends[i, 1], ends[i, 2], t, kappa, False)


@compiled
def slope_pass(T: Array, ends: Array, weight: Array, kappa: float, squared: bool, steps: Array, slopes: Array) -> None:
    """Adds w γ⁺ dt to the slope of each step; a row of T has t and dt."""
    for i in range(len(T)):
        t, dt = T[i, 0], T[i, 1]
        for k in range(len(steps)):
            slopes[k] += weight[i] * dt * next_gamma(ends[i, 0], ends[i, 1], ends[i, 2], t + steps[k] * dt, kappa, squared)
