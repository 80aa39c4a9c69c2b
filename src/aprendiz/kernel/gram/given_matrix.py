"""A Gram matrix that a user passes: square, symmetric and of finite numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.rows import Array
from aprendiz.kernel.gram.symmetric import refuse_asymmetric


def square_matrix(K: Any) -> Array:
    """In double precision; rounding that makes it asymmetric stays."""
    K = np.asarray(K.toarray() if sparse.issparse(K) else K, np.float64)
    if K.ndim != 2 or K.shape[0] != K.shape[1] or not len(K):
        raise ValueError(f"A Gram matrix is square, a row and a column for each row of the data; got shape {K.shape}.")
    bad = ~np.isfinite(K)
    if bad.any():
        i, j = np.argwhere(bad)[0]
        raise ValueError(f"The Gram matrix contains {K[i, j]} at K[{i}, {j}]: it must hold finite numbers.")
    refuse_asymmetric(K, "this Gram matrix")
    return K
