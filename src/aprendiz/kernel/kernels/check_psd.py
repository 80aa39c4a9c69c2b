"""Is a Gram matrix positive semi-definite, as that of every kernel is?

    K is positive semi-definite  ⇔  vᵀKv ≥ 0 for all v  ⇔  its smallest eigenvalue λ is at least 0               (1)
    allowed for rounding:  λ ≥ −tol,   tol = 10⁻¹²·n·max|K_ij|                                                   (2)

That it is so is shown by a Cholesky factor of K + tol·I, which exists only then. That it is not is shown by a vector v of
length 1 with vᵀKv < −tol: anybody can multiply it.

Cost: n³/3 for the factor; where there is none, a few tens of products with K for λ (Lanczos).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import LinAlgError, cholesky, eigh
from scipy.sparse.linalg import ArpackError, eigsh

from aprendiz.core.blas import single_blas
from aprendiz.core.parameters import NonNegative, ParameterError, fits, shown
from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.kernel.gram.given_matrix import square_matrix
from aprendiz.locale import _

FEW_ROWS = 500  # for which all eigenvalues are cheap


@dataclass(frozen=True, repr=False)
class PSDCheck(ShortRepr):
    """Whether a Gram matrix is positive semi-definite. True where it is.

    Attributes
    ----------
    psd : bool
        Whether no eigenvalue lies below −tolerance.
    eigenvalue : float or None
        The smallest eigenvalue, vᵀKv; None for a large matrix that has a Cholesky factor, where it was not needed.
    vector : array of shape (n_rows,) or None
        v, of length 1.
    tolerance : float
        What is allowed for rounding.
    """

    psd: bool
    eigenvalue: float | None
    vector: Array | None
    tolerance: float

    def __bool__(self) -> bool:
        return self.psd

    @property
    def sentence(self) -> str:
        """What was found, in a sentence."""
        tolerance = f"{self.tolerance:.3g}"
        if self.eigenvalue is None:
            said = _("The Gram matrix is positive semi-definite: with {tolerance} on its diagonal it has a Cholesky factor.")
            return said.format(tolerance=tolerance)
        value = f"{self.eigenvalue:.3g}"
        if self.psd:
            return _("The Gram matrix is positive semi-definite: its smallest eigenvalue is {value}.").format(value=value)
        return _(
            "The Gram matrix is not positive semi-definite: it has the eigenvalue {value}, and rounding explains at most "
            "−{tolerance}."
        ).format(value=value, tolerance=tolerance)


def check_psd(K: Any, *, tol: float | None = None) -> PSDCheck:
    """Whether a Gram matrix is positive semi-definite, with the eigenvalue that shows it.

    Parameters
    ----------
    K : array of shape (n_rows, n_rows)
        A symmetric matrix.
    tol : float or None, default=None
        How far below 0 an eigenvalue may lie; None: (2).

    Examples
    --------
    >>> from aprendiz.kernel.kernels import RBF
    >>> print(check_psd([[0.0, 1.0], [1.0, 0.0]]).sentence)
    The Gram matrix is not positive semi-definite: it has the eigenvalue -1, and rounding explains at most −2e-12.
    >>> bool(check_psd(RBF(gamma=1.0)([[0.0], [1.0], [3.0]])))
    True
    """
    if tol is not None and not fits(tol, NonNegative):
        raise ParameterError(f"tol of check_psd must be None or a number of at least 0, got {shown(tol)}.")
    K = square_matrix(K)
    n = len(K)
    tolerance = 1e-12 * n * float(np.abs(K).max()) if tol is None else float(tol)
    with single_blas(float(n) ** 3):
        if n > FEW_ROWS and has_factor(K, tolerance):
            return PSDCheck(True, None, None, tolerance)
        value, vector = smallest_eigenvalue(K)
    return PSDCheck(value >= -tolerance, value, vector, tolerance)


def has_factor(K: Array, tolerance: float) -> bool:
    """Has K + tol·I a Cholesky factor?"""
    moved = K.copy()
    moved[np.diag_indices(len(K))] += tolerance
    try:
        cholesky(moved, lower=True, overwrite_a=True, check_finite=False)
    except LinAlgError:
        return False
    return True


def smallest_eigenvalue(K: Array) -> tuple[float, Array]:
    """λ and v of (1); λ is vᵀKv of that v."""
    start = np.cos(np.arange(len(K), dtype=np.float64))  # any vector; the same one every time
    vector = None
    if len(K) > FEW_ROWS:
        try:
            vector = eigsh(K, k=1, which="SA", v0=start, maxiter=200, tol=1e-6)[1][:, 0]
        except ArpackError:  # eigenvalues that are close to each other: all of them, then
            vector = None
    if vector is None:
        vector = eigh(K, subset_by_index=[0, 0], check_finite=False)[1][:, 0]
    vector = vector / np.linalg.norm(vector)
    return float(vector @ K @ vector), vector
