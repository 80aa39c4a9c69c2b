"""The gamma prior of the rate of a Poisson distribution.

    p(λ) = bᵃ/Γ(a) · λᵃ⁻¹ e^(−bλ)                                                                              (1)
    posterior    a + Σ x, b + n                                                                                (2)
    mode         (a − 1)/b, or 0 for a < 1                                                                     (3)
    predictive   negative binomial (a, b/(b + 1))                                                              (4)
    evidence     bᵃ/Γ(a) · Γ(aₙ)/bₙ^aₙ / ∏ xᵢ!                                                                 (5)

The prior is worth b rows with a events.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy import special

from aprendiz.bayes.distributions.distribution import Univariate
from aprendiz.bayes.distributions.negative_binomial import NegativeBinomial
from aprendiz.bayes.distributions.poisson import EventTotals, Poisson
from aprendiz.bayes.distributions.prior import Prior
from aprendiz.bayes.distributions.values import positive
from aprendiz.core.rows import Array


@dataclass(frozen=True, eq=False)
class Gamma(Univariate, Prior):
    """λ ~ gamma (a, b).

    Parameters
    ----------
    shape, rate : float
        a and b, at least 0.
    """

    shape: float
    rate: float

    family = Poisson

    def __post_init__(self) -> None:
        positive(self, "shape", "rate", zero=True)

    @property
    def proper(self) -> bool:
        """a > 0 and b > 0."""
        return self.shape > 0 and self.rate > 0

    @property
    def mean(self) -> float:
        """a/b."""
        self.insist_on_proper("mean")
        return self.shape / self.rate

    @property
    def variance(self) -> float:
        """a/b²."""
        return self.mean / self.rate

    def updated(self, statistics: EventTotals) -> Self:
        """(2)."""
        return type(self)(self.shape + statistics.events, self.rate + statistics.weight)

    def mode(self) -> Poisson:
        """(3)."""
        if self.rate == 0:
            raise ValueError(f"{self!r} has no mode: choose rate above 0, or observe some rows first.")
        return Poisson(max(self.shape - 1, 0.0) / self.rate)

    def predictive(self) -> NegativeBinomial:
        """(4)."""
        self.insist_on_proper("predictive distribution")
        return NegativeBinomial(self.shape, self.rate / (self.rate + 1))

    def log_evidence_of(self, statistics: EventTotals) -> float:
        """ln (5)."""
        return self.updated(statistics).log_integral() - self.log_integral() - statistics.log_factorials

    def log_integral(self) -> float:
        """ln Γ(a)/bᵃ, what divides the density."""
        return float(special.gammaln(self.shape)) - self.shape * math.log(self.rate)

    def log_of(self, x: Array) -> Array:
        """ln (1); −∞ below 0."""
        self.insist_on_proper("density")
        rate = np.where(x >= 0, x, 1.0)
        value = special.xlogy(self.shape - 1, rate) - self.rate * rate - self.log_integral()
        return np.where(x >= 0, value, -np.inf)

    def quantile(self, q: Any) -> Array:
        """Of λ."""
        self.insist_on_proper("quantile")
        return np.asarray(special.gammaincinv(self.shape, q) / self.rate)
