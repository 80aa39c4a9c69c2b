"""Min–max scaling: every column to a given range.

    z = a + (b − a)·(x − min)/(max − min)                                                                     (1)

The smallest value of a column becomes a, the largest b, exactly: x − min is taken first, so no digits are lost at large
offsets. Extremes add, so `partial_fit` is exact. Missing cells are left out and stay missing; a column with one value only
becomes a. One outlier squeezes all other rows together: see `RobustScaler`.

Cost: one pass, O(n·d) time, O(d) memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np
from sklearn.base import OneToOneFeatureMixin

from aprendiz.core.certificate import Certificate
from aprendiz.core.learner import OnePass, Transformer
from aprendiz.core.parameters import ParameterError, check_parameters
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sums import Extremes
from aprendiz.preprocessing.shared.affine import as_given
from aprendiz.preprocessing.shared.ranges import refuse_range


class MinMaxScaler(OneToOneFeatureMixin, Transformer, OnePass):
    """Scale each column to a range (drop-in for scikit-learn's).

    Parameters
    ----------
    feature_range : (a, b), default=(0, 1)
    copy : bool, default=True
        No effect: the data passed in are never changed.
    clip : bool, default=False
        Whether new rows beyond the extremes of the fit are set to a or b.

    Attributes
    ----------
    data_min_, data_max_, data_range_ : ndarray of shape (n_features,)
        min, max and max − min; NaN where every cell is missing.
    scale_, min_ : ndarray of shape (n_features,)
        (1) written as z = x·scale_ + min_.
    n_samples_seen_ : int
    sums_ : Extremes
        The statistics, to which `partial_fit` adds.
    certificate_ : Certificate
        The digits of the scaled columns, and the smallest step in which the cells of a column can differ, as a part of its
        range, with that column.
    """

    allows = frozenset({"missing"})
    differences = {
        "copy": "no effect: the data passed in are never changed",
        "scale_": "another form: every column that varies is scaled, also by less than 2e-15; float64 for float32 data too",
        **dict.fromkeys(("data_min_", "data_max_", "data_range_", "min_"), "another form: float64 for float32 data too"),
    }

    def __init__(self, feature_range: Sequence[float] = (0, 1), *, copy: bool = True, clip: bool = False):
        self.feature_range = feature_range
        self.copy = copy
        self.clip = clip

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        check_parameters(self)
        a, b = self.feature_range if len(self.feature_range) == 2 else (1, 0)
        if not (isinstance(a, Real) and isinstance(b, Real) and -np.inf < a < b < np.inf):
            raise ParameterError(
                "Minimum of desired feature range must be smaller than maximum: "
                f"feature_range must be two numbers in order, got {self.feature_range!r}."
            )
        return super().open(X, y, sample_weight, reset=reset)

    def summarise(self, rows: Rows) -> Extremes:
        return rows.sum(Extremes.of)

    def conclude(self, record: Extremes) -> dict[str, Any]:
        a, b = self.feature_range
        known = record.low <= record.high
        low, high = np.where(known, record.low, np.nan), np.where(known, record.high, np.nan)
        refuse_range(low, high)
        scale = (b - a) / np.where(high > low, high - low, 1.0)
        scale = np.where(known, scale, np.nan)
        return {
            "data_min_": low,
            "data_max_": high,
            "data_range_": high - low,
            "scale_": scale,
            "min_": a - low * scale,
            "n_samples_seen_": record.rows,
            "certificate_": Certificate.later(lambda: digits(low, high)),
        }

    def change(self, X: Array) -> Array:
        a, b = self.feature_range
        Z = (X - self.data_min_) / np.where(self.data_range_ == 0, 1.0, self.data_range_)
        if (a, b) != (0, 1):
            Z = (1.0 - Z) * a + Z * b  # exact at both ends
        if self.clip:
            np.clip(Z, a, b, out=Z)
        return Z.astype(X.dtype, copy=False)

    def transform(self, X: Any) -> Any:
        """The scaled rows of a table, of opened rows or of a lazy collection."""
        return as_given(super().transform(X), X)

    def inverse_transform(self, X: Any) -> Any:
        """Back to the original units."""
        a = self.feature_range[0]
        rows = self.new_rows(X)
        return as_given(rows.each(lambda block: ((block.X - a) / self.scale_ + self.data_min_).astype(block.X.dtype)), X)


def digits(low: Array, high: Array) -> Certificate:
    """That the cells of the fit, scaled in double precision, are within 4ε·max(|a|, |b|) of (1) in exact arithmetic: x − min
    and max − min are each rounded once, whatever the offset. Nothing is claimed where max − min leaves the range of
    doubles."""
    size = np.maximum(np.abs(low), np.abs(high))
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        span = high - low
        step = np.nan_to_num(np.spacing(size) / span, nan=0.0, posinf=0.0)  # a constant column has nothing to tell apart
    lost = (span > np.finfo(float).max) | ((span > 0) & (span < np.finfo(float).tiny))
    worst = int(np.argmax(lost) if lost.any() else np.argmax(step))
    kept = 0.0 if lost.any() else -float(np.log10(4 * np.finfo(float).eps))
    known = {"digits": kept, "resolution": float(step[worst]), "column": worst}
    return Certificate("the scaled columns are right to at least eight digits", kept >= 8, known)
