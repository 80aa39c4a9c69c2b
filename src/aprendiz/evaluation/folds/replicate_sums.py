"""Bootstrap replicates of a learner of one pass: fitted from weighted sums, found for all of them together
(summaries/replicates.py). A row that was drawn twice is a row of weight 2, which such a learner treats as two rows.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import clone

from aprendiz.core.blas import single_blas
from aprendiz.core.learner import OnePass
from aprendiz.core.rows import Array
from aprendiz.core.sources.arrays import in_memory
from aprendiz.summaries.replicates import Replicates


class ReplicateSums:
    """The sums of the rows of each replicate, from which a learner of one pass is fitted."""

    how = "weighted sums"

    def __init__(self, replicates: Replicates):
        self.replicates = replicates

    @classmethod
    def of(cls, learner: Any, X: Any, y: Array, counts: Array) -> Self | None:
        """None where the learner does not learn from one sum of a table of numbers."""
        if not isinstance(learner, OnePass):
            return None
        rows = clone(learner).open(X, y)
        if not (in_memory(rows) and isinstance(rows.X, np.ndarray)):  # a schema would know the rows left out
            return None
        return cls(Replicates(rows, counts))

    def fit(self, model: Any, number: int) -> None:
        """Fit to one replicate."""
        rows = self.replicates.rows(number)
        with single_blas(rows.work):
            model.settle({**rows.noted, **model.learned(rows)})
