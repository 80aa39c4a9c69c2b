"""Reciprocal pairs: clusters that are nearest to each other, of which many can join at once.

A linkage is reducible if joining two clusters that are each the nearest of the other brings them no nearer to a third one:

    d(A, B) ≤ min(d(A, C), d(B, C))     ⇒     min(d(A, C), d(B, C)) ≤ d(A ∪ B, C)                              (1)

Ward's, complete, average, weighted and single linkage are. Then a reciprocal pair stays one whatever else is joined, so all of
them may join in one round, and the tree is the one that joins the nearest pair of all each time; only the order of the merges
has to be restored (merges.py). Every round finds a pair, the nearest of all.

Reference: Murtagh, "A survey of recent advances in hierarchical clustering algorithms", Computer Journal 26, 1983.
"""

from __future__ import annotations

import numpy as np

from aprendiz.core.rows import Array

FEW_JOINS = 12  # a round that joins fewer than one cluster in so many costs more than it joins
SMALL = 256  # up to so many clusters a round is not worth its preparation


def reciprocal(nearest: Array, distance: Array) -> tuple[Array, Array]:
    """The pairs that are nearest to each other. Where rounding hides all of them, the nearest pair of all."""
    here = np.arange(len(nearest))
    first = np.flatnonzero((nearest[nearest] == here) & (here < nearest))
    if len(first) == 0:
        lowest = int(distance.argmin())
        first = np.array([min(lowest, nearest[lowest])])
        return first, np.array([max(lowest, nearest[lowest])])
    return first, nearest[first]


def many(clusters: Array) -> bool:
    """Are there enough clusters for a round?"""
    return len(clusters) > SMALL


def too_few(pairs: Array, clusters: Array) -> bool:
    """Is the rest better done one pair at a time?"""
    return FEW_JOINS * len(pairs) < len(clusters)
