"""Paths to draw: the coefficients of a linear model for many penalties, and what its cross-validation found.

Of the lasso and the elastic net the penalties fall from the one above which nothing is left (linear/paths/elastic_net_path.py);
of a ridge regression they go from a thousand times the mean eigenvalue of ZᵀZ, where it gives almost nothing, to a
hundred-thousandth.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.blas import single_blas
from aprendiz.core.rows import Array, Rows
from aprendiz.linear.designs.design import designs
from aprendiz.linear.elastic_net import ElasticNet
from aprendiz.linear.elastic_net_cv import ElasticNetCV
from aprendiz.linear.lasso import Lasso
from aprendiz.linear.lasso_cv import LassoCV
from aprendiz.linear.paths.elastic_net_path import along, largest_penalty, penalties
from aprendiz.linear.penalties.budgets import RidgeSpectrum
from aprendiz.linear.ridge import Ridge
from aprendiz.linear.ridge_cv import RidgeCV
from aprendiz.linear.solvers.ridge_solution import solve_ridge

SHORTEST = 1e-3  # the smallest penalty of a path, as a part of the largest
SHARP = 1e-8  # gap, as a part of ‖y‖²


@dataclass(frozen=True)
class FollowedPath:
    """Penalties, coefficients (columns × penalties), ρ (None: the budget is ‖w‖²), the choice, errors in folds, names."""

    alphas: Array
    coefs: Array
    l1_ratio: float | None
    chosen: float | None
    errors: Array | None
    names: Sequence[Any] | None


def follow_path(estimator: Any, X: Any, y: Any, sample_weight: Any, count: int) -> FollowedPath:
    """The path of a model on some rows, with `count` penalties unless it brings its own."""
    if not isinstance(estimator, (Lasso, ElasticNet, LassoCV, ElasticNetCV, Ridge, RidgeCV)):
        raise TypeError(
            f"{type(estimator).__name__} has no path: give Lasso, ElasticNet, Ridge, or one of their forms with CV; of a "
            "pipeline its last step, and the rows that reach it."
        )
    judged = isinstance(estimator, (LassoCV, ElasticNetCV, RidgeCV))
    if judged:
        check_is_fitted(estimator)
    learner = Ridge(fit_intercept=estimator.fit_intercept) if isinstance(estimator, (Ridge, RidgeCV)) else Lasso()
    rows = learner.open(X, y, sample_weight)
    if targets := rows.first(lambda block: block.y.shape[1:]):
        raise ValueError(f"y has {targets[0]} targets: draw the path of one at a time, such as y[:, 0].")
    names = getattr(learner, "feature_names_in_", rows.noted.get("feature_names_in_"))
    share, grid, errors = choices(estimator)
    with single_blas(rows.work):
        ridge = share is None or share == 0
        alphas, coefs = (
            shrinking(estimator, rows, share, count) if ridge else entering(estimator, rows, share or 1.0, grid, count)
        )
    return FollowedPath(alphas, coefs, share, marked_penalty(estimator), errors, names)


def choices(estimator: Any) -> tuple[float | None, Array | None, Array | None]:
    """ρ, the penalties that were tried, and the errors of their folds."""
    if isinstance(estimator, (Ridge, RidgeCV)):
        return None, None, None
    if isinstance(estimator, (Lasso, ElasticNet)):
        return estimator.share, None, None
    share = float(getattr(estimator, "l1_ratio_", 1.0))
    if estimator.alphas_.ndim == 1:
        return share, estimator.alphas_, estimator.mse_path_
    place = estimator.shares.index(share)
    return share, estimator.alphas_[place], estimator.mse_path_[place]


def marked_penalty(estimator: Any) -> float | None:
    """The penalty that was chosen, or given; None if there is none."""
    given = None if getattr(estimator, "budget", None) is not None else getattr(estimator, "alpha", None)
    chosen = getattr(estimator, "alpha_", given)
    return float(chosen) if chosen is not None and np.ndim(chosen) == 0 and chosen > 0 else None


def entering(estimator: Any, rows: Rows, share: float, grid: Array | None, count: int) -> tuple[Array, Array]:
    """Of the lasso and the elastic net."""
    found = designs(rows, estimator.fit_intercept)
    design, total = found.of_target(0), found.total
    largest = largest_penalty(design, total, share, estimator.positive)
    alphas = penalties(largest, SHORTEST, count) if grid is None else grid
    path = along(design, total, alphas, share, positive=estimator.positive, tol=SHARP, rounds=1000)
    return alphas, np.column_stack([one.w for one in path])


def shrinking(estimator: Any, rows: Rows, share: float | None, count: int) -> tuple[Array, Array]:
    """Of a ridge regression; with ρ = 0 the penalty of the elastic net is that of a ridge regression over Ω."""
    learner = Ridge(fit_intercept=estimator.fit_intercept)
    record = learner.summed_up(rows)
    middle = float(RidgeSpectrum.of(record, estimator.fit_intercept).squares.mean())
    strengths = (middle or 1.0) * np.geomspace(1e3, 1e-5, count)
    positive = bool(getattr(estimator, "positive", False))
    coefs = [solve_ridge(record, estimator.fit_intercept, float(strength), positive).coef[:, 0] for strength in strengths]
    return strengths if share is None else strengths / float(record.weight), np.column_stack(coefs)
