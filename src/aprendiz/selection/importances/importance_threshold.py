"""The importance from which a column is kept, as scikit-learn writes it: a number, "mean", "median", "1.25*mean", or None."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array

OF_ZEROS = 1e-5  # for learners that make coefficients zero


def norms(found: Array, order: float) -> Array:
    """A number for each column: the size of its coefficient; over classes or targets, their norm."""
    if found.ndim == 1:
        return np.abs(found)
    return np.asarray(np.linalg.norm(found, axis=0, ord=order))


def threshold_of(wanted: Any, importances: Array, estimator: Any) -> float:
    """The number that is meant."""
    if wanted is None:
        wanted = OF_ZEROS if makes_zeros(estimator) else "mean"
    if not isinstance(wanted, str):
        return float(wanted)
    scale, star, reference = wanted.partition("*")
    factor, name = (scale, reference.strip()) if star else ("1", wanted.strip())
    places: dict[str, Callable[[Array], Any]] = {"mean": np.mean, "median": np.median}
    try:
        return float(factor) * float(places[name](importances))
    except (KeyError, ValueError) as error:
        raise ParameterError(
            f"threshold={wanted!r}: Expected threshold='mean' or threshold='median', with a factor as in '1.25*mean', or a "
            "number."
        ) from error


def makes_zeros(estimator: Any) -> bool:
    """Does the penalty of a learner make coefficients zero?"""
    name = type(estimator).__name__
    if getattr(estimator, "penalty", None) == "l1" or "Lasso" in name:
        return True
    ratio = {"ElasticNet": "l1_ratio", "LogisticRegression": "l1_ratio"}.get(name)
    ratio = {"ElasticNetCV": "l1_ratio_", "LogisticRegressionCV": "l1_ratio_"}.get(name, ratio)
    given = None if ratio is None else getattr(estimator, ratio, None)
    return given is not None and bool(np.all(np.isclose(np.asarray(given, dtype=float), 1.0)))
