"""The coefficients of the elastic net for many penalties, from the largest to the smallest; the path is in paths/."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from aprendiz.core.blas import single_blas
from aprendiz.core.parameters import ParameterError
from aprendiz.linear import ElasticNet
from aprendiz.linear.designs.design import designs
from aprendiz.linear.paths.elastic_net_path import along, largest_penalty, penalties

IGNORED = ("precompute", "Xy", "copy_X", "coef_init", "verbose", "check_input", "selection", "random_state", "n_alphas")


def enet_path(
    X: Any,
    y: Any,
    *,
    l1_ratio: float = 0.5,
    eps: float = 1e-3,
    alphas: Any = 100,
    positive: bool = False,
    return_n_iter: bool = False,
    tol: float = 1e-4,
    max_iter: int = 1000,
    **ignored: Any,
) -> tuple[Any, ...]:
    """The path of the elastic net, without an intercept (centre X and y first).

    Parameters
    ----------
    X : array or sparse matrix of shape (n_rows, n_features)
    y : array of shape (n_rows,) or (n_rows, n_targets)
    l1_ratio : float, default=0.5
        ρ: 1 is the lasso.
    eps : float, default=1e-3
        Ratio of the smallest penalty to the largest.
    alphas : int or array, default=100
        Number of penalties, or their values.
    positive : bool, default=False
    return_n_iter : bool, default=False
        Whether to return the number of sweeps of each fit too.
    tol, max_iter
        See ElasticNet.
    precompute, Xy, copy_X, coef_init, verbose, check_input, selection, random_state
        Accepted and ignored.
    n_alphas : int
        Deprecated in scikit-learn: the same as a number for `alphas`.

    Returns
    -------
    alphas : ndarray of shape (n_alphas,)
    coefs : ndarray of shape (n_features, n_alphas) or (n_targets, n_features, n_alphas)
    dual_gaps : ndarray of shape (n_alphas,), in units of the objective
    n_iters : list of int, if asked for
    """
    unknown = ignored.keys() - {*IGNORED}
    if unknown:
        raise ParameterError(f"enet_path has no parameter {min(unknown)!r}.")
    alphas = penalties_asked(alphas, ignored.get("n_alphas"))
    rows = ElasticNet(l1_ratio=l1_ratio, positive=positive, tol=tol, max_iter=max_iter).open(X, y)
    with single_blas():
        found = designs(rows, False, many=True)
        each, total = list(found), found.total
        largest = max(largest_penalty(design, total, l1_ratio, positive) for design in each)
        grid = penalties(largest, eps, alphas)
        how: dict[str, Any] = {"positive": positive, "tol": tol, "rounds": max_iter}
        paths = [along(design, total, grid, l1_ratio, **how) for design in each]
    coefs = np.array([np.column_stack([one.w for one in path]) for path in paths])
    gaps = np.array([[one.gap * design.energy / total for one in path] for design, path in zip(each, paths, strict=True)])
    sweeps = [max([1, *(path[k].sweeps for path in paths)]) for k in range(len(grid))]
    flat = rows.target_shape() == ()
    answer = (grid, coefs[0], gaps[0]) if flat else (grid, coefs, gaps)
    return (*answer, sweeps) if return_n_iter else answer


def penalties_asked(alphas: Any, count: Any) -> Any:
    """`alphas`, or what scikit-learn is about to forget: None for 100, and `n_alphas`."""
    if alphas is None:
        warnings.warn("alphas=None is deprecated in scikit-learn: leave it out, or give a number.", FutureWarning, stacklevel=3)
        alphas = 100
    if isinstance(count, (int, np.integer)):
        warnings.warn("n_alphas is deprecated in scikit-learn: give alphas, also as a number.", FutureWarning, stacklevel=3)
        alphas = count if isinstance(alphas, int) else alphas
    return alphas
