"""Elastic net: least squares with a penalty that makes small coefficients zero and shrinks the others.

    min over w, b of 1/(2Ω)·Σ ω (y − b − xᵀw)² + α·(ρ‖w‖₁ + ½(1 − ρ)‖w‖²),     Ω = Σ ω                        (1)

ρ = 1 is the lasso, ρ = 0 a ridge regression. The intercept is not penalised. Times Ω, this is the problem of working_set.py
with λ₁ = Ωαρ and λ₂ = Ωα(1 − ρ):

    the loss           designs.py: the columns, centred, and their products, from sums or from the table
    the penalty        penalties.py
    the solver         working_set.py around coordinate_descent.py

With many rows and few columns the sums Σ zzᵀ are all that is needed: one pass, from memory, files or Dask. With many columns
the table stays where it is, and only products of the columns at work are formed. Without λ₁ there is a closed form (ridge.py).
With a budget c, ρ‖w‖₁ + ½(1 − ρ)‖w‖² ≤ c is required instead of paid for, and α is found (budgets.py).

Reference: Zou & Hastie, "Regularization and variable selection via the elastic net", JRSS B 67, 2005.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Any, Literal, Self

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from aprendiz.core.certificate import Certificate
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.learner import Passes
from aprendiz.core.parameters import ArrayLike, Count, Fraction, NonNegative, ParameterError, Positive, Seed
from aprendiz.core.rows import Array, ArrayRows, Rows
from aprendiz.core.sums import Moments, Triangle, find_pivot
from aprendiz.linear.budgets import CLOSE, penalty_for, refuse_both, sizes
from aprendiz.linear.coordinate_descent import exact_end
from aprendiz.linear.designs import CentredTable, Design, SummedDesign, TableDesign
from aprendiz.linear.least_squares import Solution
from aprendiz.linear.linear_regressor import LinearRegressor
from aprendiz.linear.penalties import ElasticPenalty
from aprendiz.linear.ridge import multipliers, of_each_target, solved
from aprendiz.linear.working_set import Optimum, WorkingSet, solve

PATH = 8192  # columns for which it is formed too, for many penalties
NARROW = 512  # columns for which Σ zzᵀ is formed, if there are more rows than that
EXACT = 1e-14  # gap up to which each step of the search for a budget goes
SMALL, SMALLEST = 1e-3, 1e-6  # of the largest penalty, where least squares is looked at, and where a search ends
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
        from aprendiz.linear.paths import enet_path

        return enet_path(X, y, **more)

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
        are dependent, other coefficients with the same predictions may. The gap is that of (3) in budgets.py.
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
            remedy = "raise alpha" if self.budget is None else "lower the budget"
            warnings.warn(
                f"The duality gap is {worst:.2g} of ‖y‖² after {self.max_iter} rounds, above tol={self.tol:g}: "
                f"raise max_iter, scale the columns, or {remedy}.",
                ConvergenceWarning,
                stacklevel=6,
            )
        claim = "the objective is above its minimum by at most the gap, a part of ‖y‖²"
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
        claim = "the coefficients keep to the budget, and none that do have a loss smaller by more than the gap, a part of ‖y‖²"
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


def from_sums(rows: Rows, many: bool = False) -> bool:
    """Are the sums of all products formed? Always, where the rows are not in memory; for many penalties, if there are more
    rows than columns."""
    if not isinstance(rows, ArrayRows):
        return True
    most = NARROW if not many or not rows.dense else PATH
    return rows.columns <= most and rows.count > rows.columns  # type: ignore[operator]


def designs(rows: Rows, intercept: bool, *, many: bool = False) -> Iterator[tuple[Design, float, Array, float]]:
    """For each target its design, the weight of all rows, the means of the columns and of the target."""
    if from_sums(rows, many):
        yield from summed_designs(rows, intercept)
        return
    assert isinstance(rows, ArrayRows)
    table = CentredTable(rows.X.astype(np.float64, copy=False), rows.weight, intercept)
    assert rows.y is not None
    Y = rows.y.astype(np.float64, copy=False)
    for y in [Y] if Y.ndim == 1 else Y.T:
        yield TableDesign.of(table, y), table.total, table.mean, table.middle(y)


def summed_designs(rows: Rows, intercept: bool) -> Iterator[tuple[Design, float, Array, float]]:
    """The same, from one sum over the rows."""
    moments = rows.sum(Moments.joint, find_pivot(rows, target=True) * float(intercept))
    refuse_empty_sums(moments.weight, moments.finite, rows)
    d = moments.columns
    mean = moments.mean if intercept else np.zeros(len(moments.pivot))
    for target in range(len(mean) - d):
        yield SummedDesign.of(moments, intercept, target), float(moments.weight), mean[:d], float(mean[d + target])


class ElasticNet(Sparse):
    """Elastic net (drop-in for scikit-learn's; exact, with a duality gap, also from files and on sparse tables).

    Parameters
    ----------
    alpha : float, default=1.0
        α of (1): how much is paid for coefficients.
    l1_ratio : float between 0 and 1, default=0.5
        ρ of (1): 1 is the lasso, 0 a ridge regression.
    fit_intercept : bool, default=True
        Whether there is a b.
    max_iter : int, default=1000
        Rounds of enlarging the working set, at most.
    tol : float, default=1e-4
        Duality gap that is small enough, as a part of ‖y‖². The answer is usually far better.
    warm_start : bool, default=False
        Whether to begin with the coefficients of the fit before.
    positive : bool, default=False
        Whether w ≥ 0 is required.
    precompute, copy_X, random_state, selection
        No effect.
    budget : float above 0, optional
        Require ρ‖w‖₁ + ½(1 − ρ)‖w‖² ≤ budget, for each target, instead of paying for it. Then α is found: leave `alpha` at
        its default.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_targets, n_features)
    sparse_coef_ : the same as a sparse matrix
    intercept_ : float or ndarray of shape (n_targets,)
    alpha_ : float or ndarray of shape (n_targets,)
        α: as given, or found for the budget; 0 where least squares keeps to the budget.
    dual_gap_ : float or ndarray of shape (n_targets,)
        Of the objective above its minimum, at most, as a part of ‖y‖².
    n_iter_ : int or list of int
        Sweeps of coordinate descent.
    certificate_ : Certificate
    """

    differences = {**NO_EFFECT, "dual_gap_": "another form: a part of ‖y‖²"}

    def __init__(
        self,
        alpha: NonNegative = 1.0,
        *,
        l1_ratio: Fraction = 0.5,
        fit_intercept: bool = True,
        precompute: bool | ArrayLike = False,
        max_iter: Count = 1000,
        copy_X: bool = True,
        tol: NonNegative = 1e-4,
        warm_start: bool = False,
        positive: bool = False,
        random_state: Seed = None,
        selection: Literal["cyclic", "random"] = "cyclic",
        budget: Positive | None = None,
    ):
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.precompute = precompute
        self.max_iter = max_iter
        self.copy_X = copy_X
        self.tol = tol
        self.warm_start = warm_start
        self.positive = positive
        self.random_state = random_state
        self.selection = selection
        self.budget = budget

    @property
    def share(self) -> float:
        return self.l1_ratio
