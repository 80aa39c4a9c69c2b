"""Least squares by going downhill: gradient descent on the sums, or on the rows, one or a few at a time.

All three go down the same function of the standardised columns z and targets c (mean 0, mean square 1):

    F(θ) = ½·Σ ω (c − b − zᵀw)²/Ω,     ∇F = (b, Hw − q),     H = Σ ω zzᵀ/Ω,     q = Σ ω zc/Ω                   (1)

    all rows         w ← w − η(Hw − q),     η = 1/λ_max of H                                                   (2)
    some rows        θ ← θ − η·Σ_B ω (b + zᵀw − c)·(1, z)/B,     over the rows in a new order each epoch       (3)

H and q are sums over the rows, so that a step of (2) costs d², however many rows there are. F never rises, and along the
eigenvector of λ the error is multiplied by 1 − λ/λ_max at each step: on nearly dependent columns that is slow.

(3) comes near the minimum before it has seen all rows, and then wanders around it as widely as its steps are long. It
begins with η = 1/L, which is safe on average, and halves η after each epoch in which F, known from the sums, did not fall:

    L = ((B − 1)/B)·λ_max + (1/B)·max ω‖(1, z)‖²                                                              (4)

Both end when ‖∇F‖ is a given part of what it was at θ = 0. Of dependent columns they find the answer that is smallest in
standardised units, for no step leaves the span of the rows.

Cost: (2) d² a step after one pass and d³; (3) n·d an epoch.
Reference: Gower et al., "SGD: general analysis and improved rates", ICML 2019, for (4).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
from scipy import linalg

from aprendiz.compilation.compiled import compiled
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.sums import Sums
from aprendiz.linear.designs.visits import parts, visiting_order

EPS = float(np.finfo(float).eps)
HELD = 2**30  # n·d² up to which a sparse table is held as a dense one, rather than made dense in each epoch


@dataclass(frozen=True)
class Standardised:
    """(1), from the sums: H and q, and the centres and units by which rows are standardised."""

    H: Array
    q: Array
    centre: Array  # of the columns, then of the targets; zero without an intercept
    unit: Array
    intercept: bool

    @classmethod
    def of(cls, Z: Array, weight: float, mean: Array, columns: int, intercept: bool) -> Self:
        """From the triangle of the (centred) columns and targets, the total weight and the means."""
        spread = np.sqrt((Z**2).sum(axis=0) / weight)
        unit = np.where(spread > 4 * EPS * np.abs(mean), spread, 1.0)
        S = np.where(spread > 4 * EPS * np.abs(mean), Z / unit, 0.0) / np.sqrt(weight)
        H = S[:, :columns].T @ S
        return cls(H[:, :columns], H[:, columns:], mean, unit, intercept)

    @property
    def columns(self) -> int:
        return len(self.H)

    @property
    def largest(self) -> float:
        """λ_max of H."""
        return float(linalg.eigvalsh(self.H, check_finite=False)[-1])

    def gradient(self, theta: Array) -> Array:
        """∇F, targets in rows, b first."""
        return np.column_stack([theta[:, 0], theta[:, 1:] @ self.H - self.q.T])

    def value(self, theta: Array) -> float:
        """F of all targets, but for a constant."""
        W = theta[:, 1:]
        return 0.5 * float((theta[:, 0] ** 2).sum() + ((W @ self.H - 2.0 * self.q.T) * W).sum())

    def relative_gradient(self, theta: Array) -> float:
        """‖∇F‖ as a part of what it was at θ = 0, of the target where it is largest."""
        first = np.linalg.norm(self.q, axis=0)
        return float((np.linalg.norm(self.gradient(theta), axis=1) / np.where(first > 0, first, 1.0)).max())

    def line(self, theta: Array) -> tuple[Array, Array]:
        """w (columns × targets) and b in the units of the data."""
        d = self.columns
        W = theta[:, 1:].T * self.unit[d:] / self.unit[:d, None]
        return W, self.centre[d:] + theta[:, 0] * self.unit[d:] - self.centre[:d] @ W

    def distance(self, W: Array, answer: Array) -> float:
        """‖w − w*‖/‖w*‖ in standardised units."""
        d = self.columns
        scale = self.unit[:d, None] / self.unit[d:]
        size = float(np.linalg.norm(answer * scale))
        return float(np.linalg.norm((W - answer) * scale)) / size if size > 0 else 0.0

    def standardise(self, block: Block) -> Block:
        """A block with standardised columns and targets, targets in columns."""
        d = self.columns
        y = block.y.reshape(len(block), -1)
        return Block(
            (block.X - self.centre[:d]) / self.unit[:d], (y - self.centre[d:]) / self.unit[d:], block.weight, block.start
        )


@dataclass(frozen=True)
class LeastSquaresDescent:
    """Where a descent ended: θ (targets × (1 + columns)), F at the start and after each step or epoch, what is left of ∇F."""

    theta: Array
    history: Array
    gradient: float

    @property
    def steps(self) -> int:
        return len(self.history) - 1


# ---- all rows --------------------------------------------------------------------------------------------------------


def descended(problem: Standardised, tol: float, most: int) -> LeastSquaresDescent:
    """(2), from zero."""
    eta = 1.0 / max(problem.largest, EPS)
    theta = np.zeros((problem.q.shape[1], 1 + problem.columns))
    return follow(problem, theta, lambda theta, step: theta - eta * problem.gradient(theta), tol, most)


def follow(
    problem: Standardised, theta: Array, step: Callable[[Array, int], Array], tol: float, most: int
) -> LeastSquaresDescent:
    """Step after step, until little is left of ∇F."""
    history, left = [problem.value(theta)], problem.relative_gradient(theta)
    while left > tol and len(history) <= most:
        theta = step(theta, len(history) - 1)
        history.append(problem.value(theta))
        left = problem.relative_gradient(theta)
    return LeastSquaresDescent(theta, np.array(history), left)


# ---- some rows at a time ---------------------------------------------------------------------------------------------


class Wandering:
    """The steps (3): epochs over standardised rows, η halved where F does not fall."""

    def __init__(self, problem: Standardised, rows: Rows, batch: int, seed: int):
        self.problem, self.rows, self.batch, self.seed = problem, rows, batch, seed
        reach = rows.sum(Reaches.of, problem)
        self.usual = reach.weight / reach.rows  # weight of a row
        self.eta = 1.0 / max((1.0 - 1.0 / batch) * problem.largest + reach.largest / self.usual / batch, EPS)
        hold = in_memory(rows) and (rows.dense or rows.work <= HELD)
        self.held = [problem.standardise(part) for part in parts(rows)] if hold else None

    def epoch(self, theta: Array, number: int) -> Array:
        """θ after one more epoch."""
        moved = theta.copy()
        for part in self.held or self.read():
            order = visiting_order(part, self.seed, number)
            visit(part.X, part.y, part.weights, order, moved, self.eta / self.usual, self.batch, self.problem.intercept)
        refuse_empty_sums(1.0, bool(np.isfinite(moved).all()), self.rows)
        if self.problem.value(moved) >= self.problem.value(theta):
            self.eta /= 2.0
        return moved

    def read(self) -> Iterator[Block]:
        """Rows that are not held: standardised as they are read."""
        return map(self.problem.standardise, parts(self.rows))


def wandered(problem: Standardised, rows: Rows, batch: int, seed: int, tol: float, most: int) -> LeastSquaresDescent:
    """(3), from zero."""
    walk = Wandering(problem, rows, batch, seed)
    return follow(problem, np.zeros((problem.q.shape[1], 1 + problem.columns)), walk.epoch, tol, most)


@dataclass(frozen=True)
class Reaches(Sums):
    """The largest ω‖(1, z)‖² of a standardised row, rows that count and their weight."""

    largest: float
    rows: int
    weight: float

    @classmethod
    def of(cls, problem: Standardised, block: Block) -> Self:
        Z, weights = problem.standardise(block).X, block.weights
        squares = weights * (float(problem.intercept) + (Z**2).sum(axis=1))
        return cls(float(squares.max(initial=0.0)), int(np.count_nonzero(weights)), float(weights.sum()))

    def __add__(self, other: Self) -> Self:
        return type(self)(max(self.largest, other.largest), self.rows + other.rows, self.weight + other.weight)


@compiled
def visit(X: Array, y: Array, weight: Array, order: Array, theta: Array, eta: float, batch: int, intercept: bool) -> None:
    """(3) for the rows in order, a batch at a time; θ is changed in place."""
    d, targets = X.shape[1], y.shape[1]
    slope = np.zeros_like(theta)
    for first in range(0, len(order), batch):
        slope[:] = 0.0
        for i in order[first : first + batch]:
            for k in range(targets):
                miss = theta[k, 0] - y[i, k]
                for j in range(d):
                    miss += theta[k, 1 + j] * X[i, j]
                pull = weight[i] * miss
                slope[k, 0] += pull if intercept else 0.0
                for j in range(d):
                    slope[k, 1 + j] += pull * X[i, j]
        theta -= (eta / batch) * slope
