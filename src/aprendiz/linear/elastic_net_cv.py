"""Elastic net with its penalty and its share of ℓ₁ chosen by cross-validation, along paths; equations in lasso_cv.py."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from aprendiz.core.parameters import ArrayLike, Count, Fraction, NonNegative, Positive, Seed
from aprendiz.linear.shared.sparse_cv import DIFFERENCES, Rule, SparseCV


class ElasticNetCV(SparseCV):
    """Elastic net with its penalty chosen by cross-validation (drop-in for scikit-learn's; from sums where rows are many).

    Parameters
    ----------
    l1_ratio : float or list of floats, default=0.5
        ρ, or a list of values to choose from.
    eps, alphas, fit_intercept, max_iter, tol, cv, positive, rule
        See LassoCV.
    precompute, copy_X, verbose, n_jobs, random_state, selection
        No effect.

    Attributes
    ----------
    alpha_, l1_ratio_ : float
        The chosen values.
    alphas_ : ndarray of shape (n_alphas,) or (n_l1_ratios, n_alphas)
    mse_path_ : ndarray of shape (n_alphas, n_folds) or (n_l1_ratios, n_alphas, n_folds)
        The mean squared error in each fold.
    coef_, intercept_, n_iter_, dual_gap_, certificate_
        See ElasticNet; fitted to all rows.
    """

    differences = {**DIFFERENCES, "l1_ratio": "another form: 0 has a grid of penalties too, that of 0.001"}

    def __init__(
        self,
        *,
        l1_ratio: Fraction | ArrayLike = 0.5,
        eps: Positive = 1e-3,
        alphas: Count | ArrayLike = 100,
        fit_intercept: bool = True,
        precompute: bool | Literal["auto"] | ArrayLike = "auto",
        max_iter: Count = 1000,
        tol: NonNegative = 1e-4,
        cv: Any = None,
        copy_X: bool = True,
        verbose: bool | int = 0,
        n_jobs: int | None = None,
        positive: bool = False,
        random_state: Seed = None,
        selection: Literal["cyclic", "random"] = "cyclic",
        rule: Rule = "best",
    ):
        self.l1_ratio = l1_ratio
        self.eps = eps
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.precompute = precompute
        self.max_iter = max_iter
        self.tol = tol
        self.cv = cv
        self.copy_X = copy_X
        self.verbose = verbose
        self.n_jobs = n_jobs
        self.positive = positive
        self.random_state = random_state
        self.selection = selection
        self.rule = rule

    @property
    def shares(self) -> list[float]:
        return [float(share) for share in np.atleast_1d(np.asarray(self.l1_ratio, dtype=float)).ravel()]

    def more(self, share: float) -> dict[str, Any]:
        return {"l1_ratio_": share}
