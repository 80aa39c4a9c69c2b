"""Errors of regression: how far predictions ŷ are from the targets y, with residuals r = y − ŷ.

    MSE = Σ ω r² / Σ ω,     RMSE = √MSE,     MAE = Σ ω |r| / Σ ω,     bias = Σ ω (ŷ − y) / Σ ω                     (1)
    NMSE = MSE / Var y,     Var y = Σ ω (y − ȳ)² / Σ ω                                                             (2)
    R² = 1 − NMSE                                                                                                  (3)
    R² without intercept = 1 − Σ ω r² / Σ ω y²                                                                     (4)

NMSE is the error in units of the best constant: the model that always says ȳ has exactly 1. MAE keeps the unit of y
and is not ruled by a few large errors.

R² (3) compares with the constant ȳ, which every model with an intercept contains. A model through the origin does not
contain it, only 0, and is compared with that in (4). The two are different numbers and must not be set side by side.
Between 0 and 1 they lie only for least squares judged on the rows it was fitted to; elsewhere they may be negative,
when the constant would have been better.

A constant y has Var y = 0 and no NMSE and no R²: both are NaN, even for perfect predictions, as a comparison with a
constant that is perfect too says nothing. The same holds for (4) where y is 0 throughout.

Cost: one pass, O(n) for each target, O(n log n) for the median.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from sklearn.metrics import median_absolute_error

from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.core.targets import plain
from aprendiz.evaluation.inputs.labels_and_numbers import measurements, row_weights, same_rows
from aprendiz.evaluation.measures.ratio import ratio
from aprendiz.evaluation.words.tables import align, frame, measure


def regression_errors(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> RegressionErrors:
    """Measure how far predictions are from the targets.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_rows,) or (n_rows, n_targets)
        The targets and what was predicted.
    sample_weight : array-like of shape (n_rows,), optional
        Weights count rows: 2 is the row twice, 0 is the row left out.

    Examples
    --------
    >>> errors = regression_errors([4, 1], [5, -1])
    >>> errors.mae, errors.mse
    (1.5, 2.5)
    """
    y, prediction = measurements("y_true", y_true), measurements("y_pred", y_pred)
    same_rows("y_true", y, "y_pred", prediction)
    if y.shape != prediction.shape:
        raise ValueError(f"y_true has shape {y.shape}, y_pred has shape {prediction.shape}: both need the same targets.")
    weight = row_weights(sample_weight, len(y))
    if weight is not None:
        counts = weight > 0
        y, prediction, weight = y[counts], prediction[counts], weight[counts]
    return measure_errors(y, prediction, weight)


def measure_errors(y: Array, prediction: Array, weight: Array | None) -> RegressionErrors:
    """(1) to (4), target by target."""
    residual = y - prediction

    def mean(values: Array) -> Any:
        return np.average(values, axis=0, weights=weight)

    mse, mae = mean(residual**2), mean(np.abs(residual))
    varies = np.ptp(y, axis=0) > 0  # rounding leaves a variance to some constants
    nmse = ratio(mse, np.where(varies, mean((y - mean(y)) ** 2), 0.0))
    middle = median_absolute_error(y, prediction, sample_weight=weight, multioutput="raw_values")
    measures = {
        "mse": mse,
        "rmse": np.sqrt(mse),
        "mae": mae,
        "median_absolute": middle if y.ndim == 2 else middle[0],
        "max": np.abs(residual).max(axis=0),
        "bias": mean(-residual),
        "nmse": nmse,
        "r2": 1.0 - nmse,
        "r2_without_intercept": 1.0 - ratio(mse, mean(y**2)),
    }
    return RegressionErrors(**{name: plain(value) for name, value in measures.items()})


@dataclass(frozen=True, eq=False, repr=False)
class RegressionErrors(ShortRepr):
    """Errors of predictions: numbers, or arrays with an entry for each target.

    Attributes
    ----------
    mse, rmse, mae : float or ndarray of shape (n_targets,)
        Mean squared error, its root, mean absolute error (1).
    median_absolute, max : float or ndarray
        Median and largest absolute error.
    bias : float or ndarray
        Mean of prediction − target: positive where predictions are too large.
    nmse, r2 : float or ndarray
        (2) and (3): against the constant ȳ. NaN if y is constant.
    r2_without_intercept : float or ndarray
        (4): against the constant 0, for models through the origin. NaN if y is 0 throughout.
    """

    mse: Any
    rmse: Any
    mae: Any
    median_absolute: Any
    max: Any
    bias: Any
    nmse: Any
    r2: Any
    r2_without_intercept: Any

    @property
    def average(self) -> RegressionErrors:
        """Each measure averaged over the targets; NaN if a target has no such measure."""
        return RegressionErrors(*(float(np.mean(getattr(self, field.name))) for field in fields(self)))

    def frame(self) -> Any:
        """A pandas frame: measures in columns, targets in rows."""
        return frame({field.name: np.atleast_1d(getattr(self, field.name)) for field in fields(self)})

    def __str__(self) -> str:
        several = np.ndim(self.mse) > 0
        columns = [*(f"target {j}" for j in range(np.size(self.mse))), "average"] if several else ["value"]
        rows = [["measure", *columns]]
        for field in fields(self):
            values = [*np.atleast_1d(getattr(self, field.name))]
            values += [getattr(self.average, field.name)] if several else []
            rows.append([field.name.replace("_", " "), *map(measure, values)])
        note = "\n– : y does not vary, so there is nothing to compare with." if np.isnan(self.nmse).any() else ""
        return align(rows) + note
