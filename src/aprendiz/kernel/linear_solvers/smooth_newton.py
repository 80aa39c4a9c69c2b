"""Newton's method for linear support vector machines with few columns, as sums over the rows.

The squared losses are smooth: Newton's method ends after finitely many steps. The others have kinks. There it is applied to
losses that are smoothed around the multipliers found before (interval_loss.py), which is the method of multipliers:

    θ_m  ≈ argmin ½‖θ‖² + Σ c ℓ_m(θᵀz),       ℓ_m smoothed around γ_m with steepness κ_m                      (1)
    γ_{m+1} = γ⁺(γ_m, κ_m, θ_m),              κ_{m+1} ≥ κ_m                                                   (2)
    θ ← θ − s·H⁻¹g,                           s from the slope along the step: one more sum                   (3)

Only rows that are not clipped take part in H: at the end about as many as there are columns, so that most steps cost no more than
the scores. Every γ⁺ is feasible for the dual, so each step has a lower bound of min F. (1) is solved until ½‖g‖² is no larger than
what the multipliers are still wrong by.

Rows in memory keep their multipliers. Rows of a file compute them again from θ_1, …, θ_m: nothing is kept for each row.

Cost: 5 steps for a squared loss, about 40 for the others, of n·d multiplications, and d² for each row of H.
References: Mangasarian, "A finite Newton method for classification", Optimization Methods and Software 17, 2002; Yan & Li, "An
efficient augmented Lagrangian method for support vector machine", Optimization Methods and Software 35, 2020.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.rows import Array, Block, Rows, read_only
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.threads import ordered_map
from aprendiz.kernel.linear_solvers.interval_loss import STEPS, MarginSums, SlopesAlong, next_multipliers
from aprendiz.kernel.linear_solvers.planes import MarginProblem, PlanesState, relative_gap
from aprendiz.linear.solvers.newton import solve

OVERSHOT = 0.1  # of the slope at the start of a step: if it ends steeper than that, upwards, it is shortened
GROWTH = ((30, 10.0), (4, 5.0), (0, 2.0))  # rows inside for each column, and by how much κ grows where they are more
PATIENCE = 30  # steps without a smaller gap after which rounding is to blame


@dataclass(frozen=True)
class Plane:
    """One plane: θ, where the multipliers were updated, κ of these updates and of the next one, and the best θ so far."""

    theta: Array
    passed: Array  # (m, columns + 1)
    kappas: Array  # (m + 1)
    best: Array
    primal: float = np.inf
    dual: float = -np.inf
    waited: int = 0  # steps since the gap became smaller

    def finished(self, goal: float) -> bool:
        return bool(relative_gap(self.primal, self.dual) <= goal) or self.waited >= PATIENCE


def newton_states(problem: MarginProblem, since: PlanesState | None) -> Iterator[PlanesState]:
    """State 0, then one state for each step of all planes that have not settled; for ever."""
    problem, basis = in_span_of_rows(problem)
    planes, iteration = first_planes(problem) if since is None else unpacked(since), 0 if since is None else since.iteration
    descents = [PlaneDescent(problem, number, plane) for number, plane in enumerate(planes)]
    each = ordered_map if in_memory(problem.rows) else map
    if since is None:
        planes = list(each(PlaneDescent.start, descents))
        yield packed(planes, 0, problem.goal, basis)
    while True:
        planes, iteration = list(each(PlaneDescent.step, descents)), iteration + 1
        yield packed(planes, iteration, problem.goal, basis)


class PlaneDescent:
    """(1) to (3) for one plane. Only `plane` decides what comes next; the rest follows from it."""

    def __init__(self, problem: MarginProblem, number: int, plane: Plane):
        self.problem, self.plane = problem, plane
        self.seen = problem.plane_rows(number)
        self.rows = with_multipliers(self.seen, plane.passed, plane.kappas[:-1], problem.scale)
        self.at: MarginSums | None = None

    def evaluate(self, theta: Array) -> MarginSums:
        kappa = float(self.plane.kappas[-1])
        return self.rows.sum(MarginSums.of, theta, self.problem.scale, kappa, self.problem.squared)

    def start(self) -> Plane:
        """The plane at zero, with a κ that suits the distances from there."""
        record = self.evaluate(self.plane.theta)
        refuse_empty_sums(record.weight, record.finite, self.problem.rows)
        if not self.problem.squared and record.loss > 0:
            self.plane = replace(self.plane, kappas=np.array([record.weight / record.loss]))
            record = self.evaluate(self.plane.theta)
        return self.keep(self.plane.theta, record)

    def keep(self, theta: Array, record: MarginSums) -> Plane:
        """θ and its record are where the next step begins; the best θ and the best bound are remembered."""
        before, self.at, C = self.plane, record, self.problem.C
        primal = 0.5 * float(theta @ theta) + C * record.loss
        dual = max(before.dual, C * record.gain - 0.5 * C**2 * float(record.v @ record.v))
        lower = primal < before.primal
        best, primal = (theta, primal) if lower else (before.best, before.primal)
        smaller = primal - dual < 0.9 * (before.primal - before.dual) or not np.isfinite(before.primal)
        waited = 0 if smaller else before.waited + 1
        self.plane = replace(before, theta=theta, best=best, primal=primal, dual=dual, waited=waited)
        return self.plane

    def step(self) -> Plane:
        """(3), after (2) where (1) is solved well enough."""
        plane, problem = self.plane, self.problem
        if plane.finished(problem.goal):
            return plane
        record = self.evaluate(plane.theta) if self.at is None else self.at
        g = plane.theta - problem.C * record.v
        while not problem.squared and float(g @ g) <= self.multipliers_gap(plane.theta, record):
            record = self.update_multipliers(record)
            g = plane.theta - problem.C * record.v
            if self.plane.finished(problem.goal):
                return self.plane
        curvature = np.eye(len(g)) + float(self.plane.kappas[-1]) * problem.C * record.curvature
        delta = -solve(curvature, g)
        return self.keep(*self.along(plane.theta, delta, float(g @ delta)))

    def multipliers_gap(self, theta: Array, record: MarginSums) -> float:
        """Twice what the gap at θ is above ½‖g‖²: the fault of the multipliers."""
        C = self.problem.C
        return 2.0 * (C * (record.loss - record.gain + float(theta @ record.v)))

    def update_multipliers(self, record: MarginSums) -> MarginSums:
        """(2)."""
        plane, inside = self.plane, record.inside / len(self.plane.theta)
        kappa = float(plane.kappas[-1])
        growth = next(factor for least, factor in GROWTH if inside >= least)
        passed, kappas = np.vstack([plane.passed, plane.theta]), np.append(plane.kappas, growth * kappa)
        if in_memory(self.rows):
            self.rows = with_multipliers(self.rows, passed[-1:], kappas[-2:-1], self.problem.scale)
        else:
            self.rows = with_multipliers(self.seen, passed, kappas[:-1], self.problem.scale)
        self.plane = replace(plane, passed=passed, kappas=kappas)
        record = self.evaluate(plane.theta)
        self.keep(plane.theta, record)
        return record

    def along(self, theta: Array, delta: Array, slope: float) -> tuple[Array, MarginSums]:
        """θ + δ, or as far along δ as the slope goes down."""
        problem, kappa = self.problem, float(self.plane.kappas[-1])
        record = self.evaluate(theta + delta)
        if float(delta @ (theta + delta - problem.C * record.v)) <= OVERSHOT * abs(slope):
            return theta + delta, record
        sums = self.rows.sum(SlopesAlong.of, theta, delta, problem.scale, kappa, problem.squared)
        slopes = float(theta @ delta) + STEPS * float(delta @ delta) - problem.C * sums.slopes
        shortest = int(np.argmax(slopes <= 0)) if (slopes <= 0).any() else len(STEPS) - 1
        size = STEPS[shortest]
        if shortest > 0 and slopes[shortest] <= 0:  # the slope is zero between two of the steps
            longer = STEPS[shortest - 1]
            size += (longer - size) * slopes[shortest] / (slopes[shortest] - slopes[shortest - 1])
        return theta + size * delta, self.evaluate(theta + size * delta)


def with_multipliers(rows: Rows, passed: Array, kappas: Array, scale: float) -> Rows:
    """The rows with their multipliers after (2) at one θ after the other: kept in memory, else computed whenever they are read."""

    def targets(block: Block) -> Array:
        return next_multipliers(passed, kappas, scale, block.y, block.X)

    if not len(passed):
        return rows
    if in_memory(rows):
        return rows.like(y=read_only(rows.each(targets)))
    return rows.changed(lambda block: replace(block, y=read_only(targets(block))))


def in_span_of_rows(problem: MarginProblem) -> tuple[MarginProblem, Array | None]:
    """The same problem in coordinates of the span of the rows, where these are fewer than the columns: θ = basis·θ′."""
    rows = problem.rows
    if not (in_memory(rows) and rows.dense and rows.count is not None and rows.count < rows.columns):
        return problem, None
    Z = np.column_stack([rows.X.astype(np.float64, copy=False), np.full(rows.count, problem.scale)])
    basis, R = np.linalg.qr(Z.T)
    return replace(problem, rows=rows.like(X=read_only(R.T)), scale=0.0), basis


def first_planes(problem: MarginProblem) -> list[Plane]:
    zero = np.zeros(problem.size)
    kappas = np.array([2.0 if problem.squared else 1.0])
    return [Plane(zero, np.zeros((0, problem.size)), kappas, zero) for _ in range(problem.planes)]


def packed(planes: list[Plane], iteration: int, goal: float, basis: Array | None) -> PlanesState:
    """A state of some planes; shorter histories are filled with updates that change nothing."""
    longest = max(len(plane.passed) for plane in planes)
    passed = np.zeros((len(planes), longest, len(planes[0].theta)))
    steepness = np.zeros((len(planes), longest + 1))
    for k, plane in enumerate(planes):
        passed[k, longest - len(plane.passed) :] = plane.passed
        steepness[k, longest - len(plane.passed) :] = plane.kappas
    best, primal, dual = (np.array([getattr(plane, name) for plane in planes]) for name in ("best", "primal", "dual"))
    settled = relative_gap(primal, dual) <= goal
    finished = np.array([plane.finished(goal) for plane in planes])
    outward = best if basis is None else best[:, :-1] @ basis.T
    return PlanesState(
        iteration=iteration,
        objective=float(primal.sum()),
        settled=bool(settled.all()),
        planes=outward,
        primal=primal,
        dual=dual,
        finished=finished,
        stuck=bool(finished.all() and not settled.all()),
        points=np.array([[plane.theta, plane.best] for plane in planes]),
        passed=passed,
        steepness=steepness,
        counts=np.array([plane.waited for plane in planes]),
    )


def unpacked(state: PlanesState) -> list[Plane]:
    """The planes of a state."""
    return [
        Plane(theta, passed, kappas, best, float(primal), float(dual), int(waited))
        for (theta, best), passed, kappas, primal, dual, waited in zip(
            state.points, state.passed, state.steepness, state.primal, state.dual, state.counts, strict=True
        )
    ]
