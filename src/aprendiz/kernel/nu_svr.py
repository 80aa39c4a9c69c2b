"""ν-support vector regression: the width of the tube is found, from the share of rows that may lie outside of it.

    minimise  ½‖w‖² + C(ν·n·ε + Σ max(0, |y_i − f(x_i)| − ε))     over w, b and ε ≥ 0                            (1)

At most ν·n rows lie outside the tube, at least ν·n are support vectors. The dual has the multipliers of errors above (α) and
below (α*) as variables of their own, since each kind has a sum:

    minimise  ½(α − α*)ᵀK(α − α*) − yᵀ(α − α*)     over 0 ≤ α, α* ≤ C,  Σα = Σα* = C·ν·n/2                      (2)

ε is half the difference of the two multipliers.

Reference: Schölkopf, Smola, Williamson & Bartlett, "New support vector algorithms", Neural Computation 12, 2000.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from aprendiz.core.parameters import NonNegative, Positive, PositiveFactor, PositiveFraction, Whole
from aprendiz.core.rows import Array, Rows
from aprendiz.kernel.dual.fixed_sums import fill_to_sum
from aprendiz.kernel.dual.problem import DualProblem, multipliers
from aprendiz.kernel.dual.solver import DualState
from aprendiz.kernel.shared.kernel_machine import DIFFERENCES, EXCEPTIONS, Training, target_of
from aprendiz.kernel.shared.support_vector_regressor import SupportVectorRegressor


class NuSVR(SupportVectorRegressor):
    """ν-support vector regression (drop-in for scikit-learn's; with its duality gap and any kernel object).

    Parameters
    ----------
    nu : float, default=0.5
        ν: an upper bound on the share of rows outside the tube, a lower bound on that of support vectors.
    C : float, default=1.0
        The price of an error beyond the tube.
    kernel, degree, gamma, coef0, tol, cache_size, max_iter
        As for SVC.
    shrinking, verbose
        No effect.

    Attributes
    ----------
    support_, support_vectors_, n_support_, dual_coef_, intercept_, coef_, n_iter_, fit_status_, shape_fit_
        As in scikit-learn.
    epsilon_ : float
        The ε that was found: half the width of the tube.
    centre_, centred_intercept_, kernel_, certificate_
        As for SVR.
    """

    differences = {**DIFFERENCES, "C": "another form: times the weight of a row, which cannot be negative"}
    exceptions = {
        **EXCEPTIONS,
        "same answer": "where the tube closes (ε = 0) many coefficients are as good, and eight digits of one are far away",
    }
    tuning = {"C": (1.0, 10.0, 100.0), "nu": (0.2, 0.5)}

    def __init__(
        self,
        *,
        nu: PositiveFraction = 0.5,
        C: PositiveFactor = 1.0,
        kernel: Any = "rbf",
        degree: Whole = 3,
        gamma: NonNegative | Literal["scale", "auto"] = "scale",
        coef0: float = 0.0,
        shrinking: bool = True,
        tol: Positive = 1e-3,
        cache_size: Positive = 200,
        verbose: bool | int = False,
        max_iter: int = -1,
    ):
        self.nu = nu
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.shrinking = shrinking
        self.tol = tol
        self.cache_size = cache_size
        self.verbose = verbose
        self.max_iter = max_iter

    def problems(self, rows: Rows, training: Training) -> list[DualProblem]:
        """(2): every row twice, first for errors above and then for errors below."""
        y, weight = target_of(rows)
        n, limit, none = len(y), self.C * weight, np.zeros(len(y))
        both = np.concatenate([np.arange(n), np.arange(n)])
        target, points = np.asarray(y, np.float64)[both], training.points.take(both)
        low, high = np.concatenate([none, -limit]), np.concatenate([limit, none])
        return [DualProblem(training.kernel, points, target, low, high, split=n)]

    def start(self, problem: DualProblem) -> Array:
        n = problem.split or 0
        above = fill_to_sum(problem.high[:n], 0.5 * self.nu * float(problem.high[:n].sum()))
        return np.concatenate([above, -above])

    def coefficients(self, problem: DualProblem, one: DualState) -> tuple[Array, float]:
        n = problem.split or 0
        above, below = multipliers(problem, one.beta, one.g)
        return one.beta[:n] + one.beta[n:], -0.5 * (above + below)

    def conclude(self, training: Training, parts: list[DualState], evidence: list[Any], rows: Rows) -> dict[str, Any]:
        above, below = multipliers(training.problems[0], parts[0].beta, parts[0].g)
        return {**super().conclude(training, parts, evidence, rows), "epsilon_": 0.5 * (below - above)}
