"""The Bernoulli distribution: a value that is 1 with probability p, else 0.

    P(1) = p,   P(0) = 1 − p;     ML:  p = n₁/n                                                                (1)

Prior: Beta.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from aprendiz.bayes.distributions.distribution import Univariate
from aprendiz.bayes.distributions.family import Family, insist_on_rows
from aprendiz.bayes.distributions.values import column, drop_missing, finite, row_weights
from aprendiz.core.rows import Array
from aprendiz.core.sums import Counts


@dataclass(frozen=True, eq=False)
class Bernoulli(Univariate, Family):
    """1 with probability p, else 0.

    Parameters
    ----------
    p : float
        From 0 to 1.
    """

    p: float

    discrete = True

    def __post_init__(self) -> None:
        finite(self, "p")
        if not 0 <= self.p <= 1:
            raise ValueError(f"p = {self.p:g} of Bernoulli must lie between 0 and 1.")

    @property
    def n_parameters(self) -> int:
        """p."""
        return 1

    @property
    def mean(self) -> float:
        """p."""
        return self.p

    @property
    def variance(self) -> float:
        """p(1 − p)."""
        return self.p * (1 - self.p)

    @classmethod
    def statistics(cls, x: Any, weights: Any = None) -> Counts:
        """How many rows are 0, and how many 1."""
        values = column(x)
        if (bad := ~np.isin(values, (0, 1)) & ~np.isnan(values)).any():
            row = int(np.flatnonzero(bad)[0])
            raise ValueError(f"x holds {values[row]:g} in row {row}: give 0 and 1, or use Categorical for other labels.")
        values, w = drop_missing(values, row_weights(weights, len(values)))
        return Counts.cross((2,), values, weight=w)

    @classmethod
    def from_statistics(cls, statistics: Counts) -> Self:
        """(1)."""
        insist_on_rows(float(statistics.table.sum()))
        return cls(float(statistics.table[1] / statistics.table.sum()))

    def log_of(self, x: Array) -> Array:
        """ln p or ln(1 − p); −∞ for any other value."""
        one, zero = (math.log(p) if p > 0 else -math.inf for p in (self.p, 1 - self.p))
        return np.select([x == 1, x == 0], [one, zero], -np.inf)

    def quantile(self, q: Any) -> Array:
        """1 above 1 − p."""
        return np.where(np.asarray(q) > 1 - self.p, 1.0, 0.0)

    def points(self) -> Array:
        """The values it takes."""
        return np.array([0.0, 1.0])
