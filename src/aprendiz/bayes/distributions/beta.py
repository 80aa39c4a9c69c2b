"""The beta prior of the probability of a Bernoulli distribution.

    p(p) = pᵃ⁻¹ (1 − p)ᵇ⁻¹ / B(a, b)                                                                           (1)
    posterior    a + n₁, b + n₀                                                                                (2)
    mode         (a − 1)/(a + b − 2), or the end at which (1) grows without bound                              (3)
    predictive   P(1) = a/(a + b)                                                                              (4)
    evidence     B(a + n₁, b + n₀)/B(a, b), of the rows in their order                                         (5)

a = b = 1 is the uniform prior, a = b = 1/2 that of Jeffreys, a = b = 0 the improper one of Haldane.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy import special

from aprendiz.bayes.distributions.bernoulli import Bernoulli
from aprendiz.bayes.distributions.distribution import Univariate
from aprendiz.bayes.distributions.prior import Prior
from aprendiz.bayes.distributions.values import positive
from aprendiz.core.rows import Array
from aprendiz.core.sums import Counts


@dataclass(frozen=True, eq=False)
class Beta(Univariate, Prior):
    """p ~ beta (a, b).

    Parameters
    ----------
    a, b : float
        At least 0: the prior counts as so many rows of 1 and of 0.
    """

    a: float = 1.0
    b: float = 1.0

    family = Bernoulli

    def __post_init__(self) -> None:
        positive(self, "a", "b", zero=True)

    @property
    def proper(self) -> bool:
        """a > 0 and b > 0."""
        return self.a > 0 and self.b > 0

    @property
    def mean(self) -> float:
        """a/(a + b)."""
        self.insist_on_proper("mean")
        return self.a / (self.a + self.b)

    @property
    def variance(self) -> float:
        """ab/((a + b)²(a + b + 1))."""
        return self.mean * (1 - self.mean) / (self.a + self.b + 1)

    def updated(self, statistics: Counts) -> Self:
        """(2)."""
        return type(self)(self.a + float(statistics.table[1]), self.b + float(statistics.table[0]))

    def mode(self) -> Bernoulli:
        """(3)."""
        if self.a <= 1 and self.b <= 1 and (self.a == 1) == (self.b == 1):
            why = "every p is as probable" if self.a == 1 else "the density grows without bound at 0 and at 1"
            raise ValueError(f"{self!r} has no mode, {why}: use its mean, or observe more rows.")
        a, b = max(self.a - 1, 0.0), max(self.b - 1, 0.0)
        if a == b == 0:
            return Bernoulli(1.0 if self.a > self.b else 0.0)
        return Bernoulli(a / (a + b))

    def predictive(self) -> Bernoulli:
        """(4)."""
        return Bernoulli(self.mean)

    def log_evidence_of(self, statistics: Counts) -> float:
        """ln (5)."""
        after = self.updated(statistics)
        return float(special.betaln(after.a, after.b) - special.betaln(self.a, self.b))

    def log_of(self, x: Array) -> Array:
        """ln (1); −∞ outside of [0, 1]."""
        self.insist_on_proper("density")
        inside = (x >= 0) & (x <= 1)
        p = np.where(inside, x, 0.5)
        value = special.xlogy(self.a - 1, p) + special.xlog1py(self.b - 1, -p) - special.betaln(self.a, self.b)
        return np.where(inside, value, -np.inf)

    def quantile(self, q: Any) -> Array:
        """Of p."""
        self.insist_on_proper("quantile")
        return np.asarray(special.betaincinv(self.a, self.b, q))
