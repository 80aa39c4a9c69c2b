"""Least squares: the linear function with the smallest squared error.

    min over w, b of Σ ω (y − b − xᵀw)²                                                                       (1)

With Z the centred columns (rows times √ω) and c the centred target, b = ȳ − x̄ᵀw and

    ZᵀZ w = Zᵀc          normal equations: one matrix product, but the condition number κ is squared          (2)
    Z = Q R,  R w = Qᵀc  orthogonal: κ itself, four times the work                                            (3)

Right first, then fast. On large tables (2) is solved by Cholesky after scaling ZᵀZ to a unit diagonal, and its condition number
is estimated. Where κ² leaves too few digits, (3) is used: the triangle R of all rows is a record that adds, and needs no more
memory than ZᵀZ. Then the answer is polished: the gradient at it, summed with twice the digits (exact_residuals.py), must
vanish,

    w ← w + (RᵀR)⁻¹ g,     g = Σ ω z (y − b − xᵀw)                                                            (4)

Columns that depend on others leave many minimisers; the one with the smallest ‖w‖ is taken, as scikit-learn does. All this is
`solver="auto"`. Every single way can also be asked for, that by singular values too,

    Z = U S Vᵀ,  w = V S⁺ Uᵀc                                                                                 (5)

and descents along the gradient (least_squares_descent.py). What the fit says beyond w stands in regression_summary.py.

Cost: (2) n·d²/2 multiplications and d³/6; (3) n·d²; (5) n·d² and about 10·d³. Memory d².
References: Björck, "Numerical methods for least squares problems", 1996, sections 2.3–2.9; Golub & Van Loan, section 5.5.
"""

from __future__ import annotations

import sys
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from scipy import linalg
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.blas import single_blas
from aprendiz.core.certificate import Certificate
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.learner import OnePass
from aprendiz.core.parameters import Count, NonNegative, Seed
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array, Rows
from aprendiz.linear.designs.regression_sums import RegressionMoments, RegressionTriangle
from aprendiz.linear.shared.linear_regressor import LinearRegressor
from aprendiz.linear.solvers.least_squares import (
    ERROR_OF_DIFFERENCE,
    SAFE,
    SMALL,
    Solution,
    below,
    exact_squares,
    normal_equations,
    orthogonal,
    plain_normal_equations,
    polished,
    singular,
    squares_left,
)
from aprendiz.linear.solvers.least_squares_descent import LeastSquaresDescent, Standardised, descended, wandered
from aprendiz.locale import _
from aprendiz.summaries.moments import Moments, Triangle

if TYPE_CHECKING:
    from aprendiz.linear.diagnostics.regression_summary import RegressionSummary

BATCHES = {"sgd": 1, "minibatch": 32}
FAR_OFF = 0.1  # of the size of the coefficients, in units of the columns: a distance from the answer that is worth a warning
DESCENTS = {"gd": "gradient descent", "sgd": "stochastic gradient descent", "minibatch": "mini-batch gradient descent"}


class LinearRegression(LinearRegressor, OnePass):
    """Ordinary least squares (drop-in for scikit-learn's; right on ill-conditioned data, exact by `partial_fit`).

    Parameters
    ----------
    fit_intercept : bool, default=True
        Whether to fit an intercept.
    tol : float, default=1e-6
        "gd" ends when the gradient is this part of what it was at the start, "sgd" and "minibatch", whose steps wander,
        when it is √tol of it. No effect on the others.
    positive : bool, default=False
        Whether to force the coefficients to be non-negative.
    solver : {"auto", "normal", "qr", "svd", "gd", "sgd", "minibatch"}, default="auto"
        "auto" chooses by the data. "normal" is (2) on any columns, with a warning where it loses more than half of the
        digits; dependent columns have the smallest w, with a warning. "qr" is (3) and "svd" (5), neither polished. "gd" is
        gradient descent on the sums, "sgd" a step after each row and "minibatch" one after 32 rows.
    max_iter : int, default=10000
        Steps of "gd", epochs of "sgd" and "minibatch". No effect on the others.
    random_state : int, RandomState or None
        The seed of the orders of rows, for "sgd" and "minibatch".
    copy_X, n_jobs
        No effect.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_targets, n_features)
    intercept_ : float or ndarray of shape (n_targets,)
    rank_ : int
        Number of independent columns.
    singular_ : ndarray of shape (min(n_samples, n_features),)
        Singular values of Z.
    residual_sum_ : float or ndarray of shape (n_targets,)
        Σ ω (y − b − xᵀw)².
    n_iter_ : int
        Steps or epochs; 1 for solvers that do not iterate.
    history_ : ndarray of shape (1 + n_iter_,) or None
        Of "gd", "sgd" and "minibatch": half the mean squared error of standardised targets, but for a constant, at the start
        and after each step or epoch.
    method_ : str
        "normal equations" (2), "orthogonal" (3), and "polished" (4), "singular values" (5), or the name of the descent.
    sums_ : RegressionTriangle or RegressionMoments
        The statistics, to which `partial_fit` adds.
    certificate_ : Certificate
        Condition number of the scaled columns, digits that can be trusted, rank; of a descent what is left of the gradient, and
        its distance from the answer.
    """

    not_iterative = "one sum over the rows; `max_iter` is for the solvers 'gd', 'sgd' and 'minibatch', shown for study"
    allows = frozenset({"sparse"})
    in_data_dtype = frozenset({"coef_", "intercept_"})
    differences = {
        "copy_X": "no effect: the data passed in are never changed",
        "positive": "another form: of sparse tables too",
        "n_jobs": "no effect: threads follow APRENDIZ_NUM_THREADS",
        "tol": "another form: for the solvers that go down the gradient; nothing is iterated by default",
        "singular_": "another form: computed when it is asked for",
    }

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        copy_X: bool = True,
        tol: NonNegative = 1e-6,
        n_jobs: int | None = None,
        positive: bool = False,
        solver: Literal["auto", "normal", "qr", "svd", "gd", "sgd", "minibatch"] = "auto",
        max_iter: Count = 10_000,
        random_state: Seed = None,
    ):
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.tol = tol
        self.n_jobs = n_jobs
        self.positive = positive
        self.solver = solver
        self.max_iter = max_iter
        self.random_state = random_state

    def __sklearn_clone__(self) -> Self:
        """A copy with the same parameters. scikit-learn's RANSACRegressor, which copies its base and then asks whether it is a
        LinearRegression, is told so, if its module is there."""
        theirs = getattr(sys.modules.get("sklearn.linear_model._base"), "LinearRegression", None)
        if theirs is not None:
            theirs.register(LinearRegression)
        return super().__sklearn_clone__()

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        rows = super().open(X, y, sample_weight, reset=reset)
        if self.positive and self.solver != "auto":
            raise ValueError(f"positive=True has a solver of its own: use solver='auto' instead of {self.solver!r}.")
        return rows

    def summarise(self, rows: Rows) -> Triangle | Moments:
        if self.solver == "normal":
            return rows.sum(RegressionMoments.joint, self.pivot(rows))
        return rows.sum(RegressionTriangle.joint, self.pivot(rows))

    def learned(self, rows: Rows) -> dict[str, Any]:
        """(2) where it is safe, else (3) and (4), unless a solver is asked for."""
        if self.solver == "auto":
            return self.safely_learned(rows)
        record = self.summed_up(rows)
        found = self.visited(record, rows) if self.solver in BATCHES else self.conclude(record)
        return {**found, "sums_": record}

    def safely_learned(self, rows: Rows) -> dict[str, Any]:
        d = rows.columns
        if rows.work > SMALL and (rows.count is None or rows.count > d) and not self.positive:
            moments = rows.sum(RegressionMoments.joint, self.pivot(rows))
            refuse_empty_sums(moments.weight, moments.finite, rows)
            solution = normal_equations(moments, self.fit_intercept)
            if solution is not None:
                squares, total = squares_left(moments, solution.coef, self.fit_intercept)
                if (solution.error * total > ERROR_OF_DIFFERENCE * squares).any():
                    squares = exact_squares(rows, solution)
                return {**self.answer(solution, moments, squares), "sums_": moments}
        triangle: Triangle = self.summed_up(rows)
        solution = orthogonal(triangle, self.fit_intercept, self.positive)
        squares, _ = squares_left(triangle, solution.coef, self.fit_intercept)
        if solution.error > SAFE / 10 and solution.rank == d and not self.positive:
            solution = polished(solution, triangle.weight, self.fit_intercept, rows)
            squares = exact_squares(rows, solution)
        return {**self.answer(solution, triangle, squares), "sums_": triangle}

    def conclude(self, record: Triangle | Moments) -> dict[str, Any]:
        """The answer that follows from the sums alone."""
        if self.solver in BATCHES:
            raise ValueError(
                f"solver={self.solver!r} visits the rows themselves, which sums do not hold: fit all rows at once, "
                "or use solver='gd'."
            )
        if self.solver == "gd":
            problem = self.standardised(record)
            return self.arrived(descended(problem, self.tol, self.max_iter), problem, record, self.tol)
        if self.solver == "normal" and isinstance(record, Moments):
            solution = plain_normal_equations(record, self.fit_intercept)
        else:
            by = singular if self.solver == "svd" else orthogonal
            solution = by(self.triangle(record), self.fit_intercept, self.positive)
        return self.answer(solution, record, squares_left(record, solution.coef, self.fit_intercept)[0])

    def answer(self, solution: Solution, record: Triangle | Moments, squares: Array) -> dict[str, Any]:
        return {
            **self.line(solution.coef, solution.intercept, record.target),
            "rank_": solution.rank,
            "residual_sum_": float(squares[0]) if record.target == () else squares,
            "n_iter_": 1,
            "history_": None,
            "method_": solution.method,
            "certificate_": solution.certificate(),
        }

    # ---- descents ----------------------------------------------------------------------------------------------------

    def visited(self, record: Triangle, rows: Rows) -> dict[str, Any]:
        """Descent along the gradient of one row after the other, or of a few at a time."""
        problem, tol = self.standardised(record), float(np.sqrt(self.tol))
        seed = draw_seed(self.random_state)
        return self.arrived(wandered(problem, rows, BATCHES[self.solver], seed, tol, self.max_iter), problem, record, tol)

    def standardised(self, record: Triangle | Moments) -> Standardised:
        triangle, intercept = self.triangle(record), self.fit_intercept
        mean = triangle.mean if intercept else np.zeros(len(triangle.pivot))
        return Standardised.of(below(triangle, intercept), float(record.weight), mean, record.columns, intercept)

    def arrived(
        self, descent: LeastSquaresDescent, problem: Standardised, record: Triangle | Moments, tol: float
    ) -> dict[str, Any]:
        """The attributes of the place where a descent ended."""
        W, b = problem.line(descent.theta)
        direct = orthogonal(self.triangle(record), self.fit_intercept, False)
        squares = squares_left(record, W, self.fit_intercept, b)[0]
        away = problem.distance(W, direct.coef) if direct.rank == record.columns else 0.0  # else there are many answers
        known = {"gradient": descent.gradient, "steps": descent.steps, "condition": direct.condition, "rank": direct.rank}
        known["distance"] = away
        claim = "the gradient of the squared error has shrunk to the requested fraction"
        if descent.gradient > tol:
            warnings.warn(
                _(
                    "LinearRegression stopped early (max_iter reached): {gradient} of the gradient is left, {tol} was asked "
                    "for. Raise max_iter (it is {max_iter}) or tol, or use solver='auto'."
                ).format(gradient=f"{descent.gradient:.2g}", tol=f"{tol:.2g}", max_iter=self.max_iter),
                ConvergenceWarning,
                stacklevel=6,
            )
        elif away > max(FAR_OFF, 10 * tol):
            warnings.warn(
                _(
                    "LinearRegression stopped far from the answer: the gradient is small, but the coefficients differ by "
                    "{share} % from those of least squares, for the columns depend on each other (condition number "
                    "{condition}). Lower tol (it is {tol}), or use solver='auto'."
                ).format(share=f"{100 * away:.2g}", condition=f"{direct.condition:.2g}", tol=f"{self.tol:.2g}"),
                ConvergenceWarning,
                stacklevel=6,
            )
        return {
            **self.answer(replace(direct, coef=W, intercept=b, method=DESCENTS[self.solver]), record, squares),
            "n_iter_": descent.steps,
            "history_": descent.history,
            "certificate_": Certificate(claim, descent.gradient <= tol, known),
        }

    # ---- what the sums say beyond the answer -------------------------------------------------------------------------

    def triangle(self, record: Triangle | Moments) -> Triangle:
        """The triangle of the sums, around zero if nothing may be shifted."""
        triangle = record.triangle() if isinstance(record, Moments) else record
        return triangle if self.fit_intercept else triangle.around(np.zeros_like(record.pivot))

    @property
    def singular_(self) -> Array:
        """Singular values of the centred columns, from the triangle."""
        record, d = self.sums_, self.n_features_in_
        with single_blas():
            values = linalg.svd(below(self.triangle(record), self.fit_intercept)[:d, :d], compute_uv=False)
        found = np.append(values, np.zeros(max(0, min(record.rows, d) - len(values))))
        return found.astype(self.coef_.dtype)

    def summary(self, level: float = 0.95) -> RegressionSummary | list[RegressionSummary]:
        """Standard errors, tests, intervals and the quality of the fit, from its sums; a list if there are several targets.

        Parameters
        ----------
        level : float, default=0.95
            Of the intervals.
        """
        from aprendiz.linear.diagnostics.regression_summary import summaries  # it needs this file

        check_is_fitted(self)
        found = summaries(self, level)
        return found[0] if self.sums_.target == () else found
