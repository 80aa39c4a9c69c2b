"""The coefficients of a fitted linear model, with the columns and the classes to which they belong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.rows import Array
from aprendiz.core.targets import refuse_bad_number


def fitted_last_step(estimator: Any) -> Any:
    """A model that is fitted, or the one in which a fitted pipeline ends."""
    check_is_fitted(estimator)
    return estimator[-1] if isinstance(estimator, Pipeline) else estimator


def rows_of_numbers(coefficients: Any) -> Array:
    """Coefficients as a table, one row for each class or target."""
    dense = coefficients.toarray() if sparse.issparse(coefficients) else coefficients
    table = np.atleast_2d(np.asarray(dense, dtype=np.float64))
    if table.ndim != 2 or not table.size:
        raise ValueError(
            f"coefficients has shape {np.shape(dense)}: give one for each column, or a row of them for each class."
        )
    refuse_bad_number("coefficients", table)
    return table


def names_of(estimator: Any) -> Sequence[Any] | None:
    """Names of the columns that the linear model saw; None if they had none."""
    if isinstance(estimator, Pipeline) and len(estimator) > 1:
        return list(estimator[:-1].get_feature_names_out())
    return getattr(estimator[-1] if isinstance(estimator, Pipeline) else estimator, "feature_names_in_", None)


def classes_of(model: Any) -> Sequence[Any] | None:
    """The class to which each row of coefficients leads, of two classes with one row the second; None for a regressor."""
    classes = getattr(model, "classes_", None)
    if classes is None:
        return None
    return list(classes[1:] if len(classes) == 2 and len(np.atleast_2d(model.coef_)) == 1 else classes)
