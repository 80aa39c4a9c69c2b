"""How important a fitted learner finds each column: its coefficients or its own measure, one number for each column."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.rows import Array


def raw_importances(model: Any, getter: str | Callable[[Any], Any] = "auto") -> Array:
    """What `getter` says of the columns: "auto" (`coef_`, else `feature_importances_`), the name of an attribute, with a path
    to it, or a function of the model. The last axis is that of the columns."""
    if callable(getter):
        found = getter(model)
    elif getter == "auto":
        name = next((name for name in ("coef_", "feature_importances_") if hasattr(model, name)), None)
        if name is None:
            raise ValueError(
                f"when `importance_getter=='auto'`, the underlying estimator {type(model).__name__} should have `coef_` or "
                "`feature_importances_` attribute: take a linear model or a tree, or give importance_getter the name of an "
                "attribute, or a function of the fitted model."
            )
        found = getattr(model, name)
    else:
        found = attrgetter(getter)(model)
    return np.asarray(found.toarray() if sparse.issparse(found) else found)


def squared_importances(model: Any, getter: str | Callable[[Any], Any], columns: int) -> Array:
    """The squares, added up over classes or targets."""
    with np.errstate(over="ignore"):
        found = np.atleast_2d(raw_importances(model, getter))
        total = (found**2).sum(axis=0)
    if total.shape != (columns,) or np.isnan(total).any():
        raise ValueError(
            f"importance_getter gives an array of shape {total.shape} for {columns} columns, or NaN: a number for each column "
            "is needed."
        )
    if np.isinf(total).any() and not np.isinf(found).any():
        column = int(np.isinf(total).argmax())
        raise ValueError(
            f"The importance of column {column} of those that are left is too large to be squared: scale the columns."
        )
    return np.asarray(total)
