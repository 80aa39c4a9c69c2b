"""The perceptron criterion: the sum of the distances of the rows on the wrong side, at its minimum.

    J = Σ ω max(0, −s·t)/Σ ω,     t = b + xᵀw,     s = ±1                                                      (1)

J falls to 0 with the length of (b, w), so a length must be fixed. It is fixed by the means of the two classes:

    wᵀ(μ₁ − μ₀) = 1                                                                                           (2)

(1) under (2) is convex, and shifts or units of the columns do not matter. It is approached by smooth functions from above,

    J ≤ F_τ = Σ ω τ·ln(1 + e^{−st/τ})/Σ ω ≤ J + τ·ln 2,     τ → 0                                              (3)

each the logistic loss with the slope 1/τ, minimised by Newton's method from the minimiser before. J(θ) ≥ gᵀθ for all θ and any
gradient g of F_τ. At the minimiser g has no part along the planes of (2), so gᵀθ is the same for all of them: a bound that none
can pass. What J is above it, with what is left of that part of g times the size of the answer, is the gap.

Cost: some fifty passes, n·d²/2 multiplications each.
Reference: Boyd & Vandenberghe, "Convex optimization", 2004, sections 5.5 and 11.3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import Sums
from aprendiz.linear.designs.whitened import Whitened, across
from aprendiz.linear.losses.logistic_loss import two_classes
from aprendiz.linear.solvers.newton import solve

FALL = 0.25  # of τ, from one function (3) to the next
NEAR = 1e-18  # decrement, as a part of F, at which the next τ may come


@dataclass(frozen=True)
class Missed(Sums):
    """Σ ω max(0, −s·t)."""

    size: float

    @classmethod
    def of(cls, pivot: Array, theta: Array, block: Block) -> Self:
        t = (block.X - pivot) @ theta[1:] + theta[0]
        return cls(float(block.weights @ np.maximum(0.0, np.where(block.y == 1, -t, t))))


@dataclass(frozen=True)
class Point:
    """F_τ, its gradient and Newton step at the parameters q, and the gradient g in white coordinates."""

    q: Array
    value: float
    slope: Array
    step: Array
    gradient: Array

    @property
    def decrement(self) -> float:
        return 0.5 * float(self.slope @ self.step)

    @property
    def steepness(self) -> float:
        return float(np.linalg.norm(self.slope))


@dataclass(frozen=True)
class Answer:
    """White coordinates of a plane, its J, by how much another plane could be lower, and J after each τ."""

    white: Array
    value: float
    gap: float
    history: Array
    passes: int


@dataclass(frozen=True)
class Smoothed:
    """(3) under (2) on some rows: θ = first + span·q."""

    rows: Rows
    space: Whitened
    first: Array
    span: Array

    @classmethod
    def of(cls, rows: Rows, space: Whitened) -> Smoothed:
        square = float(space.apart @ space.apart)
        if square < 1e-24:
            raise ValueError(
                "The classes have the same mean in every column, and the perceptron criterion is measured by their distance: "
                'use criterion="squared_sigmoid".'
            )
        r = len(space.apart)
        span = np.zeros((1 + r, r))
        span[0, 0], span[1:, 1:] = 1.0, across(space.apart)
        return cls(rows, space, np.append(0.0, space.apart / square), span)

    def at(self, q: Array, tau: float) -> Point:
        """F_τ at q: one pass."""
        L, weight = self.space.map, self.space.weight
        theta = L @ (self.first + self.span @ q)
        record = self.rows.sum(two_classes, self.space.pivot, theta[None] / tau)
        g = L.T @ record.gradient[0] / weight
        H = self.span.T @ (L.T @ record.curvature @ L) @ self.span / (tau * weight)
        slope = self.span.T @ g
        return Point(q, tau * float(record.loss) / weight, slope, solve(H, slope), g)

    def criterion_at(self, q: Array) -> float:
        """J at q."""
        theta = self.space.map @ (self.first + self.span @ q)
        return self.rows.sum(Missed.of, self.space.pivot, theta).size / self.space.weight

    def lower(self, point: Point, tau: float) -> Point:
        """A Newton step, halved until F_τ falls, or its slope where rounding hides that; the same point if neither does."""
        for size in 0.5 ** np.arange(20):
            new = self.at(point.q - size * point.step, tau)
            hidden = new.value <= point.value * (1.0 + 1e-13) and new.steepness < 0.5 * point.steepness
            if new.value < point.value * (1.0 - 1e-13) or hidden:
                return new
        return point


def least_missed(rows: Rows, space: Whitened, tol: float, max_iter: int) -> Answer:
    """The minimum of (1) under (2): τ falls until the gap is `tol` of J, or rounding hides it."""
    problem = Smoothed.of(rows, space)
    q, tau, passes, bound = np.zeros(len(space.apart)), 1.0, 0, 0.0
    history, best, least = [], q, np.inf
    while True:
        point = problem.at(q, tau)
        while point.decrement > NEAR * point.value and passes < max_iter:
            new, passes = problem.lower(point, tau), passes + 1
            if new is point:
                break
            point = new
        q, missed = point.q, problem.criterion_at(point.q)
        left = point.steepness * (1.0 + float(np.linalg.norm(q)))
        bound = max(bound, float(point.gradient @ (problem.first + problem.span @ q)) - left)
        if missed < least:
            best, least = q, missed
        history.append(least)
        gap = max(0.0, least - bound)
        if gap <= tol * least or passes >= max_iter or tau < 1e-12:
            return Answer(problem.first + problem.span @ best, least, gap, np.array(history), passes)
        tau *= FALL
