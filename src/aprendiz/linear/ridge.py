"""Ridge regression: least squares that pays for large coefficients.

    min over w, b of Σ ω (y − b − xᵀw)² + α‖w‖²                                                               (1)

The intercept is not penalised. With Z the centred columns (rows times √ω) and c the centred target,

    (ZᵀZ + αI) w = Zᵀc               one matrix product; α on the diagonal keeps it from being singular       (2)
    [R; √α·I] w ≈ [q; 0]             the same as least squares with d rows more, Z = QR, where κ² is too large (3)
    w = Zᵀu,  (ZZᵀ + αI) u = c       with fewer rows than columns: an n × n matrix instead of d × d           (4)

In terms of the singular values s of Z, each direction is shrunk by s²/(s² + α): those the data say little about, most.
(2) and (3) are solved by the functions of linear_regression.py. The sums do not depend on α: one pass serves all penalties
(ridge_cv.py). With a budget c, ‖w‖² ≤ c is required instead of paid for, and α follows from the sums (penalties/budgets.py).

Cost: n·d²/2 multiplications and d³/6; (4) n²·d. Memory d², or n·d.
Reference: Hoerl & Kennard, "Ridge regression: biased estimation for nonorthogonal problems", Technometrics 12, 1970.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from aprendiz.core.certificate import Certificate
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.learner import OnePass
from aprendiz.core.parameters import ArrayLike, Count, NonNegative, ParameterError, Positive, Seed
from aprendiz.core.rows import Array, Rows
from aprendiz.linear.penalties.budgets import refuse_both
from aprendiz.linear.shared.linear_regressor import LinearRegressor
from aprendiz.linear.solvers.least_squares import SAFE, Solution
from aprendiz.linear.solvers.ridge_solution import least_known, multipliers, of_each_target, refine, solve_ridge
from aprendiz.summaries.moments import Moments, Triangle


class Ridge(LinearRegressor, OnePass):
    """Least squares with a squared penalty (drop-in for scikit-learn's; exact, also from files and by `partial_fit`).

    Parameters
    ----------
    alpha : float or array of shape (n_targets,), default=1.0
        α of (1), one for each target if several are given.
    fit_intercept : bool, default=True
        Whether to fit an intercept.
    positive : bool, default=False
        Whether to force the coefficients to be non-negative.
    copy_X, max_iter, tol, solver, random_state
        No effect.
    budget : float above 0, optional
        Constrain ‖w‖² ≤ budget, for each target, instead of penalising ‖w‖². α is then computed: leave `alpha` at its default.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_targets, n_features)
    intercept_ : float or ndarray of shape (n_targets,)
    alpha_ : float or ndarray of shape (n_targets,)
        α: as given, or computed from the budget; 0 if least squares is within the budget.
    n_iter_ : None
        None: the solution is direct.
    solver_ : str
        "normal equations" (2), "orthogonal" (3) or "dual" (4).
    sums_ : Moments or Triangle
        The statistics, to which `partial_fit` adds.
    certificate_ : Certificate
        Condition number of the system that was solved, and the digits that can be trusted; with a budget, the size ‖w‖² too.
    """

    not_iterative = "a closed form: `max_iter` is accepted, and has no effect"
    allows = frozenset({"sparse"})
    in_data_dtype = frozenset({"coef_", "intercept_"})
    differences = {
        "copy_X": "no effect: the data passed in are never changed",
        "max_iter": "no effect: nothing is iterated",
        "tol": "no effect: nothing is iterated",
        "solver": "no effect: chosen by the shape and the condition of the data",
        "random_state": "no effect: nothing is random",
        "solver_": "another form: the names of our methods",
        "n_iter_": "another form: None, whatever the solver: nothing is iterated",
    }
    tuning = {"alpha": (0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)}
    exceptions = {
        "scaling": "the penalty is not invariant to the scale of the columns",
        "check_non_transformer_estimators_n_iter": "nothing is iterated: n_iter_ is None, as in scikit-learn",
    }

    def __init__(
        self,
        alpha: NonNegative | ArrayLike = 1.0,
        *,
        fit_intercept: bool = True,
        copy_X: bool = True,
        max_iter: Count | None = None,
        tol: NonNegative = 1e-4,
        solver: Literal["auto", "svd", "cholesky", "lsqr", "sparse_cg", "sag", "saga", "lbfgs"] = "auto",
        positive: bool = False,
        random_state: Seed = None,
        budget: Positive | None = None,
    ):
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.max_iter = max_iter
        self.tol = tol
        self.solver = solver
        self.positive = positive
        self.random_state = random_state
        self.budget = budget

    def summarise(self, rows: Rows) -> Moments | Triangle:
        if self.positive or (rows.count is not None and rows.count <= rows.columns):
            return rows.sum(Triangle.joint, self.pivot(rows))
        return rows.sum(Moments.joint, self.pivot(rows))

    def conclude(self, record: Moments | Triangle) -> dict[str, Any]:
        alphas = self.penalties(record)
        return self.answer([solve_ridge(record, self.fit_intercept, a, self.positive) for a in alphas], alphas, record)

    def learned(self, rows: Rows) -> dict[str, Any]:
        """From the sums where they leave enough digits, else (3) over the rows again, polished."""
        record = self.summed_up(rows)
        alphas = self.penalties(record)
        solutions = [solve_ridge(record, self.fit_intercept, a, self.positive) for a in alphas]
        if isinstance(record, Moments) and max(one.error for one in solutions) > SAFE:
            record = rows.sum(Triangle.joint, record.pivot)
            refuse_empty_sums(record.weight, record.finite, rows)
            alphas = self.penalties(record)
            solutions = [refine(record, self.fit_intercept, a, rows) for a in alphas]
        return {**self.answer(solutions, alphas, record), "sums_": record}

    def penalties(self, record: Moments | Triangle) -> Array:
        """α, or one α for each target."""
        refuse_both(self)
        if self.budget is not None:
            return multipliers(record, self.fit_intercept, self.budget, self.positive)
        alpha, targets = np.atleast_1d(np.asarray(self.alpha, dtype=float)).ravel(), len(record.pivot) - record.columns
        if len(alpha) not in (1, targets):
            raise ParameterError(f"alpha has {len(alpha)} entries for {targets} targets: give one number, or one for each.")
        if not (np.isfinite(alpha).all() and (alpha >= 0).all()):
            raise ParameterError(f"alpha of Ridge must be a number of at least 0, got {self.alpha!r}.")
        return alpha

    def answer(self, solutions: list[Solution], alphas: Array, record: Moments | Triangle) -> dict[str, Any]:
        W, b = of_each_target(solutions)
        worst = max(solutions, key=lambda one: one.error)
        return {
            **self.flat_line(W, b, record.target),
            "alpha_": float(alphas[0]) if len(alphas) == 1 else alphas,
            "n_iter_": None,
            "solver_": worst.method,
            "certificate_": Certificate.later(lambda: self.proof(W, alphas, solutions)),
        }

    def proof(self, W: Array, alphas: Array, solutions: list[Solution]) -> Certificate:
        """The claim of error_bounds.py for the target of which least is known; with a budget also that ‖w‖² is within 10⁻⁶ of
        the budget where there is a penalty, and not more where there is none."""
        worst = least_known(solutions)
        if self.budget is None:
            return worst
        size = (W**2).sum(axis=0)
        off = float(np.where(alphas > 0, np.abs(size - self.budget), np.maximum(size - self.budget, 0.0)).max()) / self.budget
        claim = "the coefficients solve their equations to at least eight digits, and keep to the budget"
        values = {**worst.values, "size": float(size.max()), "budget": self.budget, "excess": off}
        return Certificate(claim, worst.holds and off <= 1e-6, values)
