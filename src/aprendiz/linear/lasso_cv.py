"""The penalty of the lasso and of the elastic net chosen by cross-validation, along paths.

For each split the path of penalties is followed on the training rows, and the squared error of each point on the test rows is
kept. The penalty with the smallest mean error is taken; or, with `rule="one_se"`, the largest one whose mean error is within
a standard error of it,

    α_1SE = max{α: e(α) ≤ e(α*) + s(α*)/√k},     s the standard deviation over the k folds                    (1)

a simpler model that cannot be told from the best one. With many rows and few columns neither paths nor errors need the
rows: both follow from the sums of the folds (fold_sums.py), also from files and Dask.

Cost: one pass and k paths from sums; else k paths over the table.
Reference: Hastie, Tibshirani & Friedman, "The elements of statistical learning", section 7.10.
"""

from __future__ import annotations

from typing import Any, Literal

from aprendiz.core.parameters import ArrayLike, Count, NonNegative, Positive, Seed
from aprendiz.linear.shared.sparse_cv import DIFFERENCES, Rule, SparseCV


class LassoCV(SparseCV):
    """Lasso with its penalty chosen by cross-validation (drop-in for scikit-learn's; from sums where rows are many).

    Parameters
    ----------
    eps : float, default=1e-3
        Ratio of the smallest penalty to the largest.
    alphas : int or array of floats, default=100
        Number of penalties to try, or their values.
    fit_intercept : bool, default=True
    max_iter, tol
        See Lasso.
    cv : int, splitter or None, default=None
        Cross-validation folds; None is 5.
    positive : bool, default=False
    rule : "best" or "one_se", default="best"
        Choose the penalty with the smallest error, or the largest one within one standard error of it.
    precompute, copy_X, verbose, n_jobs, random_state, selection
        No effect.

    Attributes
    ----------
    alpha_ : float
        The chosen penalty.
    alphas_ : ndarray of shape (n_alphas,)
    mse_path_ : ndarray of shape (n_alphas, n_folds)
        The mean squared error in each fold.
    coef_, intercept_, n_iter_, dual_gap_, certificate_
        See Lasso; fitted to all rows.
    """

    differences = DIFFERENCES

    def __init__(
        self,
        *,
        eps: Positive = 1e-3,
        alphas: Count | ArrayLike = 100,
        fit_intercept: bool = True,
        precompute: bool | Literal["auto"] | ArrayLike = "auto",
        max_iter: Count = 1000,
        tol: NonNegative = 1e-4,
        copy_X: bool = True,
        cv: Any = None,
        verbose: bool | int = False,
        n_jobs: int | None = None,
        positive: bool = False,
        random_state: Seed = None,
        selection: Literal["cyclic", "random"] = "cyclic",
        rule: Rule = "best",
    ):
        self.eps = eps
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.precompute = precompute
        self.max_iter = max_iter
        self.tol = tol
        self.copy_X = copy_X
        self.cv = cv
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.positive = positive
        self.random_state = random_state
        self.selection = selection
        self.rule = rule

    @property
    def shares(self) -> list[float]:
        return [1.0]
