"""Linear support vector machines whose coefficients become zero: squared losses with an absolute penalty.

    F(θ) = ‖θ‖₁ + C Σ w r²,      r = distance of θᵀz from its interval (interval_loss.py)                     (1)

The loss is replaced by its quadratic model, the penalty is left as it is (linear/solvers/prox_newton.py):

    minimise over δ   gᵀδ + ½δᵀHδ + ‖θ + δ‖₁,     g = −C Σ w γ z,   H = 2C Σ w z zᵀ over the rows with r > 0  (2)

with H formed where there are few columns, which needs sums over the rows only. Of many columns most stay at zero, and H is
formed of the others; column by column over the filled cells where these are many too. A row that enters or leaves its interval
changes H, so a step is shortened until F falls.

Multipliers s·γ with γ = ±2r are feasible for the dual as long as no column is pulled with more than 1:

    D(s) = C (s·Σ wγe − s²·Σ wr²),      s ≤ 1/max_j |C Σ w γ z_j|                                             (3)

Cost: about 10 steps, of n·d²/2 multiplications or of a few passes over the filled cells.
Reference: Yuan, Chang, Hsieh & Lin, "A comparison of optimization methods and software for large-scale L1-regularized linear
classification", JMLR 11, 2010.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.rows import Array
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.threads import ordered_map
from aprendiz.kernel.linear_solvers.interval_loss import MarginSums
from aprendiz.kernel.linear_solvers.planes import MarginProblem, PlanesState, relative_gap
from aprendiz.linear.penalties.sparse_penalty import ElasticPenalty
from aprendiz.linear.solvers.column_descent import column_model
from aprendiz.linear.solvers.prox_newton import SUFFICIENT_DESCENT, Local, corner_step

ABSOLUTE = ElasticPenalty(1.0)
REST = 1e-4  # of the gap, times the gap as a part of F: descents of the model that no longer matter
ROUNDING = 1e-14  # a part of F by which it may rise from step to step
PATIENCE = 20  # steps without a smaller gap, after which rounding is to blame
HALVINGS = 40
NEAR, MEMBERS = 0.9, 1024  # the pull from which on a column at zero is worked on; columns of which H is formed


@dataclass(frozen=True)
class Plane:
    """One plane, its F and the best lower bound so far."""

    theta: Array
    primal: float = np.inf
    dual: float = -np.inf
    waited: int = 0

    def finished(self, goal: float) -> bool:
        return bool(relative_gap(self.primal, self.dual) <= goal) or self.waited >= PATIENCE


def sparse_states(problem: MarginProblem, since: PlanesState | None, formed: bool) -> Iterator[PlanesState]:
    """State 0, then one state for each step of all planes that have not settled; for ever."""
    if since is None:
        planes, iteration = [Plane(np.zeros(problem.size)) for _ in range(problem.planes)], 0
    else:
        parts = zip(since.planes, since.primal, since.dual, since.counts, strict=True)
        planes = [Plane(theta, float(primal), float(dual), int(waited)) for theta, primal, dual, waited in parts]
        iteration = since.iteration
    kind = FormedModel if formed else ColumnModel
    descents = [L1Descent(kind(problem, number), plane, problem.goal) for number, plane in enumerate(planes)]
    each = ordered_map if in_memory(problem.rows) else map
    if since is None:
        yield packed(list(each(L1Descent.start, descents)), 0, problem.goal)
    while True:
        iteration += 1
        yield packed(list(each(L1Descent.step, descents)), iteration, problem.goal)


def packed(planes: list[Plane], iteration: int, goal: float) -> PlanesState:
    primal, dual = np.array([plane.primal for plane in planes]), np.array([plane.dual for plane in planes])
    settled, finished = relative_gap(primal, dual) <= goal, np.array([plane.finished(goal) for plane in planes])
    return PlanesState(
        iteration=iteration,
        objective=float(primal.sum()),
        settled=bool(settled.all()),
        planes=np.array([plane.theta for plane in planes]),
        primal=primal,
        dual=dual,
        finished=finished,
        stuck=bool(finished.all() and not settled.all()),
        counts=np.array([plane.waited for plane in planes]),
    )


@dataclass(frozen=True)
class Point:
    """C Σ w r² and its gradient at θ, the lower bound (3), and what a model needs to know beside."""

    theta: Array
    loss: float
    gradient: Array
    dual: float
    more: Any

    @property
    def primal(self) -> float:
        return self.loss + float(np.abs(self.theta).sum())


class L1Descent:
    """Steps of one plane."""

    def __init__(self, model: Any, plane: Plane, goal: float):
        self.model, self.plane, self.goal = model, plane, goal
        self.at: Point | None = None

    def start(self) -> Plane:
        return self.keep(self.model.evaluate(self.plane.theta))

    def keep(self, at: Point) -> Plane:
        before, self.at = self.plane, at
        dual = max(before.dual, at.dual)
        smaller = at.primal - dual < 0.9 * (before.primal - before.dual) or not np.isfinite(before.primal)
        self.plane = Plane(at.theta, at.primal, dual, 0 if smaller else before.waited + 1)
        return self.plane

    def step(self) -> Plane:
        """The minimiser of (2), or as much of the way to it as lowers F."""
        plane = self.plane
        if plane.finished(self.goal):
            return plane
        at = self.model.evaluate(plane.theta) if self.at is None else self.at
        gap = min(at.primal, at.primal - plane.dual)
        delta = self.model.direction(at, REST * gap * gap / at.primal)
        promised = -float(at.gradient @ delta) - float(np.abs(at.theta + delta).sum() - np.abs(at.theta).sum())
        for size in 0.5 ** np.arange(HALVINGS):
            new = self.model.evaluate(at.theta + size * delta)
            if new.primal <= at.primal - SUFFICIENT_DESCENT * size * max(promised, 0.0) + ROUNDING * at.primal:
                return self.keep(new)
        self.plane = replace(plane, waited=plane.waited + 1)
        return self.plane


def lower_bound(C: float, gain: float, loss: float, v: Array) -> float:
    """(3) with the best s; `gain` is Σ w (γe − γ²/4), and Σ wγ²/4 is Σ wr²."""
    most = 1.0 / max(C * float(np.abs(v).max(initial=0.0)), np.finfo(float).tiny)
    s = min((gain + loss) / (2.0 * loss), most) if loss > 0 else 0.0
    return C * (s * (gain + loss) - s * s * loss)


class FormedModel:
    """(2) with H, from sums over the rows."""

    def __init__(self, problem: MarginProblem, number: int):
        self.problem, self.rows = problem, problem.plane_rows(number)

    def evaluate(self, theta: Array) -> Point:
        C = self.problem.C
        record = self.rows.sum(MarginSums.of, theta, self.problem.scale, 2.0, True)
        refuse_empty_sums(record.weight, record.finite, self.problem.rows)
        dual = lower_bound(C, record.gain, record.loss, record.v)
        return Point(theta, C * record.loss, -C * record.v, dual, record.curvature)

    def direction(self, at: Point, enough: float) -> Array:
        return formed_step(at.theta, at.loss, at.gradient, 2.0 * self.problem.C * at.more, enough)


def formed_step(theta: Array, loss: float, gradient: Array, curvature: Array, enough: float) -> Array:
    """The minimiser of (2) with H, less θ; in front an intercept that is left where it is."""
    H = np.zeros((len(theta) + 1, len(theta) + 1))
    H[1:, 1:] = curvature
    at = Local(np.append(0.0, theta)[None], loss, np.append(0.0, gradient)[None], H)
    return corner_step(at, ABSOLUTE, False, enough / len(theta)).change[0, 1:]


class ColumnModel:
    """(2) over the filled cells of a table in memory: with H of the columns that are not zero, or nearly so, if these are few,
    else column by column."""

    def __init__(self, problem: MarginProblem, number: int):
        rows = problem.plane_rows(number)
        assert in_memory(rows)
        assert rows.y is not None
        self.problem, self.ends = problem, rows.y
        self.weight = np.ones(len(rows.y)) if rows.weight is None else rows.weight
        intercept = sparse.csc_array(np.full((len(rows.y), 1), problem.scale))
        self.Z = sparse.csc_array(sparse.hstack([rows.X, intercept]).astype(np.float64))

    def evaluate(self, theta: Array) -> Point:
        C, low, high = self.problem.C, self.ends[:, 0], self.ends[:, 1]
        t = self.Z @ theta
        gamma = 2.0 * (np.maximum(low - t, 0.0) + np.minimum(high - t, 0.0))
        loss = 0.25 * float(self.weight @ gamma**2)
        e = np.where(gamma > 0, low, np.where(gamma < 0, high, 0.0))
        v = self.Z.T @ (self.weight * gamma)
        dual = lower_bound(C, float(self.weight @ (gamma * e)) - loss, loss, v)
        return Point(theta, C * loss, -C * v, dual, gamma != 0)

    def direction(self, at: Point, enough: float) -> Array:
        D = 2.0 * self.problem.C * self.weight * at.more
        members = np.flatnonzero((at.theta != 0) | (np.abs(at.gradient) >= NEAR))
        if len(members) > MEMBERS:
            new, _beta, _moved = column_model(self.Z, D, at.gradient, at.theta, None, ABSOLUTE, enough)
            return new - at.theta
        delta = np.zeros_like(at.theta)
        if len(members):
            Z = self.Z[:, members]
            curvature = (Z.T @ (sparse.diags_array(D) @ Z)).toarray()
            delta[members] = formed_step(at.theta[members], at.loss, at.gradient[members], curvature, enough)
        return delta
