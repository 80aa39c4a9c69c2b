"""Coordinate descent on the dual of linear support vector machines: one row after the other, for tables with many columns.

With a multiplier α = c·γ for each row (interval_loss.py), θ = Σ α z is kept up to date, and each row in turn is given the α
that is best while the others stay. With t = θᵀz, Q = zᵀz, q = Q + 1/(2c) if the loss is squared, else Q,

    α ← max(Qα − t + l, 0)/q + min(Qα − t + u, 0)/q,     clipped to |α| ≤ c unless squared                    (1)
    θ ← θ + (change of α)·z                                                                                   (2)

Rows are visited in a random order, another one in each epoch: in a fixed order, columns that all rows share make it crawl. A
row whose α is at 0 or at ±c, and would stay there even if its score moved by the largest violation of the last epoch, is left
out until the others have come to rest. The gap F − D is a sum over the rows,

    Σ c ℓ(t) + α·(t − e) + [squared] α²/(4c),                                                                 (3)

of which an epoch adds up what it meets. When that is small enough, θ is summed anew from all α, and (3) is measured on all
rows. An epoch finds which multipliers are free, neither at 0 nor at ±c; once few of them change that, the free ones are found
together,

    α_F ← the best α of the rows F of free multipliers, clipped,     by conjugate gradients (free_rows.py)    (4)

and the next epoch tells whether F was right.

Cost of an epoch: twice the filled cells of the rows at work. Memory: a few numbers for each row.
References: Hsieh, Chang, Lin, Keerthi & Sundararajan, "A dual coordinate descent method for large-scale linear SVM", ICML 2008;
Ho & Lin, "Large-scale linear support vector regression", JMLR 13, 2012.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.compilation.compiled import compiled, int64, interruptible
from aprendiz.core.hashing import mix
from aprendiz.core.random import stream_key
from aprendiz.core.rows import Array
from aprendiz.core.sources.arrays import ArrayRows, compress, in_memory
from aprendiz.core.threads import ordered_map
from aprendiz.kernel.linear_solvers.free_rows import FreeRows
from aprendiz.kernel.linear_solvers.interval_loss import gap_of_rows
from aprendiz.kernel.linear_solvers.planes import MarginProblem, PlanesState, relative_gap
from aprendiz.kernel.linear_solvers.prefetch import ask_for_row
from aprendiz.kernel.linear_solvers.sparse_rows import Cells, add_rows, fill_squares, row_product, row_products

FEW_CHANGES = 0.1  # multipliers that came to a limit or left it in an epoch, for each free one, below which (4) is tried
SHARE = 0.5  # of the gap asked for, that is left to the free rows
PATIENCE = 60  # measurements that show no small gap, after which rounding is to blame


@dataclass(frozen=True)
class Plane:
    """One plane: θ, α, the rows at work, the largest violation of the last epoch, and what was measured how often."""

    theta: Array
    alpha: Array
    working: Array
    reach: float
    tests: int = 0
    primal: float = np.inf
    dual: float = -np.inf
    settled: bool = False


def descent_states(problem: MarginProblem, since: PlanesState | None, seed: int) -> Iterator[PlanesState]:
    """State 0, then one state for each epoch of all planes that have not settled; for ever."""
    descents = descents_of(problem)
    if since is None:
        planes, iteration = [descent.measured(descent.start()) for descent in descents], 0
        yield packed(planes, 0, seed)
    else:
        planes, iteration = unpacked(since), since.iteration
    while True:
        iteration += 1
        keys = [stream_key(seed, iteration * problem.planes + number) for number in range(problem.planes)]
        items = zip(descents, planes, keys, strict=True)
        planes = list(ordered_map(lambda item: item[0].epoch(item[1], item[2]), items))
        yield packed(planes, iteration, seed)


def descents_of(problem: MarginProblem) -> list[DualDescent]:
    """One for each plane; they share the table."""
    rows = problem.rows
    assert in_memory(rows)
    X = compressed(rows)
    squares = np.empty(X.shape[0])
    fill_squares(compress(X), problem.scale, squares)
    return [DualDescent(problem, number, X, squares) for number in range(problem.planes)]


class DualDescent:
    """(1) to (4) for one plane, on a table in memory, whose rows are compressed."""

    def __init__(self, problem: MarginProblem, number: int, X: Any, squares: Array):
        rows = problem.plane_rows(number)
        assert in_memory(rows)
        assert rows.y is not None
        self.problem, self.X, self.squares, self.ends = problem, X, squares, rows.y
        self.weight = np.ones(len(squares)) if rows.weight is None else rows.weight
        self.c = problem.C * self.weight
        self.inverse = np.divide(1.0, self.c, out=np.zeros_like(self.c), where=self.c > 0)
        self.ridge = 0.5 * self.inverse if problem.squared else np.zeros_like(self.c)

    def start(self) -> Plane:
        return Plane(np.zeros(self.problem.size), np.zeros(len(self.c)), self.c > 0, np.inf)

    def epoch(self, plane: Plane, key: np.uint64) -> Plane:
        """(1) and (2) for the rows at work, then (4) if few multipliers came to a limit or left it; (3) is measured if the rows
        are at rest."""
        if plane.settled or plane.tests >= PATIENCE:
            return plane
        theta, alpha, active = plane.theta.copy(), plane.alpha.copy(), np.flatnonzero(plane.working)
        rows, settings = (self.ends, self.c, self.squares, self.ridge), (self.problem.scale, self.problem.squared)
        found = interruptible(dual_epoch, compress(self.X), rows, alpha, theta, active, *settings, plane.reach, key)
        count, reach, gap, changes = found
        working = np.zeros(len(alpha), bool)
        working[active[:count]] = True
        new = replace(plane, theta=theta, alpha=alpha, working=working, reach=reach)
        dual = self.dual(theta, alpha)
        goal = 0.5**plane.tests * self.problem.goal * dual
        if gap > goal and reach > 0.0:
            free = self.free_rows(alpha)
            if changes > FEW_CHANGES * len(free):
                return new
            new, solved = self.among_free(new, free, dual, goal)
            if not solved:
                return new
        new = self.measured(new)  # if it has not settled, all rows are at work again
        return new if new.settled else replace(new, working=self.c > 0, reach=np.inf, tests=plane.tests + 1)

    def free_rows(self, alpha: Array) -> Array:
        """Rows whose multipliers are neither 0 nor ±c."""
        inside = alpha != 0.0
        return np.flatnonzero(inside if self.problem.squared else inside & (np.abs(alpha) < self.c))

    def among_free(self, plane: Plane, free: Array, dual: float, goal: float) -> tuple[Plane, bool]:
        """(4): the plane after conjugate gradients, and whether they ended within the limits, at rest or as far as they go."""
        alpha, low, high = plane.alpha[free], self.ends[free, 0], self.ends[free, 1]
        c, ridge = self.c[free], self.ridge[free]
        ends, ceiling = np.where(alpha > 0, low, high), np.full_like(c, np.inf) if self.problem.squared else c
        some = FreeRows(
            Z=compress(self.X),
            scale=self.problem.scale,
            chosen=free,
            ends=ends,
            c=c,
            floor=np.where(low < high, 0.0, -ceiling),
            ceiling=ceiling,
            ridge=ridge,
            diagonal=self.squares[free] + ridge,
            squared=self.problem.squared,
        )
        with np.errstate(all="ignore"):  # what overflows is not taken
            found, theta, inside = some.solve(alpha, plane.theta, SHARE * goal)
        new = plane.alpha.copy()
        new[free] = found
        after = self.dual(theta, new)
        if not (after > dual or (inside and np.isfinite(after))):
            return plane, False
        return replace(plane, theta=theta, alpha=new, reach=np.inf), inside

    def dual(self, theta: Array, alpha: Array) -> float:
        """D."""
        return dual_gain(self.ends, self.ridge, alpha) - 0.5 * float(theta @ theta)

    def measured(self, plane: Plane) -> Plane:
        """θ summed anew, F there, and D."""
        scale, C = self.problem.scale, self.problem.C
        theta, t, every = np.zeros_like(plane.theta), np.zeros_like(plane.alpha), np.arange(len(plane.alpha))
        if plane.alpha.any():
            add_rows(compress(self.X), every, plane.alpha, scale, theta)
            row_products(compress(self.X), every, theta, scale, t)
        loss, gain = gap_of_rows(t, self.ends, self.weight, plane.alpha * self.inverse, self.problem.squared)
        half = 0.5 * float(theta @ theta)
        primal, dual = half + C * loss, C * gain - half
        settled = bool(relative_gap(primal, dual) <= self.problem.goal)
        return replace(plane, theta=theta, primal=primal, dual=dual, settled=settled)


def compressed(rows: ArrayRows) -> Any:
    """The table, row by row, without the cells that are zero."""
    X = rows.X if sparse.issparse(rows.X) else sparse.csr_array(rows.X)
    return X.tocsr().astype(np.float64, copy=False)


def measured_state(problem: MarginProblem, state: PlanesState) -> PlanesState:
    """A state of `descent_states` with F and D of every plane."""
    planes = [descent.measured(plane) for descent, plane in zip(descents_of(problem), unpacked(state), strict=True)]
    return packed(planes, state.iteration, state.seed)


def packed(planes: list[Plane], iteration: int, seed: int) -> PlanesState:
    """A state of some planes; what they lower is −D."""
    primal, dual, settled, tests = (
        np.array([getattr(p, name) for p in planes]) for name in ("primal", "dual", "settled", "tests")
    )
    finished = settled | (tests >= PATIENCE)
    return PlanesState(
        iteration=iteration,
        objective=-float(dual.sum()),
        settled=bool(settled.all()),
        planes=np.array([plane.theta for plane in planes]),
        primal=primal,
        dual=dual,
        finished=finished,
        stuck=bool(finished.all() and not settled.all()),
        seed=seed,
        multipliers=np.array([plane.alpha for plane in planes]),
        working=np.array([plane.working for plane in planes]),
        counts=tests,
        reach=np.array([plane.reach for plane in planes]),
    )


def unpacked(state: PlanesState) -> list[Plane]:
    """The planes of a state."""
    settled = np.asarray(state.finished) & (state.counts < PATIENCE)
    parts = (state.planes, state.multipliers, state.working, state.reach, state.counts, state.primal, state.dual, settled)
    return [
        Plane(theta, alpha, working, float(reach), int(tests), float(primal), float(dual), bool(done))
        for theta, alpha, working, reach, tests, primal, dual, done in zip(*parts, strict=True)
    ]


@compiled(exact=True)
def dual_epoch(
    Z: Cells, rows: tuple[Array, Array, Array, Array], alpha: Array, theta: Array, active: Array, scale: float, squared: bool,
    reach: float, key: np.uint64,
) -> tuple[int, float, float, int]:  # fmt: skip
    """One epoch over the active rows, in a random order. α and θ change in place, and rows that rest are left out of `active`;
    returned are how many rows are still in it, the largest violation met, what (3) adds up to, and how many multipliers have
    come to 0 or ±c, or have left it."""
    data, columns, starts = Z
    ends, c, squares, ridge = rows
    last, kept, changes, met, gap = len(theta) - 1, int64(0), int64(0), 0.0, 0.0
    for position in range(len(active) - 1):
        other = position + int64(mix(key + np.uint64(position)) % np.uint64(len(active) - position))
        active[position], active[other] = active[other], active[position]
    for position, i in enumerate(active):
        if position + 1 < len(active):
            after = active[position + 1]
            ask_for_row(data, columns, starts[after], starts[after + 1])
        low, high, a, limit = ends[i, 0], ends[i, 1], alpha[i], c[i]
        t = scale * theta[last] + row_product(data, columns, starts[i], starts[i + 1], theta)
        r = max(low - t, t - high, 0.0)
        gap += limit * (r * r if squared else r)
        if a != 0.0:
            gap += a * (t - (low if a > 0.0 else high) + 0.5 * ridge[i] * a)
        Q = squares[i] + ridge[i]
        u, new = squares[i] * a - t, 0.0
        if u + low > 0.0:
            new = (u + low) / Q
        elif u + high < 0.0:
            new = (u + high) / Q
        if not squared:
            new = min(max(new, -limit), limit)
        step = new - a
        if step == 0.0:
            slack = min(t - low, high - t) if a == 0.0 else low - t if a > 0.0 else t - high
            if slack > reach:
                continue
        else:
            met = max(met, abs(step) * Q)
            alpha[i] = new
            changes += (a == 0.0) != (new == 0.0) or (not squared and (abs(a) == limit) != (abs(new) == limit))
            for k in range(starts[i], starts[i + 1]):
                theta[columns[k]] += step * data[k]
            theta[last] += step * scale
        active[kept] = i
        kept += 1
    return kept, met, gap, changes


@compiled
def dual_gain(ends: Array, ridge: Array, alpha: Array) -> float:
    """Σ αe − ½ρα²."""
    gain = 0.0
    for i in range(len(alpha)):
        if alpha[i] != 0.0:
            gain += alpha[i] * ((ends[i, 0] if alpha[i] > 0.0 else ends[i, 1]) - 0.5 * ridge[i] * alpha[i])
    return gain
