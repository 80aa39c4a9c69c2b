"""Sums of the other folds: what a fit to all rows but those of one fold needs, without a pass of its own.

    others_k = (r₀ + … + r_{k−1}) + (r_{k+1} + … + r_m)                                                       (1)

The records before a fold are added from the left, those after it from the right. Subtracting the fold from the total would be
one addition less, and would lose the digits of everybody else to an outlier in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from aprendiz.core.rows import Array


def is_partition(splits: Sequence[tuple[Array, Array]], count: int) -> bool:
    """Is every row tested once, and trained on whenever it is not tested?"""
    tested = np.concatenate([test for _, test in splits])
    whole = len(tested) == count and len(np.unique(tested)) == count
    return whole and all(np.array_equal(np.sort(np.concatenate(split)), np.arange(count)) for split in splits)


def sums_of_others(records: Sequence[Any]) -> list[Any]:
    """(1) for each of at least two records."""
    after: list[Any] = [None]
    for record in reversed(records[1:]):
        after.append(record if after[-1] is None else record + after[-1])
    found, before = [], None
    for record, rest in zip(records, reversed(after), strict=True):
        found.append(before if rest is None else rest if before is None else before + rest)
        before = record if before is None else before + record
    return found
