"""Logistic regression with a penalty that makes coefficients zero.

    F = Σ ω ℓ + λ₁‖w‖₁ + ½λ₂‖w‖²                                                                              (1)

The loss is in logistic_loss.py, the penalty in sparse_penalty.py, the solver in prox_newton.py, which needs the curvature of
the columns it works on. How many those are decides how:

    few parameters     all columns at once, from sums over the rows: also from files and Dask
    many               most coefficients are zero, so a working set of columns is solved, and all slopes are looked at again;
                       the set holds what is not zero and what is pulled hardest, |q_j| > λ₁ or nearly
    many cells zero    the same, column by column over the cells that are stored (column_descent.py), class by class

With K classes the penalty sees K coefficients for each column, and adding a constant to all of them changes no probability:
the constant is chosen for the smallest penalty. Where the curvature of all rows would cost more than it saves, it is that of a
sample; slopes and the value of F are always those of all rows.

Proof: q = Σ ω (e_y − p) x makes a lower bound of the minimum (logistic_loss.py), so the distance from it is known.

Cost: a pass over the table for each round, usually four to eight; in between n·m² for m columns at work.
References: Friedman, Hastie & Tibshirani, J. Statistical Software 33, 2010; Massias, Vaiter, Gramfort & Salmon, "Dual
extrapolation for sparse generalized linear models", JMLR 21, 2020.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.rows import Array, Block, Rows, read_only
from aprendiz.core.sources.arrays import ArrayRows, in_memory
from aprendiz.linear.designs.design import CentredTable
from aprendiz.linear.losses.logistic_loss import DualParts, many_classes, outcome, residuals, two_classes
from aprendiz.linear.penalties.sparse_penalty import ElasticPenalty
from aprendiz.linear.solvers.column_descent import column_model
from aprendiz.linear.solvers.newton import LogisticProblem, NewtonState, is_stored_sparse, thin
from aprendiz.linear.solvers.prox_newton import SUFFICIENT_DESCENT, Local, corner_step, line_search
from aprendiz.linear.solvers.working_set import FIRST, NEAR, hardest
from aprendiz.summaries.sample import Sample

FEW_PARAMETERS = 384  # parameters for which all columns are worked on at once
MANY_PARAMETERS = 2048  # parameters whose curvature is formed; with K classes, a Kth of that
THINNEST = 100  # cells for each stored one, from which on columns are better
SAMPLED = 2**33  # multiplications that the curvature may cost
THIN = 16  # times as many columns are admitted at once where they are sparse
REST = 1e-10  # a promised descent, as a part of F, that ends the work on a set


@dataclass(frozen=True)
class AllColumns:
    """(1) on rows whose columns are all worked on."""

    rows: Rows
    curved: Rows  # those the curvature is taken from
    classes: int
    weight: float
    pivot: Array
    penalty: ElasticPenalty
    intercept: bool

    @classmethod
    def of(cls, rows: Rows, problem: LogisticProblem, penalty: ElasticPenalty, pivot: Array) -> AllColumns:
        p = problem.outputs * (1 + rows.columns)
        most = max(1024, SAMPLED // p**2)
        many = problem.classes > 2 and (rows.count is None or rows.count > 4 * most)
        curved = Sample.drawn(rows, most, seed=0).rows() if many else rows
        return cls(rows, curved, problem.classes, problem.weight, pivot, penalty, problem.intercept)

    def evaluate(self, theta: Array) -> Local:
        """The loss, its slopes and its curvature."""
        statistic = two_classes if self.classes == 2 else many_classes
        record = self.curved.sum(statistic, self.pivot, theta)
        loss, G, H = float(record.loss), record.gradient, record.curvature
        if self.curved is not self.rows:
            whole = self.rows.sum(DualParts.of, self.pivot, theta, 1.0)
            assert in_memory(self.curved)
            share = self.weight / float(self.curved.count if self.curved.weight is None else self.curved.weight.sum())  # type: ignore[arg-type]
            loss, G, H = float(whole.loss), whole.gradient, share * H
        if not self.intercept:
            G[:, 0] = 0.0
        return Local(theta, loss, G, H)

    def steps(self, theta: Array) -> Iterator[tuple[Local, float]]:
        """θ, step by step, each with the descent that the next one promises: 0 where rounding hides any."""
        at: Local | None = self.evaluate(theta)
        while at is not None:
            value = at.loss + self.penalty.value(at.theta[:, 1:].ravel())
            step = corner_step(at, self.penalty, self.intercept, 1e-4 * REST * value / at.theta.size)
            yield at, step.promised
            last, at = at, line_search(at, step, self.penalty, self.evaluate)
        yield last, 0.0


def violation(G: Array, theta: Array, penalty: ElasticPenalty) -> Array:
    """How far each parameter is from its optimum, as a slope: zero where |slope| ≤ λ₁ holds w at zero."""
    W, slope = theta[:, 1:], G[:, 1:]
    apart = np.where(
        W != 0, np.abs(slope + penalty.l1 * np.sign(W) + penalty.l2 * W), np.maximum(np.abs(slope) - penalty.l1, 0.0)
    )
    return np.column_stack([np.abs(G[:, 0]), apart])


def balance(theta: Array, penalty: ElasticPenalty) -> Array:
    """Of the equal parameterisations of K classes, the one with the smallest penalty."""
    if len(theta) == 1:
        return theta
    W, K = np.sort(theta[:, 1:], axis=0), len(theta)
    candidates = [np.zeros(W.shape[1]), *W]
    if penalty.l2 > 0:  # between two coefficients the penalty is a parabola of the constant
        candidates += [W.mean(axis=0) + penalty.l1 * (K - 2.0 * k) / (K * penalty.l2) for k in range(K + 1)]
    shifts = np.array(candidates)
    moved = theta[None, :, 1:] - shifts[:, None, :]
    cost = penalty.l1 * np.abs(moved).sum(axis=1) + 0.5 * penalty.l2 * (moved**2).sum(axis=1)
    best = np.where(cost[0] <= cost.min(axis=0) * (1 + 1e-15), 0, cost.argmin(axis=0))
    shift = shifts[best, np.arange(W.shape[1])]
    return np.column_stack([theta[:, 0] - theta[:, 0].mean(), theta[:, 1:] - shift])


def corner_states(
    rows: Rows, problem: LogisticProblem, penalty: ElasticPenalty, theta: Array, first: int, tol: float
) -> Iterator[NewtonState]:
    """The fit, state by state, from θ on."""
    wide = in_memory(rows) and (not rows.dense or problem.outputs * (1 + rows.columns) > FEW_PARAMETERS)
    enough, last, least = tol * min(1.0, (penalty.l1 + penalty.l2) / problem.weight), np.inf, np.inf
    if wide:
        states = wide_states(rows, problem, penalty, theta, 0.5 * enough * problem.weight)  # type: ignore[arg-type]
    else:
        states = narrow_states(rows, problem, penalty, theta)
    for iteration, (at, promised) in enumerate(states, first):
        value = at.loss + penalty.value(at.theta[:, 1:].ravel())
        slope = float(violation(at.gradient, at.theta, penalty).max()) / problem.weight
        stuck = iteration > first and not value < last and not slope < least / 2
        last, least = value, min(slope, least)
        yield NewtonState(
            iteration=iteration,
            objective=value,
            settled=(slope <= enough and (wide or promised <= REST * value)) or (stuck and slope <= tol),
            theta=at.theta,
            origin=problem.origin,
            gradient=at.gradient,
            step=np.zeros_like(at.theta),
            pairs=np.empty((0, 2, *at.theta.shape)),
            decrement=promised,
            slope=slope,
            separated=False,
            formed=False,
            stuck=stuck,
        )


def narrow_states(rows: Rows, problem: LogisticProblem, penalty: ElasticPenalty, theta: Array) -> Iterator[tuple[Local, float]]:
    """All columns at once."""
    for number, (at, promised) in enumerate(AllColumns.of(rows, problem, penalty, problem.origin).steps(theta)):
        if number == 0:
            refuse_empty_sums(problem.weight, bool(np.isfinite(at.gradient).all() and np.isfinite(at.curvature).all()), rows)
        yield at, promised


# ---- many columns ----------------------------------------------------------------------------------------------------


def wide_states(
    rows: ArrayRows, problem: LogisticProblem, penalty: ElasticPenalty, theta: Array, rest: float
) -> Iterator[tuple[Local, float]]:
    """Round by round: all slopes, a working set that follows from them, the optimum on it up to slopes of `rest`."""
    table = LogisticTable(rows, problem, penalty, rest)
    promised, growth = np.inf, 1 if rows.dense else THIN
    while True:
        at = table.evaluate(theta)
        yield at, promised
        used = np.flatnonzero(theta[:, 1:].any(axis=0))
        pull = np.abs(at.gradient[:, 1:]).max(axis=0)
        pull[used] = -np.inf
        new = hardest(pull, NEAR * penalty.l1, growth * max(FIRST, 2 * len(used)))
        theta, promised = table.improve(at, np.union1d(used, new))
        theta = balance(theta, penalty)


class LogisticTable:
    """(1) on a table in memory, most of whose coefficients are zero."""

    def __init__(self, rows: ArrayRows, problem: LogisticProblem, penalty: ElasticPenalty, rest: float):
        self.rows, self.problem, self.penalty, self.rest = rows, problem, penalty, rest
        self.table = CentredTable(rows.X.astype(np.float64, copy=False), None, False)
        self.table.mean = problem.origin
        self.whole = Block(np.empty((rows.count, 0)), rows.y, rows.weight, 0)  # type: ignore[arg-type]  # known in memory

    def some(self, members: Array) -> Any:
        """Some columns, dense or sparse as they are."""
        return self.table.some(members) if self.rows.dense else self.table.X[:, members]

    def scores(self, theta: Array) -> Array:
        used = np.flatnonzero(theta[:, 1:].any(axis=0))
        return by_class(self.some(used), np.column_stack([theta[:, 0], theta[:, 1 + used]]))

    def evaluate(self, theta: Array) -> Local:
        """The loss and all its slopes."""
        loss, _margin, P = outcome(self.scores(theta), self.whole)
        R = residuals(P, self.whole)
        G = np.column_stack([R.sum(axis=1), self.table.slopes(R)])
        if not self.problem.intercept:
            G[:, 0] = 0.0
        return Local(theta, loss, G, np.empty((0, 0)))

    def improve(self, at: Local, members: Array) -> tuple[Array, float]:
        """The optimum on a working set, and the descent that is left in it."""
        m, K = len(members), self.problem.outputs
        Z = self.some(members)
        cells = Z.nnz if sparse.issparse(Z) else Z.size
        by_columns = K * (1 + m) > MANY_PARAMETERS // K or len(self.whole) * m > THINNEST * cells
        inner = np.column_stack([at.theta[:, 0], at.theta[:, 1 + members]])
        if by_columns:
            found, promised = self.by_columns(sparse.csc_array(Z), inner, at.loss + self.penalty.value(inner[:, 1:].ravel()))
        else:
            dense = Z.toarray() if sparse.issparse(Z) else Z
            found, promised = self.by_products(read_only(dense), inner)
        theta = np.zeros_like(at.theta)
        theta[:, 0], theta[:, 1 + members] = found[:, 0], found[:, 1:]
        return theta, promised

    def by_products(self, Z: Array, theta: Array) -> tuple[Array, float]:
        """Proximal Newton steps until they promise little."""
        problem = AllColumns.of(self.rows.like(X=Z), self.problem, self.penalty, np.zeros(Z.shape[1]))
        for number, (at, promised) in enumerate(problem.steps(theta)):
            value = at.loss + self.penalty.value(at.theta[:, 1:].ravel())
            at_rest = float(violation(at.gradient, at.theta, self.penalty).max()) <= self.rest
            if (promised <= REST * value and at_rest) or number == 20:
                break
        return at.theta, promised

    def by_columns(self, Z: Any, theta: Array, value: float) -> tuple[Array, float]:
        """The same without a matrix, class by class, until the models promise less than a third of what the first ones did."""
        theta, T = theta.copy(), by_class(Z, theta)
        first = np.inf
        for number in range(20):
            promised = 0.0
            for k in range(len(theta)):
                value, more = self.class_step(Z, T, theta, k, value, first)
                promised += more
            if number == 0:
                first = promised
            if promised <= max(0.3 * first, REST * value):
                break
        return theta, promised

    def class_step(self, Z: Any, T: Array, theta: Array, k: int, value: float, first: float) -> tuple[float, float]:
        """A proximal Newton step of one class: F after it, and the descent that was promised. T and θ change in place."""
        P = outcome(T.copy(), self.whole)[2]
        r, D = residuals(P, self.whole)[k], self.whole.weights * P[k] * (1.0 - P[k])
        g, w, g0 = np.asarray(Z.T @ r), theta[k, 1:].copy(), float(r.sum()) if self.problem.intercept else None
        enough = max(1e-2 * REST * value, 1e-3 * min(first, value))
        new, beta, v = column_model(Z, D, g, w, g0, self.penalty, enough)
        promised = -(float(g @ (new - w)) + beta * (g0 or 0.0) + self.penalty.value(new) - self.penalty.value(w))
        change = np.append(beta, new - w)
        return self.along(T, theta, k, change, v, value, promised), max(0.0, promised)

    def along(self, T: Array, theta: Array, k: int, change: Array, v: Array, before: float, promised: float) -> float:
        """A step of one class, short enough to lower F; T and θ are changed in place."""
        others = self.penalty.value(np.delete(theta, k, axis=0)[:, 1:].ravel())
        for size in 0.5 ** np.arange(20):
            moved, new = T.copy(), theta[k] + size * change
            moved[k] += size * v
            loss = outcome(moved.copy(), self.whole)[0]
            after = loss + others + self.penalty.value(new[1:])
            if after <= before - SUFFICIENT_DESCENT * size * promised:
                T[k], theta[k] = moved[k], new
                return after
        return before


def by_class(Z: Any, theta: Array) -> Array:
    """t of each class and row."""
    return np.ascontiguousarray(np.asarray(Z @ theta[:, 1:].T).T) + theta[:, :1]


# ---- the proof -------------------------------------------------------------------------------------------------------


def relative_gap(rows: Rows, penalty: ElasticPenalty, theta: Array, pivot: Array, intercept: bool) -> float:
    """By how much F at θ is above its minimum, at most, as a part of F."""
    rows = thin(rows) if is_stored_sparse(rows) else rows
    parts = rows.sum(DualParts.of, pivot, theta, 1.0)
    largest, s = float(np.abs(parts.gradient[:, 1:]).max(initial=0.0)), 1.0
    if penalty.l2 == 0 and largest > penalty.l1:
        s = penalty.l1 / largest
        parts = rows.sum(DualParts.of, pivot, theta, s)
    conjugate = 0.0
    if penalty.l2 > 0:
        conjugate = float((np.maximum(np.abs(parts.gradient[:, 1:]) - penalty.l1, 0.0) ** 2).sum()) / (2.0 * penalty.l2)
    value = float(parts.loss) + penalty.value(theta[:, 1:].ravel())
    drift = float(np.abs(parts.gradient[:, 0]) @ (1.0 + np.abs(theta[:, 0]))) if intercept else 0.0  # b is not quite at rest
    return max(0.0, value - float(parts.entropy) + conjugate + s * drift) / value
