"""The constant kernel: every row is like every other.

    K(x, z) = c,     c ≥ 0                                                                                      (1)

φ(x) = √c. A negative constant is no kernel: K(x, x) would be a negative square.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from aprendiz.core.parameters import Finite, ParameterError, fits
from aprendiz.core.rows import Array
from aprendiz.kernel.gram.kernel_function import Kernel
from aprendiz.kernel.gram.points import Points


class Constant(Kernel):
    """K(x, z) = c. `k + c` and `c * k` make it of a number.

    Parameters
    ----------
    c : float, default=1.0
        A number of at least 0.

    Examples
    --------
    >>> Constant(2.0)([[0.0], [1.0]])
    array([[2., 2.],
           [2., 2.]])
    """

    compares = "anything"

    def __init__(self, c: Finite = 1.0):
        self.c = c

    def on(self, X: Any) -> Self:
        self.refuse_negative()
        return super().on(X)

    def refuse_negative(self) -> None:
        if fits(self.c, float) and self.c < 0:
            raise ParameterError(
                f"A kernel plus or times {self.c:g} is no kernel: Gram matrices would have negative eigenvalues. "
                "Use a number of at least 0."
            )

    def points(self, X: Any, like: Points | None = None) -> Points:
        count = X.shape[0] if hasattr(X, "shape") else len(X)
        return Points(np.empty((count, 0)), np.zeros(count))

    def block(self, P: Points, Q: Points, out: Array | None = None) -> Array:
        found = np.empty((len(P), len(Q)), P.dtype) if out is None else out
        found[...] = self.c
        return found

    def diagonal_of(self, P: Points) -> Array:
        return np.full(len(P), self.c, P.dtype)

    def rounding(self, P: Points, eps: float) -> float:
        return eps
