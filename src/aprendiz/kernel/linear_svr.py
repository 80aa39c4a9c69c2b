"""Linear support vector regression: a line with a tube around it, inside of which errors do not count.

    min over θ    ½‖θ‖² + C Σ w ξ^p,       ξ = max(0, |y − θᵀz| − ε),     z = (x, B)                          (1)
    prediction    xᵀw + b,                 b = B·θ_last

p = 1 is the ε-insensitive loss: with ε = 0 the absolute error, which single far rows do not move; p = 2 its square. The
intercept is B = `intercept_scaling` times an entry of θ, so it is penalised, as in liblinear. linear_solvers/linear_machine.py
says which solver is used when; each proves how far it is from the optimum, by a lower bound of the minimum.

Cost: about 40 passes over the rows of n·d multiplications (p = 1) or a few of n·d² (p = 2); with many columns, epochs of twice
the filled cells.
Reference: Ho & Lin, "Large-scale linear support vector regression", JMLR 13, 2012.
"""

from __future__ import annotations

from typing import Any, Literal

from sklearn.utils import column_or_1d

from aprendiz.core.inputs import is_read_in_blocks
from aprendiz.core.parameters import Finite, Positive, PositiveFactor, Seed, Whole
from aprendiz.core.rows import Rows
from aprendiz.core.targets import as_target
from aprendiz.kernel.linear_solvers.linear_machine import DIFFERENCES, EXCEPTIONS, LinearMachine
from aprendiz.kernel.linear_solvers.planes import MarginProblem, PlanesState
from aprendiz.linear.shared.linear_regressor import LinearRegressor


class LinearSVR(LinearRegressor, LinearMachine):
    """Linear support vector regression (drop-in for scikit-learn's; Newton's method on sums, also from files).

    Parameters
    ----------
    epsilon : float, default=0.0
        ε, in the units of y: errors below do not count.
    tol : float, default=1e-4
        Stop when the gap between the objective and its lower bound is at most tol² of it: the coefficients are then within
        tol·√(2F) of the optimum. Below 3e-7, which is as much as rounding allows, nothing changes.
    C : float, default=1.0
        Weight of the losses.
    loss : {"epsilon_insensitive", "squared_epsilon_insensitive"}, default="epsilon_insensitive"
    fit_intercept : bool, default=True
    intercept_scaling : float, default=1.0
        B: larger values penalise the intercept less.
    dual : "auto" or bool, default="auto"
        No effect: the solver is chosen by loss and size. Values that scikit-learn refuses are refused.
    verbose
        No effect.
    random_state : int, RandomState or None
        Seed for the order of the rows, where there are many columns. None: always the same.
    max_iter : int, default=1000
        Maximum number of steps, or of epochs with many columns.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
    intercept_ : ndarray of shape (1,); 0.0 without an intercept
    n_iter_ : int
        Steps or epochs.
    certificate_ : Certificate
        The objective and its lower bound; the gap between them as a part of the objective, and what rounding may add to it.
    """

    allows = frozenset({"sparse"})
    differences = DIFFERENCES
    exceptions = {
        **EXCEPTIONS,
        "same answer": "liblinear stops before eight digits are known; objectives are compared",
    }
    tuning = {"C": (0.01, 0.1, 1.0, 10.0, 100.0)}

    def __init__(
        self,
        *,
        epsilon: Finite = 0.0,
        tol: Positive = 1e-4,
        C: PositiveFactor = 1.0,
        loss: Literal["epsilon_insensitive", "squared_epsilon_insensitive"] = "epsilon_insensitive",
        fit_intercept: bool = True,
        intercept_scaling: PositiveFactor = 1.0,
        dual: Literal["auto", True, False] = "auto",
        verbose: Whole | bool = 0,
        random_state: Seed = None,
        max_iter: Whole = 1000,
    ):
        self.epsilon = epsilon
        self.tol = tol
        self.C = C
        self.loss = loss
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.dual = dual
        self.verbose = verbose
        self.random_state = random_state
        self.max_iter = max_iter

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        if y is not None and not is_read_in_blocks(X) and as_target(y).shape[1:] == (1,):
            y = column_or_1d(as_target(y), warn=True)
        rows = super().open(X, y, sample_weight, reset=reset)
        if rows.target_shape() != ():
            raise ValueError(f"y has {rows.target_shape()[0]} targets, LinearSVR takes one: fit a model for each.")
        if self.dual is False and self.loss == "epsilon_insensitive":
            raise ValueError("dual=False does not go with loss='epsilon_insensitive': leave dual='auto'.")
        return rows

    def pose(self, rows: Rows) -> MarginProblem:
        return self.problem_of(rows, 0, float(self.epsilon), self.loss == "squared_epsilon_insensitive")

    def attributes(self, state: PlanesState, rows: Rows) -> dict[str, Any]:
        known, W, b = self.fitted(state, rows)
        return {**known, "coef_": W[0], "intercept_": b if self.fit_intercept else 0.0}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        return tags
