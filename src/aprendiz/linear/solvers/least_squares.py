"""Least squares solved from sums: by the normal equations, by an orthogonal triangle, by singular values.

With Z the centred columns (rows times √ω) and c the centred target; the numbers are those of linear_regression.py,

    ZᵀZ w = Zᵀc          normal equations: one matrix product, but the condition number κ is squared          (2)
    Z = Q R,  R w = Qᵀc  orthogonal: κ itself, four times the work                                            (3)
    w ← w + (RᵀR)⁻¹ g,     g = Σ ω z (y − b − xᵀw)     a step with twice the digits                           (4)
    Z = U S Vᵀ,  w = V S⁺ Uᵀc                                                                                 (5)

Each takes a penalty ‖w‖² too, for ridge regression.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Self

import numpy as np
from scipy import linalg
from scipy.optimize import nnls

from aprendiz.core.certificate import Certificate
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import Sums
from aprendiz.linear.solvers.error_bounds import ENOUGH, NOTHING, Accuracy, Evidence, Inverse, Polish, certificate_of, lengths
from aprendiz.linear.solvers.exact_residuals import exact_gradient, two_sum
from aprendiz.summaries.moments import Moments, Triangle, triangular

EPS = float(np.finfo(float).eps)

SMALL = 2**20  # below this many multiplications (3) costs nothing that anybody would notice

SAFE = 1e-12  # relative error up to which (2) is taken as it is

ERROR_OF_DIFFERENCE = 1e-10  # relative error up to which Σ ω r² is taken as a difference of sums


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
    weight: float
    witness: Callable[[Array], Evidence]  # of the coefficients, when it is asked for

    @cached_property
    def evidence(self) -> Evidence:
        return self.witness(self.coef)

    @cached_property
    def accuracy(self) -> Accuracy:
        """How far w may be from that of the data as they are: error_bounds.py."""
        if self.rank < len(self.scale) or self.evidence.off is not None:
            return NOTHING
        if self.evidence.given is not None:
            return self.evidence.judged(self.evidence.given, self.coef) if self.evidence.ordinary else NOTHING
        inverse = Inverse(self.R, self.order, self.scale, self.condition)
        return self.evidence.accuracy(self.coef, self.intercept, inverse, self.mean, self.weight)

    @cached_property
    def contraction(self) -> float:
        """2θ: what is left of an error after a correction, as a part of the correction."""
        return 2.0 * self.evidence.eta * float(Inverse(self.R, self.order, self.scale, self.condition).rho @ self.evidence.N)

    def certificate(self) -> Certificate:
        """That |ŵ − w|ⱼ‖zⱼ‖ ≤ 10⁻⁸ of the larger of ‖c‖ and the largest |wⱼ|‖zⱼ‖, w the answer for exactly these data; every
        coefficient has at least `digits` digits. Where columns depend on others, (5) of error_bounds.py instead."""
        return Certificate.later(self.proof)

    def proof(self) -> Certificate:
        """The certificate, now."""
        with np.errstate(all="ignore"):  # numbers that leave their range are no news here
            return certificate_of(self.evidence, self.accuracy, self.condition, self.rank)


def normal_equations(moments: Moments, intercept: bool, penalty: float = 0.0, safe: float = SAFE) -> Solution | None:
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
    if error > safe:
        return None
    W = linalg.cho_solve((L, True), G[:d, d:] / scale[:, None], check_finite=False) / scale[:, None]
    b = mean[d:] - mean[:d] @ W
    known = partial(evidence_of_sums, moments, G, penalty)
    condition, weight = reciprocal**-0.5, float(moments.weight)
    return Solution(W, b, d, condition, error, "normal equations", L.T, np.arange(d), scale, mean[:d], weight, known)


def evidence_of_sums(moments: Moments, G: Array, penalty: float, W: Array, varies: Array | None = None) -> Evidence:
    """What is known of the rounding of ZᵀZ and Zᵀc, penalty included, in G; some columns may not vary, some depend on
    others."""
    d = moments.columns
    around, own = np.diagonal(moments.gram)[1:], np.sqrt(np.maximum(np.diagonal(G), 0.0))
    N, z = np.sqrt(around[:d] + penalty), own[:d] if varies is None else own[:d] * varies
    known = Evidence(N, np.sqrt(around[d:]), z, own[d:], moments.rows, own[d:], squared=True)
    if varies is None:
        return known
    return replace(known, off=known.stationary(G[:d, d:] - G[:d, :d] @ W, W))


def plain_normal_equations(moments: Moments, intercept: bool) -> Solution:
    """(2) as it is, be κ² what it may; of dependent columns the smallest w, with a warning."""
    moments = moments if intercept else moments.around(np.zeros_like(moments.pivot))
    solution = normal_equations(moments, intercept, safe=1.0 / (16 * max(moments.columns, 10)))
    if solution is None:
        solution = smallest_of_normal_equations(moments, intercept)
        lost = "the columns depend on each other, or nearly so: of many answers the smallest was taken"
    else:
        lost = f"a condition number of {solution.condition:.2g}, squared, leaves fewer than eight digits"
    if solution.error > ENOUGH or solution.rank < moments.columns:
        warnings.warn(f"Normal equations: {lost}. Use solver='auto' or 'qr'.", linalg.LinAlgWarning, stacklevel=6)
    return solution


def smallest_of_normal_equations(moments: Moments, intercept: bool) -> Solution:
    """(2) by eigenvalues, those below rounding left out. What is left of κ² ε is all the digits that are lost."""
    d, G = moments.columns, moments.scatter if intercept else moments.gram[1:, 1:]
    mean = moments.mean if intercept else np.zeros(len(G))
    sizes = np.sqrt(np.maximum(np.diagonal(G)[:d], 0.0))
    varies = sizes > np.sqrt(float(moments.weight)) * 4 * EPS * np.abs(mean[:d])
    scale = np.where(varies, sizes, 1.0)
    A = np.where(varies & varies[:, None], G[:d, :d] / scale / scale[:, None], 0.0)
    values, V = linalg.eigh(A, check_finite=False)
    kept = values > 16 * max(d, 10) * EPS * max(values.max(initial=0.0), EPS)
    roots, V = np.sqrt(values[kept]), V[:, kept]
    T, order = roots[:, None] * V.T, np.arange(d)
    W = smallest_solution(T, order, scale, V.T @ np.where(varies[:, None], G[:d, d:] / scale[:, None], 0.0) / roots[:, None])
    condition = float(roots[-1] / roots[0]) if len(roots) else 1.0
    b, error = mean[d:] - mean[:d] @ W, min(1.0, EPS * condition**2)
    known = partial(evidence_of_sums, moments, G, 0.0, varies=varies if len(roots) < d else None)
    weight = float(moments.weight)
    return Solution(W, b, len(roots), condition, error, "normal equations", T, order, scale, mean[:d], weight, known)


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
    norms = lengths(R)
    norms[norms <= np.sqrt(triangle.weight) * 4 * EPS * np.abs(mean[:d])] = 0.0  # constant but for rounding
    scale = np.where(norms > 0, norms, 1.0)
    Q, T, order = linalg.qr(np.where(norms > 0, R / scale, 0.0), pivoting=True, check_finite=False)
    size = np.abs(np.diagonal(T))
    rank = int((size > 16 * max(d, 10) * EPS * max(size[0], EPS)).sum()) if len(size) else 0
    T, order = T[:rank], order.astype(np.intp)
    if positive:
        W = least_squares_above_zero(np.where(norms > 0, R / scale, 0.0), C) / scale[:, None]
    elif rank == d:
        W = np.empty((d, C.shape[1]))
        W[order] = linalg.solve_triangular(T, Q.T @ C, check_finite=False)
        W /= scale[:, None]
    else:
        W = smallest_solution(T, order, scale, Q[:, :rank].T @ C)
    reciprocal = linalg.lapack.dtrcon(T[:rank, :rank])[0] if rank else 1.0
    error, condition = EPS / max(reciprocal, EPS), 1.0 / max(reciprocal, EPS)
    b = mean[d:] - mean[:d] @ W
    known = partial(evidence_of_rows, triangle, whole, norms, penalty, free=rank == d, positive=positive)
    return Solution(W, b, rank, condition, error, "orthogonal", T, order, scale, mean[:d], triangle.weight, known)


def evidence_of_rows(
    triangle: Triangle,
    whole: Array,
    norms: Array,
    penalty: float,
    W: Array,
    *,
    free: bool = True,
    positive: bool = False,
    mixed: bool = False,
) -> Evidence:
    """What is known of the rounding of a triangle: `whole` is centred, the rows of a penalty included, and ‖z‖ is in `norms`.
    Columns that are not `free` depend on others; of `mixed` ones rounding takes alike, once all have length 1."""
    d = triangle.columns
    Z, C, around = whole[:, :d], whole[:, d:], lengths(triangle.R[:, 1:])
    r = C - Z @ W
    N = np.sqrt(around[:d] ** 2 + penalty) + (np.sqrt(d) * norms if mixed else 0.0)
    known = Evidence(N, around[d:], norms, lengths(C), triangle.rows, lengths(r), triangle.squared)
    return known if free and not positive else replace(known, off=known.stationary(Z.T @ r, W, positive))


def least_squares_above_zero(R: Array, C: Array) -> Array:
    """The w ≥ 0 with the smallest ‖R w − c‖, for each column c of C; 0 where there is nothing to fit. A power of two is taken
    out of c, so that no square leaves the range."""
    if not len(R):
        return np.zeros((R.shape[1], C.shape[1]))
    sizes = np.ldexp(1.0, np.frexp(np.abs(C).max(axis=0))[1] - 1)
    return np.column_stack([size * nnls(R, c / size)[0] for c, size in zip(C.T, sizes, strict=True)])


def smallest_solution(T: Array, order: Array, scale: Array, c: Array) -> Array:
    """Of all w with T·(scale·w)[order] = c, the one with the smallest ‖w‖."""
    A = np.empty_like(T)
    A[:, order] = T
    A *= scale
    if not len(A):
        return np.zeros((len(scale), c.shape[1]))
    Q, L = np.linalg.qr(A.T)
    return Q @ linalg.solve_triangular(L, c, trans="T", check_finite=False)


def singular(triangle: Triangle, intercept: bool, positive: bool) -> Solution:
    """(5), from the triangle of all rows and its singular values, the columns scaled to length 1."""
    d, whole = triangle.columns, below(triangle, intercept)
    R, C = whole[:d, :d], whole[:d, d:]
    mean = triangle.mean if intercept else np.zeros(whole.shape[1])
    norms = np.sqrt((R**2).sum(axis=0))
    varies = norms > np.sqrt(triangle.weight) * 4 * EPS * np.abs(mean[:d])
    scale = np.where(varies, norms, 1.0)
    U, s, V = linalg.svd(np.where(varies, R / scale, 0.0), full_matrices=False, check_finite=False)
    rank = int((s > 16 * max(d, 10) * EPS * max(s.max(initial=0.0), EPS)).sum())
    T, order = s[:rank, None] * V[:rank], np.arange(d)
    c = U[:, :rank].T @ C
    W = V.T @ (c / s[:, None]) / scale[:, None] if rank == d else smallest_solution(T, order, scale, c)
    condition, b = float(s[0] / s[rank - 1]) if rank else 1.0, mean[d:] - mean[:d] @ W
    known = partial(evidence_of_rows, triangle, whole, norms * varies, 0.0, free=rank == d, mixed=True)
    error, weight = EPS * condition, triangle.weight
    return Solution(W, b, rank, condition, error, "singular values", T, order, scale, mean[:d], weight, known)


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
    left = Polish(np.zeros_like(W), np.zeros(len(b)), np.zeros(len(b)), penalty)
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
            left.step[:, target], left.rest[target] = np.abs(step / scale), solution.contraction * np.linalg.norm(u)
            left.sum[target] = abs(g[0])
            if not change < last / 2:
                break
            left.step[:, target] = 0.0
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
    known = solution.witness
    method = "orthogonal, polished"
    return replace(solution, coef=W, intercept=b, error=error, method=method, witness=lambda W: replace(known(W), polish=left))


def squares_left(record: Triangle | Moments, W: Array, intercept: bool, b: Array | None = None) -> tuple[Array, Array]:
    """Σ ω (y − b − xᵀw)² and Σ ω (y − ȳ)² of each target, from the sums; without an intercept b = 0 and Σ ω y².

    A `b` that is not the best one for its w adds Ω·(b − ȳ + x̄ᵀw)².
    """
    d = record.columns
    if isinstance(record, Moments):
        G = record.scatter if intercept else record.around(np.zeros_like(record.pivot)).gram[1:, 1:]
        turn = np.vstack([-W, np.eye(W.shape[1])])
        squares, total = np.maximum((turn * (G @ turn)).sum(axis=0), 0.0), np.diagonal(G)[d:]
    else:
        Z = below(record if intercept else record.around(np.zeros_like(record.pivot)), intercept)
        squares, total = ((Z[:, d:] - Z[:, :d] @ W) ** 2).sum(axis=0), (Z[:, d:] ** 2).sum(axis=0)
    if intercept and b is not None:
        squares = squares + float(record.weight) * (b - record.mean[d:] + record.mean[:d] @ W) ** 2
    return squares, total


def beside_target(mean: Array, w: Array, b: float, target: int, block: Block) -> ExactGradient:
    """Σ ω r, Σ ω r (x − x̄) and Σ ω r (y − b − x̄ᵀw): the target as one column more."""
    y = block.y.reshape(len(block), -1)[:, target].astype(np.float64)
    high, low = np.zeros(2 + len(w)), np.zeros(2 + len(w))
    X, mean, w = np.column_stack([block.X, y]), np.append(mean, b + mean @ w), np.append(w, 0.0)
    exact_gradient(X, y, block.weights, mean, w, b, 0.0, high, low)
    return ExactGradient(high, low)


def exact_squares(rows: Rows, solution: Solution) -> Array:
    """Σ ω r² of each target, with twice the digits, as Σ ω r (y − b − x̄ᵀw) − wᵀ·Σ ω r (x − x̄)."""
    found = []
    for target, (w, b) in enumerate(zip(solution.coef.T, solution.intercept, strict=True)):
        sums = rows.sum(beside_target, solution.mean, w, float(b), target)
        g = sums.high + sums.low
        found.append(max(0.0, g[-1] - w @ g[1:-1]))
    return np.array(found)
