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

from aprendiz.core.parameters import FAR, ParameterError, refuse_words
from aprendiz.core.rows import Array
from aprendiz.linear.designs.design import Design, SummedDesign
from aprendiz.linear.penalties.sparse_penalty import ElasticPenalty
from aprendiz.linear.solvers.coordinate_sweeps import relative_gap, swept_path
from aprendiz.linear.solvers.working_set import MANY_COLUMNS, Optimum, WorkingSet, solve, writable

SWEEPS = 1000  # for one penalty, before the working set takes over
FINEST = 1e-13  # gap that sweeps can show
HALF = 1e-7  # gap for which half the digits of the products are enough


MAX_PENALTIES = 10**6  # of a path


def penalties(largest: float, eps: float, alphas: Any) -> Array:
    """(1) if `alphas` is a number of penalties; else those given, from the largest on."""
    if not isinstance(alphas, (int, np.integer)):
        refuse_words("alphas", alphas)
        given = np.sort(np.asarray(alphas, dtype=float).ravel())[::-1]
        if not len(given) or not (np.isfinite(given).all() and (given >= 0).all()):
            raise ParameterError(f"alphas must be a number of penalties, or numbers of at least 0, got {alphas!r}.")
        return given
    if not 1 <= alphas <= MAX_PENALTIES:
        raise ParameterError(f"alphas = {alphas} must be at least 1 and at most {MAX_PENALTIES}: 100 is usual.")
    if largest == 0:
        return np.full(int(alphas), np.finfo(float).resolution)
    with np.errstate(over="ignore"):
        last = np.float64(largest) * eps
    if last > max(largest, FAR):
        raise ParameterError(
            f"eps={eps!r} times the largest penalty, {largest:.3g}, is out of range: give a fraction, such as 1e-3."
        )
    return np.geomspace(largest, max(last, np.finfo(float).tiny), int(alphas))


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
            working.w = extrapolate(found[number - 2].w[working.members], working.w, ahead)
        slopes = working.slopes
        found.append(solve(working, prices[number], tol, rounds, guess))
    return found


def along_sums(design: SummedDesign, prices: list[ElasticPenalty], tol: float) -> list[Optimum]:
    """The same where all products are known, as far as sweeps come to rest."""
    m = len(prices)
    W, gaps, sweeps = np.zeros((m, design.columns)), np.zeros(m), np.zeros(m, np.int64)
    l1s, l2s = np.array([price.l1 for price in prices]), np.array([price.l2 for price in prices])
    positive, done = bool(prices) and prices[0].positive, 0
    if design.columns > MANY_COLUMNS and tol >= HALF and writable(design.G.diagonal()):
        G = design.G.astype(np.float32)
        done = swept_path(G, design.c, design.energy, l1s, l2s, positive, 0.9 * tol, SWEEPS, W, gaps, sweeps)
        Q = design.c - W @ design.G
        for k in range(done):
            gaps[k] = relative_gap(design.c, Q[k], W[k], design.energy, l1s[k], l2s[k], positive)
    if done < m or (gaps > tol).any():
        done = swept_path(design.G, design.c, design.energy, l1s, l2s, positive, max(tol, FINEST), SWEEPS, W, gaps, sweeps)
    return [Optimum(W[k], float(gaps[k]), 0.0, int(sweeps[k]), 1) for k in range(done)]


def extrapolate(before: Array, now: Array, ahead: float) -> Array:
    """(2) for coefficients that keep their sign; the others stay."""
    further = now + ahead * (now - before)
    return np.where((before * now > 0) & (now * further > 0), further, now)
