"""Least squares: the linear function with the smallest squared error.

    min over w, b of Σ ω (y − b − xᵀw)²                                                                       (1)

With Z the centred columns (rows times √ω) and c the centred target, b = ȳ − x̄ᵀw and

    ZᵀZ w = Zᵀc          normal equations: one matrix product, but the condition number κ is squared          (2)
    Z = Q R,  R w = Qᵀc  orthogonal: κ itself, four times the work                                            (3)

Right first, then fast. On large tables (2) is solved by Cholesky after scaling ZᵀZ to a unit diagonal, and its condition
number is estimated. Where κ² leaves too few digits, (3) is used: the triangle R of all rows is a record that adds, and needs
no more memory than ZᵀZ. Then the answer is polished: the gradient at it, summed with twice the digits (exact.py), must vanish,

    w ← w + (RᵀR)⁻¹ g,     g = Σ ω z (y − b − xᵀw)                                                            (4)

Columns that depend on others leave many minimisers; the one with the smallest ‖w‖ is taken, as scikit-learn does.

Cost: (2) n·d²/2 multiplications and d³/6; (3) n·d². Memory d².
References: Björck, "Numerical methods for least squares problems", 1996, sections 2.3–2.9; Golub & Van Loan, section 5.5.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from scipy import linalg
from scipy.optimize import nnls

from aprendiz.core.certificate import Certificate
from aprendiz.core.engines.threads import single_blas
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.learner import OnePass
from aprendiz.core.parameters import NonNegative
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import Moments, Sums, Triangle, triangular
from aprendiz.linear.exact import exact_gradient, two_sum
from aprendiz.linear.linear_regressor import LinearRegressor

EPS = float(np.finfo(float).eps)
SMALL = 2**20  # below this many multiplications (3) costs nothing that anybody would notice
SAFE = 1e-12  # relative error up to which (2) is taken as it is


class LinearRegression(LinearRegressor, OnePass):
    """Ordinary least squares (drop-in for scikit-learn's; right on ill-conditioned data, exact by `partial_fit`).

    Parameters
    ----------
    fit_intercept : bool, default=True
        Whether there is a b.
    positive : bool, default=False
        Whether w ≥ 0 is required.
    copy_X, n_jobs, tol
        No effect.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_targets, n_features)
    intercept_ : float or ndarray of shape (n_targets,)
    rank_ : int
        Number of independent columns.
    singular_ : ndarray of shape (min(n_samples, n_features),)
        Singular values of Z.
    method_ : str
        "normal equations" (2) or "orthogonal" (3), and "polished" (4).
    certificate_ : Certificate
        Condition number of the scaled columns, digits that can be trusted, rank.
    """

    allows = frozenset({"sparse"})
    differences = {
        "copy_X": "no effect: the data passed in are never changed",
        "n_jobs": "no effect: threads follow APRENDIZ_NUM_THREADS",
        "tol": "no effect: nothing is iterated",
        "singular_": "another form: computed when it is asked for",
        "coef_": "another form: float64 for float32 data too",
    }

    def __init__(
        self,
        *,
        fit_intercept: bool = True,
        copy_X: bool = True,
        tol: NonNegative = 1e-6,
        n_jobs: int | None = None,
        positive: bool = False,
    ):
        self.fit_intercept = fit_intercept
        self.copy_X = copy_X
        self.tol = tol
        self.n_jobs = n_jobs
        self.positive = positive

    def summarise(self, rows: Rows) -> Triangle:
        return rows.sum(Triangle.joint, self.pivot(rows))

    def conclude(self, record: Triangle | Moments) -> dict[str, Any]:
        """(3), from a triangle."""
        triangle = record.triangle() if isinstance(record, Moments) else record
        if not self.fit_intercept:
            triangle = triangle.around(np.zeros_like(record.pivot))
        return self.answer(orthogonal(triangle, self.fit_intercept, self.positive), record)

    def learned(self, rows: Rows) -> dict[str, Any]:
        """(2) where it is safe, else (3) and (4)."""
        d = rows.columns
        if rows.work > SMALL and (rows.count is None or rows.count > d) and not self.positive:
            moments = rows.sum(Moments.joint, self.pivot(rows))
            refuse_empty_sums(moments.weight, moments.finite, rows)
            solution = normal_equations(moments, self.fit_intercept)
            if solution is not None:
                return {**self.answer(solution, moments), "sums_": moments}
        triangle: Triangle = self.summed_up(rows)
        solution = orthogonal(triangle, self.fit_intercept, self.positive)
        if solution.error > SAFE / 10 and solution.rank == d and not self.positive:
            solution = polished(solution, triangle.weight, self.fit_intercept, rows)
        return {**self.answer(solution, triangle), "sums_": triangle}

    def answer(self, solution: Solution, record: Triangle | Moments) -> dict[str, Any]:
        return {
            **self.line(solution.coef, solution.intercept, record.target),
            "rank_": solution.rank,
            "method_": solution.method,
            "certificate_": solution.certificate(),
        }

    @property
    def singular_(self) -> Array:
        """Singular values of the centred columns, from the triangle."""
        record, d = self.sums_, self.n_features_in_
        with single_blas():
            triangle = record.triangle() if isinstance(record, Moments) else record
            values = linalg.svd(below(triangle, self.fit_intercept)[:d, :d], compute_uv=False)
        return np.append(values, np.zeros(max(0, min(record.rows, d) - len(values))))


@dataclass(frozen=True)
class Solution:
    """w (d × targets) and b, how they were found, and with what relative error for the data as they are."""

    coef: Array
    intercept: Array
    rank: int
    condition: float
    error: float
    method: str
    R: Array  # Z/scale = Q R, its columns in this order
    order: Array
    scale: Array
    mean: Array

    def certificate(self) -> Certificate:
        digits = max(0.0, -float(np.log10(max(self.error, EPS))))
        claim = "the coefficients solve the equations of these data to at least eight digits"
        return Certificate(claim, digits >= 8, {"digits": digits, "condition": self.condition, "rank": self.rank})


def normal_equations(moments: Moments, intercept: bool, penalty: float = 0.0) -> Solution | None:
    """(2), with `penalty` added to the diagonal (ridge.py), by Cholesky on a unit diagonal; None if the columns are
    dependent or κ² leaves too few digits."""
    d = moments.columns
    G = moments.scatter if intercept else moments.gram[1:, 1:].copy()
    mean = moments.mean if intercept else np.zeros(len(G))
    flat = np.diagonal(G)[:d] <= float(moments.weight) * (4 * EPS * np.abs(mean[:d])) ** 2
    if flat.any() and penalty == 0:
        return None
    G[np.arange(d), np.arange(d)] += penalty
    scale = np.sqrt(np.diagonal(G)[:d])
    A = G[:d, :d] * (1.0 / scale)
    A *= (1.0 / scale)[:, None]
    norm = np.abs(A).sum(axis=0).max()
    L, failed = linalg.lapack.dpotrf(A.T, lower=1, overwrite_a=1)  # Aᵀ = A, and LAPACK needs no copy of it
    if failed:
        return None
    reciprocal, _ = linalg.lapack.dpocon(L, norm, uplo="L")
    error = EPS / max(reciprocal, EPS)
    if error > SAFE:
        return None
    W = linalg.cho_solve((L, True), G[:d, d:] / scale[:, None], check_finite=False) / scale[:, None]
    b = mean[d:] - mean[:d] @ W
    return Solution(W, b, d, reciprocal**-0.5, error, "normal equations", L.T, np.arange(d), scale, mean[:d])


def below(triangle: Triangle, intercept: bool) -> Array:
    """The triangle of the centred columns; without an intercept, of the columns themselves."""
    return triangle.R[1:, 1:] if intercept else triangular(triangle.R[:, 1:])


def orthogonal(triangle: Triangle, intercept: bool, positive: bool, penalty: float = 0.0) -> Solution:
    """(3) from the triangle of all rows, with column pivoting to find the rank; a penalty (ridge.py) is d rows more."""
    d, whole = triangle.columns, below(triangle, intercept)
    if penalty:
        whole = triangular(np.vstack([whole, np.sqrt(penalty) * np.eye(d, whole.shape[1])]))
    R, C = whole[:d, :d], whole[:d, d:]
    mean = triangle.mean if intercept else np.zeros(whole.shape[1])
    largest = np.maximum(np.abs(R).max(axis=0, initial=0.0), np.finfo(float).tiny)
    norms = largest * np.sqrt(((R / largest) ** 2).sum(axis=0))  # no square overflows
    norms[norms <= np.sqrt(triangle.weight) * 4 * EPS * np.abs(mean[:d])] = 0.0  # constant but for rounding
    scale = np.where(norms > 0, norms, 1.0)
    Q, T, order = linalg.qr(np.where(norms > 0, R / scale, 0.0), pivoting=True, check_finite=False)
    size = np.abs(np.diagonal(T))
    rank = int((size > 16 * max(d, 10) * EPS * max(size[0], EPS)).sum()) if len(size) else 0
    T, order = T[:rank], order.astype(np.intp)
    if positive:
        W = np.column_stack([nnls(R, c)[0] for c in C.T])
    elif rank == d:
        W = np.empty((d, C.shape[1]))
        W[order] = linalg.solve_triangular(T, Q.T @ C, check_finite=False)
        W /= scale[:, None]
    else:
        W = smallest_solution(T, order, scale, Q[:, :rank].T @ C)
    reciprocal = linalg.lapack.dtrcon(T[:rank, :rank])[0] if rank else 1.0
    error = EPS / max(reciprocal, EPS)
    b = mean[d:] - mean[:d] @ W
    return Solution(W, b, rank, 1.0 / max(reciprocal, EPS), error, "orthogonal", T, order, scale, mean[:d])


def smallest_solution(T: Array, order: Array, scale: Array, c: Array) -> Array:
    """Of all w with T·(scale·w)[order] = c, the one with the smallest ‖w‖."""
    A = np.empty_like(T)
    A[:, order] = T
    A *= scale
    if not len(A):
        return np.zeros((len(scale), c.shape[1]))
    Q, L = np.linalg.qr(A.T)
    return Q @ linalg.solve_triangular(L, c, trans="T", check_finite=False)


# ---- (4) -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ExactGradient(Sums):
    """Σ ω r, then Σ ω r (x − mean), of one target, as unevaluated sums high + low."""

    high: Array
    low: Array

    @classmethod
    def of(cls, mean: Array, w: Array, b: tuple[float, float], target: int, block: Block) -> Self:
        y = block.y.reshape(len(block), -1)[:, target].astype(np.float64)
        high, low = np.zeros(1 + len(w)), np.zeros(1 + len(w))
        exact_gradient(block.X, y, block.weights, mean, w, *b, high, low)
        return cls(high, low)

    def __add__(self, other: Self) -> Self:
        total = self.high + other.high
        back = total - self.high
        return type(self)(total, self.low + other.low + (self.high - (total - back)) + (other.high - back))


def polished(solution: Solution, weight: float, intercept: bool, rows: Rows, penalty: float = 0.0) -> Solution:
    """(4), target by target, while each correction is less than half the one before. The penalty adds −penalty·w to g.

    Beside large columns a rounded b would move all residuals alike, so it is held as a sum of two doubles.
    """
    W, b, error = solution.coef.copy(), solution.intercept.copy(), 0.0
    R, order, scale, mean = solution.R, solution.order, solution.scale, solution.mean
    for target in range(W.shape[1]):
        high, low, last = float(b[target]), 0.0, 0.1
        for _ in range(8):
            w = np.ascontiguousarray(W[:, target])
            gradient = rows.sum(ExactGradient.of, mean, w, (high, low), target)
            g = gradient.high + gradient.low
            g[1:] -= penalty * w
            u = linalg.solve_triangular(R, (g[1:] / scale)[order], trans="T", check_finite=False)
            step = np.empty_like(u)
            step[order] = linalg.solve_triangular(R, u, check_finite=False)
            change = float(np.abs(step).max() / np.abs(w * scale).max(initial=np.finfo(float).tiny))
            if not change < last / 2:
                break
            W[:, target] += step / scale
            if intercept:
                high, lost = two_sum(high, g[0] / weight - mean @ (step / scale))
                low += lost
            last = change
            if last < EPS:
                break
        b[target], error = high + low, max(error, last)
    if error >= 0.05:  # no correction could be trusted: κ² is beyond even the exact gradient
        return solution
    return replace(solution, coef=W, intercept=b, error=error, method="orthogonal, polished")
