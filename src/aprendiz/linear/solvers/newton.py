"""Newton's method for penalised logistic losses, and what replaces it where there are very many parameters.

    F(θ) = Σ ω ℓ + α‖w‖²/2,   θ = (b, w)                                                                      (1)
    θ ← θ − s·H⁻¹g,      g = ∇F,  H = ∇²F,      s = 1, ½, ¼, … until F falls                                  (2)
    F(θ) − F* ≈ ½·gᵀH⁻¹g     (the Newton decrement), squared at each step near the end                        (3)

g and H are one `rows.sum` at θ (logistic_loss.py). With K classes, adding a constant to all θ_k changes nothing: H is
inverted in the K − 1 directions that matter, Σ_k θ_k = 0. With few rows and many columns the minimiser lies in the span of
the rows, and everything is done in its coordinates. Where H would cost more than it is worth, H⁻¹g in (2) is that of L-BFGS
(quasi_newton.py), and a pass computes g alone, or g and what is left of H between classes.

Cost of a pass: n·p²/2 multiplications and memory p² with H, p = (K − 1)(d + 1); n·p and 20·p without.
Reference: Nocedal & Wright, "Numerical optimization", 2nd ed., chapters 3 and 7.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy import linalg

from aprendiz.core.class_weights import Totals
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.iteration import State
from aprendiz.core.rows import Array, Rows, read_only
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.sums import Spread, find_pivot
from aprendiz.core.targets import plain
from aprendiz.linear.losses.logistic_loss import (
    MarginGradients,
    Margins,
    Squares,
    class_slopes,
    many_classes,
    slopes,
    two_classes,
)
from aprendiz.linear.solvers.quasi_newton import REMEMBERED, ColumnCurvature, Products, quasi_newton_step, remember

FEW_PARAMETERS = 384  # parameters for which H is always formed
CHEAP = 2**31  # multiplications for which it is formed too
NARROW = 20  # columns for each class, with which products of the columns cost less than the steps they save
MOVES, SIDEWAYS = 0.1, 0.01  # of a score: what still moves at the end, and what part of it may be rounding
ROUNDING = 1e-13  # a part of F by which it may rise from step to step
TINY = 1e-15  # decrement, as a part of F, below which a step changes nothing that F can show


@dataclass(frozen=True)
class NewtonState(State):
    """Parameters θ of shape (K or 1, 1 + d) around the origin, the gradient there, and the step H⁻¹g."""

    theta: Array
    origin: Array
    gradient: Array
    step: Array
    pairs: Array  # the last steps and changes of the gradient, where H is not formed
    decrement: float  # (3)
    slope: float  # largest entry of the gradient, for each unit of weight
    separated: bool
    formed: bool  # was H formed?
    strength: float = 0.0  # 1/C
    seed: int = 0  # of the order of rows, where they are drawn
    stuck: bool = False  # no step lowers F any more: rounding hides what is left


@dataclass(frozen=True)
class LogisticProblem:
    """F of (1) on some rows: its value, gradient and step at any θ."""

    rows: Rows
    alpha: float  # 1/C
    intercept: bool
    classes: int
    weight: float
    origin: Array  # what θ takes off the columns
    pivot: Array  # what is still to be taken off the rows
    basis: Array | None = None  # of the span of the rows, where that is the smaller space
    bound: Array | None = None  # on the diagonal of H, where H is not formed
    columns: ColumnCurvature | None = None  # a better guess at H than its diagonal, where there are few columns
    memory: int = REMEMBERED  # pairs of L-BFGS
    slopes: Callable[..., MarginGradients] = slopes  # the loss, where H is not formed

    @classmethod
    def of(cls, rows: Rows, alpha: float, intercept: bool, formed: bool | None = None) -> LogisticProblem:
        """The problem, and how it is solved: with H (`formed`), without it, or as its size suggests (None)."""
        problem, count = cls.pose(rows, alpha, intercept)
        few_rows = count < min(FEW_PARAMETERS, rows.columns) and problem.worth_forming(count, count)
        if in_memory(rows) and rows.dense and few_rows and formed is not False:
            basis, R = np.linalg.qr((rows.X - problem.pivot).T)
            return replace(problem, rows=rows.like(X=read_only(R.T)), pivot=np.zeros(R.shape[1]), basis=basis)
        if problem.worth_forming(count, rows.columns) if formed is None else formed:
            return problem
        return problem.without_curvature()

    @classmethod
    def pose(cls, rows: Rows, alpha: float, intercept: bool) -> tuple[LogisticProblem, int]:
        """The problem as it stands, and the number of rows."""
        assert rows.labels is not None
        stored_sparse = is_stored_sparse(rows)
        summed = (thin(rows) if stored_sparse else rows).sum(Totals.of, len(rows.labels))
        totals = summed.weight
        if (totals > 0).sum() < 2:
            only = plain(rows.labels[totals.argmax()])
            raise ValueError(f"Only one class, {only!r}, has rows of positive weight; two are needed.")
        pivot = find_pivot(rows) if intercept and not stored_sparse else np.zeros(rows.columns)
        return cls(rows, alpha, intercept, len(rows.labels), float(totals.sum()), pivot, pivot), summed.rows

    def without_curvature(self) -> LogisticProblem:
        """The same problem for L-BFGS: rows that are pivoted already, or sparse, and a bound on the diagonal of H."""
        rows, pivot = self.rows, self.pivot
        most = 0.25 if self.classes == 2 else 0.5  # p(1 − p) is never larger
        if is_stored_sparse(rows):
            bound = most * np.append(self.weight, thin(rows).sum(Squares.of).second) + self.alpha
            return replace(self, rows=thin(rows), bound=np.where(bound > 0, bound, 1.0))
        spread = rows.sum(Spread.of, pivot)
        bound = most * np.append(self.weight, spread.second) + self.alpha
        bound = np.where(bound > 0, bound, 1.0)  # a column that is constant, and no penalty
        if (pivot**2 * spread.weight <= spread.scatter).all():  # the columns are where they should be, but for a deviation
            return replace(self, origin=np.zeros_like(pivot), bound=bound).with_columns()
        return replace(self, rows=rows.map(lambda X: X - pivot), bound=bound).with_columns()

    def with_columns(self) -> LogisticProblem:
        """The same with products of the columns, if they are few for so many classes."""
        if self.classes == 2 or self.rows.columns > NARROW * self.classes:
            return self
        G = self.rows.sum(Products.of).second / self.weight
        return replace(self, columns=ColumnCurvature.of(G, self.intercept), slopes=class_slopes)

    def guess(self, curvature: Array) -> Callable[[Array], Array]:
        """What L-BFGS starts from: the product with a guess at H⁻¹."""
        if self.columns is None:
            return lambda q: q / self.bound
        return self.columns.with_classes(curvature, self.alpha)

    @property
    def outputs(self) -> int:
        return 1 if self.classes == 2 else self.classes

    def worth_forming(self, count: int, columns: int) -> bool:
        """Is H small enough, or cheap enough to sum and to solve with, for that many rows and columns?"""
        p = self.outputs * (1 + columns)
        return p <= FEW_PARAMETERS or (count + p) * p**2 <= CHEAP

    def at(self, theta: Array, iteration: int, tol: float, before: NewtonState | None = None) -> NewtonState:
        """F, g and the step at θ; `before` is the state from which θ was reached."""
        inner = self.inward(theta)
        if self.bound is not None:
            record = self.rows.sum(self.slopes, inner)
        else:
            record = self.rows.sum(two_classes if self.classes == 2 else many_classes, self.pivot, inner)
        W, G = inner[:, 1:], record.gradient
        objective = float(record.loss) + 0.5 * self.alpha * float((W**2).sum())
        if before is None:
            finite = np.isfinite(G).all() and np.isfinite(record.curvature).all()
            refuse_empty_sums(self.weight, bool(finite), self.rows)
        G[:, 1:] += self.alpha * W
        if not self.intercept:
            G[:, 0] = 0.0
        pairs = np.empty((0, 2, *G.shape)) if before is None else before.pairs
        if self.bound is None:
            step = self.newton_step(G, record.curvature)
        else:
            if before is not None:
                pairs = remember(pairs, theta - before.theta, G - before.gradient)
            step = quasi_newton_step(G, pairs, self.guess(record.curvature), self.memory)
        slope, decrement = float(np.abs(G).max()) / self.weight, 0.5 * float((G * step).sum())
        separated = bool(record.margin > 0 and self.alpha == 0.0)
        exact = self.bound is not None or decrement <= TINY * self.size(objective)
        return NewtonState(
            iteration=iteration,
            objective=objective,
            settled=slope <= tol and exact and not separated,
            theta=theta,
            origin=self.origin,
            gradient=G,
            step=self.outward(step),
            pairs=pairs,
            decrement=decrement,
            slope=slope,
            separated=separated,
            formed=self.bound is None,
        )

    def next(self, state: NewtonState, tol: float) -> NewtonState:
        """(2)."""
        for size in 0.5 ** np.arange(30):
            new = self.at(state.theta - size * state.step, state.iteration + 1, tol, state)
            if new.objective <= state.objective + ROUNDING * self.size(state.objective):
                rounding = state.decrement <= TINY * self.size(
                    state.objective
                )  # the step before was the last that could matter
                return replace(new, settled=new.settled or rounding) if not new.separated else new
        return replace(state, iteration=state.iteration + 1, settled=state.slope <= tol, stuck=True)

    def size(self, objective: float) -> float:
        """What rounding is a part of: F, or, where F is tiny, something of the losses that cancel in it."""
        return abs(objective) + 0.01 * self.weight

    def recedes(self, state: NewtonState) -> bool:
        """Without a penalty: does the next step still move rows, and no row towards the other side? Then some hyperplane has
        all rows on their side of it or on it, F falls for ever along it, and there is no minimiser."""
        if self.alpha > 0:
            return False
        margins = self.rows.sum(Margins.of, self.pivot if self.bound is None else 0.0 * self.pivot, -self.inward(state.step))
        return bool(margins.furthest > MOVES and margins.smallest > -SIDEWAYS * margins.furthest)

    def inward(self, theta: Array) -> Array:
        """θ as seen by the rows: in the span of the rows, where that is smaller."""
        return theta if self.basis is None else np.column_stack([theta[:, 0], theta[:, 1:] @ self.basis])

    def outward(self, inner: Array) -> Array:
        return inner if self.basis is None else np.column_stack([inner[:, 0], inner[:, 1:] @ self.basis.T])

    def newton_step(self, G: Array, H: Array) -> Array:
        """H⁻¹g, in the directions that matter."""
        across = contrasts(self.outputs)
        g = (across.T @ G).ravel()
        if self.outputs > 1:
            p = G.shape[1]
            H = np.einsum("ka,kplq,lb->apbq", across, H.reshape(self.outputs, p, self.outputs, p), across, optimize=True)
            H = H.reshape(len(g), len(g))
        is_intercept = np.arange(len(g)) % G.shape[1] == 0
        H = H + np.diag(np.where(is_intercept, 0.0, self.alpha))
        free, step = ~is_intercept | self.intercept, np.zeros(len(g))
        step[free] = solve(H[np.ix_(free, free)], g[free])
        return across @ step.reshape(across.shape[1], -1)


def is_stored_sparse(rows: Rows) -> bool:
    return in_memory(rows) and rows.sparse


def thin(rows: Rows) -> Rows:
    """Sparse rows that stay sparse."""
    return rows.like(thin=True) if in_memory(rows) else rows


def contrasts(outputs: int) -> Array:
    """An orthonormal basis of the vectors that sum to zero (for one output, the number itself)."""
    if outputs == 1:
        return np.ones((1, 1))
    basis = np.zeros((outputs, outputs - 1))
    for k in range(1, outputs):
        basis[:k, k - 1], basis[k, k - 1] = 1.0, -float(k)
        basis[:, k - 1] /= np.sqrt(k * (k + 1.0))
    return basis


def solve(H: Array, g: Array) -> Array:
    """H⁻¹g on a unit diagonal; where H is singular, the shortest solution."""
    scale = np.sqrt(np.maximum(np.diagonal(H), 0.0))  # rounding may leave less than nothing
    scale = np.where(scale > 0, scale, 1.0)
    A = H / scale / scale[:, None]
    try:
        return linalg.cho_solve(linalg.cho_factor(A, check_finite=False), g / scale, check_finite=False) / scale
    except linalg.LinAlgError:
        values, vectors = linalg.eigh(A, check_finite=False)
        kept = values > 1e-12 * values[-1]
        return vectors[:, kept] @ ((vectors[:, kept].T @ (g / scale)) / values[kept]) / scale
