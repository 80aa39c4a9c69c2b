"""Support vector regression: errors up to ε are free, so that few rows carry the function.

    minimise  ½‖w‖² + C Σ max(0, |y_i − f(x_i)| − ε),     f(x) = wᵀφ(x) + b                                     (1)

The dual has one coefficient β_i = α_i − α*_i for each row (the multipliers of errors above and below; never both),

    minimise  ½βᵀKβ − yᵀβ + ε‖β‖₁     over |β_i| ≤ C,  Σβ_i = 0                                                  (2)
    w = Σ(α_i − α*_i)φ(x_i) = Σβ_iφ(x_i)

with α for rows above the tube. Rows inside the tube have β_i = 0, rows on its edge 0 < |β_i| < C, rows outside |β_i| = C.

Cost: dual/solver.py, with n variables rather than the 2n of the pairs α, α*.
Reference: Drucker, Burges, Kaufman, Smola & Vapnik, "Support vector regression machines", 1997.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from aprendiz.core.parameters import Factor, NonNegative, Positive, PositiveFactor, Whole
from aprendiz.core.rows import Array, Rows
from aprendiz.kernel.dual.problem import DualProblem, multipliers
from aprendiz.kernel.dual.solver import DualState
from aprendiz.kernel.shared.kernel_machine import DIFFERENCES, EXCEPTIONS, Training, target_of
from aprendiz.kernel.shared.support_vector_regressor import SupportVectorRegressor


class SVR(SupportVectorRegressor):
    """ε-support vector regression (drop-in for scikit-learn's; with its duality gap and any kernel object).

    Parameters
    ----------
    kernel, degree, gamma, coef0, tol, cache_size, max_iter
        As for SVC.
    C : float, default=1.0
        The price of an error beyond ε.
    epsilon : float, default=0.1
        ε, half the width of the tube in which errors are free, in the units of y.
    shrinking, verbose
        No effect.

    Attributes
    ----------
    support_, support_vectors_, n_support_, dual_coef_, intercept_, coef_, n_iter_, fit_status_, shape_fit_
        As in scikit-learn.
    centre_, centred_intercept_ : ndarray or None, ndarray
        With the linear kernel, f(x) = wᵀ(x − centre_) + centred_intercept_, which keeps its digits far from zero.
    kernel_ : Kernel
        The kernel with all its numbers.
    certificate_ : Certificate
        Primal and dual objective, their gap, and the largest violation of the optimality conditions.

    Examples
    --------
    >>> model = SVR(kernel="linear", C=100.0, epsilon=0.5).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0])
    >>> model.coef_.round(3), model.predict([[1.0]]).round(3)
    (array([[0.5]]), array([1.]))
    """

    differences = {**DIFFERENCES, "C": "another form: not infinity, since there may be no function in the tube"}
    exceptions = EXCEPTIONS
    sum_is_zero = True
    tuning = {"C": (1.0, 10.0, 100.0), "gamma": ("scale", 0.01, 0.1)}

    def __init__(
        self,
        *,
        kernel: Any = "rbf",
        degree: Whole = 3,
        gamma: NonNegative | Literal["scale", "auto"] = "scale",
        coef0: float = 0.0,
        tol: Positive = 1e-3,
        C: PositiveFactor = 1.0,
        epsilon: Factor = 0.1,
        shrinking: bool = True,
        cache_size: Positive = 200,
        verbose: bool | int = False,
        max_iter: int = -1,
    ):
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.C = C
        self.epsilon = epsilon
        self.shrinking = shrinking
        self.cache_size = cache_size
        self.verbose = verbose
        self.max_iter = max_iter

    def problems(self, rows: Rows, training: Training) -> list[DualProblem]:
        """(2). Rows of weight 0 stay at 0."""
        y, weight = target_of(rows)
        limit = self.C * weight
        return [DualProblem(training.kernel, training.points, np.asarray(y, np.float64), -limit, limit, float(self.epsilon))]

    def start(self, problem: DualProblem) -> Array:
        return np.zeros(len(problem))

    def coefficients(self, problem: DualProblem, one: DualState) -> tuple[Array, float]:
        return one.beta, -multipliers(problem, one.beta, one.g)[0]
