"""The exponential kernel: as the Gaussian one, with the distance in place of its square.

    K(x, z) = e^(−γ‖x − z‖)                                                                                    (1)

It has a peak where rows meet, and falls slowly far away. In one column it is the covariance of the Ornstein–Uhlenbeck process,
and the Matérn kernel with ν = ½.

Cost of an entry: d multiplications, a root and an exponential.
"""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np

from aprendiz.core.parameters import Finite
from aprendiz.core.rows import Array
from aprendiz.kernel.gram.distances import distance_error, distances
from aprendiz.kernel.gram.exponential_of_distances import exponential_of
from aprendiz.kernel.gram.gamma import gamma_of_distances
from aprendiz.kernel.gram.kernel_function import Kernel
from aprendiz.kernel.gram.points import Points


class Exponential(Kernel):
    """K(x, z) = exp(−γ‖x − z‖).

    Parameters
    ----------
    gamma : float, "scale" or "auto", default="scale"
        γ. "scale": 1/√(number of columns · variance of all cells); "auto": 1/(number of columns).

    Examples
    --------
    >>> Exponential(gamma=0.5)([[0.0, 0.0], [3.0, 4.0]]).round(4)
    array([[1.    , 0.0821],
           [0.0821, 1.    ]])
    """

    centred = True

    def __init__(self, gamma: Finite | Literal["scale", "auto"] = "scale"):
        self.gamma = gamma

    def on(self, X: Any) -> Self:
        super().on(X)
        return type(self)(gamma_of_distances(self.gamma, X))

    def block(self, P: Points, Q: Points, out: Array | None = None) -> Array:
        found = distances(P, Q, out)
        return exponential_of(found, float(self.gamma))

    def diagonal_of(self, P: Points) -> Array:
        return np.ones(len(P), P.dtype)

    def rounding(self, P: Points, eps: float) -> float:
        """|e⁻ᵃ − e⁻ᵇ| ≤ |a − b|, and s·e⁻ˢ ≤ 1 for errors in proportion to the exponent s."""
        return min(float(self.gamma) * distance_error(P, eps) + 6.0 * eps, 1.0)
