"""What all distributions share: densities in logarithms, samples that follow from a seed, pictures.

sample          F⁻¹(u), u the uniform numbers of core/random.py: the i-th value depends on the seed and on i alone   (1)
missing cell    a NaN is integrated out, ∫ p(x) dx = 1: its log density is 0                                         (2)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import fields
from typing import Any

import numpy as np

from aprendiz.bayes.distributions.values import numbers
from aprendiz.core.pictures import Picture, display
from aprendiz.core.random import draw_seed, uniforms
from aprendiz.core.rows import Array

LEAST = 2.0**-54  # a uniform number of 0 would have no quantile


def shares(n: int, seed: int, stream: int = 0) -> Array:
    """n uniform numbers above 0 and below 1."""
    if not isinstance(n, (int, np.integer)) or n < 0:
        raise ValueError(f"n = {n!r} must be a whole number of at least 0.")
    return np.maximum(uniforms(seed, stream, int(n)), LEAST)


class Distribution(ABC):
    """A distribution with fixed parameters. Subclasses are frozen records; all have `mean` and `variance`."""

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(np.array_equal(getattr(self, f.name), getattr(other, f.name)) for f in fields(self))  # type: ignore[arg-type]

    def __hash__(self) -> int:
        return hash((type(self), *(np.asarray(getattr(self, f.name)).tobytes() for f in fields(self))))  # type: ignore[arg-type]

    @abstractmethod
    def log_density(self, x: Any) -> Array:
        """ln p(x) of each value: of a density, or of a probability where the values can be counted."""

    def density(self, x: Any) -> Array:
        """p(x) of each value; of many columns it may be too large or too small for a double, its logarithm is not."""
        with np.errstate(over="ignore"):
            return np.exp(self.log_density(x))

    @abstractmethod
    def sample(self, n: int, seed: Any = None) -> Any:
        """n independent values."""


class Drawable(Distribution):
    """A distribution that can be plotted: its values lie on a line, or can be counted."""

    discrete = False

    def plot(self, ax: Any = None) -> Picture:
        """The density as a picture, a `DistributionDisplay`. Needs matplotlib."""
        return display("DistributionDisplay")(self).plot(ax)


class Univariate(Drawable):
    """A distribution on the line: subclasses give `log_of` (at known values) and `quantile`."""

    @abstractmethod
    def log_of(self, x: Array) -> Array:
        """ln p(x) of values that are known."""

    @abstractmethod
    def quantile(self, q: Any) -> Array:
        """The least value with P(X ≤ value) ≥ q."""

    def log_density(self, x: Any) -> Array:
        """ln p(x) of each value; 0 where it is missing (2), −∞ at infinity."""
        values = numbers(x)
        known = np.isfinite(values)
        with np.errstate(over="ignore"):
            found = self.log_of(np.where(known, values, 0.0))
        return np.where(known, found, np.where(np.isnan(values), 0.0, -np.inf))

    def sample(self, n: int, seed: Any = None) -> Array:
        """n independent values (1)."""
        return self.quantile(shares(n, draw_seed(seed)))

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """The middle of the distribution: as much probability lies below it as above it."""
        if not 0 < level < 1:
            raise ValueError(f"level = {level!r} must lie between 0 and 1, such as 0.95.")
        low, high = self.quantile(np.array([(1 - level) / 2, (1 + level) / 2]))
        return float(low), float(high)
