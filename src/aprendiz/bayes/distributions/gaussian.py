"""The Gaussian distribution on the line.

    p(x) = (2πσ²)^(−1/2) exp(−(x − μ)²/2σ²)                                                                    (1)
    ML:  μ = Σ w x / Σ w,   σ² = Σ w (x − μ)² / Σ w                                                            (2)

The sums are taken around a pivot inside the data (core/sums.py, `Spread`), so (2) keeps its digits at any offset. Missing
cells are left out. Rows that are all equal have no ML estimate: p would grow without bound.

Priors: NormalMean (σ² known), InverseGamma (μ known), NormalInverseGamma (both unknown).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy import special

from aprendiz.bayes.distributions.distribution import Univariate
from aprendiz.bayes.distributions.family import Family, insist_on_rows
from aprendiz.bayes.distributions.values import column, drop_missing, finite, positive, row_weights
from aprendiz.core.rows import Array, Block
from aprendiz.core.sums import Spread

LOG_2_PI = math.log(2 * math.pi)


@dataclass(frozen=True, eq=False)
class Gaussian(Univariate, Family):
    """N(μ, σ²).

    Parameters
    ----------
    mean : float
        μ.
    variance : float
        σ², above 0.
    """

    mean: float
    variance: float

    def __post_init__(self) -> None:
        finite(self, "mean")
        positive(self, "variance")

    @property
    def n_parameters(self) -> int:
        """μ and σ²."""
        return 2

    @classmethod
    def statistics(cls, x: Any, weights: Any = None) -> Spread:
        """Weight, mean and scatter of the known values."""
        values = column(x)
        values, w = drop_missing(values, row_weights(weights, len(values)))
        some = np.sort(values[:: max(1, len(values) // 100)])
        pivot = some[len(some) // 2] if len(some) else 0.0
        with np.errstate(over="ignore", invalid="ignore"):
            record = Spread.of(np.array([pivot]), Block(values[:, None], None, w, 0))
        if not record.finite:
            largest = np.abs(values).argmax()
            raise ValueError(f"x holds {values[largest]:.3g}, too large to be squared: scale x.")
        return record

    @classmethod
    def from_statistics(cls, statistics: Spread) -> Self:
        """(2)."""
        n, mean, scatter = summary(statistics)
        insist_on_rows(n)
        if scatter / n <= (4 * np.finfo(float).eps * mean) ** 2:
            raise ValueError(f"All values of x are {mean:g}, so the estimated variance is 0: give more rows or a prior.")
        return cls(mean, scatter / n)

    def log_of(self, x: Array) -> Array:
        """ln (1)."""
        return -0.5 * ((x - self.mean) ** 2 / self.variance + math.log(self.variance) + LOG_2_PI)

    def quantile(self, q: Any) -> Array:
        """μ + σ Φ⁻¹(q)."""
        return np.asarray(self.mean + math.sqrt(self.variance) * special.ndtri(q))


def summary(statistics: Spread) -> tuple[float, float, float]:
    """Weight, mean and scatter of one column."""
    return float(statistics.weight[0]), float(statistics.mean[0]), float(statistics.scatter[0])
