"""The Matérn kernel: how smooth what is learnt may be is a parameter.

    K(x, z) = 2^(1−ν)/Γ(ν)·sᵛ·K_ν(s),     s = √(2ν)·‖x − z‖/ℓ,     K_ν the modified Bessel function               (1)
    ν = ½: e⁻ˢ      ν = 3/2: (1 + s)·e⁻ˢ      ν = 5/2: (1 + s + s²/3)·e⁻ˢ      ν → ∞: e^(−‖x − z‖²/(2ℓ²))          (2)

Functions of it can be differentiated as often as ν is large. The forms of (2) have no Bessel function and are fast.

Cost of an entry: d multiplications, a root and an exponential, or a Bessel function.
Reference: Rasmussen, Williams: Gaussian Processes for Machine Learning, 2006, §4.2.1.
"""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln, kve

from aprendiz.core.parameters import Positive, PositiveFinite
from aprendiz.core.rows import Array
from aprendiz.kernel.gram.distances import distance_error, distances
from aprendiz.kernel.gram.kernel_function import Kernel
from aprendiz.kernel.gram.points import Points

FAR = 1e4  # s for which K is 0 in any precision
LARGEST_NU = 100.0  # of a Bessel function whose factors are numbers still; above it (1) is near its limit


class Matern(Kernel):
    """K(x, z) as in (1).

    Parameters
    ----------
    nu : float, default=1.5
        ν, how smooth; 0.5 is the exponential kernel, infinity the Gaussian one. Above 100 it counts as infinite.
    length : float, default=1.0
        ℓ, the distance over which rows stay alike.

    Examples
    --------
    >>> Matern(nu=1.5, length=2.0)([[0.0], [1.0]]).round(4)
    array([[1.    , 0.7849],
           [0.7849, 1.    ]])
    """

    centred = True

    def __init__(self, nu: Positive = 1.5, *, length: PositiveFinite = 1.0):
        self.nu = nu
        self.length = length

    def block(self, P: Points, Q: Points, out: Array | None = None) -> Array:
        found = distances(P, Q, out)
        with np.errstate(over="ignore"):
            found *= found.dtype.type(min(self.scale, float(np.finfo(found.dtype).max)))
        np.minimum(found, found.dtype.type(FAR), out=found)
        found[...] = of_distances(found, float(self.nu))
        return found

    @property
    def scale(self) -> float:
        """s/‖x − z‖."""
        return float(np.sqrt(2.0 * self.nu if self.nu <= LARGEST_NU else 1.0)) / self.length

    def diagonal_of(self, P: Points) -> Array:
        return np.ones(len(P), P.dtype)

    def rounding(self, P: Points, eps: float) -> float:
        """The slope of (1) in s is at most 1 for ν ≥ ½. For ν < ½ (1) is convex, and falls fastest from s = 0."""
        error = self.scale * distance_error(P, eps)
        if self.nu < 0.5:
            error = 1.0 - float(of_distances(np.array([error]), float(self.nu))[0])
        own = 16.0 * eps if self.nu in (0.5, 1.5, 2.5) or self.nu > LARGEST_NU else 16.0 * eps + 1e-12
        return min(error + own, 1.0)


def of_distances(s: Array, nu: float) -> Array:
    """(2), or (1) in double precision."""
    if nu > LARGEST_NU:
        return np.exp(s * s * s.dtype.type(-0.5))
    if nu in (0.5, 1.5, 2.5):
        factor = 1.0 if nu == 0.5 else 1.0 + s if nu == 1.5 else 1.0 + s + s * s / s.dtype.type(3.0)
        found: Array = factor * np.exp(-s)
        return found
    s = s.astype(np.float64)
    near = s < 1e-150  # where K = 1; the Bessel function would be infinite
    s = np.where(near, 1.0, s)
    logarithm = (1.0 - nu) * np.log(2.0) - gammaln(nu) + nu * np.log(s) - s
    with np.errstate(over="ignore", invalid="ignore"):
        bessel = kve(nu, s)
        found = np.exp(logarithm + np.log(bessel))
    return np.where(near | ~np.isfinite(bessel), 1.0, np.minimum(found, 1.0))
