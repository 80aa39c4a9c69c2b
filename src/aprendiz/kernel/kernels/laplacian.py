"""The Laplacian kernel: as the Gaussian one, with the sum of absolute differences as the distance.

    K(x, z) = e^(−γ‖x − z‖₁),     ‖x − z‖₁ = Σ|x_j − z_j|                                                      (1)

It is a product of kernels of one column each, and has a peak where rows meet: what is learnt with it need not be smooth.

Cost of an entry: d subtractions and an exponential.
"""

from __future__ import annotations

from typing import Any, Literal, Self

import numpy as np

from aprendiz.core.parameters import Finite
from aprendiz.core.rows import Array
from aprendiz.kernel.gram.exponential_of_distances import exponential_of
from aprendiz.kernel.gram.gamma import gamma_of_differences
from aprendiz.kernel.gram.kernel_function import Kernel
from aprendiz.kernel.gram.points import Points
from aprendiz.kernel.gram.rounding import largest, summation_error
from aprendiz.kernel.gram.sums_of_differences import add_absolute, summed


class Laplacian(Kernel):
    """K(x, z) = exp(−γ‖x − z‖₁).

    Parameters
    ----------
    gamma : float, "scale" or "auto", default="scale"
        γ. "scale": 1/(number of columns · standard deviation of all cells); "auto": 1/(number of columns).

    Examples
    --------
    >>> Laplacian(gamma=0.5)([[0.0, 0.0], [1.0, 1.0]]).round(4)
    array([[1.    , 0.3679],
           [0.3679, 1.    ]])
    """

    centred = True

    def __init__(self, gamma: Finite | Literal["scale", "auto"] = "scale"):
        self.gamma = gamma

    def on(self, X: Any) -> Self:
        super().on(X)
        return type(self)(gamma_of_differences(self.gamma, X))

    def block(self, P: Points, Q: Points, out: Array | None = None) -> Array:
        return exponential_of(summed(add_absolute, P, Q, out), float(self.gamma))

    def diagonal_of(self, P: Points) -> Array:
        return np.ones(len(P), P.dtype)

    def rounding(self, P: Points, eps: float) -> float:
        """Differences of rounded coordinates are off by u(|x| + |z|), and the sum of d of them as a sum is."""
        longest = largest(np.abs(P.coordinates).sum(axis=1))
        return min(2.0 * float(self.gamma) * longest * (summation_error(P, eps) + 2.0 * eps) + 3.0 * eps, 1.0)
