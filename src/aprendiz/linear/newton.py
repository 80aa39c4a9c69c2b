"""Newton's method for penalised logistic losses.

    F(θ) = Σ ω ℓ + α‖w‖²/2,   θ = (b, w)                                                                      (1)
    θ ← θ − s·H⁻¹g,      g = ∇F,  H = ∇²F,      s = 1, ½, ¼, … until F falls                                  (2)
    F(θ) − F* ≈ ½·gᵀH⁻¹g     (the Newton decrement), squared at each step near the end                        (3)

g and H are one `rows.sum` at θ (logistic_loss.py). With K classes, adding a constant to all θ_k changes nothing: H is
inverted in the K − 1 directions that matter, Σ_k θ_k = 0. With fewer rows than columns the minimiser lies in the span of the
rows, and everything is done in its coordinates. Where H would be too large to form, H⁻¹g comes from conjugate gradients on
products H·v, each of them a pass.

Cost of a pass: n·p²/2 multiplications, p = (K − 1)(d + 1), or n·p for each product. Memory p².
Reference: Nocedal & Wright, "Numerical optimization", 2nd ed., chapters 3, 5 and 7.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy import linalg

from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.iteration import State
from aprendiz.core.rows import Array, ArrayRows, Rows, solid
from aprendiz.core.sums import Spread, find_pivot
from aprendiz.core.targets import plain
from aprendiz.linear.logistic_loss import Totals, curvature_product, many_classes, slopes, two_classes

LARGEST = 4096  # parameters up to which H is formed
CONJUGATE_STEPS = 300
TINY = 1e-15  # decrement, as a part of F, below which a step changes nothing that F can show


@dataclass(frozen=True)
class Newton(State):
    """Parameters θ of shape (K or 1, 1 + d) around the pivot, and the step H⁻¹g there."""

    theta: Array
    step: Array
    decrement: float  # (3)
    slope: float  # largest entry of the gradient, for each unit of weight
    separated: bool


@dataclass(frozen=True)
class Problem:
    """F of (1) on some rows: its value, gradient and Newton step at any θ."""

    rows: Rows
    alpha: float  # 1/C
    intercept: bool
    classes: int
    weight: float
    pivot: Array
    basis: Array | None  # of the span of the rows, where there are fewer rows than columns

    @classmethod
    def of(cls, rows: Rows, alpha: float, intercept: bool) -> Problem:
        assert rows.labels is not None
        totals = rows.sum(Totals.of, len(rows.labels)).weight
        if (totals > 0).sum() < 2:
            raise ValueError(
                f"Only one class, {plain(rows.labels[totals.argmax()])!r}, has rows of positive weight; two are needed."
            )
        pivot = pivot_of(rows, intercept)
        spread = rows.sum(Spread.of, pivot)
        refuse_empty_sums(totals, spread.finite, rows)
        problem = cls(rows, alpha, intercept, len(rows.labels), float(totals.sum()), pivot, None)
        if isinstance(rows, ArrayRows) and rows.dense and rows.X.shape[0] < min(rows.columns, LARGEST):
            basis, R = np.linalg.qr((rows.X - pivot).T)
            return replace(problem, rows=rows.like(X=solid(R.T)), pivot=np.zeros(R.shape[1]), basis=basis)
        if problem.outputs * (1 + rows.columns) <= LARGEST:
            return problem
        if not isinstance(rows, ArrayRows):
            return replace(problem, rows=rows.map(lambda X: X - pivot))
        return replace(problem, rows=rows.like(X=rows.X - pivot) if rows.dense else rows.like(thin=True))

    @property
    def outputs(self) -> int:
        return 1 if self.classes == 2 else self.classes

    def at(self, theta: Array, iteration: int, tol: float) -> Newton:
        """F, g and the step at θ."""
        inner = self.inward(theta)
        loss, G, H, margin = self.measured(inner)
        W = inner[:, 1:]
        objective = loss + 0.5 * self.alpha * float((W**2).sum())
        G[:, 1:] += self.alpha * W
        if not self.intercept:
            G[:, 0] = 0.0
        step = self.direction(inner, G, H)
        slope, decrement = float(np.abs(G).max()) / self.weight, 0.5 * float((G * step).sum())
        separated = bool(margin > 0 and self.alpha == 0.0)
        settled = slope <= tol and decrement <= TINY * abs(objective) and not separated
        return Newton(iteration, objective, settled, theta, self.outward(step), decrement, slope, separated)

    def next(self, state: Newton, tol: float) -> Newton:
        """(2)."""
        for size in 0.5 ** np.arange(30):
            new = self.at(state.theta - size * state.step, state.iteration + 1, tol)
            if new.objective <= state.objective + 1e-13 * abs(state.objective):
                rounding = state.decrement <= TINY * abs(state.objective)  # the step before was the last that could matter
                return replace(new, settled=new.settled or rounding) if not new.separated else new
        return replace(state, iteration=state.iteration + 1, settled=True)  # nothing but rounding is left

    def inward(self, theta: Array) -> Array:
        """θ as seen by the rows: in the span of the rows, where that is smaller."""
        return theta if self.basis is None else np.column_stack([theta[:, 0], theta[:, 1:] @ self.basis])

    def outward(self, inner: Array) -> Array:
        return inner if self.basis is None else np.column_stack([inner[:, 0], inner[:, 1:] @ self.basis.T])

    def measured(self, theta: Array) -> tuple[float, Array, Array | None, float]:
        """Σ ω ℓ, its gradient, its curvature (None if too large), and the smallest margin of a row."""
        formed = theta.size <= LARGEST
        if formed:
            record = self.rows.sum(two_classes if self.classes == 2 else many_classes, self.pivot, theta)
        else:
            record = self.rows.sum(slopes, theta)
        return float(record.loss), record.gradient, record.curvature if formed else None, record.margin

    def direction(self, theta: Array, G: Array, H: Array | None) -> Array:
        """H⁻¹g, in the directions that matter."""
        across = contrasts(self.outputs)
        g = (across.T @ G).ravel()
        penalty = np.full((across.shape[1], G.shape[1]), self.alpha)
        penalty[:, 0] = 0.0
        if H is None:
            step = self.conjugate_gradients(theta, g, penalty.ravel(), across)
        else:
            if self.outputs > 1:
                p = G.shape[1]
                H = np.einsum("ka,kplq,lb->apbq", across, H.reshape(self.outputs, p, self.outputs, p), across, optimize=True)
                H = H.reshape(len(g), len(g))
            H = H + np.diag(penalty.ravel())
            free = np.ones(penalty.shape, bool)
            free[:, 0] = self.intercept
            step = np.zeros(len(g))
            step[free.ravel()] = solved(H[np.ix_(free.ravel(), free.ravel())], g[free.ravel()])
        return across @ step.reshape(across.shape[1], -1)

    def conjugate_gradients(self, theta: Array, g: Array, penalty: Array, across: Array) -> Array:
        """Solve H s = g from products H·v, as closely as the size of g deserves."""
        shape = (across.shape[1], theta.shape[1])

        def product(v: Array) -> Array:
            V = across @ v.reshape(shape)
            record = self.rows.sum(curvature_product, theta, V)
            out = (across.T @ record.gradient).ravel() + penalty * v
            if not self.intercept:
                out.reshape(shape)[:, 0] = v.reshape(shape)[:, 0]
            return out

        s, r, direction = np.zeros_like(g), g.copy(), g.copy()
        rr = float(r @ r)
        goal = rr * min(0.1, np.sqrt(rr) / self.weight) ** 2  # the closer to the end, the more exactly
        for _ in range(CONJUGATE_STEPS):
            if rr <= goal:
                break
            q = product(direction)
            size = rr / float(direction @ q)
            s, r = s + size * direction, r - size * q
            rr, before = float(r @ r), rr
            direction = r + (rr / before) * direction
        return s


def pivot_of(rows: Rows, intercept: bool) -> Array:
    """What is subtracted from the columns: nothing where there is no intercept to make up for it, or zeros to keep."""
    stored_sparse = isinstance(rows, ArrayRows) and not rows.dense
    return find_pivot(rows) if intercept and not stored_sparse else np.zeros(rows.columns)


def contrasts(outputs: int) -> Array:
    """An orthonormal basis of the vectors that sum to zero (for one output, the number itself)."""
    if outputs == 1:
        return np.ones((1, 1))
    basis = np.zeros((outputs, outputs - 1))
    for k in range(1, outputs):
        basis[:k, k - 1], basis[k, k - 1] = 1.0, -float(k)
        basis[:, k - 1] /= np.sqrt(k * (k + 1.0))
    return basis


def solved(H: Array, g: Array) -> Array:
    """H⁻¹g on a unit diagonal; where H is singular, the shortest solution."""
    scale = np.sqrt(np.diagonal(H))
    scale = np.where(scale > 0, scale, 1.0)
    A = H / scale / scale[:, None]
    try:
        return linalg.cho_solve(linalg.cho_factor(A, check_finite=False), g / scale, check_finite=False) / scale
    except linalg.LinAlgError:
        values, vectors = linalg.eigh(A, check_finite=False)
        kept = values > 1e-12 * values[-1]
        return vectors[:, kept] @ ((vectors[:, kept].T @ (g / scale)) / values[kept]) / scale
