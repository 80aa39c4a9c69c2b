"""How often each label occurs: a record to which other rows may add new labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from aprendiz.bayes.distributions.values import as_given, labels_of, row_weights
from aprendiz.core.rows import Array
from aprendiz.core.sums import Sums
from aprendiz.core.targets import refuse_two_kinds


@dataclass(frozen=True)
class LabelCounts(Sums):
    """The distinct labels in order, and the weight of each."""

    labels: Array
    counts: Array

    @classmethod
    def of(cls, x: Any, weights: Any = None) -> Self:
        """The counts of labels that are not missing; rows of weight 0 do not count."""
        values, w = labels_of(x, row_weights(weights, np.size(as_given(x))))
        if w is not None:
            values, w = values[w > 0], w[w > 0]
        labels, codes = np.unique(values, return_inverse=True)
        return cls(labels, np.bincount(codes, w, minlength=len(labels)).astype(np.float64))

    def __add__(self, other: Self) -> Self:
        for one, two in ((self, other), (other, self)):
            if not len(one.labels):
                return two
        refuse_two_kinds(self.labels, other.labels)
        labels = np.union1d(self.labels, other.labels)
        return type(self)(labels, self.counts_of(labels) + other.counts_of(labels))

    def counts_of(self, labels: Array) -> Array:
        """The counts for a longer list of labels, in order, 0 for those that do not occur."""
        counts = np.zeros(len(labels))
        counts[np.searchsorted(labels, self.labels)] = self.counts
        return counts
