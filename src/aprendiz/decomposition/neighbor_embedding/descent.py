"""Descent with momentum and a step of its own for every coordinate.

    γ ← γ + 0.2  where the velocity still leads downhill,  0.8·γ  where it does not,  γ ≥ 0.01                     (1)
    v ← α·v − η·γ·∂C/∂y                                                                                       (2)
    y ← y + v                                                                                                 (3)

For the first `EXPLORATION` steps P is multiplied by the early exaggeration, with α = 0.5: clusters form while there is room to
pass between each other. Then v and γ begin anew, with α = 0.8 and P as it is.

Reference: Jacobs, "Increased rates of convergence through learning rate adaptation", Neural Networks 1, 1988.
"""

from __future__ import annotations

from dataclasses import dataclass

from aprendiz.compilation.compiled import compiled
from aprendiz.core.iteration import State
from aprendiz.core.rows import Array

EXPLORATION = 250  # steps with exaggeration
CHECK = 50  # steps from one look at progress to the next
PASS = 10  # steps of a state
MOMENTUM = {True: 0.5, False: 0.8}  # α while P is exaggerated, and after


@dataclass(frozen=True)
class MapState(State):
    """A map on its way; the objective is C of the map, without exaggeration."""

    step: int
    exaggerated: bool  # the step that follows is one with exaggeration
    resting: bool  # no progress any more, or a gradient that is next to nothing
    seed: int
    best: float  # the lowest C at the looks at progress, and its step
    best_step: int
    embedding: Array
    velocity: Array
    gains: Array


@compiled
def descend(
    A: Array, R: Array, pull: float, factor: float, rate: float, momentum: float, Y: Array, velocity: Array, gains: Array
) -> float:
    """(1) to (3) in place, for ∂C/∂y = factor·(pull·A − R); returns ‖γ·∂C/∂y‖²."""
    square = 0.0
    for i in range(Y.shape[0]):
        for c in range(Y.shape[1]):
            slope = factor * (pull * A[i, c] - R[i, c])
            gain = gains[i, c] + 0.2 if velocity[i, c] * slope < 0.0 else 0.8 * gains[i, c]
            gains[i, c] = max(gain, 0.01)  # (1)
            slope *= gains[i, c]
            velocity[i, c] = momentum * velocity[i, c] - rate * slope  # (2)
            Y[i, c] += velocity[i, c]  # (3)
            square += slope * slope
    return square
