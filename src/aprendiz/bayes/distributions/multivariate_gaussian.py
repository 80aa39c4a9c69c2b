"""The Gaussian distribution of d columns.

    p(x) = |2πΣ|^(−1/2) exp(−D²/2),   D² = (x − μ)ᵀ Σ⁻¹ (x − μ)                                                (1)
    ML           μ = Σ w x / Σ w,   Σ = Σ w (x − μ)(x − μ)ᵀ / Σ w                                              (2)
    marginal     x_a ~ N(μ_a, Σ_aa)                                                                            (3)
    conditional  x_a | x_b ~ N(μ_a + Σ_ab Σ_bb⁻¹ (x_b − μ_b), Σ_aa − Σ_ab Σ_bb⁻¹ Σ_ba)                         (4)
    linear       Wᵀx + c ~ N(Wᵀμ + c, WᵀΣW)                                                                    (5)
    ellipsoid    P(D² ≤ r²) = q for r² = χ²_d(q), the q-quantile; 5.991465 for d = 2, q = 0.95                 (6)

A row with missing cells has the density of its observed part, which is (3). A fit needs whole rows: with missing cells the
likelihood has no maximum in closed form. All densities are logarithms, by one Cholesky triangle.

Cost: a fit O(n·d²), densities O(d³ + n·d²), and O(d³) more for each pattern of missing cells. Prior: NormalInverseWishart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from scipy import linalg, special

from aprendiz.bayes.distributions.distribution import shares
from aprendiz.bayes.distributions.family import Family, insist_on_rows
from aprendiz.bayes.distributions.gaussian import LOG_2_PI, Gaussian
from aprendiz.bayes.distributions.positive_definite import covariance_like, log_determinant, squared_distances, triangle
from aprendiz.bayes.distributions.values import chosen_columns, frozen, numbers, refuse_infinite, row_weights, table
from aprendiz.core.pictures import Picture, display
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array, Block
from aprendiz.summaries.moments import Moments


@dataclass(frozen=True, eq=False)
class MultivariateGaussian(Family):
    """N(μ, Σ).

    Parameters
    ----------
    mean : array-like of shape (d,)
        μ.
    covariance : array-like of shape (d, d)
        Σ, symmetric and positive definite.
    """

    mean: Array
    covariance: Array

    def __post_init__(self) -> None:
        covariance_like(self, "covariance", len(frozen(self, "mean", 1)))
        _ = self.L

    @classmethod
    def bivariate(cls, mean1: float, mean2: float, deviation1: float, deviation2: float, correlation: float) -> Self:
        """Two columns from their means, standard deviations and correlation ρ: Σ₁₂ = ρ σ₁ σ₂."""
        if min(deviation1, deviation2) <= 0:
            raise ValueError(f"The standard deviations {deviation1:g} and {deviation2:g} must be above 0.")
        if not -1 < correlation < 1:
            raise ValueError(f"correlation = {correlation:g} must lie strictly between −1 and 1.")
        shared = correlation * deviation1 * deviation2
        return cls(np.array([mean1, mean2]), np.array([[deviation1**2, shared], [shared, deviation2**2]]))

    @cached_property
    def L(self) -> Array:
        """The triangle with LLᵀ = Σ."""
        return triangle("covariance", self.covariance)

    @property
    def columns(self) -> int:
        """d."""
        return len(self.mean)

    @property
    def n_parameters(self) -> int:
        """d of the mean and d(d + 1)/2 of the covariance."""
        return self.columns * (self.columns + 3) // 2

    @property
    def variance(self) -> Array:
        """Of each column."""
        return np.asarray(self.covariance.diagonal())

    @property
    def correlation(self) -> Array:
        """Σᵢⱼ/(σᵢσⱼ)."""
        deviation = np.sqrt(self.variance)
        return np.asarray(self.covariance / np.outer(deviation, deviation))

    # ---- fitting -----------------------------------------------------------------------------------------------------

    @classmethod
    def statistics(cls, x: Any, weights: Any = None) -> Moments:
        """Weight, mean and scatter of whole rows."""
        X = table(x)
        refuse_missing(X)
        w = row_weights(weights, len(X))
        some = np.sort(X[:: max(1, len(X) // 100)], axis=0)
        pivot = some[len(some) // 2] if len(some) else np.zeros(X.shape[1])
        with np.errstate(over="ignore", invalid="ignore"):
            record = Moments.of(pivot, Block(X, None, w, 0))
        if not record.finite:
            row, column = np.unravel_index(np.abs(X).argmax(), X.shape)
            raise ValueError(f"X holds {X[row, column]:.3g} in row {row}, column {column}, too large to be squared: scale it.")
        return record

    @classmethod
    def from_statistics(cls, statistics: Moments) -> Self:
        """(2)."""
        insist_on_rows(float(statistics.weight))
        return cls(statistics.mean, symmetric(statistics.covariance()))

    # ---- densities and samples ---------------------------------------------------------------------------------------

    def squared_distance(self, x: Any) -> Array:
        """D² of each row, over its known cells."""
        return self.over_patterns(x, lambda part, offsets: squared_distances(part.L, offsets))

    def log_density(self, x: Any) -> Array:
        """ln (1) of each row, or of one; of the observed part where cells are missing."""
        return self.over_patterns(x, lambda part, offsets: part.log_at(offsets))

    def log_at(self, offsets: Array) -> Array:
        """ln (1) from x − μ."""
        front = self.columns * LOG_2_PI + log_determinant(self.L)
        return -0.5 * (squared_distances(self.L, offsets) + front)

    def over_patterns(self, x: Any, function: Any) -> Array:
        """A function of the marginal over the known cells, and of x − μ there; 0 where no cell is known."""
        X = numbers(x)
        if X.ndim == 0 or X.shape[-1] != self.columns:
            raise ValueError(f"x has shape {X.shape}, the distribution has {self.columns} columns: give one or more such rows.")
        offsets = X.reshape(-1, self.columns) - self.mean
        refuse_infinite(offsets)
        result = np.zeros(len(offsets))
        for rows, there in patterns(~np.isnan(offsets)):
            part = self if there.all() else self.marginal(np.flatnonzero(there))
            result[rows] = function(part, offsets[rows][:, there])
        return result.reshape(X.shape[:-1])

    def sample(self, n: int, seed: Any = None) -> Array:
        """n independent rows, μ + L z."""
        seed = draw_seed(seed)
        Z = np.column_stack([special.ndtri(shares(n, seed, j)) for j in range(self.columns)])
        return np.asarray(self.mean + Z @ self.L.T)

    # ---- algebra -----------------------------------------------------------------------------------------------------

    def marginal(self, columns: int | Sequence[int] | Array) -> Any:
        """(3), in the order given: a Gaussian for one number, a MultivariateGaussian for a list."""
        chosen = chosen_columns(np.atleast_1d(columns), self.columns)
        if np.ndim(columns) == 0:
            return Gaussian(self.mean[chosen[0]], self.covariance[chosen[0], chosen[0]])
        return type(self)(self.mean[chosen], self.covariance[np.ix_(chosen, chosen)])

    def conditional(self, given: Mapping[int, float]) -> Self:
        """(4): the other columns, in their order, given the values of some, such as {0: 1.5}."""
        b = chosen_columns(np.array(list(given)), self.columns)
        values = numbers(list(given.values()))
        if not np.isfinite(values).all():
            raise ValueError(f"given = {dict(given)!r} holds a value that is not finite: leave that column out.")
        a = np.setdiff1d(np.arange(self.columns), b)
        if not len(a):
            raise ValueError("All columns are given: leave out those whose distribution is wanted.")
        L = triangle("covariance", self.covariance[np.ix_(b, b)])
        slope = linalg.cho_solve((L, True), self.covariance[np.ix_(b, a)]).T
        left = self.covariance[np.ix_(a, a)] - slope @ self.covariance[np.ix_(b, a)]
        return type(self)(self.mean[a] + slope @ (values - self.mean[b]), symmetric(left))

    def linear(self, W: Any, shift: Any = 0.0) -> Any:
        """(5): a Gaussian for a vector w, a MultivariateGaussian for a matrix W of shape (d, k)."""
        W = np.asarray(W, dtype=np.float64)
        if W.ndim not in (1, 2) or len(W) != self.columns:
            raise ValueError(
                f"W has shape {W.shape}: give a vector of {self.columns} numbers, or a matrix of {self.columns} rows."
            )
        half = self.L.T @ W
        if W.ndim == 1:
            return Gaussian(float(W @ self.mean + shift), float(half @ half))
        return type(self)(W.T @ self.mean + shift, half.T @ half)

    # ---- ellipses ----------------------------------------------------------------------------------------------------

    def squared_radius(self, probability: float = 0.95) -> float:
        """r² of (6)."""
        if not 0 < probability < 1:
            raise ValueError(f"probability = {probability!r} must lie between 0 and 1, such as 0.95.")
        return float(special.chdtri(self.columns, 1 - probability))

    def ellipse(self, probability: float = 0.95, points: int = 200) -> Array:
        """Points of the closed line D² = r² around two columns, which holds that probability."""
        if self.columns != 2:
            raise ValueError(f"An ellipse has 2 columns, the distribution has {self.columns}: take marginal([0, 1]) first.")
        angles = np.linspace(0, 2 * np.pi, points)
        circle = np.sqrt(self.squared_radius(probability)) * np.column_stack([np.cos(angles), np.sin(angles)])
        return np.asarray(self.mean + circle @ self.L.T)

    def plot(self, ax: Any = None) -> Picture:
        """The 95 % ellipse of two columns as a picture, an `EllipseDisplay`. Needs matplotlib."""
        return display("EllipseDisplay")(self).plot(ax)


def refuse_missing(X: Array) -> None:
    if np.isnan(X).any():
        row, column = (int(i) for i in np.argwhere(np.isnan(X))[0])
        raise ValueError(
            f"X misses a cell in row {row}, column {column}, a fit needs whole rows: impute it (SimpleImputer) or leave it out."
        )


def symmetric(matrix: Array) -> Array:
    """Without the asymmetry that rounding leaves."""
    return np.asarray((matrix + matrix.T) / 2)


def patterns(there: Array) -> Iterator[tuple[Array, Array]]:
    """The rows that share each pattern of known cells, where any cell is known."""
    if there.all():
        yield np.arange(len(there)), np.ones(there.shape[1], dtype=bool)
        return
    kinds, which = np.unique(there, axis=0, return_inverse=True)
    for k, kind in enumerate(kinds):
        if kind.any():
            yield np.flatnonzero(which.ravel() == k), kind
