"""How far a penalised linear model is from the best one, without knowing the best one.

    F(w, b) = 1/n·Σ ω ℓ(t, y) + R(w),     R = λ₁‖w‖₁ + ½λ₂‖w‖²,     t = b + xᵀw                                (1)

ℓ is convex: for any slope −a that it has somewhere, ℓ(t, y) ≥ c(a, y) − a·t for all t. Summed over the rows, with Σ ω a = 0 so
that b drops out,

    F ≥ 1/n·Σ ω c(a, y) − R*(z),     z = 1/n·Σ ω a x,     R*(z) = Σ_j max(0, |z_j| − λ₁)²/(2λ₂)                (2)

for every (w, b); without λ₂, R* is 0 as long as no |z_j| is above λ₁, else infinite. The a are those of the model itself,
a = −ℓ'(t, y), made smaller on the heavier side until they balance, and then all smaller by the factor κ that makes (2) largest:
c is concave and not below 0 at a = 0, so c(κa, y) ≥ κ·c(a, y). F of the model less (2) is the gap: no other model is better by
more. Since no loss is below 0, the gap is never above F. Beside it stands F of a model without slopes, b the median of some
targets, or the mean of all for ½r²: a model that does not even come below that has not learned.

Cost: two passes over the rows.
Reference: Boyd & Vandenberghe, "Convex optimization", 2004, section 5.7 (Fenchel duality).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import Sums
from aprendiz.linear.solvers.stochastic_epoch import SQUARED, StepRule, duals, losses_and_slopes

Targets = Callable[[int, int, Block], Array]  # of a plane, the number of planes and a block, y of each row
FACTORS = np.geomspace(1e-6, 1.0, 121)


@dataclass(frozen=True)
class Losses(Sums):
    """Of each plane, Σ ωℓ, that of a constant with its slope, and Σ ω|a| of the rows that pull up and of those that pull
    down."""

    loss: Array
    constant: Array
    slope: Array
    up: Array
    down: Array
    weight: float
    rows: int


@dataclass(frozen=True)
class Bounds(Sums):
    """Of each plane, Σ ωc and Σ ωax of (2)."""

    dual: Array
    pull: Array


def slopes(planes: Array, rule: StepRule, targets: Targets, block: Block) -> tuple[Array, Array, Array]:
    """Losses summed, a and y of each row and plane."""
    T = np.ascontiguousarray(block.X @ planes[:, 1:].T + planes[:, 0])
    Y, S = np.column_stack([targets(k, len(planes), block) for k in range(len(planes))]), np.empty_like(T)
    return losses_and_slopes(rule.loss, rule.epsilon, T, Y, block.weights, S), -S, Y


def losses(planes: Array, constants: Array, rule: StepRule, targets: Targets, block: Block) -> Losses:
    """What is summed first."""
    loss, A, Y = slopes(planes, rule, targets, block)
    T, S, w = np.ascontiguousarray(np.broadcast_to(constants, Y.shape)), np.empty_like(Y), block.weights
    constant = losses_and_slopes(rule.loss, rule.epsilon, T, Y, w, S)
    return Losses(loss, constant, w @ S, w @ np.maximum(A, 0.0), w @ np.maximum(-A, 0.0), float(w.sum()), len(block))


def middles(targets: Targets, planes: int, block: Block) -> Array:
    """The median of about a hundred targets of each plane."""
    stride = max(1, len(block) // 100)
    return np.array([np.sort(targets(k, planes, block)[::stride])[len(block) // stride // 2] for k in range(planes)])


def bounds(planes: Array, rule: StepRule, targets: Targets, up: Array, down: Array, block: Block) -> Bounds:
    """What is summed then, the a multiplied by a factor on each side."""
    _, A, Y = slopes(planes, rule, targets, block)
    A *= np.where(A > 0, up, down)
    pull = np.asarray((block.X.T @ (A * block.weights[:, None])).T)
    return Bounds(duals(rule.loss, rule.epsilon, A, Y, block.weights), pull)


def objective_and_gap(planes: Array, rule: StepRule, targets: Targets, rows: Rows) -> tuple[Array, Array, Array]:
    """F of each plane; how far it is at most above the minimum, infinite where there is no penalty to bound w; F of a constant,
    0 where there is no b."""
    constants = rows.first(middles, targets, len(planes)) if rule.intercept else np.zeros(len(planes))
    sums = rows.sum(losses, planes, constants, rule, targets)
    flat = sums.constant - (sums.slope**2 / (2.0 * sums.weight) if rule.intercept and rule.loss == SQUARED else 0.0)
    W, n = planes[:, 1:], sums.rows
    F = sums.loss / n + rule.l1 * np.abs(W).sum(axis=1) + 0.5 * rule.l2 * (W**2).sum(axis=1)
    if rule.l1 == rule.l2 == 0:
        return F, np.full(len(F), np.inf), flat / n
    up, down = np.ones(len(F)), np.ones(len(F))
    if rule.intercept:
        least = np.minimum(sums.up, sums.down)
        up, down = least / np.maximum(sums.up, 1e-300), least / np.maximum(sums.down, 1e-300)
    found = rows.sum(bounds, planes, rule, targets, up, down)
    best = [largest(dual, np.abs(z), rule) for dual, z in zip(found.dual / n, found.pull / n, strict=True)]
    return F, F - np.array(best), flat / n


def largest(dual: float, z: Array, rule: StepRule) -> float:
    """(2) for the best factor κ, at least that of κ = 0."""
    if rule.l1 == 0:  # a parabola of κ
        square = float(z @ z) / rule.l2
        if dual <= 0:
            return 0.0
        return dual - 0.5 * square if dual >= square else 0.5 * dual * (dual / square)
    return max(0.0, *(factor * dual - conjugate(factor * z, rule) for factor in FACTORS))


def conjugate(z: Array, rule: StepRule) -> float:
    """R* of (2)."""
    excess = np.maximum(0.0, z - rule.l1)
    if rule.l2 > 0:
        return float((excess**2).sum() / (2.0 * rule.l2))
    return np.inf if excess.any() else 0.0
