"""Ridge regression solved from sums, for one penalty or for a budget; equations in ridge.py."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
from scipy import linalg

from aprendiz.core.certificate import Certificate
from aprendiz.core.rows import Array, Rows
from aprendiz.linear.penalties.budgets import CLOSE, RidgeSpectrum, penalty_for
from aprendiz.linear.solvers.error_bounds import Evidence, lengths
from aprendiz.linear.solvers.least_squares import (
    EPS,
    SAFE,
    Solution,
    below,
    evidence_of_rows,
    least_squares_above_zero,
    normal_equations,
    orthogonal,
    polished,
)
from aprendiz.summaries.moments import Moments, Triangle
from aprendiz.summaries.products import products_of_rows

FEW_DIGITS = 1e-8  # relative error of (4) from which it is solved by singular values


def multipliers(record: Moments | Triangle, intercept: bool, budget: float, positive: bool) -> Array:
    """For each target the penalty that leaves ‖w‖² = budget, 0 where least squares does with less."""
    free = (solve_ridge(record, intercept, 0.0, positive).coef ** 2).sum(axis=0)
    spectrum, alphas = RidgeSpectrum.of(record, intercept), np.zeros(len(free))
    for target in np.flatnonzero(free > budget * (1.0 + CLOSE)).tolist():

        def size(alpha: float, target: int = target) -> float:
            if positive:
                return float((solve_ridge(record, intercept, alpha, True).coef[:, target] ** 2).sum())
            return spectrum.size(target, alpha)

        alphas[target] = penalty_for(size, budget, spectrum.start(target, budget), power=-0.5).alpha
    return alphas


def of_each_target(solutions: list[Solution]) -> tuple[Array, Array]:
    """w and b; of several solutions, one for each target, that of its own penalty."""
    if len(solutions) == 1:
        return solutions[0].coef, solutions[0].intercept
    W = np.column_stack([one.coef[:, j] for j, one in enumerate(solutions)])
    return W, np.array([one.intercept[j] for j, one in enumerate(solutions)])


def least_known(solutions: list[Solution]) -> Certificate:
    """The certificate of the solution of which least is known."""
    return min((one.certificate() for one in solutions), key=lambda known: (known.holds, known.digits))


def solve_ridge(record: Moments | Triangle, intercept: bool, alpha: float, positive: bool = False) -> Solution:
    """(2), (3) or (4), from the sums alone."""
    if not intercept:
        record = record.around(np.zeros_like(record.pivot))
    if isinstance(record, Moments):
        return normal_equations(record, intercept, alpha) or lossy(record, intercept, alpha)
    if positive:
        return solve_nonnegative(record, intercept, alpha)
    if alpha > 0 and len(record.R) <= record.columns:
        return dual(record, intercept, alpha)
    return orthogonal(record, intercept, False, alpha)


def lossy(moments: Moments, intercept: bool, alpha: float) -> Solution:
    """(3) from squared sums: the digits that squaring lost stay lost."""
    solution = orthogonal(moments.triangle(), intercept, False, alpha)  # a triangle that knows that it was squared
    return replace(solution, error=min(1.0, solution.error**2 / EPS))


def refine(triangle: Triangle, intercept: bool, alpha: float, rows: Rows) -> Solution:
    """(3), corrected by an exact gradient."""
    solution = solve_ridge(triangle, intercept, alpha)
    if solution.error <= SAFE / 10 or solution.rank < rows.columns or solution.method == "dual":
        return solution
    return polished(solution, triangle.weight, intercept, rows, alpha)


def dual(triangle: Triangle, intercept: bool, alpha: float) -> Solution:
    """(4). With an intercept, `below` has taken the mean away already."""
    d, whole = triangle.columns, below(triangle, intercept)
    Z, C = whole[:, :d], whole[:, d:]
    mean = triangle.mean if intercept else np.zeros(whole.shape[1])
    if not len(Z):  # a single row: nothing varies
        zero = np.zeros((d, C.shape[1]))
        known = partial(evidence_of_dual, triangle, whole, zero[:0], alpha)
        return Solution(zero, mean[d:], d, 1.0, EPS, "dual", Z, np.arange(d), np.ones(d), mean[:d], triangle.weight, known)
    K = products_of_rows(Z)
    K[np.diag_indices_from(K)] += alpha
    norm = np.abs(K).sum(axis=0).max()
    L, failed = linalg.lapack.dpotrf(K, lower=1)
    reciprocal = 0.0 if failed else linalg.lapack.dpocon(L, norm, uplo="L")[0]
    if reciprocal < EPS / FEW_DIGITS:
        W, u, R, reciprocal, least = by_singular_values(Z, C, alpha)
    else:
        u = linalg.cho_solve((L, True), C, check_finite=False)
        W, R, least = Z.T @ u, L.T, max(alpha, reciprocal * norm / 3.0)
    b = mean[d:] - mean[:d] @ W
    error, condition, weight = EPS / max(reciprocal, EPS), max(reciprocal, EPS) ** -0.5, triangle.weight
    known = partial(evidence_of_dual, triangle, whole, u, least)
    return Solution(W, b, d, condition, error, "dual", R, np.arange(d), np.ones(d), mean[:d], weight, known)


def by_singular_values(Z: Array, C: Array, alpha: float) -> tuple[Array, Array, Array, float, float]:
    """(4) where ZZᵀ + αI has lost its digits: with Z = U·diag(s)·Vᵀ, w = V·diag(s/(s² + α))·UᵀC, and nothing is squared before
    it is added to α. Gives w, u, a root of the matrix, its reciprocal condition, and its least eigenvalue; costs some times as
    much."""
    U, s, Vt = linalg.svd(Z, full_matrices=False, check_finite=False)
    lengthened = s * s + alpha
    turned = U.T @ C
    W = Vt.T @ ((s / lengthened)[:, None] * turned)
    u = U @ (turned / lengthened[:, None])
    return W, u, np.sqrt(lengthened)[:, None] * U.T, float(lengthened[-1] / lengthened[0]), float(lengthened[-1])


def evidence_of_dual(triangle: Triangle, whole: Array, u: Array, least: float, W: Array) -> Evidence:
    """|ŵ − w|ⱼ ≤ η·Nⱼ·((2·√(Σ N⁴)·‖u‖ + N_y)/λ + ‖u‖): rounding of (4), whose matrix has eigenvalues of at least λ."""
    known = evidence_of_rows(triangle, whole, lengths(whole[:, : triangle.columns]), 0.0, W)
    size = np.sqrt((u**2).sum(axis=0))
    off = (2.0 * float(np.sqrt((known.N**4).sum())) * size + known.N_y) / least + size
    return replace(known, given=known.eta * known.N[:, None] * off)


def solve_nonnegative(triangle: Triangle, intercept: bool, alpha: float) -> Solution:
    """(1) with w ≥ 0: nonnegative least squares on the rows of (3)."""
    if alpha == 0:
        return orthogonal(triangle, intercept, True)
    d, whole = triangle.columns, below(triangle, intercept)
    A = np.vstack([whole[:, :d], np.sqrt(alpha) * np.eye(d)])
    C = np.vstack([whole[:, d:], np.zeros((d, whole.shape[1] - d))])
    free = orthogonal(triangle, intercept, False, alpha)
    W = least_squares_above_zero(A, C)
    mean = triangle.mean if intercept else np.zeros(whole.shape[1])
    known = partial(evidence_of_rows, triangle, np.hstack([A, C]), lengths(A), alpha, positive=True)
    return replace(free, coef=W, intercept=mean[d:] - mean[:d] @ W, method="nonnegative", witness=known)
