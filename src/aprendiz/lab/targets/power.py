"""Skewed targets: a power of the target that makes errors alike, fitted to the training rows of each fold.

    z = log(y/g)   or   ((y/g)^λ − 1)/λ,      g the geometric mean of the training targets                     (1)

λ has the largest likelihood of Box and Cox. A prediction is taken back to the units of the target: of a normal z it is the
median of y, below its mean. Where (1) has no inverse, or a prediction lies further outside the training targets than they are
wide, it is moved to that limit, with a warning.

Whether a power is needed is asked of the errors, not of the target alone: a target may be skewed because its columns are. So,
as in R's MASS::boxcox, for a linear regression of z on the prepared columns with residual sum of squares S(λ),

    L(λ) = −n/2·log S(λ),      2·(L(λ̂) − L(1)) ~ χ²₁ if no power is needed                                    (2)

Reference: Box & Cox, "An analysis of transformations", JRSS B 26, 1964.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import erfc
from sklearn.base import BaseEstimator, TransformerMixin

from aprendiz.core.columns import Columns
from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array
from aprendiz.lab.preparation import numbers_of_table
from aprendiz.locale import _, number

Kind = Literal["log", "boxcox"]
MOST_ROWS = 5000  # of which (2) is computed
FEWEST = 30
SKEWED = 1.0  # skewness of the target from which a power is looked for
LEVEL = 0.001  # of the test of (2)
INSIDE = 0.05  # level of the interval of λ; the logarithm is taken where 0 is in it
POWERS = (-2.0, 2.0)


class PowerOfTarget(TransformerMixin, BaseEstimator):
    """(1) as a transformer of targets, for `sklearn.compose.TransformedTargetRegressor`.

    Parameters
    ----------
    kind : {"log", "boxcox"}, default="boxcox"

    Attributes
    ----------
    power_ : float
        λ; 0 for the logarithm.
    centre_ : float
        The geometric mean of the training targets.
    low_, high_ : float
        Limits of predictions on the scale of z.
    """

    def __init__(self, kind: Kind = "boxcox"):
        self.kind = kind

    def fit(self, y: Any, _none: Any = None) -> Self:
        """Find the power of some targets above 0."""
        values = np.ravel(np.asarray(y, dtype=np.float64))
        if not (values > 0).all():
            raise ValueError(
                _("A logarithm or a power needs targets above 0, there is {value}: use --transform-target none.").format(
                    value=number(float(values.min()))
                )
            )
        self.centre_ = float(np.exp(np.log(values).mean()))
        self.power_ = 0.0 if self.kind == "log" else best_power(values / self.centre_, np.ones((len(values), 1)))
        z = power(values / self.centre_, self.power_)
        room = float(z.max() - z.min())
        self.low_, self.high_ = float(z.min()) - room, float(z.max()) + room
        if self.power_ > 0:
            self.low_ = max(self.low_, power(np.array([values.min() / self.centre_ / 10]), self.power_)[0])
        elif self.power_ < 0:
            self.high_ = min(self.high_, power(np.array([values.max() / self.centre_ * 10]), self.power_)[0])
        return self

    def transform(self, y: Any) -> Array:
        """z of targets."""
        return power(np.asarray(y, dtype=np.float64) / self.centre_, self.power_)

    def inverse_transform(self, z: Any) -> Array:
        """Targets of z."""
        given = np.asarray(z, dtype=np.float64)
        kept = np.clip(given, self.low_, self.high_)
        if moved := int((kept != given).sum()):
            warnings.warn(
                _("{count} predictions far outside the training targets were moved to the limit of the transformation.").format(
                    count=moved
                ),
                stacklevel=2,
            )
        back = np.exp(kept) if self.power_ == 0 else (self.power_ * kept + 1) ** (1 / self.power_)
        return np.asarray(self.centre_ * back)


def power(y: Array, exponent: float) -> Array:
    """(1) of y/g."""
    return np.asarray(np.log(y) if exponent == 0 else np.expm1(exponent * np.log(y)) / exponent)


def likelihood(y: Array, Z: Array, exponent: float) -> float:
    """L of (2), for y with geometric mean 1, whose Jacobian is 1."""
    z = power(y, exponent)
    residual = z - Z @ np.linalg.lstsq(Z, z, rcond=None)[0]
    return float(-len(y) / 2 * np.log(max(float(residual @ residual), float(np.finfo(float).tiny))))


def best_power(y: Array, Z: Array) -> float:
    """λ̂ between limits."""
    return float(minimize_scalar(lambda one: -likelihood(y, Z, one), bounds=POWERS, method="bounded").x)


# ---- is a power needed? ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Skew:
    """What the errors of a linear regression say about a power of the target."""

    kind: Kind
    power: float
    p_value: float
    skewness: float
    skewness_after: float


def skew_of(X: Any, y: Array, columns: Columns) -> Skew | None:
    """The power that (2) asks for; None if the target is not above 0, not skewed, or its errors are alike without one."""
    if len(y) < FEWEST or not (y > 0).all() or skewness(y) < SKEWED:
        return None
    some = np.sort(np.argsort(uniforms(0, 2, len(y)))[:MOST_ROWS])
    target = y[some] / np.exp(np.log(y[some]).mean())
    Z = table_of(X.iloc[some], columns)
    found = best_power(target, Z)
    top = likelihood(target, Z, found)
    p = float(erfc(np.sqrt(max(0.0, top - likelihood(target, Z, 1.0)))))  # of χ²₁
    if p > LEVEL or found > 1:
        return None
    log_inside = float(erfc(np.sqrt(max(0.0, top - likelihood(target, Z, 0.0))))) >= INSIDE
    kind: Kind = "log" if log_inside else "boxcox"
    used = 0.0 if kind == "log" else found
    return Skew(kind, used, p, skewness(y), skewness(power(y / np.exp(np.log(y).mean()), used)))


def skewness(y: Array) -> float:
    """The third moment of standardised values."""
    return float(np.mean((y - y.mean()) ** 3) / y.std() ** 3)


def table_of(X: Any, columns: Columns) -> Array:
    """The columns as numbers, with ones; ones alone where there are too many columns for the rows, or none can be used."""
    ones = np.ones((len(X), 1))
    try:
        numbers = numbers_of_table(X, columns)
    except (ValueError, TypeError, np.linalg.LinAlgError):
        return ones
    return np.column_stack([ones, numbers]) if numbers.shape[1] < len(X) / 5 else ones


def chosen_transform(wanted: str | None, X: Any, y: Array, columns: Columns) -> tuple[Kind | None, str]:
    """What `--transform-target` asks for, with the reason."""
    if wanted in (None, "none"):
        return None, ""
    if wanted == "auto":
        known = skew_of(X, y, columns)
        return (None, _("the errors need none")) if known is None else (known.kind, evidence(known))
    if not (y > 0).all():
        raise ValueError(
            _("A logarithm or a power needs targets above 0, there is {value}: use --transform-target none.").format(
                value=number(float(y.min()))
            )
        )
    return ("log" if wanted == "log" else "boxcox"), _("as requested")


def evidence(known: Skew) -> str:
    """Why a power is asked for."""
    return _("errors of a linear regression ask for the power {power} instead of 1 (Box–Cox, p = {p})").format(
        power=number(known.power, 2), p=number(known.p_value, 2)
    )
