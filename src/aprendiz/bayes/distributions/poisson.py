"""The Poisson distribution: a number of events.

    P(x) = λˣ e^(−λ)/x!,   x = 0, 1, 2, …;     ML:  λ = Σ w x / Σ w                                            (1)

Prior: Gamma.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy import special

from aprendiz.bayes.distributions.distribution import Univariate
from aprendiz.bayes.distributions.family import Family, insist_on_rows
from aprendiz.bayes.distributions.values import column, drop_missing, positive, row_weights
from aprendiz.core.rows import Array
from aprendiz.core.sums import Sums


@dataclass(frozen=True)
class EventTotals(Sums):
    """Weight of the rows, their events, and Σ w ln x!."""

    weight: float
    events: float
    log_factorials: float


@dataclass(frozen=True, eq=False)
class Poisson(Univariate, Family):
    """Whole numbers with mean and variance λ.

    Parameters
    ----------
    rate : float
        λ, at least 0.
    """

    rate: float

    discrete = True

    def __post_init__(self) -> None:
        positive(self, "rate", zero=True)

    @property
    def n_parameters(self) -> int:
        """λ."""
        return 1

    @property
    def mean(self) -> float:
        """λ."""
        return self.rate

    @property
    def variance(self) -> float:
        """λ."""
        return self.rate

    @classmethod
    def statistics(cls, x: Any, weights: Any = None) -> EventTotals:
        """Rows and events."""
        values = column(x)
        if (bad := (values < 0) | (values != np.floor(values)) & ~np.isnan(values)).any():
            row = int(np.flatnonzero(bad)[0])
            raise ValueError(f"x holds {values[row]:g} in row {row}: a Poisson distribution has whole numbers of at least 0.")
        values, w = drop_missing(values, row_weights(weights, len(values)))
        w = np.ones(len(values)) if w is None else w
        return EventTotals(float(w.sum()), float(w @ values), float(w @ special.gammaln(values + 1)))

    @classmethod
    def from_statistics(cls, statistics: EventTotals) -> Self:
        """(1)."""
        insist_on_rows(statistics.weight)
        return cls(statistics.events / statistics.weight)

    def log_of(self, x: Array) -> Array:
        """ln (1); −∞ for what is no whole number of at least 0."""
        fine = (x >= 0) & (x == np.floor(x))
        counts = np.where(fine, x, 0.0)
        return np.where(fine, special.xlogy(counts, self.rate) - self.rate - special.gammaln(counts + 1), -np.inf)

    def quantile(self, q: Any) -> Array:
        """The least k with P(X ≤ k) ≥ q."""
        if self.rate == 0:
            return np.zeros(np.shape(q))
        return least_count(q, special.pdtrik(q, self.rate), lambda k: special.pdtr(k, self.rate))

    def points(self) -> Array:
        """The values that are not very improbable."""
        low, high = self.interval(0.999)
        return np.arange(low, high + 1)


def least_count(q: Any, guess: Array, below: Any) -> Array:
    """The least whole number k with below(k) ≥ q, from a real number that is nearly so; ∞ for q = 1."""
    k = np.maximum(np.ceil(np.nan_to_num(guess)), 0.0)
    k = np.where((k > 0) & (below(np.maximum(k - 1, 0)) >= q), k - 1, k)
    return np.where(np.asarray(q) >= 1, np.inf, np.where(below(k) < q, k + 1, k))
