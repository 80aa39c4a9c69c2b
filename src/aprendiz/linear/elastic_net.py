"""Elastic net: least squares with a penalty that makes small coefficients zero and shrinks the others.

    min over w, b of 1/(2Ω)·Σ ω (y − b − xᵀw)² + α·(ρ‖w‖₁ + ½(1 − ρ)‖w‖²),     Ω = Σ ω                        (1)

ρ = 1 is the lasso, ρ = 0 a ridge regression. The intercept is not penalised. Times Ω, this is the problem of working_set.py
with λ₁ = Ωαρ and λ₂ = Ωα(1 − ρ):

    the loss           design.py: the columns, centred, and their products, from sums or from the table
    the penalty        sparse_penalty.py
    the solver         working_set.py around coordinate_sweeps.py

With many rows and few columns the sums Σ zzᵀ are all that is needed: one pass, from memory, files or Dask. With many columns
the table stays where it is, and only products of the columns at work are formed. Without λ₁ there is a closed form (ridge.py).
With a budget c, ρ‖w‖₁ + ½(1 − ρ)‖w‖² ≤ c is required instead of paid for, and α is found (penalties/budgets.py).

Reference: Zou & Hastie, "Regularization and variable selection via the elastic net", JRSS B 67, 2005.
"""

from __future__ import annotations

from typing import Literal

from aprendiz.core.parameters import ArrayLike, Count, Fraction, NonNegative, Positive, Seed
from aprendiz.linear.shared.sparse_regressor import NO_EFFECT, Sparse


class ElasticNet(Sparse):
    """Elastic net (drop-in for scikit-learn's; exact, with a duality gap, also from files and on sparse tables).

    Parameters
    ----------
    alpha : float, default=1.0
        α of (1), the strength of the penalty.
    l1_ratio : float between 0 and 1, default=0.5
        ρ of (1): 1 is the lasso, 0 a ridge regression.
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
        Constrain ρ‖w‖₁ + ½(1 − ρ)‖w‖² ≤ budget, for each target, instead of penalising it. α is then computed: leave `alpha`
        at its default.

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
