"""Low density: a row is an outlier if a generative model of the rows finds it improbable.

    ln p(x) < c,     c the quantile of level t of ln p over the rows of the fit                               (1)

p is that of any model with `log_density`: a mixture has p(x) = Σ_k π_k p(x | k), a generative classifier the same sum over its
classes. By (1) a share t of the rows of the fit is always found: those to look at first, not necessarily wrong.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from aprendiz.core.certificate import Certificate
from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array
from aprendiz.summaries.quantiles import sorted_quantiles


@dataclass(frozen=True)
class DensityLimit:
    """A fitted model, and the smallest ln p(x) that is no outlier."""

    model: Any
    limit: float

    def scores(self, X: Array) -> Array:
        """ln p(x)."""
        return np.asarray(self.model.log_density(X), dtype=np.float64)

    def outlying(self, X: Array) -> Array:
        """Which rows are outliers."""
        return self.scores(X) < self.limit

    def worst_columns(self, X: Array) -> Array:
        """−1: all columns decide together."""
        return np.full(len(X), -1)


def density_limit(model: Any, logs: Array, weight: Array | None, share: float) -> tuple[DensityLimit, Certificate]:
    """(1), from the log densities of the rows of the fit, and what the model knows of its own fit."""
    counted = np.ones(len(logs), bool) if weight is None else weight > 0
    some = None if weight is None else weight[counted]
    limit = float(sorted_quantiles(logs[counted], some, np.array([share]))[0])
    known = Certificate("every row of the fit has a density", bool(np.isfinite(logs[counted]).all()), {"limit": limit})
    return DensityLimit(model, limit), getattr(model, "certificate_", known)


def refuse_no_density(model: Any) -> None:
    """A model that cannot say how probable a row is."""
    if not hasattr(model, "log_density"):
        raise ParameterError(
            f"model of OutlierFilter must have log_density for method='density', got {model!r}: give a generative model, such "
            "as GaussianMixture(3), QuadraticDiscriminantAnalysis() or NaiveBayes()."
        )
