"""The normal prior of the mean of a Gaussian whose variance is known.

    μ ~ N(m, τ²),   x | μ ~ N(μ, σ²)
    posterior    1/τₙ² = 1/τ² + n/σ²,   mₙ = τₙ² (m/τ² + n x̄/σ²)                                               (1)
    predictive   N(mₙ, τₙ² + σ²)                                                                               (2)
    evidence     N(x̄ | m, τ² + σ²/n) · (2πσ²)^(−(n−1)/2) n^(−1/2) exp(−S/2σ²),   S = Σ (x − x̄)²                 (3)

The MAP estimate of μ is mₙ, a weighted mean of m and x̄.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from scipy import special

from aprendiz.bayes.distributions.distribution import Univariate
from aprendiz.bayes.distributions.gaussian import LOG_2_PI, Gaussian, summary
from aprendiz.bayes.distributions.prior import Prior
from aprendiz.bayes.distributions.values import finite, positive
from aprendiz.core.rows import Array
from aprendiz.core.sums import Spread


@dataclass(frozen=True, eq=False)
class NormalMean(Univariate, Prior):
    """μ ~ N(m, τ²) for rows with a known variance.

    Parameters
    ----------
    mean, variance : float
        m and τ².
    noise : float
        σ², the known variance of the rows around μ.
    """

    mean: float
    variance: float
    noise: float

    family = Gaussian

    def __post_init__(self) -> None:
        finite(self, "mean")
        positive(self, "variance", "noise")

    @property
    def proper(self) -> bool:
        """Always."""
        return True

    def updated(self, statistics: Spread) -> Self:
        """(1), as a step from m towards x̄, which keeps digits where both are large."""
        n, mean, _ = summary(statistics)
        share = n * self.variance / (n * self.variance + self.noise)
        return replace(self, mean=self.mean + share * (mean - self.mean), variance=self.variance * (1 - share))

    def mode(self) -> Gaussian:
        """N(m, σ²)."""
        return Gaussian(self.mean, self.noise)

    def predictive(self) -> Gaussian:
        """(2)."""
        return Gaussian(self.mean, self.variance + self.noise)

    def log_evidence_of(self, statistics: Spread) -> float:
        """ln (3)."""
        n, mean, scatter = summary(statistics)
        if n == 0:
            return 0.0
        of_mean = float(Gaussian(self.mean, self.variance + self.noise / n).log_of(np.asarray(mean)))
        around = -0.5 * ((n - 1) * (LOG_2_PI + math.log(self.noise)) + math.log(n) + scatter / self.noise)
        return of_mean + around

    def log_of(self, x: Array) -> Array:
        """ln p(μ)."""
        return Gaussian(self.mean, self.variance).log_of(x)

    def quantile(self, q: Any) -> Array:
        """Of μ."""
        return np.asarray(self.mean + math.sqrt(self.variance) * special.ndtri(q))
