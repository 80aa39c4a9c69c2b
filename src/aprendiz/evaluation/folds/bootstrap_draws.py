"""Bootstrap replicates of a table: how often each row is drawn, and which rows are left out.

Of n rows n are drawn with replacement. A row is left out of a replicate with probability

    (1 − 1/n)ⁿ  →  1/e = 0.368                                                                                (1)

Classes are drawn from one by one, so that a replicate has as many rows of each as the table. Groups are drawn whole, with all
of their rows; a replicate of groups that lacks a class is drawn again. A replicate is a function of the seed and its number
(core/random.py).
"""

from __future__ import annotations

import numpy as np

from aprendiz.core.random import stream_key
from aprendiz.core.rows import Array
from aprendiz.ensemble.members.bags import throw
from aprendiz.locale import _

ATTEMPTS = 100  # at a replicate with all classes
MOST_STRATA = 2**20  # streams of a replicate


def bootstrap_counts(replicates: int, y: Array, groups: Array | None, by_class: bool, seed: int) -> Array:
    """How often each row is in each replicate: whole numbers of shape (replicates, rows)."""
    if groups is not None:
        return counts_of_groups(replicates, y if by_class else None, groups, seed)
    kinds = np.unique(y, return_inverse=True)[1] if by_class else np.zeros(len(y), dtype=np.intp)
    strata = [np.flatnonzero(kinds == k) for k in range(int(kinds.max()) + 1)]
    counts = np.zeros((replicates, len(y)), dtype=np.uint16)
    for number in range(replicates):
        for k, rows in enumerate(strata):
            counts[number, rows] = drawn(len(rows), seed, number * MOST_STRATA + k)
    return counts


def counts_of_groups(replicates: int, y: Array | None, groups: Array, seed: int) -> Array:
    """The same of whole groups."""
    owner = np.unique(groups, return_inverse=True)[1]
    size = int(owner.max()) + 1
    if size < 2:
        raise ValueError(_("All rows are of one group, so none could be left out: give at least two groups."))
    classes = None if y is None else np.unique(y)
    counts = np.zeros((replicates, len(groups)), dtype=np.uint16)
    for number in range(replicates):
        for attempt in range(ATTEMPTS):
            counts[number] = drawn(size, seed, number * MOST_STRATA + attempt)[owner]
            if y is None or len(np.unique(y[counts[number] > 0])) == len(classes):  # type: ignore[arg-type]
                break
        else:
            raise ValueError(_("Replicates of the groups lack classes: give more groups in which each class occurs."))
    return counts


def drawn(n: int, seed: int, stream: int) -> Array:
    """How often each of n is drawn in n draws."""
    found = np.zeros(n)
    throw(stream_key(seed, stream), n, found)
    return found
