"""The γ-exponential kernel: between the exponential kernel (power 1) and the Gaussian one (power 2), and rougher below.

    K(x, z) = e^(−(γ‖x − z‖)ᵖ),     0 < p ≤ 2                                                                  (1)

For p > 2 (1) is no kernel: some Gram matrices have negative eigenvalues.

Cost of an entry: d multiplications, a root, a power and an exponential.
Reference: Rasmussen, Williams: Gaussian Processes for Machine Learning, 2006, eq. 4.18.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

import numpy as np

from aprendiz.core.parameters import Finite, Within
from aprendiz.core.rows import Array
from aprendiz.kernel.gram.distances import distance_error, distances
from aprendiz.kernel.gram.gamma import gamma_of_distances
from aprendiz.kernel.gram.kernel_function import Kernel
from aprendiz.kernel.gram.points import Points


class GammaExponential(Kernel):
    """K(x, z) = exp(−(γ‖x − z‖)ᵖ).

    Parameters
    ----------
    power : float, default=1.5
        p, above 0 and at most 2.
    gamma : float, "scale" or "auto", default="scale"
        γ. "scale": 1/√(number of columns · variance of all cells); "auto": 1/(number of columns).

    Examples
    --------
    >>> GammaExponential(1.5, gamma=1.0)([[0.0], [1.0], [2.0]]).round(4)
    array([[1.    , 0.3679, 0.0591],
           [0.3679, 1.    , 0.3679],
           [0.0591, 0.3679, 1.    ]])
    """

    centred = True

    def __init__(
        self,
        power: Annotated[float, Within(0, 2, above=True)] = 1.5,
        *,
        gamma: Finite | Literal["scale", "auto"] = "scale",
    ):
        self.power = power
        self.gamma = gamma

    def on(self, X: Any) -> Self:
        super().on(X)
        return type(self)(self.power, gamma=gamma_of_distances(self.gamma, X))

    def block(self, P: Points, Q: Points, out: Array | None = None) -> Array:
        found = distances(P, Q, out)
        with np.errstate(over="ignore"):  # e to minus infinity is 0
            found *= found.dtype.type(min(self.gamma, float(np.finfo(found.dtype).max)))
            np.power(found, found.dtype.type(self.power), out=found)
        return np.exp(np.negative(found, out=found), out=found)

    def diagonal_of(self, P: Points) -> Array:
        return np.ones(len(P), P.dtype)

    def rounding(self, P: Points, eps: float) -> float:
        """With s = γ‖x − z‖: |e^(−aᵖ) − e^(−bᵖ)| ≤ |a − b|ᵖ for p ≤ 1, ≤ p·|a − b| for p > 1."""
        error, p = float(self.gamma) * distance_error(P, eps), float(self.power)
        return float(min((error**p if p <= 1.0 else p * error) + 8.0 * eps, 1.0))
