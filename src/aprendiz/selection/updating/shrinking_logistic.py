"""Logistic regression of two classes from which one column after the other is taken away.

    F(θ) = Σ ω ℓ + α‖w‖²/2,   θ = (b, w),      g = ∇F,  H = ∇²F                                                (1)

A column j leaves along the parabola that H makes of F, and Newton's method goes on from there with the inverse at hand,

    θ ← θ − θ_j·M_j/M_jj,     M ← M − M_j M_jᵀ/M_jj          M = H⁻¹                                          (2)
    θ ← θ − M g     until gᵀMg is rounding                                                                   (3)

so that a step of (3) costs two products of the table with a vector and no H. The columns that leave have small coefficients: H
hardly changes, and each step leaves a small part of the error. Where it leaves too much, H is formed anew. The minimum does not
depend on M, so no digits are lost on the way, however long it is.

Cost: of a column that leaves, some times n·d, and d²; of the start, Newton's method (linear/solvers/newton.py).
Reference: Hassibi & Stork, "Second order derivatives for network pruning: optimal brain surgeon", NIPS 5, 1993, for (2).
"""

from __future__ import annotations

import numpy as np
from scipy import linalg
from scipy.special import expit

from aprendiz.core.rows import Array
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.linear.solvers.newton import LogisticProblem
from aprendiz.selection.updating.fold_model import FoldModel

MOST_STEPS = 50  # of (3)
MOST_LEFT = 0.1  # of gᵀMg after a step; where it is more, H is formed anew
SETTLED = 1e-26  # of gᵀMg for each unit of weight: a step changes nothing that θ can show
ROUNDING = 1e-18  # of the same, below which it is rounding that keeps it from falling
MOST_INFLATION = 1e8  # H_jj·M_jj with which (2) and (3) still go somewhere


class ShrinkingLogistic(FoldModel):
    """(1) on the training rows of a fold, and its scores of the test rows. Lines of `table` are columns, the first that of the
    intercept."""

    longest = 2**62  # the way is as good as its end
    members: list[int]
    theta: Array
    table: Array
    inverse: Array
    safe: bool
    agrees = 1e-6  # a fit ends where gᵀMg is 10⁻¹⁵ of F: coefficients have half as many digits

    def __init__(self, X: Array, y: Array, weight: Array, tested: Array, alpha: float, intercept: bool):
        """y is 0 or 1."""
        self.X, self.y, self.weight, self.alpha, self.intercept = X, y, weight, alpha, intercept
        self.mean = weight @ X / weight.sum() if intercept else np.zeros(X.shape[1])
        self.tested = tested - self.mean

    # ---- where it stands -------------------------------------------------------------------------------------------------

    def place(self, chosen: Array) -> None:
        self.members = [-1, *np.flatnonzero(chosen).tolist()]  # −1 is the intercept
        self.theta, self.safe = np.zeros(len(self.members)), True
        self.table = np.empty((len(self.members), len(self.X)))
        self.table[0], self.table[1:] = float(self.intercept), (self.X - self.mean)[:, chosen].T
        if len(self.members) == 1:
            return
        self.safe = self.start_from_zero() and self.form() and self.descend()

    def start_from_zero(self) -> bool:
        """Newton's method, as in a fit; whether it arrives."""
        rows = ArrayRows(np.ascontiguousarray(self.table[1:].T), self.y, self.weight)
        rows.labels = np.arange(2)
        problem = LogisticProblem.of(rows, self.alpha, self.intercept, True)
        state = problem.at(np.zeros((1, len(self.members))), 0, 1e-4)
        while not (state.settled or state.stuck or state.iteration >= MOST_STEPS):
            state = problem.next(state, 1e-4)
        self.theta = state.theta[0].copy()
        self.theta[0] -= self.theta[1:] @ problem.origin
        return bool(state.settled)

    def flip(self, column: int) -> None:
        """(2) and (3)."""
        if column not in self.members or not self.safe or len(self.members) == 2:
            now = np.zeros(self.X.shape[1], dtype=bool)
            now[self.members[1:]] = True
            now[column] = not now[column]
            self.place(now)
            return
        place, last = self.members.index(column), len(self.members) - 1
        m = self.inverse[place] / self.inverse[place, place]
        self.theta = self.theta - self.theta[place] * m
        self.inverse = self.inverse - np.outer(self.inverse[place], m)
        for lines in (self.members, self.theta, self.table, self.inverse, self.inverse.T):
            lines[place] = lines[last]  # the last one takes its place: nothing else moves
        self.members = self.members[:last]
        self.theta, self.table, self.inverse = self.theta[:last], self.table[:last], self.inverse[:last, :last]
        self.safe = self.descend()

    # ---- Newton's method -------------------------------------------------------------------------------------------------

    def descend(self) -> bool:
        """(3); whether it arrives."""
        total, before, formed = self.weight.sum(), np.inf, False
        for _ in range(MOST_STEPS):
            g = self.table @ (self.weight * (expit(self.theta @ self.table) - self.y))
            g[1:] += self.alpha * self.theta[1:]
            step = self.inverse @ g
            left = float(g @ step)
            if not np.isfinite(left) or (formed and left > before):
                return False
            slowly = left > MOST_LEFT * before
            if left <= SETTLED * total or (slowly and left <= ROUNDING * total):
                return True
            if slowly:
                if formed or not self.form():
                    return False
                step, formed = self.inverse @ g, True
            else:
                formed = False
            self.theta, before = self.theta - step, left
        return False

    def form(self) -> bool:
        """H, and M; whether M has digits."""
        p = expit(self.theta @ self.table)
        H = (self.table * (self.weight * p * (1.0 - p))) @ self.table.T
        own = np.diagonal(H).copy()
        own[1:] += self.alpha
        own[0] = own[0] if self.intercept else 1.0
        np.fill_diagonal(H, own)
        scale = np.sqrt(own)
        if not (scale > 0).all():
            return False
        L, failed = linalg.lapack.dpotrf(H / scale / scale[:, None], lower=1)
        if failed:
            return False
        inverse = linalg.cho_solve((L, True), np.eye(len(scale)), check_finite=False)
        self.inverse = inverse / scale / scale[:, None]
        return bool(np.diagonal(inverse).max() <= MOST_INFLATION)

    # ---- answers ---------------------------------------------------------------------------------------------------------

    def answered(self, columns: Array) -> Array:
        return np.zeros(len(columns), dtype=bool)  # a set that is one column away needs steps of its own

    def flipped(self, columns: Array) -> Array:
        raise NotImplementedError

    def answer(self) -> Array | None:
        t = self.theta[0] * self.intercept + self.tested[:, self.members[1:]] @ self.theta[1:]
        return np.column_stack([np.zeros_like(t), t]) if self.safe else None

    def importances(self) -> Array | None:
        return self.theta[1:][np.argsort(self.members[1:])] ** 2 if self.safe else None
