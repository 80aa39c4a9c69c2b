"""The sum of two kernels: rows are alike where either of them says so.

K(x, z) = K₁(x, z) + K₂(x, z) = φ(x)ᵀφ(z),     φ(x) = (φ₁(x), φ₂(x))                                         (1)
"""

from __future__ import annotations

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.kernel.gram.pairs import PairOfKernels, PairOfPoints
from aprendiz.kernel.gram.written import written


class Sum(PairOfKernels):
    """K(x, z) = K₁(x, z) + K₂(x, z), written `k1 + k2`.

    Parameters
    ----------
    k1, k2 : Kernel
        The two kernels.

    Examples
    --------
    >>> from aprendiz.kernel.kernels import RBF, Linear
    >>> RBF(gamma=0.5) + 2
    RBF(gamma=0.5) + 2
    >>> (RBF(gamma=0.5) + Linear())([[0.0], [1.0]]).round(4)
    array([[1.    , 0.6065],
           [0.6065, 2.    ]])
    """

    def joined(self, a: Array, b: Array, out: Array | None = None) -> Array:
        return np.add(a, b, out=out)

    def largest_entry(self, P: PairOfPoints) -> float:
        return self.k1.largest_entry(P.first) + self.k2.largest_entry(P.second)

    def entry_error(self, P: PairOfPoints, eps: float) -> float:
        (size1, error1), (size2, error2) = self.sizes_and_errors(P, eps)
        error = error1 + error2
        return error + eps * (error + size1 + size2)

    def __repr__(self, N_CHAR_MAX: int = 700) -> str:
        return f"{written(self.k1)} + {written(self.k2)}"
