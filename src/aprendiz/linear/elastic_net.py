"""Elastic net: least squares with a penalty that makes small coefficients zero and shrinks the others.

    min over w, b of 1/(2Ω)·Σ ω (y − b − xᵀw)² + α·(ρ‖w‖₁ + ½(1 − ρ)‖w‖²),     Ω = Σ ω                        (1)

ρ = 1 is the lasso, ρ = 0 a ridge regression. The intercept is not penalised. Times Ω, this is the problem of working_set.py
with λ₁ = Ωαρ and λ₂ = Ωα(1 − ρ):

    the loss           designs.py: the columns, centred, and their products, from sums or from the table
    the penalty        penalties.py
    the solver         working_set.py around coordinate_descent.py

With many rows and few columns the sums Σ zzᵀ are all that is needed: one pass, from memory, files or Dask. With many columns
the table stays where it is, and only products of the columns at work are formed. Without λ₁ there is a closed form (ridge.py).

Reference: Zou & Hastie, "Regularization and variable selection via the elastic net", JRSS B 67, 2005.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any, Literal, Self

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from aprendiz.core.certificate import Certificate
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.learner import Passes
from aprendiz.core.parameters import ArrayLike, Count, Fraction, NonNegative, ParameterError, Seed
from aprendiz.core.rows import Array, ArrayRows, Rows
from aprendiz.core.sums import Moments, Triangle, find_pivot
from aprendiz.linear.designs import CentredTable, Design, SummedDesign, TableDesign
from aprendiz.linear.linear_regressor import LinearRegressor
from aprendiz.linear.penalties import ElasticPenalty
from aprendiz.linear.ridge import solved
from aprendiz.linear.working_set import Optimum, WorkingSet, solve

NARROW = 512  # columns for which Σ zzᵀ is formed, if there are more rows than that
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
        if not np.isfinite(self.alpha):
            raise ParameterError(f"alpha of {type(self).__name__} must be a finite number of at least 0, got {self.alpha!r}.")
        if self.alpha * self.share == 0:
            return self.without_zeros(rows)
        found = [
            (self.optimum(design, total, target), mean, middle)
            for target, (design, total, mean, middle) in enumerate(designs(rows, self.fit_intercept))
        ]
        W = np.column_stack([one.w for one, _mean, _middle in found])
        b = np.array([middle - mean @ one.w for one, mean, middle in found])
        width = rows.first(lambda block: block.y.shape[1:])
        return {**self.flat_line(W, b, width), **self.proof([one for one, _mean, _middle in found])}

    def optimum(self, design: Design, total: float, target: int) -> Optimum:
        """The minimiser for one target."""
        penalty = ElasticPenalty(total * self.alpha * self.share, total * self.alpha * (1.0 - self.share), self.positive)
        working = WorkingSet(design)
        if self.warm_start and getattr(self, "coef_", None) is not None and np.shape(self.coef_)[-1] == design.columns:
            before = np.atleast_2d(self.coef_)[target]
            working.admit(np.flatnonzero(before))
            working.w = before[working.members]
        return solve(working, penalty, self.tol, self.max_iter)

    def proof(self, found: list[Optimum]) -> dict[str, Any]:
        """Sweeps, gaps and the certificate."""
        worst = max(one.gap for one in found)
        if worst > self.tol:
            warnings.warn(
                f"The duality gap is {worst:.2g} of ‖y‖² after {self.max_iter} rounds, above tol={self.tol:g}: "
                "raise max_iter, scale the columns, or raise alpha.",
                ConvergenceWarning,
                stacklevel=6,
            )
        gaps, sweeps = np.array([one.gap for one in found]), [max(1, one.sweeps) for one in found]
        claim = "the objective is above its minimum by at most the gap, a part of ‖y‖²"
        return {
            "n_iter_": sweeps[0] if len(found) == 1 else sweeps,
            "dual_gap_": float(gaps[0]) if len(found) == 1 else gaps,
            "certificate_": Certificate(claim, worst <= self.tol, {"gap": worst, "tol": self.tol}),
        }

    def without_zeros(self, rows: Rows) -> dict[str, Any]:
        """ρ = 0 or α = 0: ridge regression, or least squares."""
        record = rows.sum(Triangle.joint, self.pivot(rows))
        refuse_empty_sums(record.weight, record.finite, rows)
        alpha = float(record.weight) * self.alpha * (1.0 - self.share)
        solution = solved(record, self.fit_intercept, alpha, self.positive)
        found = self.flat_line(solution.coef, solution.intercept, record.target)
        return {**found, "n_iter_": 1, "dual_gap_": 0.0, "certificate_": solution.certificate()}

    @property
    def sparse_coef_(self) -> Any:
        """The coefficients as a sparse matrix."""
        return sparse.csr_matrix(self.coef_)


def from_sums(rows: Rows) -> bool:
    """Are the sums of all products formed? Always, where the rows are not in memory."""
    return not isinstance(rows, ArrayRows) or (rows.columns <= NARROW and rows.count > rows.columns)  # type: ignore[operator]


def designs(rows: Rows, intercept: bool) -> Iterator[tuple[Design, float, Array, float]]:
    """For each target its design, the weight of all rows, the means of the columns and of the target."""
    if from_sums(rows):
        yield from summed_designs(rows, intercept)
        return
    assert isinstance(rows, ArrayRows)
    table = CentredTable(rows.X.astype(np.float64, copy=False), rows.weight, intercept)
    assert rows.y is not None
    Y = rows.y.astype(np.float64, copy=False)
    for y in [Y] if Y.ndim == 1 else Y.T:
        yield TableDesign(table, y), table.total, table.mean, table.middle(y)


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

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_targets, n_features)
    sparse_coef_ : the same as a sparse matrix
    intercept_ : float or ndarray of shape (n_targets,)
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

    @property
    def share(self) -> float:
        return self.l1_ratio
