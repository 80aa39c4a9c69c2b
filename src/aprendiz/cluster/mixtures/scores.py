"""How well a mixture fits rows, from its log-likelihood ℓ, the weight Σw of the rows and the number p of its parameters.

    score  ℓ/Σw,     BIC  −2ℓ + p·ln Σw,     AIC  −2ℓ + 2p                                                      (1)

Reference: Schwarz, "Estimating the dimension of a model", Annals of Statistics 6, 1978, for BIC.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from sklearn.base import DensityMixin

from aprendiz.core.iteration import Iterative
from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array


class MixtureScores(DensityMixin, Iterative):
    """A mixture that knows the log-likelihood of rows."""

    n_parameters_: int

    @abstractmethod
    def likelihood(self, X: Any, sample_weight: Any = None) -> Any:
        """A record of ℓ and Σw of some rows: `log_likelihood` and `weight`."""

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """ℓ/Σw of the rows."""
        total = self.likelihood(X, sample_weight)
        return float(total.log_likelihood / total.weight)

    def bic(self, X: Any, sample_weight: Any = None) -> float:
        """−2ℓ + (number of parameters)·ln Σw: the smaller the better."""
        total = self.likelihood(X, sample_weight)
        return float(-2 * total.log_likelihood + self.n_parameters_ * np.log(total.weight))

    def aic(self, X: Any, sample_weight: Any = None) -> float:
        """−2ℓ + 2·(number of parameters): the smaller the better."""
        return float(-2 * self.likelihood(X, sample_weight).log_likelihood + 2 * self.n_parameters_)


def drawn_components(weights: Array, n_samples: Any, seed: int) -> Array:
    """The component of each of so many rows, in order."""
    if not isinstance(n_samples, (int, np.integer)) or n_samples < 1:
        raise ValueError(f"n_samples = {n_samples!r} must be a whole number of at least 1.")
    place = np.searchsorted(np.cumsum(weights), uniforms(seed, 0, int(n_samples)), side="right")
    return np.sort(np.minimum(place, len(weights) - 1))
