"""The additive χ² kernel of histograms, which is not positive semi-definite, but is so after centring.

    K(x, z) = −Σ_j (x_j − z_j)²/(x_j + z_j),     x, z ≥ 0                                                       (1)

Cost of an entry: d divisions. Zhang, Marszałek, Lazebnik, Schmid, IJCV 73, 2007.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.kernel.gram.kernel_function import Kernel
from aprendiz.kernel.gram.points import Points, make_points
from aprendiz.kernel.gram.sums_of_differences import add_chi_squared, refuse_negative_cells, summed


class AdditiveChiSquared(Kernel):
    """K(x, z) = −Σ (x_j − z_j)²/(x_j + z_j). Not positive semi-definite.

    Examples
    --------
    >>> AdditiveChiSquared()([[1.0, 0.0], [1.0, 1.0]])
    array([[ 0., -1.],
           [-1.,  0.]])
    """

    psd = False

    def __init__(self) -> None:
        pass

    def points(self, X: Any, like: Points | None = None) -> Points:
        refuse_negative_cells(X, "AdditiveChiSquared")
        return make_points(X, like, centred=False)

    def block(self, P: Points, Q: Points, out: Array | None = None) -> Array:
        found = summed(add_chi_squared, P, Q, out)
        np.negative(found, out=found)
        found += found.dtype.type(0.0)  # no −0
        return found

    def diagonal_of(self, P: Points) -> Array:
        return np.zeros(len(P), P.dtype)

    def rounding(self, P: Points, eps: float) -> float:
        """Nothing can be said relative to K(x, x) = 0."""
        return np.inf

    def largest_entry(self, P: Points) -> float:
        """(x − z)²/(x + z) ≤ max(x, z): the sum of the largest cells of the columns."""
        return float(P.coordinates.max(axis=0).sum()) if len(P) else 0.0

    def entry_error(self, P: Points, eps: float) -> float:
        """A term of size at most max(x, z) is off by three roundings of x and z and four of its own, and a sum of d terms, none
        below 0, by d more."""
        share = (P.coordinates.shape[1] + 8) * eps
        return share / (1.0 - share) * self.largest_entry(P) if share < 1.0 else np.inf
