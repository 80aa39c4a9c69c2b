"""Columns that were chosen before the folds, as a step of a pipeline that learns nothing."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin

from aprendiz.core.frames import as_frame
from aprendiz.core.rows import Array


class KeptColumns(TransformerMixin, BaseEstimator):
    """Keeps the columns of a mask, whatever it is fitted to."""

    def __init__(self, support: Array):
        self.support = support

    def fit(self, X: Any, y: Any = None) -> Self:
        """There is nothing to learn; the number of columns must be that of the mask."""
        columns = X.shape[1] if hasattr(X, "shape") else len(X[0])
        if columns != len(self.support):
            raise ValueError(
                f"The selection on all rows saw {len(self.support)} columns, in a fold there are {columns}: put steps that "
                "make columns behind the selection, or give them their categories."
            )
        self.n_features_in_ = columns
        return self

    def transform(self, X: Any) -> Any:
        """The chosen columns of a table of any library."""
        chosen = np.flatnonzero(self.support)
        if (frame := as_frame(X)) is not None:
            return frame[:, chosen.tolist()].to_native()
        return X[:, chosen] if hasattr(X, "shape") else [[row[j] for j in chosen] for row in X]

    def __sklearn_is_fitted__(self) -> bool:
        return True
