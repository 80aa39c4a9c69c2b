"""The one problem behind all support vector machines. With β_i = y_iα_i for classes and β_i = α_i − α*_i for numbers,

    minimise   ½ βᵀ(K + diag r)β − tᵀβ + ε‖β‖₁     over   low ≤ β ≤ high,  Σβ fixed                             (1)

                 t          ε    low, high                    r              Σβ
    SVC          y = ±1     0    0, C (y = 1);  −C, 0         0              0
    L2 slack     y          0    0, 2√(C·ΣC)   −2√(C·ΣC), 0  1/(2C)         0              (bounds that no solution meets)
    SVR          y          ε    −C, C                        0              0
    one class    0          0    0, 1                         0              ν·n
    ν, hulls     0 or y     0    as above                     0              two sums: one over the first `split` variables,
                                                                             one over the others

The gradient of the smooth part is g = (K + diag r)β − t. What it costs to let β_i grow or fall a little is

    up_i = g_i + ε·sign⁺(β_i) if β_i < high_i, else ∞        (sign⁺(0) = 1)
    down_i = g_i + ε·sign⁻(β_i) if β_i > low_i, else −∞       (sign⁻(0) = −1)                                      (2)

β is optimal if and only if, within each sum, no variable can grow more cheaply than another one falls:

    violation = max_i down_i − min_i up_i ≤ 0                                                                    (3)

and the predictor is f(x) = Σ_i β_i K(x_i, x) + b with −b between the two sides of (3).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array

ULPS = 2.0**-51


@dataclass(frozen=True)
class DualProblem:
    """(1), of a kernel that is ready and points that it has made."""

    kernel: Any
    points: Any
    target: Array  # t
    low: Array
    high: Array
    epsilon: float = 0.0
    ridge: Array | None = None  # r
    split: int | None = None  # variables of the first of two sums
    gram: Array | None = None  # K as a whole, of these points or of more
    members: Array | None = None  # where its rows are those of the variables

    def __len__(self) -> int:
        return len(self.target)

    @property
    def spans(self) -> list[tuple[int, int]]:
        """The variables of each sum."""
        n = len(self)
        return [(0, n)] if self.split is None else [(0, self.split), (self.split, n)]

    @property
    def rows_of_gram(self) -> tuple[Array, Array]:
        """The matrix, and where the rows of the variables are in it."""
        assert self.gram is not None
        assert self.members is not None
        return self.gram, self.members

    @property
    def diagonal(self) -> Array:
        """Of K + diag r."""
        if self.gram is not None:
            inner = self.gram.diagonal()[self.members]
            return inner if self.ridge is None else inner + self.ridge
        found = np.asarray(self.kernel.diagonal_of(self.points), np.float64)
        return found if self.ridge is None else found + self.ridge

    def in_single(self) -> DualProblem:
        """The same problem with points in single precision."""
        return replace(self, points=self.points.astype(np.float32))


def slopes(problem: DualProblem, beta: Array, g: Array) -> tuple[Array, Array]:
    """(2): up and down of every variable."""
    up, down = np.empty(len(g)), np.empty(len(g))
    fill_slopes(beta, g, problem.low, problem.high, float(problem.epsilon), up, down)
    return up, down


@compiled
def fill_slopes(beta: Array, g: Array, low: Array, high: Array, eps: float, up: Array, down: Array) -> None:
    """(2)."""
    for i in range(len(beta)):
        up[i] = g[i] + (eps if beta[i] >= 0.0 else -eps) if beta[i] < high[i] else np.inf
        down[i] = g[i] + (eps if beta[i] > 0.0 else -eps) if beta[i] > low[i] else -np.inf


def violation(problem: DualProblem, beta: Array, g: Array) -> float:
    """(3), the largest over the sums."""
    split = len(problem) if problem.split is None else problem.split
    return find_violation(beta, g, problem.low, problem.high, float(problem.epsilon), split)


def rounding(problem: DualProblem, beta: Array, g: Array) -> float:
    """What the violation may be by rounding alone: a few units in the last place of the terms of the two gradients that it is
    the difference of, g_i = Σ_j K_ijβ_j − t_i with |K_ij| ≤ √(K_ii K_jj)."""
    split = len(problem) if problem.split is None else problem.split
    known = (problem.target, problem.diagonal, problem.low, problem.high)
    return find_rounding(beta, g, *known, float(problem.epsilon), split)


@compiled
def find_violation(beta: Array, g: Array, low: Array, high: Array, eps: float, split: int) -> float:
    """(3); infinite if a gradient is no number."""
    least, most, worst = np.inf, -np.inf, 0.0
    for i in range(len(beta)):
        if np.isnan(g[i]):
            return np.inf
        if i == split:
            worst, least, most = width(worst, least, most), np.inf, -np.inf
        if beta[i] < high[i]:
            least = min(least, g[i] + (eps if beta[i] >= 0.0 else -eps))
        if beta[i] > low[i]:
            most = max(most, g[i] + (eps if beta[i] > 0.0 else -eps))
    return width(worst, least, most)


@compiled(inner=True)
def width(worst: float, least: float, most: float) -> float:
    """From `least` to `most`, if that is more than `worst`; infinite if it is no number."""
    found = most - least
    return np.inf if np.isnan(found) else max(worst, found)


@compiled
def find_rounding(
    beta: Array, g: Array, target: Array, diagonal: Array, low: Array, high: Array, eps: float, split: int
) -> float:
    """`rounding`, of the two variables that make the violation, in each sum."""
    total, n = 0.0, len(beta)
    for i in range(n):
        total += np.sqrt(abs(diagonal[i])) * abs(beta[i])
    worst = 0.0
    for start, stop in ((0, split), (split, n)):
        cheapest, dearest, least, most = start, start, np.inf, -np.inf
        for i in range(start, stop):
            up, down = g[i] + (eps if beta[i] >= 0.0 else -eps), g[i] + (eps if beta[i] > 0.0 else -eps)
            if beta[i] < high[i] and up < least:
                cheapest, least = i, up
            if beta[i] > low[i] and down > most:
                dearest, most = i, down
        if stop > start:
            lengths = np.sqrt(abs(diagonal[cheapest])) + np.sqrt(abs(diagonal[dearest]))
            worst = max(worst, abs(target[cheapest]) + abs(target[dearest]) + 2.0 * eps + lengths * total)
    return ULPS * worst


def multipliers(problem: DualProblem, beta: Array, g: Array) -> list[float]:
    """ρ of each sum: the mean slope of the variables that are free to move both ways; where there is none, the middle of the
    two sides of (3)."""
    low, high, eps = problem.low, problem.high, float(problem.epsilon)
    return [find_multiplier(beta[a:b], g[a:b], low[a:b], high[a:b], eps) for a, b in problem.spans]


@compiled
def find_multiplier(beta: Array, g: Array, low: Array, high: Array, eps: float) -> float:
    """ρ of one sum."""
    total, free, least, most = 0.0, 0, np.inf, -np.inf
    for i in range(len(beta)):
        up, down = g[i] + (eps if beta[i] >= 0.0 else -eps), g[i] + (eps if beta[i] > 0.0 else -eps)
        rises, falls = beta[i] < high[i], beta[i] > low[i]
        if rises and falls and up == down:
            total += up
            free += 1
        least = min(least, up) if rises else least
        most = max(most, down) if falls else most
    if free > 0:
        return total / free
    if np.isinf(least) or np.isinf(most):
        return most if np.isinf(least) and not np.isinf(most) else least if not np.isinf(least) else 0.0
    return 0.5 * (least + most)
