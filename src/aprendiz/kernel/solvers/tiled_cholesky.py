"""The Cholesky factor of a large matrix, by columns of tiles.

    A = LLᵀ:    L_kk L_kkᵀ = A_kk − Σ_{j<k} L_kj L_kjᵀ                                                        (1)
                L_ik = (A_ik − Σ_{j<k} L_ij L_kjᵀ) L_kk⁻ᵀ,     i > k                                          (2)

The sums of (2) are products of matrices, one for each run of rows, which threads share; L_kk⁻¹ is small and multiplied too.

Cost: n³/3 multiplications and additions; in single precision half the time. Memory: L, in place of A.
Reference: Golub & Van Loan, "Matrix computations", section 4.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy import linalg

from aprendiz.core.rows import Array
from aprendiz.kernel.solvers.tiles import for_each, runs, shifted_copy

WIDTH, HEIGHT = 256, 256  # of a tile


@dataclass(frozen=True)
class Cholesky:
    """L, in the lower triangle."""

    L: Array

    @classmethod
    def of(cls, K: Array, shift: float, dtype: Any) -> Self | None:
        """The factor of K + shift·I in that precision; None if the matrix is not positive definite in it."""
        A = shifted_copy(K, shift, dtype)
        return cls(A) if factorise(A) else None

    @property
    def smallest_pivot(self) -> float:
        """The smallest L_kk², which is at least the smallest eigenvalue."""
        return float(self.L.diagonal().min()) ** 2

    def solve(self, R: Array) -> Array:
        """A⁻¹R, in the precision of the factor."""
        half = linalg.solve_triangular(self.L, R.astype(self.L.dtype), lower=True, check_finite=False)
        return linalg.solve_triangular(self.L, half, lower=True, trans="T", check_finite=False, overwrite_b=True)

    def inverse_diagonal(self) -> Array:
        """The diagonal of A⁻¹: the squared lengths of the columns of L⁻¹."""
        found = np.empty(len(self.L))
        for run in runs(0, len(self.L)):
            columns = np.zeros((len(self.L) - run.start, run.stop - run.start))
            np.fill_diagonal(columns, 1.0)
            columns = linalg.solve_triangular(
                self.L[run.start :, run.start :], columns, lower=True, check_finite=False, overwrite_b=True
            )
            found[run] = np.einsum("ij,ij->j", columns, columns)
        return found


def factorise(A: Array) -> bool:
    """(1) and (2) in the lower triangle of A; whether A is positive definite."""
    n = len(A)
    cholesky, invert = linalg.get_lapack_funcs(("potrf", "trtri"), (A,))
    for start in range(0, n, WIDTH):
        stop = min(start + WIDTH, n)
        subtract_products(A, start, stop)
        upper, broken = cholesky(A[start:stop, start:stop].T, lower=0, clean=1)  # its transpose, by columns
        if broken or not np.isfinite(upper[-1, -1]):
            return False
        A[start:stop, start:stop] = upper.T
        if stop < n:
            divide_panel(A, invert(upper, lower=0)[0], start, stop)
    return True


def subtract_products(A: Array, start: int, stop: int) -> None:
    """The sums of (1) and (2), for a column of tiles."""
    if start == 0:
        return
    across = np.ascontiguousarray(A[start:stop, :start].T)

    def rows(run: slice) -> None:
        A[run, start:stop] -= A[run, :start] @ across

    for_each(rows, runs(start, len(A), HEIGHT))


def divide_panel(A: Array, inverse: Array, start: int, stop: int) -> None:
    """(2): times L_kk⁻ᵀ."""

    def rows(run: slice) -> None:
        A[run, start:stop] = A[run, start:stop] @ inverse

    for_each(rows, runs(stop, len(A), HEIGHT))
