"""Families: distributions whose parameters are estimated from rows, through sums that add.

    statistics(x, weights)       a record; records of parts of the rows add up to that of all rows
    from_statistics(record)      the member with the largest likelihood ∏ p(xᵢ)^wᵢ                               (1)
    fit(x, weights, prior)       (1), or with a prior the member with the largest posterior density              (2)

Cost: one pass over the rows.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Self

import numpy as np

from aprendiz.bayes.distributions.distribution import Distribution
from aprendiz.bayes.distributions.prior import Prior
from aprendiz.bayes.distributions.values import row_weights
from aprendiz.core.rows import Array


class Family(Distribution):
    """A distribution that can be fitted."""

    @property
    @abstractmethod
    def n_parameters(self) -> int:
        """How many numbers can be chosen freely."""

    @classmethod
    @abstractmethod
    def statistics(cls, x: Any, weights: Any = None) -> Any:
        """The sums that the estimates need."""

    @classmethod
    @abstractmethod
    def from_statistics(cls, statistics: Any) -> Self:
        """The member of the largest likelihood (1)."""

    @classmethod
    def fit(cls, x: Any, weights: Any = None, prior: Prior | None = None) -> Self:
        """Maximum likelihood (1), or with a prior maximum a posteriori (2)."""
        if prior is None:
            return cls.from_statistics(cls.statistics(x, weights))
        if not isinstance(prior, Prior) or prior.family is not cls:
            raise TypeError(f"{prior!r} is not a prior of the parameters of {cls.__name__}: see aprendiz.bayes.distributions.")
        return prior.posterior(x, weights).mode()

    def log_likelihood(self, x: Any, weights: Any = None) -> float:
        """Σ wᵢ ln p(xᵢ)."""
        values: Array = np.atleast_1d(self.log_density(x))
        w = row_weights(weights, len(values))
        return float(values.sum() if w is None else values[w > 0] @ w[w > 0])


def insist_on_rows(weight: float) -> None:
    """A sum of no rows has no estimate."""
    if not weight > 0:
        raise ValueError("x has no row with a known value and a weight above 0: give at least one, or a proper prior's mode().")
