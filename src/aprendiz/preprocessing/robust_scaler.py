"""Robust scaling: medians and quartiles instead of means and standard deviations, so that outliers do not decide.

    z = (x − Q(½)) / (Q(q₂) − Q(q₁)),     q₁ = ¼, q₂ = ¾ unless told otherwise                                 (1)

The quantiles are exact, from memory, files or Dask (summaries/quantiles.py). Up to a quarter of a column may be anything at all
without moving z of the others by much. Missing cells are left out and stay missing; a column whose quartiles are equal is
not scaled. With `unit_variance`, (1) is multiplied by Φ⁻¹(q₂) − Φ⁻¹(q₁), so that normal data get variance 1.

Cost: three passes, O(n·d) time.
"""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real
from typing import Any

import numpy as np
from scipy.special import ndtri

from aprendiz.core.certificate import Certificate
from aprendiz.core.learner import Passes
from aprendiz.core.parameters import ParameterError, check_parameters
from aprendiz.core.rows import Array, Rows
from aprendiz.preprocessing.shared.affine import Affine
from aprendiz.preprocessing.shared.ranges import refuse_range
from aprendiz.summaries.quantiles import quantiles


class RobustScaler(Affine, Passes):
    """Centre on the median and scale by the interquartile range (drop-in for scikit-learn's).

    Parameters
    ----------
    with_centering, with_scaling : bool, default=True
        Whether to centre; whether to scale. Sparse data cannot be centred.
    quantile_range : (q₁, q₂) in per cent, default=(25.0, 75.0)
    copy : bool, default=True
        No effect: the data passed in are never changed.
    unit_variance : bool, default=False
        Whether normal data shall get variance 1.

    Attributes
    ----------
    center_, scale_ : ndarray of shape (n_features,) or None
        Median and range of (1).
    certificate_ : Certificate
        How many columns have equal quartiles and are therefore not scaled.
    """

    centring = "with_centering"
    allows = frozenset({"sparse", "missing"})
    differences = {
        "copy": "no effect: the data passed in are never changed",
        "scale_": "another form: every column that varies is scaled, also if it varies by less than 2e-15",
        "center_": "another form: float64 for float32 data too",
    }

    def __init__(
        self,
        *,
        with_centering: bool = True,
        with_scaling: bool = True,
        quantile_range: Sequence[float] = (25.0, 75.0),
        copy: bool = True,
        unit_variance: bool = False,
    ):
        self.with_centering = with_centering
        self.with_scaling = with_scaling
        self.quantile_range = quantile_range
        self.copy = copy
        self.unit_variance = unit_variance

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> Rows:
        check_parameters(self)
        low, high = self.quantile_range if len(self.quantile_range) == 2 else (1, 0)
        if not (isinstance(low, Real) and isinstance(high, Real) and 0 <= low <= high <= 100):
            raise ParameterError(
                f"Invalid quantile range: quantile_range must be two per cents in order, got {self.quantile_range!r}."
            )
        return super().open(X, y, sample_weight, reset=reset)

    def learned(self, rows: Rows) -> dict[str, Any]:
        """The certificate: the two quantiles of every column, which are exact, differ."""
        self.refuse_sparse(rows)
        low, high = (level / 100 for level in self.quantile_range)
        bottom, middle, top = quantiles(rows, [low, 0.5, high])
        refuse_range(bottom, top)
        flat = top == bottom
        gap = np.where(flat, 1.0, top - bottom)
        if self.unit_variance:
            gap = gap / (ndtri(high) - ndtri(low))
        claim = "every column has quartiles that differ"
        return {
            "center_": middle if self.with_centering else None,
            "scale_": gap if self.with_scaling else None,
            "certificate_": Certificate(claim, not flat.any(), {"flat": int(flat.sum())}),
        }

    def centre_and_unit(self) -> tuple[Array | None, Array | None]:
        return self.center_, self.scale_
