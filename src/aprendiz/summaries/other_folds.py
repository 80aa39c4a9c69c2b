"""Fits to all folds but one, without seeing the rows again.

A learner of one pass is not refitted: the sums of the rows outside a fold are those of the other folds, added from the
left and from the right (a subtraction would lose digits to an outlier).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.base import clone

from aprendiz.core.learner import OnePass
from aprendiz.core.rows import Array
from aprendiz.core.sources.arrays import in_memory
from aprendiz.summaries.folds import is_partition, sums_of_others


class OtherFolds:
    """The sums of all folds but each one, so that a learner of one pass is fitted to a split without seeing the rows again."""

    how = "sums of the other folds"

    def __init__(self, records: Sequence[Any], noted: Mapping[str, Any]):
        self.sums, self.noted = sums_of_others(records), noted

    @classmethod
    def of(cls, learner: Any, X: Any, y: Array, splits: Sequence[tuple[Array, Array]]) -> OtherFolds | None:
        """None where the learner does not learn from one sum, or the folds do not divide the rows."""
        if not (isinstance(learner, OnePass) and len(splits) > 1 and is_partition(splits, len(y))):
            return None
        if len(splits) > 2 * np.sqrt(len(y)):  # nearly as many folds as rows: fits are cheaper than their sums
            return None
        rows = clone(learner).open(X, y)
        if not (in_memory(rows) and isinstance(rows.X, np.ndarray)):  # a schema would know the test rows
            return None
        parts = [rows.like(X=rows.X[test], y=rows.y[test]) for _, test in splits]  # type: ignore[index]
        return cls([learner.summarise(part) for part in parts], rows.noted)

    def fit(self, model: Any, number: int) -> None:
        """Fit to all folds but one."""
        model.fit_sums(self.sums[number]).settle(self.noted)
