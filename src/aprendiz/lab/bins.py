"""Classes of numbers for learners of categories: cuts at the quantiles of the training rows.

    code of x = Σ_b [x ≥ c_b],   c_b = the quantile of level b/B,   b = 1 … B − 1                              (1)

Many cells of a column may be equal: zeros, or the median in place of missing cells. Cuts that coincide count once, and one at
the smallest or the largest cell not at all: then there are fewer classes.

The codes are those of scikit-learn's KBinsDiscretizer(B, encode="ordinal"), of all columns at once; but cuts that are near
without being equal stay, in whatever unit a column is measured.

Cost: a partition of each column.
Reference: (1) by the averaged inverse of the distribution function, definition 2 of Hyndman & Fan, The American Statistician
50, 1996.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from aprendiz.core.rows import Array


class QuantileBins(OneToOneFeatureMixin, TransformerMixin, BaseEstimator):
    """Numbers as codes 0, 1, … of classes with about equally many training rows.

    Parameters
    ----------
    bins : int, default=5
        Classes of a column, at most.

    Attributes
    ----------
    cuts_ : ndarray of shape (bins − 1, n_features)
        Where the classes begin, but for the first; ∞ in place of a cut that does not count.
    """

    cuts_: Array

    def __init__(self, bins: int = 5):
        self.bins = bins

    def fit(self, X: Any, y: Any = None) -> Self:
        """The cuts of each column."""
        table = validate_data(self, X, dtype=np.float64)
        levels = np.linspace(0.0, 100.0, self.bins + 1)
        found = np.percentile(table, levels, axis=0, method="averaged_inverted_cdf")
        inner = found[1:-1]
        self.cuts_ = np.where((inner > found[:-2]) & (inner < found[-1]), inner, np.inf)
        return self

    def transform(self, X: Any) -> Array:
        """(1)."""
        check_is_fitted(self)
        table = validate_data(self, X, dtype=np.float64, reset=False)
        codes = np.zeros(table.shape)
        for cut in self.cuts_:
            codes += table >= cut
        return codes
