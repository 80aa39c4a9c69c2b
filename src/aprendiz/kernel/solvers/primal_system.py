"""Kernel ridge regression with the features themselves, where they are fewer than the rows.

With K = FFᵀ, F having a column for each of D features,

    (FᵀF + αI) w = Fᵀy                      the primal system: D unknowns                                     (1)
    (FFᵀ + αI) a = y,  w = Fᵀa              the dual system: as many as rows                                  (2)
    a = (y − Fw)/α                          from one to the other, α > 0                                      (3)
    (FFᵀ + αI)⁻¹ = (I − F(FᵀF + αI)⁻¹Fᵀ)/α                                                                    (4)

a is computed by conjugate gradients with (4) in place of the inverse, which is (3) with the rounding of (1) corrected.

Cost: n·D²/2 + D³/6 multiplications, instead of n²·D/2 + n³/6.
"""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
from scipy import linalg, sparse

from aprendiz.core.rows import Array
from aprendiz.kernel.gram.kernel_function import Kernel
from aprendiz.kernel.kernels import Linear, Polynomial
from aprendiz.kernel.solvers.conjugate_gradients import Solutions, refine
from aprendiz.kernel.solvers.tiles import norm

MOST_CELLS = 5 * 10**7  # of a table of features
LINEAR_GAIN, POLYNOMIAL_GAIN = 1, 2  # how many times more rows than features there must be


def explicit_features(kernel: Kernel, X: Any, *, always: bool = False) -> Any:
    """F, if the kernel has a feature map with few enough features, or `always`; else None. Sparse for a linear kernel of sparse
    rows."""
    n, d = X.shape
    if isinstance(kernel, Linear) and (always or LINEAR_GAIN * (d + (kernel.c > 0)) < n):
        if not sparse.issparse(X):
            return np.ascontiguousarray(kernel.feature_map(X), np.float64)
        ones = np.full((n, 1), np.sqrt(kernel.c))
        return sparse.csr_array(sparse.hstack([X, ones]) if kernel.c else X, dtype=np.float64)
    if isinstance(kernel, Polynomial):
        count = comb(d + kernel.degree - (not kernel.c), kernel.degree)
        if always or (POLYNOMIAL_GAIN * count <= n and n * count <= MOST_CELLS):
            return kernel.feature_map(X)
    return None


def solve_primal(F: Any, shifts: Array, Y: Array) -> tuple[Array, Solutions, float] | None:
    """w of (1) and a of (2) as columns, one for each shift, and the norm of FFᵀ; None where (1) is singular."""
    with np.errstate(over="ignore", invalid="ignore"):
        inner = F.T @ F
        inner = np.asarray(inner.toarray() if sparse.issparse(inner) else inner)
        size, factors = norm(inner), []
    if not np.isfinite(size):
        return None
    for shift in shifts:
        A = inner + shift * np.eye(len(inner))
        upper, broken = linalg.lapack.dpotrf(A, lower=0, overwrite_a=1)
        if broken or not np.isfinite(upper[-1, -1]):
            return None
        factors.append(upper)

    def solve(R: Array, numbers: Array) -> Array:
        solved = np.empty((len(inner), R.shape[1]))
        for place, number in enumerate(numbers):
            solved[:, place] = linalg.cho_solve((factors[number], False), R[:, place], check_finite=False)
        return solved

    def inverse(R: Array, numbers: Array) -> Array:
        with np.errstate(over="ignore", invalid="ignore"):
            return (R - F @ solve(F.T @ R, numbers)) / shifts[numbers]

    every, right = np.arange(len(shifts)), F.T @ Y
    W = solve(right, every)
    W += solve(right - inner @ W - shifts * W, every)
    return W, refine(lambda V: F @ (F.T @ V), shifts, Y, inverse, size), size
