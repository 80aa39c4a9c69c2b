"""Bands of a regression: what a model says of a row before calibration, and the score of a target.

A band is a lower and an upper end and the unit in which distances from them are measured. The score of y is how many units it
lies outside (negative inside), and the interval of a score t is the band, wider by t units on both sides:

    t = max{ (low(x) − y)/unit(x), (y − high(x))/unit(x) }                                                   (1)
    interval of t:   low(x) − t·unit(x)   to   high(x) + t·unit(x)                                           (2)

    absolute      low = high = f(x), unit = 1                              intervals of one width
    normalized    low = high = f(x), unit = the expected |y − f(x)|         wider where the noise is larger
    quantile      low, high = quantiles of y given x, unit = 1              wider where the quantiles are (CQR)

The ends are rounded outwards, by what a subtraction and an addition can lose: a row whose score is exactly t lies inside.

References: Papadopoulos et al., "Normalized nonconformity measures", 2008; Romano, Patterson & Candès, "Conformalized quantile
regression", NeurIPS 2019.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import KFold, cross_val_predict

from aprendiz.core.rows import Array
from aprendiz.locale import _

EPS = np.finfo(np.float64).eps
LEAST_UNIT = 0.01  # of the mean residual: expected residuals below it are taken for it
INNER_FOLDS = 5  # for residuals of the training rows


@dataclass(frozen=True)
class Band:
    """What a model says of some rows."""

    low: Array
    high: Array
    unit: Array

    def score(self, y: Array) -> Array:
        """(1)."""
        return np.maximum(self.low - y, y - self.high) / self.unit

    def ends(self, t: Any) -> tuple[Array, Array]:
        """(2)."""
        wide = t * self.unit
        return self.low - wide - room(self.low, wide), self.high + wide + room(self.high, wide)


def room(end: Array, wide: Array) -> Array:
    """What the rounding of (1) and (2) can lose."""
    return 4 * EPS * np.maximum(np.abs(end), np.abs(wide))


# ---- models --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BandModel:
    """A fitted model and what its band needs beside it: nothing, a model of its residuals, or models of two quantiles."""

    centre: Any
    low: Any = None
    high: Any = None
    residual: Any = None
    least_unit: float = 1.0

    def predict(self, X: Any) -> Array:
        return np.asarray(self.centre.predict(X), dtype=np.float64)

    def band(self, X: Any) -> Band:
        """What it says of some rows."""
        if self.low is not None:
            low, high = (np.asarray(one.predict(X), dtype=np.float64) for one in (self.low, self.high))
            return Band(low, high, np.ones(len(low)))
        centre = self.predict(X)
        if self.residual is None:
            return Band(centre, centre, np.ones(len(centre)))
        return Band(centre, centre, np.maximum(np.asarray(self.residual.predict(X), dtype=np.float64), self.least_unit))


def normalized_model(centre: Any, estimator: Any, residual: Any, X: Any, y: Array, seed: Any) -> BandModel:
    """With a model of the absolute residuals of the training rows, each from a model that has not seen the row."""
    folds = KFold(min(INNER_FOLDS, len(y)), shuffle=True, random_state=seed)
    sizes = np.abs(y - cross_val_predict(estimator, X, y, cv=folds))
    least = LEAST_UNIT * float(sizes.mean())
    found = clone(estimator if residual is None else residual).fit(X, sizes)
    return BandModel(centre, residual=found, least_unit=least if least > 0 else 1.0)


def quantile_model(estimator: Any, quantiles: Any, X: Any, y: Array) -> BandModel:
    """With models of two quantiles; the median is the prediction."""
    levels = tuple(quantiles)
    if len(levels) != 2 or not 0 < levels[0] < levels[1] < 1:
        raise ValueError(
            _("quantiles = {value} must be two levels between 0 and 1, the lower one first, such as (0.05, 0.95).").format(
                value=repr(quantiles)
            )
        )
    name = quantile_parameter(estimator)
    low, centre, high = (clone(estimator).set_params(**{name: level}).fit(X, y) for level in (levels[0], 0.5, levels[1]))
    return BandModel(centre, low, high)


def quantile_parameter(estimator: Any) -> str:
    """The parameter by which a learner, or the last step of a pipeline, is asked for a quantile."""
    given = estimator.get_params()
    names = [name for name in given if name.split("__")[-1] == "quantile"]
    names += [name for name in given if name.split("__")[-1] == "alpha" and given.get(f"{name[:-5]}loss") == "quantile"]
    if not names:
        raise ValueError(
            _(
                "{name} estimates no quantiles: give a learner with a parameter quantile, such as "
                "sklearn.linear_model.QuantileRegressor, or use conformity_score='normalized'."
            ).format(name=type(estimator).__name__)
        )
    return min(names, key=len)
