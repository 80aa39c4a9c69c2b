"""Student's t of d columns: what a Gaussian becomes when its mean and covariance are integrated out.

    p(x) = Γ((ν + d)/2) / (Γ(ν/2) (νπ)^(d/2) |S|^(1/2)) · (1 + D²/ν)^(−(ν+d)/2),   D² = (x − m)ᵀ S⁻¹ (x − m)   (1)

The marginal of some columns is a Student's t with the same ν; so a row with missing cells has the density of its observed part.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import special

from aprendiz.bayes.distributions.distribution import Distribution, shares
from aprendiz.bayes.distributions.multivariate_gaussian import patterns
from aprendiz.bayes.distributions.positive_definite import covariance_like, log_determinant, squared_distances, triangle
from aprendiz.bayes.distributions.values import chosen_columns, frozen, numbers, positive, refuse_infinite
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array


@dataclass(frozen=True, eq=False)
class MultivariateT(Distribution):
    """Student's t of d columns.

    Parameters
    ----------
    df : float
        ν, degrees of freedom.
    centre : array-like of shape (d,)
        m.
    scale : array-like of shape (d, d)
        S, symmetric and positive definite.
    """

    df: float
    centre: Array
    scale: Array

    def __post_init__(self) -> None:
        positive(self, "df")
        covariance_like(self, "scale", len(frozen(self, "centre", 1)))
        _ = self.L

    @cached_property
    def L(self) -> Array:
        """The triangle with LLᵀ = S."""
        return triangle("scale", self.scale)

    @property
    def mean(self) -> Array:
        """m; NaN for ν ≤ 1, which has none."""
        return self.centre if self.df > 1 else np.full_like(self.centre, math.nan)

    @property
    def covariance(self) -> Array:
        """S ν/(ν − 2); refused for ν ≤ 2, which has none."""
        if self.df <= 2:
            raise ValueError(f"df = {self.df:g}: Student's t has a covariance only above 2; see more rows.")
        return self.scale * (self.df / (self.df - 2))

    @property
    def variance(self) -> Array:
        """Of each column."""
        return np.asarray(self.covariance.diagonal())

    def marginal(self, columns: Any) -> MultivariateT:
        """The distribution of some columns."""
        chosen = chosen_columns(np.atleast_1d(columns), len(self.centre))
        return MultivariateT(self.df, self.centre[chosen], self.scale[np.ix_(chosen, chosen)])

    def log_density(self, x: Any) -> Array:
        """ln (1) of each row, or of one; of the observed part where cells are missing."""
        X, d = numbers(x), len(self.centre)
        if X.ndim == 0 or X.shape[-1] != d:
            raise ValueError(f"x has shape {X.shape}, the distribution has {d} columns: give one or more such rows.")
        offsets = X.reshape(-1, d) - self.centre
        refuse_infinite(offsets)
        result = np.zeros(len(offsets))
        for rows, there in patterns(~np.isnan(offsets)):
            part = self if there.all() else self.marginal(np.flatnonzero(there))
            result[rows] = part.log_at(offsets[rows][:, there])
        return result.reshape(X.shape[:-1])

    def log_at(self, offsets: Array) -> Array:
        """ln (1) from x − m."""
        nu, d = self.df, len(self.centre)
        front = special.gammaln((nu + d) / 2) - special.gammaln(nu / 2) - d / 2 * math.log(nu * math.pi)
        return front - log_determinant(self.L) / 2 - (nu + d) / 2 * np.log1p(squared_distances(self.L, offsets) / nu)

    def sample(self, n: int, seed: Any = None) -> Array:
        """n independent rows, m + L z √(ν/χ²)."""
        seed, d = draw_seed(seed), len(self.centre)
        Z = np.column_stack([special.ndtri(shares(n, seed, j)) for j in range(d)])
        chi2 = 2 * special.gammaincinv(self.df / 2, shares(n, seed, d))
        return np.asarray(self.centre + (Z * np.sqrt(self.df / chi2)[:, None]) @ self.L.T)
