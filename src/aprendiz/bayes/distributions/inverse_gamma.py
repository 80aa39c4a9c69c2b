"""The inverse-gamma prior of the variance of a Gaussian whose mean is known.

    p(σ²) = bᵃ/Γ(a) · (σ²)^(−a−1) e^(−b/σ²)                                                                    (1)
    posterior    aₙ = a + n/2,   bₙ = b + Σ (x − μ)²/2                                                         (2)
    mode         σ² = b/(a + 1)                                                                                (3)
    predictive   Student's t with 2a degrees of freedom around μ, squared scale b/a                            (4)
    evidence     (2π)^(−n/2) · Γ(aₙ)/Γ(a) · bᵃ/bₙ^aₙ                                                           (5)

a = 0 or b = 0 makes the prior improper: it still has a posterior, but no evidence.
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
from aprendiz.bayes.distributions.student_t import StudentT
from aprendiz.bayes.distributions.values import finite, positive
from aprendiz.core.rows import Array
from aprendiz.core.sums import Spread


@dataclass(frozen=True, eq=False)
class InverseGamma(Univariate, Prior):
    """σ² ~ inverse gamma (a, b) for rows with a known mean.

    Parameters
    ----------
    shape, scale : float
        a and b, at least 0.
    centre : float
        μ, the known mean of the rows.
    """

    shape: float
    scale: float
    centre: float = 0.0

    family = Gaussian

    def __post_init__(self) -> None:
        positive(self, "shape", "scale", zero=True)
        finite(self, "centre")

    @property
    def proper(self) -> bool:
        """a > 0 and b > 0."""
        return self.shape > 0 and self.scale > 0

    @property
    def mean(self) -> float:
        """b/(a − 1), infinite for a ≤ 1."""
        self.insist_on_proper("mean")
        return self.scale / (self.shape - 1) if self.shape > 1 else math.inf

    @property
    def variance(self) -> float:
        """b²/((a − 1)²(a − 2)), infinite for a ≤ 2."""
        self.insist_on_proper("variance")
        return self.mean**2 / (self.shape - 2) if self.shape > 2 else math.inf

    def updated(self, statistics: Spread) -> Self:
        """(2)."""
        n, mean, scatter = summary(statistics)
        return replace(self, shape=self.shape + n / 2, scale=self.scale + (scatter + n * (mean - self.centre) ** 2) / 2)

    def mode(self) -> Gaussian:
        """(3)."""
        if self.scale == 0:
            raise ValueError(
                "scale = 0: the density of σ² grows without bound at 0; choose a larger scale or observe rows off the mean."
            )
        return Gaussian(self.centre, self.scale / (self.shape + 1))

    def predictive(self) -> StudentT:
        """(4)."""
        self.insist_on_proper("predictive distribution")
        return StudentT(2 * self.shape, self.centre, math.sqrt(self.scale / self.shape))

    def log_evidence_of(self, statistics: Spread) -> float:
        """ln (5)."""
        after = self.updated(statistics)
        n = float(statistics.weight[0])
        return after.log_integral() - self.log_integral() - 0.5 * n * LOG_2_PI

    def log_integral(self) -> float:
        """ln Γ(a)/bᵃ, what divides the density."""
        return float(special.gammaln(self.shape)) - self.shape * math.log(self.scale)

    def log_of(self, x: Array) -> Array:
        """ln (1); −∞ for a variance that is not above 0."""
        self.insist_on_proper("density")
        with np.errstate(divide="ignore"):
            inside = np.where(x > 0, x, 1.0)
            value = -self.log_integral() - (self.shape + 1) * np.log(inside) - self.scale / inside
        return np.where(x > 0, value, -np.inf)

    def quantile(self, q: Any) -> Array:
        """Of σ²: 1/σ² has a gamma distribution."""
        self.insist_on_proper("quantile")
        with np.errstate(divide="ignore"):
            return np.asarray(self.scale / special.gammainccinv(self.shape, q))
