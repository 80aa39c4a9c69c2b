"""The product of two kernels: rows are alike where both of them say so.

    K(x, z) = K₁(x, z)·K₂(x, z) = φ(x)ᵀφ(z),     φ(x)_ij = φ₁(x)_i·φ₂(x)_j                                        (1)

With a constant as one of them it is a multiple.
"""

from __future__ import annotations

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.kernel.gram.pairs import PairOfKernels, PairOfPoints
from aprendiz.kernel.gram.written import written


class Product(PairOfKernels):
    """K(x, z) = K₁(x, z)·K₂(x, z), written `k1 * k2`.

    Parameters
    ----------
    k1, k2 : Kernel
        The two kernels.

    Examples
    --------
    >>> from aprendiz.kernel.kernels import RBF, Linear
    >>> 2 * RBF(gamma=0.5) + Linear()
    2 * RBF(gamma=0.5) + Linear()
    >>> (2 * Linear())([[1.0], [3.0]])
    array([[ 2.,  6.],
           [ 6., 18.]])
    """

    def joined(self, a: Array, b: Array, out: Array | None = None) -> Array:
        return np.multiply(a, b, out=out)

    def largest_entry(self, P: PairOfPoints) -> float:
        return self.k1.largest_entry(P.first) * self.k2.largest_entry(P.second)

    def entry_error(self, P: PairOfPoints, eps: float) -> float:
        (size1, error1), (size2, error2) = self.sizes_and_errors(P, eps)
        error = error1 * size2 + error2 * size1 + error1 * error2
        return error + eps * (error + size1 * size2)

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        parts = (self.k1, self.k2)
        return " * ".join(f"({part!r})" if type(part).__name__ == "Sum" else written(part) for part in parts)
