"""The χ² kernel of histograms: as the Laplacian one, with differences measured by the size of the counts.

    K(x, z) = e^(−γ·Σ_j (x_j − z_j)²/(x_j + z_j)),     x, z ≥ 0                                                (1)

Cost of an entry: d divisions and an exponential. Zhang, Marszałek, Lazebnik, Schmid, IJCV 73, 2007.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.parameters import Finite
from aprendiz.core.rows import Array
from aprendiz.kernel.gram.exponential_of_distances import exponential_of
from aprendiz.kernel.gram.kernel_function import Kernel
from aprendiz.kernel.gram.points import Points, make_points
from aprendiz.kernel.gram.rounding import largest, summation_error
from aprendiz.kernel.gram.sums_of_differences import add_chi_squared, refuse_negative_cells, summed


class ChiSquared(Kernel):
    """K(x, z) = exp(−γ·Σ (x_j − z_j)²/(x_j + z_j)).

    Parameters
    ----------
    gamma : float, default=1.0
        γ.

    Examples
    --------
    >>> ChiSquared()([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]).round(4)
    array([[1.    , 0.1353, 0.3679],
           [0.1353, 1.    , 0.3679],
           [0.3679, 0.3679, 1.    ]])
    """

    def __init__(self, gamma: Finite = 1.0):
        self.gamma = gamma

    def points(self, X: Any, like: Points | None = None) -> Points:
        refuse_negative_cells(X, "ChiSquared")
        return make_points(X, like, centred=False)

    def block(self, P: Points, Q: Points, out: Array | None = None) -> Array:
        return exponential_of(summed(add_chi_squared, P, Q, out), float(self.gamma))

    def diagonal_of(self, P: Points) -> Array:
        return np.ones(len(P), P.dtype)

    def rounding(self, P: Points, eps: float) -> float:
        """(x − z)²/(x + z) ≤ x + z, and changes by at most 3 times as much as x and z do."""
        longest = largest(P.coordinates.sum(axis=1))
        return min(2.0 * float(self.gamma) * longest * (summation_error(P, eps) + 8.0 * eps) + 4.0 * eps, 1.0)
