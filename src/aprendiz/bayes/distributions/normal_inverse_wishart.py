"""The normal-inverse-Wishart prior: mean and covariance of a Gaussian of d columns, both unknown.

    Σ ~ inverse Wishart (ν, Ψ),   μ | Σ ~ N(m, Σ/κ),   x | μ, Σ ~ N(μ, Σ)
    posterior    κₙ = κ + n,   νₙ = ν + n,   mₙ = m + (n/κₙ)(x̄ − m),
                 Ψₙ = Ψ + S + (κn/κₙ)(x̄ − m)(x̄ − m)ᵀ,   S = Σ (x − x̄)(x − x̄)ᵀ                                 (1)
    mode         μ = m,   Σ = Ψ/(ν + d + 2)                                                                    (2)
    predictive   Student's t with ν − d + 1 degrees of freedom around m, scale Ψ(κ + 1)/(κ(ν − d + 1))         (3)
    evidence     π^(−nd/2) · Γ_d(νₙ/2)/Γ_d(ν/2) · |Ψ|^(ν/2)/|Ψₙ|^(νₙ/2) · (κ/κₙ)^(d/2)                         (4)

For d = 1 it is the normal-inverse-gamma prior with a = ν/2, b = Ψ/2. Ψ > 0 keeps the estimate of Σ invertible with fewer rows
than columns.

Reference: Murphy, "Probabilistic Machine Learning: Advanced Topics", 2023, section 3.4.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from scipy import linalg, special

from aprendiz.bayes.distributions.distribution import shares
from aprendiz.bayes.distributions.gaussian import LOG_2_PI
from aprendiz.bayes.distributions.multivariate_gaussian import MultivariateGaussian, symmetric
from aprendiz.bayes.distributions.multivariate_t import MultivariateT
from aprendiz.bayes.distributions.positive_definite import covariance_like, log_determinant, squared_distances, triangle
from aprendiz.bayes.distributions.prior import Prior
from aprendiz.bayes.distributions.values import frozen, positive, table
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array
from aprendiz.summaries.moments import Moments


@dataclass(frozen=True, eq=False)
class NormalInverseWishart(Prior):
    """(μ, Σ) ~ normal-inverse-Wishart (m, κ, ν, Ψ).

    Parameters
    ----------
    centre : array-like of shape (d,)
        m.
    rows : float
        κ, above 0.
    df : float
        ν; the prior is proper above d − 1, and has a mean above d + 1.
    scale : array-like of shape (d, d)
        Ψ, symmetric and positive definite.
    """

    centre: Array
    rows: float
    df: float
    scale: Array

    family = MultivariateGaussian

    def __post_init__(self) -> None:
        positive(self, "rows")
        positive(self, "df", zero=True)
        covariance_like(self, "scale", len(frozen(self, "centre", 1)))
        _ = self.L

    @cached_property
    def L(self) -> Array:
        """The triangle with LLᵀ = Ψ."""
        return triangle("scale", self.scale)

    @property
    def columns(self) -> int:
        """d."""
        return len(self.centre)

    @property
    def proper(self) -> bool:
        """ν > d − 1."""
        return self.df > self.columns - 1

    @property
    def mean(self) -> tuple[Array, Array]:
        """Of μ and of Σ."""
        left = self.df - self.columns - 1
        if left <= 0:
            raise ValueError(
                f"df = {self.df:g}: Σ has a mean only above {self.columns + 1}; choose more, or observe more rows."
            )
        return self.centre, self.scale / left

    @property
    def variance(self) -> tuple[Array, Array]:
        """Of each entry of μ and of each entry of Σ."""
        covariance, left = self.mean[1], self.df - self.columns - 1
        if left <= 2:
            raise ValueError(
                f"df = {self.df:g}: Σ has a variance only above {self.columns + 3}; choose more, or observe more rows."
            )
        diagonal = self.scale.diagonal()
        of_entries = ((left + 2) * self.scale**2 + left * np.outer(diagonal, diagonal)) / ((left + 1) * left**2 * (left - 2))
        return covariance.diagonal() / self.rows, of_entries

    def statistics(self, x: Any, weights: Any = None) -> Moments:
        """Weight, mean and scatter of whole rows with the columns of the prior."""
        return MultivariateGaussian.statistics(table(x, self.columns), weights)

    def updated(self, statistics: Moments) -> Self:
        """(1)."""
        n = float(statistics.weight)
        rows, step = self.rows + n, statistics.mean - self.centre
        scale = self.scale + statistics.scatter + self.rows * n / rows * np.outer(step, step)
        return type(self)(self.centre + n / rows * step, rows, self.df + n, symmetric(scale))

    def mode(self) -> MultivariateGaussian:
        """(2)."""
        return MultivariateGaussian(self.centre, self.scale / (self.df + self.columns + 2))

    def predictive(self) -> MultivariateT:
        """(3)."""
        self.insist_on_proper("predictive distribution")
        df = self.df - self.columns + 1
        return MultivariateT(df, self.centre, self.scale * ((self.rows + 1) / (self.rows * df)))

    def log_evidence_of(self, statistics: Moments) -> float:
        """ln (4)."""
        n = float(statistics.weight)
        return self.updated(statistics).log_integral() - self.log_integral() - n * self.columns / 2 * math.log(math.pi)

    def log_integral(self) -> float:
        """ln of Γ_d(ν/2) |Ψ|^(−ν/2) κ^(−d/2)."""
        d = self.columns
        gamma = float(special.multigammaln(self.df / 2, d))
        return gamma - self.df / 2 * log_determinant(self.L) - d / 2 * math.log(self.rows)

    def log_density(self, x: Any) -> Array:
        """ln p(μ, Σ) of a pair (μ, Σ)."""
        self.insist_on_proper("density")
        if not isinstance(x, (tuple, list)) or len(x) != 2 or np.shape(x[0]) != (self.columns,):
            raise ValueError(f"x must be a pair (mean, covariance) of {self.columns} columns.")
        at, d = MultivariateGaussian(*x), self.columns
        of_mean = self.rows * squared_distances(at.L, np.asarray(at.mean - self.centre))
        trace = float((linalg.solve_triangular(at.L, self.L, lower=True) ** 2).sum())
        front = self.log_integral() + self.df * d / 2 * math.log(2) + d / 2 * LOG_2_PI
        return np.asarray(-0.5 * ((self.df + d + 2) * log_determinant(at.L) + trace + of_mean) - front)

    def sample(self, n: int, seed: Any = None) -> tuple[Array, Array]:
        """n means of shape (n, d) and n covariances of shape (n, d, d), by Bartlett's triangle of the Wishart distribution:
        Σ = L A⁻ᵀ A⁻¹ Lᵀ, A lower with √χ²(ν − i) on the diagonal and N(0, 1) below it."""
        self.insist_on_proper("sample")
        seed, d = draw_seed(seed), self.columns
        A = np.zeros((n, d, d))
        for i in range(d):
            A[:, i, i] = np.sqrt(2 * special.gammaincinv((self.df - i) / 2, shares(n, seed, i * d + i)))
            for j in range(i):
                A[:, i, j] = special.ndtri(shares(n, seed, i * d + j))
        half = self.L @ np.swapaxes(np.linalg.inv(A), -1, -2)
        Z = np.stack([special.ndtri(shares(n, seed, d * d + j)) for j in range(d)], axis=-1)
        means = self.centre + np.einsum("nij,nj->ni", half, Z) / math.sqrt(self.rows)
        return means, half @ np.swapaxes(half, -1, -2)
