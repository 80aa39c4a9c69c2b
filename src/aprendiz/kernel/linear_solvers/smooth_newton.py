"""Newton's method for linear support vector machines with few columns, as sums over the rows.

The squared losses are smooth: Newton's method ends after finitely many steps. The others have kinks. There it is applied to
losses that are smoothed around the multipliers found before (interval_loss.py), which is the method of multipliers:

    θ_m  ≈ argmin ½‖θ‖² + Σ c ℓ_m(θᵀz),       ℓ_m smoothed around γ_m with steepness κ_m                      (1)
    γ_{m+1} = γ⁺(γ_m, κ_m, θ_m),              κ_{m+1} ≥ κ_m                                                   (2)
    θ ← θ − s·H⁻¹g,                           s from the slope along the step: one more sum                   (3)

Only rows that are not clipped take part in H: at the end about as many as there are columns, so that most steps cost no more
than the scores. Every γ⁺ is feasible for the dual, so each step has a lower bound of min F. (1) is solved until ½‖g‖² is no
larger than what the multipliers are still wrong by.

Columns far from zero are taken around a pivot, and few rows in their span (plane_frames.py). Rows in memory keep their
multipliers. Rows of a file compute them again from θ_1, …, θ_m: nothing is kept for each row. Once the plane moves little, only
the rows that can change sides are read (near_rows.py).

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
from aprendiz.kernel.linear_solvers.near_rows import NearRows
from aprendiz.kernel.linear_solvers.plane_frames import Frame, fitting_frame
from aprendiz.kernel.linear_solvers.planes import MarginProblem, PlanesState, relative_gap

OVERSHOT = 0.1  # of the slope at the start of a step: if it ends steeper than that, upwards, it is shortened
GROWTH = ((30, 10.0), (4, 5.0), (0, 2.0))  # rows inside for each column, and by how much κ grows where they are more
ENOUGH = 1e-12  # a relative gap at which Newton's method stops, whatever is asked for: the last few digits cost a few steps
REACH, CLOSER = 2.0, 0.25  # of the way between two updates, to which the plane may move; of that, at which it is done again
WITHIN = 1.0 - 1e-9  # of the first κ: rows at the end of the kink, as all are at zero, have curvature whatever rounding does
AGAIN = 3  # times that a line search may begin with the shortest step of the one before
PATIENCE = 30, 8  # steps without a smaller gap after which rounding is to blame; fewer if the gap is as small as was asked for


@dataclass(frozen=True)
class Plane:
    """One plane: θ, where the multipliers were updated (as the rows see it), κ of these updates and of the next one, and the
    best θ so far."""

    theta: Array
    passed: Array  # (m, columns + 1)
    kappas: Array  # (m + 1)
    best: Array
    primal: float = np.inf
    dual: float = -np.inf
    waited: int = 0  # steps since the gap became smaller
    reference: Array | None = None  # θ around which rows were told apart, if they were
    radius: float = 0.0
    updates: int = 0  # of the multipliers, since then

    def finished(self, goal: float) -> bool:
        gap = relative_gap(self.primal, self.dual)
        return bool(gap <= min(goal, ENOUGH)) or self.waited >= PATIENCE[int(gap <= goal)]


def newton_states(problem: MarginProblem, since: PlanesState | None) -> Iterator[PlanesState]:
    """State 0, then one state for each step of all planes that have not settled; for ever."""
    problem, frame = fitting_frame(problem)
    planes, iteration = (
        first_planes(problem, frame) if since is None else unpacked(since),
        0 if since is None else since.iteration,
    )
    descents = [PlaneDescent(problem, frame, number, plane) for number, plane in enumerate(planes)]
    each = ordered_map if in_memory(problem.rows) else map
    if since is None:
        planes = list(each(PlaneDescent.start, descents))
        yield packed(planes, 0, problem.goal, frame)
    while True:
        planes, iteration = list(each(PlaneDescent.step, descents)), iteration + 1
        yield packed(planes, iteration, problem.goal, frame)


class PlaneDescent:
    """(1) to (3) for one plane. Only `plane` decides what comes next; the rest follows from it."""

    def __init__(self, problem: MarginProblem, frame: Frame, number: int, plane: Plane):
        self.problem, self.frame, self.plane = problem, frame, plane
        self.seen, before = problem.plane_rows(number), len(plane.passed) - plane.updates
        self.rows = with_multipliers(self.seen, plane.passed[:before], plane.kappas[:before], problem.scale)
        self.at: MarginSums | None = None
        self.near: NearRows | None = None
        if plane.reference is not None:
            near = NearRows.of(self.rows, frame.inner(plane.reference), problem.scale, plane.radius)
            assert near is not None
            after = (plane.passed[before:], plane.kappas[before:-1])
            self.near = replace(near, rows=with_multipliers(near.rows, *after, problem.scale))

    def evaluate(self, theta: Array) -> MarginSums:
        kappa = float(self.plane.kappas[-1])
        if self.near is not None:
            return self.near.margin_sums(self.frame.inner(theta), self.problem.scale, kappa)
        sums = MarginSums.roughly if self.is_rough else MarginSums.of
        return self.rows.sum(sums, self.frame.inner(theta), self.problem.scale, kappa, self.problem.squared)

    @property
    def is_rough(self) -> bool:
        """Whether the curvature of a sample will do: while κ is small, most rows have one, and as long as steps by it help."""
        return not (self.problem.squared or len(self.plane.passed) or self.plane.waited)

    def start(self) -> Plane:
        """The plane at zero, with a κ that suits the distances from there."""
        record = self.evaluate(self.plane.theta)
        refuse_empty_sums(record.weight, record.finite, self.problem.rows)
        if not self.problem.squared and record.loss > 0:
            self.plane = replace(self.plane, kappas=np.array([WITHIN * record.weight / record.loss]))
            record = self.evaluate(self.plane.theta)
        return self.keep(self.plane.theta, record)

    def keep(self, theta: Array, record: MarginSums) -> Plane:
        """θ and its record are where the next step begins, but for a curvature that will not do; the best θ and the best bound
        are remembered."""
        before, rough, C = self.plane, self.is_rough, self.problem.C
        own = self.frame.own(theta)
        primal = 0.5 * float(own @ own) + C * record.loss
        dual = max(before.dual, C * record.gain - 0.5 * C**2 * float(np.sum(self.frame.pull(record.v) ** 2)))
        lower = primal < before.primal
        best, primal = (theta, primal) if lower else (before.best, before.primal)
        smaller = primal - dual < 0.9 * (before.primal - before.dual) or not np.isfinite(before.primal)
        waited = 0 if smaller else before.waited + 1
        self.plane = replace(before, theta=theta, best=best, primal=primal, dual=dual, waited=waited)
        self.at = record if self.is_rough == rough else None
        return self.plane

    def step(self) -> Plane:
        """(3), after (2) where (1) is solved well enough."""
        plane, problem = self.plane, self.problem
        if plane.finished(problem.goal):
            return plane
        record = self.evaluate(plane.theta) if self.at is None else self.at
        own = self.frame.own(plane.theta)
        g = own - problem.C * self.frame.pull(record.v)
        while not problem.squared and float(g @ g) <= self.multipliers_gap(plane.theta, record):
            record = self.update_multipliers(record)
            g = own - problem.C * self.frame.pull(record.v)
            if self.plane.finished(problem.goal):
                return self.plane
        delta = self.frame.newton_step(g, float(self.plane.kappas[-1]) * problem.C * record.curvature)
        return self.keep(*self.along(plane.theta, delta, float(g @ self.frame.own(delta))))

    def multipliers_gap(self, theta: Array, record: MarginSums) -> float:
        """Twice what the gap at θ is above ½‖g‖²: the fault of the multipliers."""
        C = self.problem.C
        return 2.0 * C * (record.loss - record.gain + float(self.frame.own(theta) @ self.frame.pull(record.v)))

    def update_multipliers(self, record: MarginSums) -> MarginSums:
        """(2)."""
        plane, inside = self.plane, record.inside / len(self.plane.theta)
        kappa = float(plane.kappas[-1])
        growth = next(factor for least, factor in GROWTH if inside >= least)
        passed, kappas = np.vstack([plane.passed, self.frame.inner(plane.theta)]), np.append(plane.kappas, growth * kappa)
        if self.near is not None:
            after = with_multipliers(self.near.rows, passed[-1:], kappas[-2:-1], self.problem.scale)
            self.near = replace(self.near, rows=after)
        elif in_memory(self.rows):
            self.rows = with_multipliers(self.rows, passed[-1:], kappas[-2:-1], self.problem.scale)
        else:
            self.rows = with_multipliers(self.seen, passed, kappas[:-1], self.problem.scale)
        self.plane = replace(plane, passed=passed, kappas=kappas, updates=plane.updates + (self.near is not None))
        self.tell_apart()
        record = self.evaluate(plane.theta)
        self.keep(plane.theta, record)
        return record

    def tell_apart(self) -> None:
        """Of many rows, those that are near, once the last two updates are close together, and again when they are closer."""
        passed, rows, near = self.plane.passed, self.rows, self.near
        if len(passed) < 2 or (in_memory(rows) and not rows.dense):
            return
        radius = REACH * float(np.linalg.norm(passed[-1] - passed[-2]))
        if radius == 0.0 or (near is not None and radius > CLOSER * near.radius):
            return
        self.leave()
        self.near = NearRows.of(self.rows, self.frame.inner(self.plane.theta), self.problem.scale, radius)
        if self.near is not None:
            self.plane = replace(self.plane, reference=self.plane.theta, radius=radius, updates=0)

    def leave(self) -> None:
        """All rows are read again."""
        if self.near is not None:
            if in_memory(self.rows):
                self.rows = self.near.all_rows(self.rows)
            else:
                self.rows = with_multipliers(self.seen, self.plane.passed, self.plane.kappas[:-1], self.problem.scale)
            self.near = None
            self.plane = replace(self.plane, reference=None, radius=0.0, updates=0)

    def along(self, theta: Array, delta: Array, slope: float, again: int = AGAIN) -> tuple[Array, MarginSums]:
        """θ + δ, or as far along δ as the slope goes down. A step that ends among far rows is cut off where they begin, if the
        slope has turned there, and else they are read."""
        problem, frame, kappa = self.problem, self.frame, float(self.plane.kappas[-1])
        whole = delta
        if self.near is not None and (share := self.near.share_within(frame.inner(theta), frame.inner(delta))) < 1.0:
            delta, slope = share * delta, share * slope
        record = self.evaluate(theta + delta)
        here, move = frame.own(theta), frame.own(delta)
        if (end := float(move @ (here + move - problem.C * frame.pull(record.v)))) <= OVERSHOT * abs(slope):
            if delta is whole or end > 0.0:
                return theta + delta, record
            self.leave()
            return self.along(theta, whole, slope, again)
        line = (frame.inner(theta), frame.inner(delta), problem.scale, kappa)
        if self.near is not None:
            sums = self.near.slopes(*line)
        else:
            sums = self.rows.sum(SlopesAlong.of, *line, problem.squared).slopes
        slopes = float(here @ move) + STEPS * float(move @ move) - problem.C * sums
        if again and (slopes > 0).all():  # a row far out, at its kink
            return self.along(theta, STEPS[-1] * delta, STEPS[-1] * slope, again - 1)
        shortest = int(np.argmax(slopes <= 0)) if (slopes <= 0).any() else len(STEPS) - 1
        size = STEPS[shortest]
        if shortest > 0 and slopes[shortest] <= 0:  # the slope is zero between two of the steps
            longer = STEPS[shortest - 1]
            size += (longer - size) * slopes[shortest] / (slopes[shortest] - slopes[shortest - 1])
        return theta + size * delta, self.evaluate(theta + size * delta)


def with_multipliers(rows: Rows, passed: Array, kappas: Array, scale: float) -> Rows:
    """The rows with their multipliers after (2) at one θ after the other: kept in memory, else computed as they are read."""

    def targets(block: Block) -> Array:
        return next_multipliers(passed, kappas, scale, block.y, block.X)

    if not len(passed):
        return rows
    if in_memory(rows):
        return rows.like(y=read_only(rows.each(targets)))
    return rows.changed(lambda block: replace(block, y=read_only(targets(block))))


def first_planes(problem: MarginProblem, frame: Frame) -> list[Plane]:
    zero, kappas = np.zeros(problem.size + (frame.q is not None)), np.array([2.0 if problem.squared else 1.0])
    return [Plane(zero, np.zeros((0, problem.size)), kappas, zero) for _ in range(problem.planes)]


def packed(planes: list[Plane], iteration: int, goal: float, frame: Frame) -> PlanesState:
    """A state of some planes; shorter histories are filled with updates that change nothing."""
    longest = max(len(plane.passed) for plane in planes)
    passed = np.zeros((len(planes), longest, planes[0].passed.shape[1]))
    steepness = np.zeros((len(planes), longest + 1))
    for k, plane in enumerate(planes):
        passed[k, longest - len(plane.passed) :] = plane.passed
        steepness[k, longest - len(plane.passed) :] = plane.kappas
    primal, dual = np.array([plane.primal for plane in planes]), np.array([plane.dual for plane in planes])
    close = bool((relative_gap(primal, dual) <= goal).all())
    finished = np.array([plane.finished(goal) for plane in planes])
    return PlanesState(
        iteration=iteration,
        objective=float(primal.sum()),
        settled=bool(finished.all()) and close,
        planes=np.array([frame.outward(plane.best) for plane in planes]),
        primal=primal,
        dual=dual,
        finished=finished,
        stuck=bool(finished.all()) and not close,
        points=np.array([[p.theta, p.best, p.theta if p.reference is None else p.reference] for p in planes]),
        passed=passed,
        steepness=steepness,
        counts=np.array([plane.waited for plane in planes]),
        reach=np.array([[plane.radius, plane.updates] for plane in planes]),
    )


def unpacked(state: PlanesState) -> list[Plane]:
    """The planes of a state."""
    return [
        Plane(
            *(theta, passed, kappas, best, float(primal), float(dual), int(waited)),
            *(reference if radius > 0.0 else None, float(radius), int(updates)),
        )
        for (theta, best, reference), passed, kappas, primal, dual, waited, (radius, updates) in zip(
            *(state.points, state.passed, state.steepness, state.primal, state.dual, state.counts, state.reach), strict=True
        )
    ]
