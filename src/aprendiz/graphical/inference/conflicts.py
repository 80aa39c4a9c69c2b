"""Evidence that cannot be: which part of it contradicts itself.

    smallest S ⊆ evidence with p(S) = 0                                                                        (1)

Subsets are tried in the order of their size, all those of a size at once, as rows of evidence. Where there are too many, the
evidence is thinned out instead: what can be left out while p stays 0 is left out. What remains is needed, all of it, but there
may be a smaller conflict elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from math import comb

import numpy as np

from aprendiz.core.rows import Array

MOST_SUBSETS = 2000


def smallest_conflict(levels: Sequence[tuple[int, int]], nodes: int, log_p: Callable[[Array], Array]) -> tuple[int, ...]:
    """The nodes of (1). `log_p` says how probable the known cells of each row are."""
    tried = 0
    for size in range(len(levels) + 1):
        if (tried := tried + comb(len(levels), size)) > MOST_SUBSETS:
            return thinned_conflict(list(levels), nodes, log_p)
        subsets = list(combinations(levels, size))
        impossible = np.flatnonzero(np.isneginf(log_p(rows_of(subsets, nodes))))
        if len(impossible):
            return tuple(v for v, _ in subsets[impossible[0]])
    return ()


def thinned_conflict(levels: list[tuple[int, int]], nodes: int, log_p: Callable[[Array], Array]) -> tuple[int, ...]:
    """A conflict of which nothing can be left out."""
    kept = list(levels)
    for one in levels:
        fewer = [other for other in kept if other != one]
        if np.isneginf(log_p(rows_of([fewer], nodes))[0]):
            kept = fewer
    return tuple(v for v, _ in kept)


def rows_of(subsets: Sequence[Sequence[tuple[int, int]]], nodes: int) -> Array:
    """A row of codes for each set of known levels."""
    rows = np.full((len(subsets), nodes), -1, dtype=np.int32)
    for row, subset in zip(rows, subsets, strict=True):
        for v, level in subset:
            row[v] = level
    return rows
