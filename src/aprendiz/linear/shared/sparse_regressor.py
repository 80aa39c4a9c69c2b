"""What the lasso and the elastic net share: fit, budget and certificate; equations in elastic_net.py."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from aprendiz import linear
from aprendiz.core.certificate import Certificate
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.learner import Passes
from aprendiz.core.moments import Triangle
from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array, Rows
from aprendiz.linear.designs.design import Design
from aprendiz.linear.designs.designs_of_rows import designs
from aprendiz.linear.penalties.budgets import CLOSE, penalty_for, refuse_both, sizes
from aprendiz.linear.penalties.sparse_penalty import ElasticPenalty
from aprendiz.linear.shared.linear_regressor import LinearRegressor
from aprendiz.linear.solvers.coordinate_descent import exact_end
from aprendiz.linear.solvers.least_squares import Solution
from aprendiz.linear.solvers.ridge_solution import multipliers, of_each_target, solved
from aprendiz.linear.solvers.working_set import Optimum, WorkingSet, solve
from aprendiz.locale import _

SMALL, SMALLEST = 1e-3, 1e-6  # of the largest penalty, where least squares is looked at, and where a search ends
EXACT = 1e-14  # gap up to which each step of the search for a budget goes

NO_EFFECT = {
    "copy_X": "no effect: the data passed in are never changed",
    "precompute": "no effect: which products are formed follows from the shape of the data",
    "random_state": "no effect: nothing is random",
    "selection": "no effect: coordinates are swept in turn, and the end is exact",
    "max_iter": "another form: rounds of enlarging the working set; a few are enough",
    "n_iter_": "another form: the number of sweeps over the working set",
    "coef_": "another form: float64 for float32 data too",
}


class Sparse(LinearRegressor, Passes):
    """What the lasso and the elastic net share: (1)."""

    alpha: float
    positive: bool
    warm_start: bool
    max_iter: int
    tol: float
    budget: float | None

    allows = frozenset({"sparse"})
    exceptions = {"scaling": "the penalty is not invariant to the scale of the columns"}
    tuning = {"alpha": (0.001, 0.01, 0.1, 1.0)}

    @property
    def share(self) -> float:
        """ρ of (1)."""
        raise NotImplementedError

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, check_input: bool = True) -> Self:
        """Fit to X and y, each row counting with its weight; the input is always checked. Returns the learner itself."""
        return super().fit(X, y, sample_weight)

    @staticmethod
    def path(X: Any, y: Any, **more: Any) -> tuple[Any, ...]:
        """The coefficients for many penalties: `enet_path`."""
        return linear.enet_path(X, y, **more)

    def learned(self, rows: Rows) -> dict[str, Any]:
        """A working set for each target; in closed form where nothing is to become zero."""
        refuse_both(self)
        if not np.isfinite(self.alpha):
            raise ParameterError(f"alpha of {type(self).__name__} must be a finite number of at least 0, got {self.alpha!r}.")
        if self.alpha * self.share == 0:
            return self.without_zeros(rows)
        found, means, middles, free = [], [], [], cache(lambda: self.unpenalised(rows))
        for target, (design, total, mean, middle) in enumerate(designs(rows, self.fit_intercept)):
            found.append(self.optimum(design, total, target, free))
            means.append(mean)
            middles.append(middle)
        W = np.column_stack([one.w for one, _alpha in found])
        b = np.array([middle - mean @ w for w, mean, middle in zip(W.T, means, middles, strict=True)])
        width = rows.target_shape()
        return {**self.flat_line(W, b, width), **self.proof(found)}

    def unpenalised(self, rows: Rows) -> Solution:
        """Least squares."""
        return solved(rows.sum(Triangle.joint, self.pivot(rows)), self.fit_intercept, 0.0, self.positive)

    def optimum(self, design: Design, total: float, target: int, free: Callable[[], Solution]) -> tuple[Optimum, float]:
        """The minimiser for one target, and its α."""
        working = WorkingSet(design)
        if self.warm_start and getattr(self, "coef_", None) is not None and np.shape(self.coef_)[-1] == design.columns:
            before = np.atleast_2d(self.coef_)[target]
            working.admit(np.flatnonzero(before))
            working.w = before[working.members]
        if self.budget is not None:
            return self.within(self.budget, working, total, lambda: (free().coef[:, target], free().rank))
        return solve(working, self.penalty(total * self.alpha), self.tol, self.max_iter), self.alpha

    def penalty(self, strength: float) -> ElasticPenalty:
        """The penalty of (1), times Ω."""
        return ElasticPenalty(strength * self.share, strength * (1.0 - self.share), self.positive)

    def within(
        self, budget: float, working: WorkingSet, total: float, free: Callable[[], tuple[Array, int]]
    ) -> tuple[Optimum, float]:
        """The minimiser that has the size of the budget, from the largest penalty on, each found from the one before.

        Where a small penalty leaves room, least squares (`free`, with its rank) may keep to the budget. If not, though columns
        are dependent, other coefficients with the same predictions may. The gap is that of (3) in penalties/budgets.py.
        """
        design, tried = working.design, list[Optimum]()
        working.sharpen()
        largest = max(0.0, float(self.penalty(0.0).pull(design.c).max(initial=0.0)))
        if largest == 0:  # no column says anything of the target
            return Optimum(np.zeros(design.columns), 0.0, 0.0, 0, 0), 0.0

        def size(alpha: float) -> float:
            penalty = self.penalty(total * alpha)
            # the coefficients of the α before would pass for those of this one
            exact_end(working.G, design.c[working.members], working.w, penalty)
            tried.append(solve(working, penalty, min(self.tol, EXACT), self.max_iter))
            return float(sizes(tried[-1].w, self.share))

        curvature = largest**2 / (design.energy * (1.0 - self.share)) if self.share < 1 else np.inf
        small = min(largest, curvature) / total
        found = penalty_for(size, budget, largest / (total * self.share), least=SMALL * small)
        if not found.binds:
            w, rank = free()
            if sizes(w, self.share) <= budget * (1.0 + CLOSE):
                return replace(tried[-1], w=w, gap=0.0), 0.0
            found = penalty_for(size, budget, found.alpha, least=SMALLEST * small if rank < design.columns else 0.0)
        room = total * found.alpha * max(0.0, budget - found.size) / design.energy
        last, sweeps = tried[-1], sum(one.sweeps for one in tried)
        return replace(last, gap=last.gap + (room if room > CLOSE else 0.0), sweeps=sweeps), found.alpha

    def proof(self, found: list[tuple[Optimum, float]]) -> dict[str, Any]:
        """Penalties, sweeps, gaps and the certificate."""
        gaps, sweeps = np.array([one.gap for one, _alpha in found]), [max(1, one.sweeps) for one, _alpha in found]
        alphas = np.array([alpha for _one, alpha in found])
        worst = float(gaps.max())
        if worst > self.tol:
            words = _("The duality gap is {gap} of ‖y‖² after {rounds} rounds, above tol={tol}: {remedy}.")
            remedy = _("raise max_iter, scale the columns, or raise alpha")
            if self.budget is not None:
                remedy = _("raise max_iter, scale the columns, or lower the budget")
            said = words.format(gap=f"{worst:.2g}", rounds=self.max_iter, tol=f"{self.tol:g}", remedy=remedy)
            warnings.warn(said, ConvergenceWarning, stacklevel=6)
        claim = "the objective exceeds its minimum by at most the duality gap, given as a fraction of ‖y‖²"
        certificate = Certificate(claim, worst <= self.tol, {"gap": worst, "tol": self.tol})
        if self.budget is not None:
            largest = max(float(sizes(one.w, self.share)) for one, _alpha in found)
            certificate = self.kept(largest, certificate)
        several = len(found) > 1
        return {
            "alpha_": alphas if several and self.budget is not None else float(alphas[0]),
            "n_iter_": sweeps if several else sweeps[0],
            "dual_gap_": gaps if several else float(gaps[0]),
            "certificate_": certificate,
        }

    def kept(self, size: float, certificate: Certificate) -> Certificate:
        """What is known, and that the coefficients keep to the budget."""
        assert self.budget is not None
        claim = "the coefficients keep to the budget, and others that do lower the loss by at most the gap, a fraction of ‖y‖²"
        values = {"gap": 0.0, **certificate.values, "size": size, "budget": self.budget}
        return Certificate(claim, certificate.holds and size <= self.budget * (1.0 + 1e-9), values)

    def without_zeros(self, rows: Rows) -> dict[str, Any]:
        """ρ = 0 or α = 0: ridge regression, or least squares."""
        record = rows.sum(Triangle.joint, self.pivot(rows))
        refuse_empty_sums(record.weight, record.finite, rows)
        total = float(record.weight)
        strengths = np.array([total * self.alpha * (1.0 - self.share)])
        if self.budget is not None:  # ½‖w‖² ≤ c
            strengths = multipliers(record, self.fit_intercept, 2.0 * self.budget, self.positive)
        solutions = [solved(record, self.fit_intercept, strength, self.positive) for strength in strengths]
        W, b = of_each_target(solutions)
        certificate = max(solutions, key=lambda one: one.error).certificate()
        if self.budget is not None:
            certificate = self.kept(float(sizes(W, self.share).max()), certificate)
        alphas = self.alpha if self.budget is None else strengths / total
        return {
            **self.flat_line(W, b, record.target),
            "alpha_": float(np.ravel(alphas)[0]) if np.size(alphas) == 1 else alphas,
            "n_iter_": 1,
            "dual_gap_": 0.0,
            "certificate_": certificate,
        }

    @property
    def sparse_coef_(self) -> Any:
        """The coefficients as a sparse matrix."""
        return sparse.csr_matrix(self.coef_)
