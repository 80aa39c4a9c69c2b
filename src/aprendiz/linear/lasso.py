"""Lasso: least squares that pays for the sizes of the coefficients, so that most of them become zero.

    min over w, b of 1/(2Ω)·Σ ω (y − b − xᵀw)² + α‖w‖₁,     Ω = Σ ω                                           (1)

It is the elastic net with ρ = 1: loss, penalty and solver are named in elastic_net.py. Of the text's MSE + γ‖w‖₁, α is γ/2.
With a budget c, ‖w‖₁ ≤ c is required instead of paid for (penalties/budgets.py).

Reference: Tibshirani, "Regression shrinkage and selection via the lasso", JRSS B 58, 1996.
"""

from __future__ import annotations

from typing import Literal

from aprendiz.core.parameters import ArrayLike, Count, NonNegative, Positive, Seed
from aprendiz.linear.shared.sparse_regressor import NO_EFFECT, Sparse


class Lasso(Sparse):
    """Lasso (drop-in for scikit-learn's; exact, with a duality gap, also from files and on sparse tables).

    Parameters
    ----------
    alpha : float, default=1.0
        α of (1), the strength of the penalty.
    fit_intercept : bool, default=True
        Whether to fit an intercept.
    max_iter : int, default=1000
        Maximum number of rounds of enlarging the working set.
    tol : float, default=1e-4
        Tolerance for the duality gap, as a fraction of ‖y‖². The solution is usually far more accurate.
    warm_start : bool, default=False
        Whether to start from the coefficients of the previous fit.
    positive : bool, default=False
        Whether to force the coefficients to be non-negative.
    precompute, copy_X, random_state, selection
        No effect.
    budget : float above 0, optional
        Constrain ‖w‖₁ ≤ budget, for each target, instead of penalising ‖w‖₁. α is then computed: leave `alpha` at its default.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_targets, n_features)
    sparse_coef_ : the same as a sparse matrix
    intercept_ : float or ndarray of shape (n_targets,)
    alpha_ : float or ndarray of shape (n_targets,)
        α: as given, or computed from the budget; 0 if least squares is within the budget.
    dual_gap_ : float or ndarray of shape (n_targets,)
        Duality gap at the solution, in units of the objective; infinite for targets that an interrupted fit had no time for.
    n_iter_ : int or list of int
        Sweeps of coordinate descent.
    certificate_ : Certificate
    """

    differences = {
        **NO_EFFECT,
        "alpha": "another form: 0 is least squares, which is solved as such, without a warning",
    }

    def __init__(
        self,
        alpha: NonNegative = 1.0,
        *,
        fit_intercept: bool = True,
        precompute: bool | ArrayLike = False,
        copy_X: bool = True,
        max_iter: Count = 1000,
        tol: NonNegative = 1e-4,
        warm_start: bool = False,
        positive: bool = False,
        random_state: Seed = None,
        selection: Literal["cyclic", "random"] = "cyclic",
        budget: Positive | None = None,
    ):
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.precompute = precompute
        self.copy_X = copy_X
        self.max_iter = max_iter
        self.tol = tol
        self.warm_start = warm_start
        self.positive = positive
        self.random_state = random_state
        self.selection = selection
        self.budget = budget

    @property
    def share(self) -> float:
        return 1.0
