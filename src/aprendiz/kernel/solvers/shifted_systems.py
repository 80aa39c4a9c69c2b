"""Systems (K + α_j I) x_j = y_j with a symmetric K, for one shift or many, to the last digit of double precision.

    one or few shifts     the Cholesky factor of each (tiled_cholesky.py)
    many                  one reduction to a band for all of them (band_form.py)

Either is made in single precision, which takes half the time, and serves as M of conjugate_gradients.py, whose residuals are of
double precision. Columns that do not get there are solved with M in double precision. Where the matrix is singular or not
positive definite, the eigenvalues have the last word:

    x = Σ_k u_k (u_kᵀy)/(λ_k + α)     over |λ_k + α| > nε·max|λ + α|                                               (1)

Of all least-squares solutions it is the shortest.

Cost: n³/3 for a shift, or 4n³/3 for all of them, and about six products with K. (1) takes 9n³.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg

from aprendiz.core.rows import Array
from aprendiz.kernel.solvers.band_form import BandFactors, BandForm
from aprendiz.kernel.solvers.conjugate_gradients import EPS, Solutions, refine
from aprendiz.kernel.solvers.tiled_cholesky import Cholesky
from aprendiz.kernel.solvers.tiles import multiply

FEW_ROWS = 400  # up to which single precision gains nothing
FEW_SHIFTS = 4  # up to which a factor of each is faster than a band
MANY_COLUMNS = 8  # rows for each right side, below which the solutions cost more than the factor
GOOD = 1e-13  # residual, beside the size of the terms
SINGULAR = 8 * EPS  # pivot beside the largest entry of the diagonal


@dataclass(frozen=True)
class Solved:
    """x as columns; their residuals beside the size of the terms; the smallest eigenvalue of K where (1) was needed."""

    columns: Array
    residuals: Array
    smallest: float | None = None


def solve_shifted(K: Array, shifts: Array, Y: Array, size: float) -> Solved:
    """The solution for each column of Y, with the shift of its place; `size` is the norm of K, or a little less."""
    n, count = Y.shape
    X, residuals = np.zeros_like(Y), np.full(count, np.inf)
    single = n > FEW_ROWS and count * MANY_COLUMNS <= n
    for dtype in (np.float32, np.float64) if single else (np.float64,):
        left = np.flatnonzero(residuals > GOOD)
        if not len(left):
            break
        X[:, left], residuals[left] = attempt(K, shifts[left], Y[:, left], size, dtype)
    left = np.flatnonzero(residuals > GOOD)
    if not len(left):
        return Solved(X, residuals)
    X[:, left], smallest = by_eigenvalues(K, shifts[left], Y[:, left])
    R = Y[:, left] - multiply(K, X[:, left]) - shifts[left] * X[:, left]
    terms = (size + np.abs(shifts[left])) * np.linalg.norm(X[:, left], axis=0) + np.linalg.norm(Y[:, left], axis=0)
    residuals[left] = np.linalg.norm(R, axis=0) / np.where(terms > 0, terms, 1.0)
    return Solved(X, residuals, smallest)


def attempt(K: Array, shifts: Array, Y: Array, size: float, dtype: Any) -> tuple[Array, Array]:
    """Solutions by factors in that precision, and their residuals, infinite where the matrix is singular in it."""
    distinct, which = np.unique(shifts, return_inverse=True)
    if len(distinct) > FEW_SHIFTS and len(K) > FEW_ROWS:
        factors = BandFactors.of(BandForm.of(K, dtype), distinct)
        solved = corrected(K, shifts, Y, size, lambda R, numbers: factors.solve(R, which[numbers]))
        return solved.columns, np.where(factors.definite[which], solved.residuals, np.inf)
    X, residuals = np.zeros_like(Y), np.full(len(shifts), np.inf)
    for number, shift in enumerate(distinct):
        here = np.flatnonzero(which == number)
        factor = Cholesky.of(K, shift, dtype)
        if factor is None or (dtype == np.float64 and is_singular(factor, K, shift)):
            continue
        solved = corrected(K, shifts[here], Y[:, here], size, lambda R, numbers, factor=factor: factor.solve(R))
        X[:, here], residuals[here] = solved.columns, solved.residuals
    return X, residuals


def corrected(K: Array, shifts: Array, Y: Array, size: float, approximate: Callable[..., Array]) -> Solutions:
    """Conjugate gradients with a factor of any precision."""
    return refine(lambda V: multiply(K, V), shifts, Y, lambda R, numbers: approximate(R, numbers).astype(np.float64), size)


def is_singular(factor: Cholesky, K: Array, shift: float) -> bool:
    """Is nothing but rounding left of a pivot?"""
    return factor.smallest_pivot <= SINGULAR * float(np.abs(K.diagonal() + shift).max(initial=0.0))


def by_eigenvalues(K: Array, shifts: Array, Y: Array) -> tuple[Array, float]:
    """(1), and the smallest eigenvalue of K."""
    values, U = linalg.eigh(K, check_finite=False)
    shifted = values[:, None] + shifts
    kept = np.abs(shifted) > len(K) * EPS * np.abs(shifted).max(axis=0)
    return U @ np.where(kept, (U.T @ Y) / np.where(kept, shifted, 1.0), 0.0), float(values[0])


def inverse_diagonal(K: Array, shifts: Array) -> list[Array]:
    """The diagonal of (K + αI)⁻¹ for each shift."""
    if len(shifts) > FEW_SHIFTS:
        form = BandForm.of(K, np.float64)
        factors, across = BandFactors.of(form, shifts), form.transposed_factor()
        if factors.definite.all():
            return [factors.inverse_diagonal(number, across) for number in range(len(shifts))]
    made = [Cholesky.of(K, shift, np.float64) for shift in shifts]
    if all(factor is not None and not is_singular(factor, K, shift) for factor, shift in zip(made, shifts, strict=True)):
        return [factor.inverse_diagonal() for factor in made if factor is not None]
    values, U = linalg.eigh(K, check_finite=False)
    return [pseudo_inverse_diagonal(values + shift, U) for shift in shifts]


def pseudo_inverse_diagonal(values: Array, U: Array) -> Array:
    """The diagonal of the matrix of (1)."""
    kept = np.abs(values) > len(values) * EPS * np.abs(values).max()
    return U**2 @ np.where(kept, 1.0 / np.where(kept, values, 1.0), 0.0)
