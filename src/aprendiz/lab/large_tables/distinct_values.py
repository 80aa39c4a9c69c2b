"""How many different values there are, in one pass and bounded memory: exact if they are few, else estimated.

The values are hashed to 64 bits, and the k smallest different hashes are kept. If no more than k have come, their number is
exact (but for two values with one hash, once in 2⁶⁴/n² tables). Else the k-th smallest hash h says how densely they lie:

    (k − 1)·2⁶⁴ / h,      standard error 1/√k of it: 0.4 % for k = 2¹⁶                                          (1)

Cost: one hash of each value; memory k numbers.
Reference: Bar-Yossef, Jayram, Kumar, Sivakumar & Trevisan, "Counting distinct elements in a data stream", RANDOM 2002.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from aprendiz.core.random import mix
from aprendiz.core.rows import Array

KEPT = 2**16  # k of (1)


class DistinctValues:
    """The number of different values among those that were added."""

    def __init__(self, most: int = KEPT):
        self.most, self.complete = most, True  # complete: all different hashes are here
        self.smallest = np.zeros(0, np.uint64)

    def add(self, hashed: Array) -> None:
        """Add hashes of values."""
        if not self.complete:
            hashed = hashed[hashed < self.smallest[-1]]
        if len(hashed):
            merged = np.union1d(self.smallest, hashed)
            self.complete = self.complete and len(merged) <= self.most
            self.smallest = merged[: self.most]

    def count(self, cells: int) -> int:
        """Their number, among so many cells; less than that if it is an estimate, for that they all differ is not known."""
        if self.complete:
            return len(self.smallest)
        return min(round((self.most - 1) * 2.0**64 / float(self.smallest[-1])), cells - 1)


def hashes_of_numbers(values: Array, distinct: DistinctValues) -> Array:
    """Hashes of some numbers; repeated ones are dropped first, as long as that pays."""
    some = pd.unique(values) if distinct.complete else values
    some = some + 0.0 if some.dtype.kind == "f" else some.astype(np.int64)  # −0 is 0
    return mix(some.view(np.uint64))


def hashes_of_words(words: Any) -> Array:
    """Hashes of an arrow array of text without missing cells."""
    return pd.util.hash_array(words.to_numpy(zero_copy_only=False).astype(object), categorize=False)
