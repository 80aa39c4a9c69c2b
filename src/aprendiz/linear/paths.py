"""Paths: the coefficients of the lasso and the elastic net for many penalties, from the largest to the smallest.

Above α_max = max|z_jᵀy|/(Ωρ) all coefficients are zero. From there the penalties fall by a constant factor, and each fit starts
from the one before: the working set grows along the path, its products are formed once (working_set.py).

    α_k = α_max·ε^{k/(m − 1)},     k = 0, …, m − 1                                                            (1)

While the same coefficients are not zero, those of the lasso are straight lines in α; so each fit starts a step further on,

    w ← w_k + (α_k − α_{k+1})/(α_{k−1} − α_k)·(w_k − w_{k−1})                                                 (2)

and the slopes, guessed likewise, say which columns to admit first.

Many penalties make products of all columns worth while, wherever there are more rows than columns. Many columns are swept with
half the digits of their products, which takes half the time; the gaps are then looked at with all digits.

Cost: about one or two looks at the slopes for each penalty.
Reference: Friedman, Hastie & Tibshirani, J. Statistical Software 33, 2010.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.engines.threads import single_blas
from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array
from aprendiz.linear.designs import Design, SummedDesign
from aprendiz.linear.elastic_net import ElasticNet, designs
from aprendiz.linear.penalties import ElasticPenalty
from aprendiz.linear.sweeps import relative_gap, swept_path
from aprendiz.linear.working_set import MANY, Optimum, WorkingSet, solve, writable

SWEEPS = 1000  # for one penalty, before the working set takes over
FINEST = 1e-13  # gap that sweeps can show
HALF = 1e-7  # gap for which half the digits of the products are enough


def penalties(largest: float, eps: float, alphas: Any) -> Array:
    """(1) if `alphas` is a number of penalties; else those given, from the largest on."""
    if not isinstance(alphas, (int, np.integer)):
        given = np.sort(np.asarray(alphas, dtype=float).ravel())[::-1]
        if not len(given) or not (np.isfinite(given).all() and (given >= 0).all()):
            raise ParameterError(f"alphas must be a number of penalties, or numbers of at least 0, got {alphas!r}.")
        return given
    if alphas < 1:
        raise ParameterError(f"alphas = {alphas} must be at least 1: 100 is usual.")
    return (
        np.geomspace(largest, max(largest * eps, np.finfo(float).tiny), int(alphas)) if largest > 0 else np.zeros(int(alphas))
    )


def largest_penalty(design: Design, total: float, share: float, positive: bool) -> float:
    """α_max of (1)."""
    pull = ElasticPenalty(0.0, 0.0, positive).pull(design.c)
    return max(0.0, float(pull.max(initial=0.0))) / (total * max(share, 1e-3))


def along(
    design: Design, total: float, alphas: Array, share: float, *, positive: bool, tol: float, rounds: int
) -> list[Optimum]:
    """The minimisers for falling penalties, each found from the one before."""
    prices = [ElasticPenalty(total * alpha * share, total * alpha * (1.0 - share), positive) for alpha in alphas]
    found = along_sums(design, prices, tol) if isinstance(design, SummedDesign) else []
    working, slopes, guess = WorkingSet(design), np.empty(0), None
    if 0 < len(found) < len(prices):
        working.admit(np.flatnonzero(found[-1].w))
        working.w = found[-1].w[working.members]
    first = len(found)
    for number in range(first, len(prices)):
        if number > first + 1 and alphas[number - 2] > alphas[number - 1]:
            ahead = (alphas[number - 1] - alphas[number]) / (alphas[number - 2] - alphas[number - 1])
            guess = working.slopes + ahead * (working.slopes - slopes)
            working.w = extrapolated(found[number - 2].w[working.members], working.w, ahead)
        slopes = working.slopes
        found.append(solve(working, prices[number], tol, rounds, guess))
    return found


def along_sums(design: SummedDesign, prices: list[ElasticPenalty], tol: float) -> list[Optimum]:
    """The same where all products are known, as far as sweeps come to rest."""
    m = len(prices)
    W, gaps, sweeps = np.zeros((m, design.columns)), np.zeros(m), np.zeros(m, np.int64)
    l1s, l2s = np.array([price.l1 for price in prices]), np.array([price.l2 for price in prices])
    positive, done = bool(prices) and prices[0].positive, 0
    if design.columns > MANY and tol >= HALF and writable(design.G.diagonal()):
        G = design.G.astype(np.float32)
        done = swept_path(G, design.c, design.energy, l1s, l2s, positive, 0.9 * tol, SWEEPS, W, gaps, sweeps)
        Q = design.c - W @ design.G
        for k in range(done):
            gaps[k] = relative_gap(design.c, Q[k], W[k], design.energy, l1s[k], l2s[k], positive)
    if done < m or (gaps > tol).any():
        done = swept_path(design.G, design.c, design.energy, l1s, l2s, positive, max(tol, FINEST), SWEEPS, W, gaps, sweeps)
    return [Optimum(W[k], float(gaps[k]), 0.0, int(sweeps[k]), 1) for k in range(done)]


def extrapolated(before: Array, now: Array, ahead: float) -> Array:
    """(2) for coefficients that keep their sign; the others stay."""
    further = now + ahead * (now - before)
    return np.where((before * now > 0) & (now * further > 0), further, now)


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
        The smallest penalty as a part of the largest.
    alphas : int or array, default=100
        How many penalties, or which.
    positive : bool, default=False
    return_n_iter : bool, default=False
        Return the number of sweeps of each fit too.
    tol, max_iter
        As of ElasticNet.
    precompute, Xy, copy_X, coef_init, verbose, check_input, selection, random_state, n_alphas
        Accepted and ignored.

    Returns
    -------
    alphas : ndarray of shape (n_alphas,)
    coefs : ndarray of shape (n_features, n_alphas) or (n_targets, n_features, n_alphas)
    dual_gaps : ndarray of shape (n_alphas,), parts of ‖y‖²
    n_iters : list of int, if asked for
    """
    unknown = ignored.keys() - {*IGNORED}
    if unknown:
        raise TypeError(f"enet_path has no parameter {min(unknown)!r}.")
    if isinstance(ignored.get("n_alphas"), (int, np.integer)) and isinstance(alphas, int):
        alphas = ignored["n_alphas"]
    rows = ElasticNet(l1_ratio=l1_ratio, positive=positive, tol=tol, max_iter=max_iter).open(X, y)
    with single_blas():
        each = list(designs(rows, False, many=True))
        largest = max(largest_penalty(design, total, l1_ratio, positive) for design, total, _mean, _middle in each)
        grid = penalties(largest, eps, alphas)
        how: dict[str, Any] = {"positive": positive, "tol": tol, "rounds": max_iter}
        found = [along(design, total, grid, l1_ratio, **how) for design, total, _mean, _middle in each]
    coefs = np.array([np.column_stack([one.w for one in path]) for path in found])
    gaps = np.array([[one.gap for one in path] for path in found])
    sweeps = [max([1, *(path[k].sweeps for path in found)]) for k in range(len(grid))]
    flat = rows.target_shape() == ()
    answer = (grid, coefs[0], gaps[0]) if flat else (grid, coefs, gaps)
    return (*answer, sweeps) if return_n_iter else answer


IGNORED = ("precompute", "Xy", "copy_X", "coef_init", "verbose", "check_input", "selection", "random_state", "n_alphas")


def lasso_path(X: Any, y: Any, **more: Any) -> tuple[Any, ...]:
    """The path of the lasso: `enet_path` with l1_ratio=1."""
    return enet_path(X, y, **{**more, "l1_ratio": 1.0})
