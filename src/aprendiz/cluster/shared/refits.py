"""The same clustering fitted again: with another seed, on other rows; and the labels that it gives."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone

from aprendiz.core.random import hash_one
from aprendiz.core.rows import Array

FITS = 2**32  # a stream of random numbers: seeds of the fits


def is_precomputed(model: Any) -> bool:
    """Does the model take distances for rows?"""
    named = (getattr(model, parameter, None) for parameter in ("metric", "affinity"))
    return any(isinstance(name, str) and name == "precomputed" for name in named)


def seed_copy(model: Any, seed: int, number: int, **parameters: Any) -> Any:
    """An unfitted copy with other parameters and, if it is random, a seed that belongs to the number."""
    if "random_state" in model.get_params(deep=False):
        parameters["random_state"] = hash_one(seed, FITS, number) >> 33
    return clone(model).set_params(**parameters)


def labels_of(fitted: Any, X: Any) -> Array:
    """The clusters of the rows of the fit."""
    return np.asarray(fitted.labels_ if hasattr(fitted, "labels_") else fitted.predict(X))
