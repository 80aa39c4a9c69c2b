"""The Gaussian kernel, or radial basis function: rows are alike while they are near.

    K(x, z) = e^(−γ‖x − z‖²),     γ = 1/(2σ²)                                                                  (1)

Every row is a direction of its own: the Gram matrix of different rows has full rank. Large γ remembers the rows, small γ is
nearly linear. Squared distances come from one product of matrices, ‖x‖² + ‖z‖² − 2xᵀz, around a row inside the data.

Cost of an entry: d multiplications and an exponential.
"""

from __future__ import annotations

import sys
from typing import Any, Literal, Self

import numpy as np

from aprendiz.core.parameters import Finite, ParameterError, PositiveFinite
from aprendiz.core.rows import Array
from aprendiz.kernel.gram.exponential_of_distances import gaussian_block
from aprendiz.kernel.gram.gamma import gamma_of
from aprendiz.kernel.gram.kernel_function import Kernel
from aprendiz.kernel.gram.points import Points
from aprendiz.kernel.gram.rounding import gaussian_error


class RBF(Kernel):
    """K(x, z) = exp(−γ‖x − z‖²).

    Parameters
    ----------
    gamma : float, "scale" or "auto", default="scale"
        γ. "scale": 1/(number of columns · variance of all cells); "auto": 1/(number of columns).
    sigma : float or None, default=None
        The width σ instead of γ = 1/(2σ²).

    Examples
    --------
    >>> RBF(gamma=0.5)([[0.0], [1.0]]).round(4)
    array([[1.    , 0.6065],
           [0.6065, 1.    ]])
    >>> RBF(sigma=1.0)([[0.0], [1.0]]).round(4)
    array([[1.    , 0.6065],
           [0.6065, 1.    ]])
    """

    centred = True

    def __init__(self, gamma: Finite | Literal["scale", "auto"] = "scale", *, sigma: PositiveFinite | None = None):
        self.gamma = gamma
        self.sigma = sigma

    def on(self, X: Any) -> Self:
        super().on(X)
        if self.sigma is None:
            return type(self)(gamma_of(self.gamma, X))
        if self.gamma != "scale":
            raise ParameterError("RBF: give gamma or sigma, not both; γ = 1/(2σ²).")
        return type(self)(min(0.5 / self.sigma / self.sigma, sys.float_info.max))

    def block(self, P: Points, Q: Points, out: Array | None = None) -> Array:
        return gaussian_block(P, Q, float(self.gamma), out)

    def diagonal_of(self, P: Points) -> Array:
        return np.ones(len(P), P.dtype)

    def rounding(self, P: Points, eps: float) -> float:
        return gaussian_error(float(self.gamma), P, eps)
