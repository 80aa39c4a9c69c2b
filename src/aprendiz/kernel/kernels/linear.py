"""The linear kernel: the inner product itself, with a constant that is one more column.

    K(x, z) = xᵀz + c,     c ≥ 0                                                                               (1)

φ(x) = (x, √c). Cost of an entry: d multiplications.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.parameters import Finite
from aprendiz.core.rows import Array
from aprendiz.kernel.gram.kernel_function import Kernel
from aprendiz.kernel.gram.points import Points, products
from aprendiz.kernel.gram.rounding import summation_error


class Linear(Kernel):
    """K(x, z) = xᵀz + c.

    Parameters
    ----------
    c : float, default=0.0
        A constant of at least 0.

    Examples
    --------
    >>> Linear(1.0)([[1.0, 2.0], [3.0, 1.0]])
    array([[ 6.,  6.],
           [ 6., 11.]])
    """

    def __init__(self, c: Finite = 0.0):
        self.c = c

    def block(self, P: Points, Q: Points, out: Array | None = None) -> Array:
        found = products(P, Q, out)
        if self.c:
            found += found.dtype.type(self.c)
        return found

    def diagonal_of(self, P: Points) -> Array:
        return P.squares + self.c

    def rounding(self, P: Points, eps: float) -> float:
        return summation_error(P, eps) + 2.0 * eps

    def feature_map(self, X: Any) -> Array:
        """φ(x) = (x, √c)."""
        X = self.on(X).table(X)
        X = np.asarray(X.toarray() if sparse.issparse(X) else X, np.float64)
        return np.column_stack([X, np.full(len(X), np.sqrt(self.c))]) if self.c else X
