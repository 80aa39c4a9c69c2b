"""The squared error of a sigmoid of slope h, a smooth form of the number of errors.

    E = Σ ω (y − σ(h·t))²/Σ ω,     t = b + xᵀw,     y = 0 or 1                                                 (1)

h and the length of w would be the same parameter, so t has variance 1 over the rows: ‖v‖ = 1 in white coordinates
(whitened.py). For small h (1) is near least squares; as h grows it tends to the share of errors. It is not convex. From each
of several starts h doubles from 1 to its value, and E is lowered by steps on the sphere,

    (G + μ·diag G) δ = −g,     G = Σ ω h²σ'² z zᵀ     (Gauss–Newton, with Levenberg's and Marquardt's μ)      (2)

until its slope along the sphere vanishes: a stationary plane, the best of those found, with no promise that it is the best of
all.

Cost: a pass for each step, n·d²/2 multiplications.
Reference: Devroye, Györfi & Lugosi, "A probabilistic theory of pattern recognition", 1996, chapter 4.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import expit, ndtri

from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.linear.designs.whitened import Whitened, across
from aprendiz.linear.losses.gradients import Gradients
from aprendiz.linear.solvers.newton import solve
from aprendiz.summaries.moments import augment

LOOSE = 1e-2  # slope at which a smaller h has done its work


def squared_errors(pivot: Array, theta: Array, block: Block) -> Gradients:
    """Σ ω (y − σ(t))², its gradient, and the curvature of Gauss and Newton."""
    Z = augment(pivot, block.X)
    p = expit(Z @ theta)
    miss, steep = p - (block.y == 1), p * (1.0 - p)
    gradient = 2.0 * ((block.weights * miss * steep) @ Z)
    loss = float(block.weights @ miss**2)
    Z *= (np.sqrt(2.0 * block.weights) * steep)[:, None]
    return Gradients(loss, gradient, Z.T @ Z)


@dataclass(frozen=True)
class Place:
    """A plane (β, v) with ‖v‖ = 1, E there, its slope and curvature along the sphere."""

    white: Array
    value: float
    slope: Array
    curvature: Array
    span: Array  # of the sphere: θ = white + span·δ

    @property
    def steepness(self) -> float:
        return float(np.abs(self.slope).max(initial=0.0))


def evaluate(rows: Rows, space: Whitened, white: Array, h: float) -> Place:
    """E at a plane: one pass."""
    L = h * space.map
    record = rows.sum(squared_errors, space.pivot, L @ white)
    span = np.zeros((len(white), len(white) - 1))
    span[0, 0], span[1:, 1:] = 1.0, across(white[1:])
    slope = span.T @ (L.T @ record.gradient) / space.weight
    curvature = span.T @ (L.T @ record.curvature @ L) @ span / space.weight
    return Place(white, record.loss / space.weight, slope, curvature, span)


def step(place: Place, mu: float) -> Array:
    """The plane after a step (2), back on the sphere."""
    floor = 1e-12 * max(float(np.diagonal(place.curvature).max()), 1e-300)
    H = place.curvature + np.diag(mu * np.diagonal(place.curvature) + floor)
    white = place.white - place.span @ solve(H, place.slope)
    return np.append(white[0], white[1:] / np.linalg.norm(white[1:]))


@dataclass(frozen=True)
class SigmoidMinimum:
    """Where a start ended, E after each step at the last h, and the passes it took."""

    place: Place
    history: Array
    passes: int


def minimise_sigmoid(rows: Rows, space: Whitened, white: Array, h: float, tol: float, max_iter: int) -> SigmoidMinimum:
    """From one start: h doubles from 1; E is lowered until its slope is at most `tol`, less far before the last h."""
    slopes, passes = h / 2.0 ** np.arange(max(0, int(np.ceil(np.log2(h)))), -1, -1), 0
    for now in slopes:
        place, mu = evaluate(rows, space, white, now), 1e-3
        history, enough = [place.value], tol if now == h else max(tol, LOOSE)
        while place.steepness > enough and mu < 1e12 and passes < max_iter:
            new, passes = evaluate(rows, space, step(place, mu), now), passes + 1
            if new.value < place.value:
                place, mu = new, mu / 10.0
                history.append(new.value)
            else:
                mu *= 10.0
        white = place.white
    return SigmoidMinimum(place, np.array(history), passes)


def starts(space: Whitened, count: int, seed: int) -> list[Array]:
    """The plane of least squares, the same turned round, then planes through the mean in random directions."""
    r, least_squares = len(space.apart), space.least_squares()
    length = float(np.linalg.norm(least_squares[1:]))
    first = [least_squares / length, -least_squares / length] if length > 1e-12 else []
    for number in range(count - len(first)):
        direction = ndtri(np.clip(uniforms(seed, number, r), 1e-12, 1.0 - 1e-12))
        first.append(np.append(0.0, direction / max(float(np.linalg.norm(direction)), 1e-300)))
    return first[:count]
