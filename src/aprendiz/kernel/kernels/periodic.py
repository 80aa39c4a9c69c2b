"""The periodic kernel: rows are alike a whole number of periods apart.

    K(x, z) = Π_j e^(−2·sin²(π(x_j − z_j)/p)/ℓ²) = e^(−‖u(x) − u(z)‖²/(2ℓ²))                                     (1)
    u(x) = (cos(2πx₁/p), sin(2πx₁/p), cos(2πx₂/p), …), the columns as angles on circles                          (2)

The right side of (1) is the Gaussian kernel on the circles, so it is a kernel with any number of columns. (With the distance
of several columns inside of the sine it would not be.) In one column it is scikit-learn's ExpSineSquared.

Cost of an entry: 2d multiplications and an exponential.
Reference: MacKay: Introduction to Gaussian Processes, 1998, eq. 47.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.parameters import PositiveFinite
from aprendiz.core.rows import Array
from aprendiz.kernel.gram.exponential_of_distances import gaussian_block
from aprendiz.kernel.gram.kernel_function import Kernel
from aprendiz.kernel.gram.points import Points, make_points
from aprendiz.kernel.gram.rounding import gaussian_error


class Periodic(Kernel):
    """K(x, z) as in (1).

    Parameters
    ----------
    period : float, default=1.0
        p, after which everything repeats.
    length : float, default=1.0
        ℓ, how soon rows become different within a period.

    Examples
    --------
    >>> Periodic(period=7.0)([[0.0], [1.0], [7.0]]).round(4)
    array([[1.    , 0.6863, 1.    ],
           [0.6863, 1.    , 0.6863],
           [1.    , 0.6863, 1.    ]])
    """

    centred = True

    def __init__(self, period: PositiveFinite = 1.0, *, length: PositiveFinite = 1.0):
        self.period = period
        self.length = length

    def points(self, X: Any, like: Points | None = None) -> Points:
        """(2), with whole periods taken away before the angle, so that it keeps its digits: the remainder of a division is
        exact, and what x − pivot lost to rounding is added to it."""
        X = np.asarray(X.toarray() if sparse.issparse(X) else X, np.float64)
        moved = make_points(X, like, centred=True)
        back = moved.coordinates - X
        lost = (X - (moved.coordinates - back)) - (moved.pivot + back)
        angles = 2.0 * np.pi * ((np.fmod(moved.coordinates, self.period) + lost) / self.period)
        circles = np.ascontiguousarray(np.hstack([np.cos(angles), np.sin(angles)]))
        return Points(circles, np.full(len(circles), float(angles.shape[1])), moved.pivot)

    def block(self, P: Points, Q: Points, out: Array | None = None) -> Array:
        return gaussian_block(P, Q, self.gamma, out)

    @property
    def gamma(self) -> float:
        """1/(2ℓ²), that of the Gaussian kernel of (1)."""
        return min(0.5 / self.length / self.length, sys.float_info.max)

    def diagonal_of(self, P: Points) -> Array:
        return np.ones(len(P), P.dtype)

    def rounding(self, P: Points, eps: float) -> float:
        """As of the Gaussian kernel; angles and their cosines are off by some roundings more."""
        return gaussian_error(self.gamma, P, eps, more=16.0)
