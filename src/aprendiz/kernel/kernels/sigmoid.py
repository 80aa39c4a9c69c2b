"""The sigmoid kernel, which is not positive semi-definite in general: the output of a neuron whose weights are the other row.

    K(x, z) = tanh(γ·xᵀz + c)                                                                                  (1)

For no γ and c is every Gram matrix of (1) positive semi-definite; for small γ and c < 0 it is nearly so. `check_psd` tells
whether that of some rows is. Learners that need an inner product warn where it is not.

Cost of an entry: d multiplications and a hyperbolic tangent. Lin, Lin: A study on sigmoid kernels for SVM, 2003.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

import numpy as np

from aprendiz.core.parameters import FAR, Finite, Within
from aprendiz.core.rows import Array
from aprendiz.kernel.gram.gamma import gamma_of
from aprendiz.kernel.gram.kernel_function import Kernel
from aprendiz.kernel.gram.points import Points, products
from aprendiz.kernel.gram.rounding import largest, product_error


class Sigmoid(Kernel):
    """K(x, z) = tanh(γ·xᵀz + c). Not positive semi-definite in general.

    Parameters
    ----------
    gamma : float, "scale" or "auto", default="scale"
        γ. "scale": 1/(number of columns · variance of all cells); "auto": 1/(number of columns).
    c : float, default=0.0
        A constant.

    Examples
    --------
    >>> Sigmoid(gamma=0.5)([[1.0, 0.0], [1.0, 1.0]]).round(4)
    array([[0.4621, 0.4621],
           [0.4621, 0.7616]])
    """

    psd = False

    def __init__(self, gamma: Finite | Literal["scale", "auto"] = "scale", *, c: Annotated[float, Within(-FAR, FAR)] = 0.0):
        self.gamma = gamma
        self.c = c

    def on(self, X: Any) -> Self:
        super().on(X)
        return type(self)(gamma_of(self.gamma, X), c=self.c)

    def block(self, P: Points, Q: Points, out: Array | None = None) -> Array:
        return self.fill(products(P, Q, out))

    def diagonal_of(self, P: Points) -> Array:
        return self.fill(P.squares.copy())

    def fill(self, tile: Array) -> Array:
        """(1) in place of inner products."""
        with np.errstate(over="ignore"):  # tanh of infinity is 1
            tile *= tile.dtype.type(self.gamma)
        tile += tile.dtype.type(self.c)
        return np.tanh(tile, out=tile)

    def largest_exponent(self, P: Points) -> float:
        """A bound on |γ·xᵀz + c|."""
        return float(self.gamma) * largest(P.squares) + abs(float(self.c))

    def largest_entry(self, P: Points) -> float:
        return float(np.tanh(self.largest_exponent(P)))

    def entry_error(self, P: Points, eps: float) -> float:
        """|tanh a − tanh b| ≤ |a − b|."""
        a = self.largest_exponent(P)
        return min(float(self.gamma) * product_error(P, eps) + 3.0 * eps * a + 4.0 * eps, 2.0) if a else 0.0

    def rounding(self, P: Points, eps: float) -> float:
        size = largest(self.diagonal_of(P))
        return self.entry_error(P, eps) / size if size else np.inf
