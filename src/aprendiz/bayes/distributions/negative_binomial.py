"""The negative binomial distribution: a Poisson distribution whose rate is not known.

    P(x) = Γ(x + r)/(Γ(r) x!) · pʳ (1 − p)ˣ,   x = 0, 1, 2, …                                                  (1)

Its variance is larger than its mean: the rate varies too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special

from aprendiz.bayes.distributions.distribution import Univariate
from aprendiz.bayes.distributions.poisson import least_count
from aprendiz.bayes.distributions.values import positive
from aprendiz.core.rows import Array


@dataclass(frozen=True, eq=False)
class NegativeBinomial(Univariate):
    """Failures before r successes, r being any number above 0.

    Parameters
    ----------
    r : float
        Above 0.
    p : float
        Probability of a success, above 0 and below 1.
    """

    r: float
    p: float

    discrete = True

    def __post_init__(self) -> None:
        positive(self, "r", "p")
        if self.p >= 1:
            raise ValueError(f"p = {self.p:g} of NegativeBinomial must be below 1.")

    @property
    def mean(self) -> float:
        """r(1 − p)/p."""
        return self.r * (1 - self.p) / self.p

    @property
    def variance(self) -> float:
        """r(1 − p)/p²."""
        return self.mean / self.p

    def log_of(self, x: Array) -> Array:
        """ln (1); −∞ for what is no whole number of at least 0."""
        fine = (x >= 0) & (x == np.floor(x))
        counts = np.where(fine, x, 0.0)
        ways = special.gammaln(counts + self.r) - special.gammaln(self.r) - special.gammaln(counts + 1)
        return np.where(fine, ways + self.r * math.log(self.p) + counts * math.log1p(-self.p), -np.inf)

    def quantile(self, q: Any) -> Array:
        """The least k with P(X ≤ k) ≥ q; P(X ≤ k) is the incomplete beta function I_p(r, k + 1)."""
        return least_count(q, special.nbdtrik(q, self.r, self.p), lambda k: special.betainc(self.r, k + 1, self.p))

    def points(self) -> Array:
        """The values that are not very improbable."""
        low, high = self.interval(0.999)
        return np.arange(low, high + 1)
