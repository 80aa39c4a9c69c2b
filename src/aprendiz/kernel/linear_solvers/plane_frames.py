"""In which coordinates the rows see a plane: as it is, around a pivot of the columns, or in the span of the rows.

The penalty ½‖θ‖² of θ = (w, b) includes the intercept, so it depends on where zero is, but the scores should not be summed
there. Around a pivot, with q = pivot/B and z′ = (x − pivot, B), they are

    θᵀz = θ′ᵀz′,      θ′ = (w, b + qᵀw)                                                                       (1)

With r = (−q, 1), the gradient u with respect to θ, and N = diag(1, …, 1, 0) + (curvature of the losses with respect to θ′),
Newton's step is

    H′ = N + r rᵀ,      N x = (u_w, 0),      N y = r                                                          (2)
    δ′ = −x − y·(u_b − rᵀx)/(1 + rᵀy),      δ_b = −(rᵀx + u_b·rᵀy)/(1 + rᵀy)                                  (3)

which loses no digits, however far from zero the columns are, while H′ would. For the same reason both b and its entry of θ′
are kept, and moved side by side: each of them is a small difference of large numbers for the other. Where there are fewer
rows than columns, the minimiser is a combination of them: θ = basis·θ′ with an orthonormal basis of their span.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.rows import Array, read_only
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.sums import Spread, find_pivot
from aprendiz.kernel.linear_solvers.planes import MarginProblem
from aprendiz.linear.solvers.newton import solve

NEAR = 3.0  # deviations: pivots that are no further from zero are left alone


@dataclass(frozen=True)
class Frame:
    """Coordinates of a plane: `q` of (1), or a basis of the span of the rows, or neither."""

    q: Array | None = None
    basis: Array | None = None

    def own(self, theta: Array) -> Array:
        """(w, b), of which the penalty is a function; with a pivot θ is (w, b, b + qᵀw)."""
        return theta if self.q is None else theta[:-1]

    def inner(self, theta: Array) -> Array:
        """θ′, as the rows see it."""
        return theta if self.q is None else np.append(theta[:-2], theta[-1])

    def outward(self, theta: Array) -> Array:
        """The plane of the columns. In a basis the last entry belongs to no row."""
        if self.basis is not None:
            return np.asarray(self.basis @ theta[:-1])
        return theta if self.q is None else np.append(theta[:-2], theta[-1] - self.q @ theta[:-2])

    def pull(self, v: Array) -> Array:
        """Σ c γ z from Σ c γ z′."""
        return v if self.q is None else np.append(v[:-1] + self.q * v[-1], v[-1])

    def newton_step(self, u: Array, curvature: Array) -> Array:
        """(3); without a pivot, −(I + curvature)⁻¹u."""
        if self.q is None:
            return -solve(np.eye(len(u)) + curvature, u)
        if not curvature[-1, -1] > 0:  # no row has a say: the penalty alone
            return -np.append(u, u[-1] + self.q @ u[:-1])
        r, free = np.append(-self.q, 1.0), np.append(np.ones(len(u) - 1), 0.0)
        x, y = solve(curvature + np.diag(free), u * free), solve(curvature + np.diag(free), r)
        along, across = float(r @ x), float(r @ y)
        step = x + y * ((u[-1] - along) / (1.0 + across))
        return -np.concatenate([step[:-1], [(along + u[-1] * across) / (1.0 + across), step[-1]]])


def fitting_frame(problem: MarginProblem) -> tuple[MarginProblem, Frame]:
    """The coordinates that suit a problem, and the problem in them."""
    rows = problem.rows
    if in_memory(rows) and rows.dense and rows.count is not None and rows.count < rows.columns:
        Z = np.column_stack([rows.X.astype(np.float64, copy=False), np.full(rows.count, problem.scale)])
        basis, R = np.linalg.qr(Z.T)
        return replace(problem, rows=rows.like(X=read_only(R.T)), scale=0.0), Frame(basis=basis)
    pivot = find_pivot(rows)
    if problem.scale == 0.0 or (in_memory(rows) and rows.sparse):
        return problem, Frame()
    spread = rows.sum(Spread.of, pivot)
    refuse_empty_sums(spread.weight, spread.finite, rows)
    if (np.abs(pivot) * np.sqrt(spread.weight) <= NEAR * np.sqrt(spread.scatter)).all():
        return problem, Frame()
    shifted = rows.like(X=read_only(rows.X - pivot)) if in_memory(rows) else rows.map(lambda X: X - pivot)
    return replace(problem, rows=shifted), Frame(q=pivot / problem.scale)
