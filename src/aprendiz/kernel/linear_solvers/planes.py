"""What the solvers of linear support vector machines share: the problem, where a fit stands, and what is proved of it.

    min over θ   F(θ) = ½‖θ‖² + C Σ w ℓ(θᵀz),      z = (x, B)          one plane θ for each class, or one    (1)

B is `intercept_scaling`: the intercept is B times the last entry of θ, so it is penalised too, as in liblinear.

Every solver keeps the plane with the lowest F that it has seen, and the largest lower bound D of min F. Since F is strongly
convex, the difference bounds the distance from the minimiser θ* as well:

    ½‖θ − θ*‖² ≤ F(θ) − F(θ*) ≤ F(θ) − D ≤ tol²·F(θ)     when a plane has settled                             (2)
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.certificate import Certificate
from aprendiz.core.iteration import State
from aprendiz.core.rows import Array, Block, Rows, read_only
from aprendiz.core.sources.arrays import compress, in_memory
from aprendiz.core.sums import Sums
from aprendiz.kernel.linear_solvers.interval_loss import gap_of_rows, intervals
from aprendiz.kernel.linear_solvers.sparse_rows import fill_largest

SMALLEST_TOL = 3e-7  # rounding allows no smaller gap than the square of this
MOST_ROUNDING = 1e-6  # of F, with which a certificate holds still
UNEQUAL = 1e3  # times the cells of one column are larger than those of another, and it is said
TERMS = 2**13  # numbers that a sum adds one after the other, at most
NONE = np.empty(0)


@dataclass(frozen=True)
class PlanesState(State):
    """The best planes so far, with F and the lower bound of each, and what a solver goes on from."""

    planes: Array  # classes × (columns + 1), the last column times B being the intercept
    primal: Array
    dual: Array
    finished: Array  # which planes have settled, or cannot be improved any more
    stuck: bool = False  # rounding hides what is left
    seed: int = 0  # of the order of the rows
    points: Array = field(default_factory=lambda: NONE)  # θ of each plane now
    passed: Array = field(default_factory=lambda: NONE)  # θ at which multipliers were updated
    steepness: Array = field(default_factory=lambda: NONE)  # κ of these updates, and of the next one
    multipliers: Array = field(default_factory=lambda: NONE)  # of each plane and row
    working: Array = field(default_factory=lambda: NONE)  # which rows are at work
    counts: Array = field(default_factory=lambda: NONE)  # steps or measurements without success
    reach: Array = field(default_factory=lambda: NONE)  # the largest violation of the last epoch

    @property
    def gap(self) -> Array:
        """F − D of each plane, as a part of F."""
        return relative_gap(self.primal, self.dual)


@dataclass(frozen=True)
class MarginProblem:
    """(1): rows, whose targets are numbers of classes or numbers."""

    rows: Rows
    C: float
    scale: float  # B, zero without an intercept
    squared: bool
    classes: int  # 0: the targets are numbers
    epsilon: float
    goal: float  # the relative gap at which a plane has settled
    factors: Array | None = None  # with which the rows of its own class count for a plane, of three and more

    @property
    def planes(self) -> int:
        return self.classes if self.classes > 2 else 1

    @property
    def size(self) -> int:
        """Entries of a plane."""
        return self.rows.columns + 1

    def plane_rows(self, number: int) -> Rows:
        """The rows as a plane sees them: their targets are intervals and multipliers."""
        classes, epsilon, factors = self.classes, self.epsilon, self.factors

        def seen(block: Block) -> Block:
            weight = block.weight
            if factors is not None:
                weight = read_only(block.weights * np.where(block.y == number, factors[number], 1.0))
            return replace(block, y=read_only(intervals(classes, number, epsilon, block.y)), weight=weight)

        if in_memory(self.rows) and self.rows.y is not None:
            all_rows = seen(Block(np.empty((len(self.rows.y), 0)), self.rows.y, self.rows.weight, 0))
            return self.rows.like(y=all_rows.y, weight=all_rows.weight)
        return self.rows.changed(seen)


def goal_of(tol: float) -> float:
    """tol² of (2)."""
    return min(max(tol, SMALLEST_TOL), 1.0) ** 2


def relative_gap(primal: Any, dual: Any) -> Any:
    """F − D as a part of F."""
    return np.maximum(np.asarray(primal) - dual, 0.0) / np.maximum(primal, np.finfo(float).tiny)


@dataclass(frozen=True)
class Magnitudes(Sums):
    """The largest |x| of each column, and the total weight."""

    largest: Array
    weight: float

    @classmethod
    def of(cls, block: Block) -> Magnitudes:
        X: Any = block.X
        if not sparse.issparse(X):
            return cls(np.abs(X).max(axis=0).astype(np.float64), float(block.weights.sum()))
        largest = np.zeros(X.shape[1])
        fill_largest(*compress(X)[:2], largest)
        return cls(largest, float(block.weights.sum()))

    def __add__(self, other: Magnitudes) -> Magnitudes:
        return Magnitudes(np.maximum(self.largest, other.largest), self.weight + other.weight)


@dataclass(frozen=True)
class MarginLosses(Sums):
    """Σ w ℓ at a plane."""

    loss: float

    @classmethod
    def of(cls, theta: Array, scale: float, squared: bool, block: Block) -> MarginLosses:
        t = block.X @ theta[:-1] + scale * theta[-1]
        return cls(gap_of_rows(t, block.y, block.weights, block.y[:, 2], squared)[0])


def objectives(problem: MarginProblem, planes: Array) -> Array:
    """F of each plane, as it is stored: around a pivot it was summed in other coordinates."""
    losses = (
        problem.plane_rows(number).sum(MarginLosses.of, theta, problem.scale, problem.squared).loss
        for number, theta in enumerate(planes)
    )
    return np.array([0.5 * float(theta @ theta) + problem.C * loss for theta, loss in zip(planes, losses, strict=True)])


def certify(state: PlanesState, magnitudes: Magnitudes, problem: MarginProblem) -> Certificate:
    """The largest gap of a plane, and what rounding may add to it: a score is wrong by at most T = Σ |θ||z| times the digits
    that a sum loses, and F changes with the scores by at most Σ c, or 2·Σ c·r ≤ 2·√(Σ c · Σ c r²) if the loss is squared."""
    with np.errstate(all="ignore"):
        return proved(state, magnitudes, problem)


def proved(state: PlanesState, magnitudes: Magnitudes, problem: MarginProblem) -> Certificate:
    T = np.abs(state.planes) @ np.append(magnitudes.largest, problem.scale)
    total = problem.C * magnitudes.weight * (1.0 if problem.factors is None else float(max(1.0, problem.factors.max())))
    pull = 2.0 * np.sqrt(total * state.primal) if problem.squared else total
    lost = np.finfo(float).eps * (TERMS + problem.size) * (T * pull + state.primal)
    rounding = float(np.max(lost / np.maximum(state.primal, np.finfo(float).tiny)))
    gap = float(state.gap.max())
    values: dict[str, Any] = {"objective": float(state.primal.sum()), "dual": float(state.dual.sum()), "gap": gap}
    values["rounding"] = rounding
    sizes = np.where(magnitudes.largest > 0, magnitudes.largest, np.nan)
    if np.isfinite(sizes).any() and (ratio := float(np.nanmax(sizes) / np.nanmin(sizes))) >= UNEQUAL:
        values |= {"largest_column": int(np.nanargmax(sizes)), "smallest_column": int(np.nanargmin(sizes)), "ratio": ratio}
    claim = "no coefficients of a plane have an objective lower by more than gap and rounding, as parts of it"
    sound = bool((state.dual - state.primal <= rounding * state.primal).all())  # else rounding was worse than that
    return Certificate(claim, gap <= problem.goal and rounding <= MOST_ROUNDING and sound, values)
