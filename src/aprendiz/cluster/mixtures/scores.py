"""What mixtures share: responsibilities, and how well they fit rows, from ℓ, the weight Σw and the number p of parameters.

    score  ℓ/Σw,     BIC  −2ℓ + p·ln Σw,     AIC  −2ℓ + 2p                                                      (1)

Reference: Schwarz, "Estimating the dimension of a model", Annals of Statistics 6, 1978, for BIC.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from sklearn.base import DensityMixin

from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array
from aprendiz.core.several_starts import SeveralStarts
from aprendiz.core.sums import Sums


@dataclass(frozen=True)
class Likelihood(Sums):
    """ℓ and Σw of some rows."""

    log_likelihood: float
    weight: float

    @classmethod
    def of(cls, log_densities: Array, w: Array) -> Self:
        """From ln p(x) and the weight of each row."""
        return cls(float(log_densities[w > 0] @ w[w > 0]), float(w.sum()))


class MixtureScores(DensityMixin, SeveralStarts):
    """A mixture that knows the log-likelihood of rows, and finds it from several starts."""

    n_parameters_: int

    @abstractmethod
    def likelihood(self, X: Any, sample_weight: Any = None) -> Likelihood:
        """ℓ and Σw of some rows."""

    @abstractmethod
    def of_rows(self, function: Callable[[Array], Array], X: Any) -> Array:
        """A function of ln π p(x) (rows × k), of each row."""

    @abstractmethod
    def score_samples(self, X: Any) -> Array:
        """ln p(x) of each row."""

    def log_density(self, X: Any) -> Array:
        """ln p(x) of each row, as the other generative models call it: small for outliers."""
        return self.score_samples(X)

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Array:
        """Fit, and return the components of the training rows."""
        return np.asarray(self.fit(X, sample_weight=sample_weight).predict(X))

    def predict(self, X: Any) -> Array:
        """The component with the largest responsibility for each row."""
        return self.of_rows(lambda logs: logs.argmax(axis=1), X)

    def predict_proba(self, X: Any) -> Array:
        """Responsibilities of the components for each row; equal where all densities vanish."""
        return self.of_rows(lambda logs: shares_of(logs)[1], X)

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


def shares_of(logs: Array) -> tuple[Array, Array]:
    """ln p(x) of each row, and its responsibilities, from ln π p(x) (rows × k)."""
    top = logs.max(axis=1, keepdims=True)
    level = np.where(np.isneginf(top), 0.0, top)
    found = np.exp(np.where(np.isneginf(top), 0.0, logs - level))
    total = found.sum(axis=1, keepdims=True)
    return (top + np.log(total))[:, 0], found / total


def is_still(log: Array, mean: float, tol: float) -> bool:
    """Has ℓ/Σw changed by less than `tol` in a pass, given those of the passes before?"""
    return bool(len(log) > 0 and abs(mean - log[-1]) < max(tol, 1e-15 * abs(mean)))


def drawn_components(weights: Array, n_samples: Any, seed: int) -> Array:
    """The component of each of so many rows, in order."""
    if not isinstance(n_samples, (int, np.integer)) or n_samples < 1:
        raise ValueError(f"n_samples = {n_samples!r} must be a whole number of at least 1.")
    place = np.searchsorted(np.cumsum(weights), uniforms(seed, 0, int(n_samples)), side="right")
    return np.sort(np.minimum(place, len(weights) - 1))
