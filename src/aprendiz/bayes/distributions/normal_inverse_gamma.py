"""The normal-inverse-gamma prior: mean and variance of a Gaussian, both unknown.

    σ² ~ inverse gamma (a, b),   μ | σ² ~ N(m, σ²/κ),   x | μ, σ² ~ N(μ, σ²)
    posterior    κₙ = κ + n,   mₙ = m + (n/κₙ)(x̄ − m),   aₙ = a + n/2,
                 bₙ = b + S/2 + (κn/2κₙ)(x̄ − m)²,   S = Σ (x − x̄)²                                            (1)
    mode         μ = m,   σ² = b/(a + 3/2)                                                                     (2)
    predictive   Student's t with 2a degrees of freedom around m, squared scale b(κ + 1)/(aκ)                  (3)
    evidence     (2π)^(−n/2) · √(κ/κₙ) · Γ(aₙ)/Γ(a) · bᵃ/bₙ^aₙ                                                 (4)

κ counts the rows that m is worth, 2a those that b/a is worth. κ = 0, a = −1/2, b = 0 is the improper prior p(μ, σ²) ∝ 1/σ².
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy import special

from aprendiz.bayes.distributions.distribution import shares
from aprendiz.bayes.distributions.gaussian import LOG_2_PI, Gaussian, summary
from aprendiz.bayes.distributions.inverse_gamma import InverseGamma
from aprendiz.bayes.distributions.prior import Prior
from aprendiz.bayes.distributions.student_t import StudentT
from aprendiz.bayes.distributions.values import finite, numbers, positive
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array
from aprendiz.core.sums import Spread


@dataclass(frozen=True, eq=False)
class NormalInverseGamma(Prior):
    """(μ, σ²) ~ normal-inverse-gamma (m, κ, a, b).

    Parameters
    ----------
    centre : float
        m.
    rows : float
        κ, at least 0.
    shape : float
        a, at least −1/2.
    scale : float
        b, at least 0.
    """

    centre: float
    rows: float
    shape: float
    scale: float

    family = Gaussian

    def __post_init__(self) -> None:
        finite(self, "centre", "shape")
        positive(self, "rows", "scale", zero=True)
        if self.shape < -0.5:
            raise ValueError(f"shape = {self.shape:g} of NormalInverseGamma must be at least −1/2.")

    @property
    def proper(self) -> bool:
        """κ, a and b above 0."""
        return min(self.rows, self.shape, self.scale) > 0

    @property
    def mean(self) -> tuple[float, float]:
        """Of μ and of σ²."""
        return self.centre, self.of_variance().mean

    @property
    def variance(self) -> tuple[float, float]:
        """Of μ and of σ²."""
        of_variance = self.of_variance()
        return of_variance.mean / self.rows, of_variance.variance

    def of_variance(self) -> InverseGamma:
        """The distribution of σ² alone."""
        self.insist_on_proper("distribution of the variance")
        return InverseGamma(self.shape, self.scale, self.centre)

    def of_mean(self) -> StudentT:
        """The distribution of μ alone: Student's t with 2a degrees of freedom, squared scale b/(aκ)."""
        self.insist_on_proper("distribution of the mean")
        return StudentT(2 * self.shape, self.centre, math.sqrt(self.scale / (self.shape * self.rows)))

    def updated(self, statistics: Spread) -> Self:
        """(1)."""
        n, mean, scatter = summary(statistics)
        if n == 0:
            return self
        rows, step = self.rows + n, mean - self.centre
        scale = self.scale + scatter / 2 + self.rows * n / (2 * rows) * step**2
        return type(self)(self.centre + n / rows * step, rows, self.shape + n / 2, scale)

    def mode(self) -> Gaussian:
        """(2)."""
        if self.rows == 0 or self.scale == 0:
            raise ValueError(
                f"{self!r} has no largest density: choose rows and scale above 0, or observe rows that differ first."
            )
        return Gaussian(self.centre, self.scale / (self.shape + 1.5))

    def predictive(self) -> StudentT:
        """(3)."""
        self.insist_on_proper("predictive distribution")
        wider = self.scale * (self.rows + 1) / (self.shape * self.rows)
        return StudentT(2 * self.shape, self.centre, math.sqrt(wider))

    def log_evidence_of(self, statistics: Spread) -> float:
        """ln (4)."""
        n = float(statistics.weight[0])
        return self.updated(statistics).log_integral() - self.log_integral() - 0.5 * n * LOG_2_PI

    def log_integral(self) -> float:
        """ln of Γ(a) / (bᵃ √κ), what divides the density, without its √2π."""
        return float(special.gammaln(self.shape)) - self.shape * math.log(self.scale) - 0.5 * math.log(self.rows)

    def log_density(self, x: Any) -> Array:
        """ln p(μ, σ²) of pairs (μ, σ²) in the last axis."""
        pairs = numbers(x)
        if pairs.ndim == 0 or pairs.shape[-1] != 2:
            raise ValueError(f"x has shape {pairs.shape}: give pairs (mean, variance) in the last axis.")
        mean, variance = pairs[..., 0], pairs[..., 1]
        inside = np.where(variance > 0, variance, 1.0)
        of_mean = -0.5 * (self.rows * (mean - self.centre) ** 2 / inside + np.log(inside / self.rows) + LOG_2_PI)
        return np.where(variance > 0, of_mean + self.of_variance().log_of(inside), -np.inf)

    def sample(self, n: int, seed: Any = None) -> Array:
        """n pairs (μ, σ²), one in each row."""
        seed = draw_seed(seed)
        variance = self.of_variance().quantile(shares(n, seed, 0))
        mean = self.centre + np.sqrt(variance / self.rows) * special.ndtri(shares(n, seed, 1))
        return np.column_stack([mean, variance])
