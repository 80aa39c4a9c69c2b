"""Classes of numbers for learners of categories: cuts at the quantiles of the training rows.

Many cells of a column may be equal: zeros, or the median in place of missing cells. Then cuts coincide, and there are fewer
classes. scikit-learn warns of that in every fit; nobody who compares methods on a table can do anything about it.
"""

from __future__ import annotations

import warnings
from typing import Any, Self

from sklearn.preprocessing import KBinsDiscretizer


class QuantileBins(KBinsDiscretizer):
    """scikit-learn's KBinsDiscretizer, silent about cuts that coincide."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """The cuts of each column."""
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Bins whose width are too small", UserWarning)
            super().fit(X, y, sample_weight)
        return self
