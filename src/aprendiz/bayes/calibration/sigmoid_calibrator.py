"""Platt's sigmoid: the probability of a class as a logistic function of its score.

    P(positive | s) = 1 / (1 + exp(a·s + b))                                                                   (1)
    t = (N₊ + 1)/(N₊ + 2) for positive rows,     t = 1/(N₋ + 2) for the others                                 (2)
    minimise  F(a, b) = Σ w·[t·log(1 + eᵘ) + (1 − t)·log(1 + e⁻ᵘ)],     u = a·s + b                            (3)

N₊ and N₋ are the weights of both sides. The targets (2) are those of a uniform prior on either share: none is 0 or 1, so that
(3) has its minimum at finite a and b also where a threshold separates the classes. F is convex, and Newton's step with
backtracking finds its minimum. Scores are centred and scaled: the step does not depend on their units, its rounding does.

The gain of one more step, λ²/2 with λ² = ∇Fᵀ (∇²F)⁻¹ ∇F, does not depend on the units of the scores either: it is the
certificate.

Cost: O(n) for each step, a dozen steps.
References: Platt, "Probabilistic outputs for support vector machines", 1999; Lin, Lin & Weng, "A note on Platt's probabilistic
outputs for support vector machines", Machine Learning 68, 2007.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy.special import expit

from aprendiz.core.certificate import Certificate
from aprendiz.core.rows import Array

MAX_STEPS = 100
SMALLEST_STEP = 1e-10  # as a part of Newton's
SUFFICIENT = 1e-4  # share of the promised descent that a step must keep
ROUNDING = 1e-14  # of F, as a part of it: near the minimum it hides what a step gains
REST = 1e-24  # λ² as a part of F: the digits of a and b are right
PROMISED = 1e-12  # λ²/2 as a part of F


@dataclass(frozen=True)
class SigmoidCalibrator:
    """(1), fitted.

    Attributes
    ----------
    a_, b_ : float
        Slope and intercept.
    certificate : Certificate
        `decrement` is λ²/(2F).
    """

    a_: float
    b_: float
    certificate: Certificate

    @classmethod
    def fitted(cls, scores: Array, positive: Array, weight: Array) -> Self:
        """(3) for scores, whether each row is positive, and weights above 0."""
        centre, spread = centre_and_spread(scores, weight)
        x, t = (scores - centre) / spread, platt_targets(positive, weight)
        a, b = newton(x, t, weight)
        a, b = a / spread, b - a * (centre / spread)
        return cls(a, b, certify(a * scores + b, x, t, weight))

    def predict(self, scores: Array) -> Array:
        """(1)."""
        return np.asarray(expit(-(self.a_ * scores + self.b_)))


def centre_and_spread(scores: Array, weight: Array) -> tuple[float, float]:
    """Weighted mean and standard deviation of scores of any size; equal scores have the spread 1."""
    size = float(np.abs(scores).max()) or 1.0
    small = scores / size
    mean = float(np.average(small, weights=weight))
    spread = float(np.sqrt(np.average((small - mean) ** 2, weights=weight)))
    return size * mean, (size * spread if spread > 0 and np.ptp(scores) > 0 else 1.0)


def platt_targets(positive: Array, weight: Array) -> Array:
    """(2)."""
    yes, no = float(weight[positive].sum()), float(weight[~positive].sum())
    return np.where(positive, (yes + 1.0) / (yes + 2.0), 1.0 / (no + 2.0))


def newton(x: Array, t: Array, weight: Array) -> tuple[float, float]:
    """a and b of (3)."""
    share = float(weight @ t) / float(weight.sum())
    a, b = 0.0, float(np.log((1.0 - share) / share))  # the best of all with a = 0
    u = np.full(len(x), b)
    value = loss(u, t, weight)
    for _ in range(MAX_STEPS):
        step, decrement = newton_step(u, x, t, weight)
        if decrement <= REST * value:
            break
        part, value = backtrack(u, step[0] * x + step[1], decrement, value, t, weight)
        if not part:
            break
        a, b = a + part * step[0], b + part * step[1]
        u = a * x + b
    return a, b


def newton_step(u: Array, x: Array, t: Array, weight: Array) -> tuple[tuple[float, float], float]:
    """Newton's step of a and b, and λ². The gradient is Σ w·(t − p)·(x, 1), the Hessian Σ c·(x, 1)(x, 1)ᵀ with c = w·p·(1 − p):
    around the mean of x by c it is diagonal, and nothing cancels."""
    p, rest = expit(-u), expit(u)
    pull, curve = weight * (t - p), weight * (p * rest)
    total, mass = float(pull.sum()), float(curve.sum())
    if not mass > 0:
        return (0.0, 0.0), np.inf  # nothing is known of a sigmoid that is 0 and 1 alone
    middle = float(curve @ x) / mass
    apart = x - middle
    slope, spread = float(pull @ apart), float(curve @ apart**2)
    step = -slope / spread if spread > 0 else 0.0
    return (step, -total / mass - step * middle), total**2 / mass + (slope**2 / spread if spread > 0 else 0.0)


def backtrack(u: Array, step: Array, decrement: float, value: float, t: Array, weight: Array) -> tuple[float, float]:
    """The largest of 1, ½, ¼, … that lowers F enough, or changes it by no more than rounding, and F there; 0 if none does."""
    part = 1.0
    while part >= SMALLEST_STEP:
        after = loss(u + part * step, t, weight)
        if after <= value * (1.0 + ROUNDING) - SUFFICIENT * part * decrement:
            return part, after
        part /= 2
    return 0.0, value


def loss(u: Array, t: Array, weight: Array) -> float:
    """F of (3)."""
    return float(weight @ (np.log1p(np.exp(-np.abs(u))) + np.where(u > 0, t * u, (t - 1.0) * u)))


def certify(u: Array, x: Array, t: Array, weight: Array) -> Certificate:
    """λ²/(2F) at u = a·s + b as it is computed: where the scores lie far from 0 for their spread, it has fewer digits."""
    decrement = newton_step(u, x, t, weight)[1] / (2.0 * loss(u, t, weight))
    claim = "one more step of Newton would lower the log loss by less than 10⁻¹² of it"
    return Certificate(claim, decrement <= PROMISED, {"decrement": decrement})
