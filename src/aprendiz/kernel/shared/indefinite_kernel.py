"""A warning where a kernel is not positive semi-definite on the training rows.

A part of the Gram matrix, of some rows, that is not positive semi-definite shows that the whole is not. So a few hundred rows
are looked at, spread over the table (kernels/check_psd.py): a negative eigenvalue is found where it counts, at a cost that does
not grow with n.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from aprendiz.kernel import kernels
from aprendiz.kernel.gram.gram_matrix import gram_matrix
from aprendiz.locale import _

ROUNDED = 1e-7  # of n·max|K|: below it lies what a matrix of single precision has by rounding
ROWS = 400  # all eigenvalues of their Gram matrix in some 10 ms


def find_indefinite(kernel: Any, points: Any, rows: int = ROWS) -> Any:
    """What shows that the kernel is not positive semi-definite on these points; None if nothing does."""
    if kernel.psd:
        return None
    chosen = np.unique(np.linspace(0, len(points) - 1, min(rows, len(points))).astype(np.intp))
    K = gram_matrix(kernel, points.take(chosen))
    found = kernels.check_psd(K, tol=ROUNDED * len(K) * float(np.abs(K).max()))
    return None if found else found


def warn_if_indefinite(learner: str, kernel: Any, points: Any, *, stacklevel: int = 4) -> Any:
    """Warn with the eigenvalue and a remedy."""
    found = find_indefinite(kernel, points)
    if found is not None:
        said = _(
            "{learner}: {kernel} is not positive semi-definite on the training rows: the Gram matrix of {rows} of them has the "
            "eigenvalue {value}. There may be several solutions, and one of them was found. Use another kernel, such as RBF()."
        )
        said = said.format(learner=learner, kernel=kernel, rows=len(found.vector), value=f"{found.eigenvalue:.3g}")
        warnings.warn(said, UserWarning, stacklevel=stacklevel)
    return found
