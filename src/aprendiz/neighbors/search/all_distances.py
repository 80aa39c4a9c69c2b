"""A search that has all the distances of a query at once, and picks the smallest.

For distances that come one by one (user functions) or are no plain sums over columns (Gower).

Cost: n distances for each query, O(n) more to pick.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.neighbors.search.point_index import Found, Listed, Search, in_order


class AllDistances(Search):
    """Brute force over rows of distances."""

    method = "brute"

    @abstractmethod
    def distances(self, Q: Any) -> Array:
        """The distances (queries, n)."""

    def nearest_block(self, Q: Any, k: int, skip: Array | None) -> Found:
        found = self.distances(Q)
        if skip is not None:
            found[np.arange(len(found)), skip] = np.inf
        chosen = [smallest(row, k) for row in found]
        indices = np.array(chosen, dtype=np.int64).reshape(len(found), k)
        return np.take_along_axis(found, indices, axis=1), indices

    def within_block(self, Q: Any, radius: float) -> Listed:
        found = self.distances(Q)
        query, indices = np.nonzero(found <= radius)
        return in_order(query, found[query, indices], indices, len(found))


def smallest(values: Array, k: int) -> Array:
    """The places of the k smallest values, ascending, ties to the lower place."""
    places = np.flatnonzero(values <= np.partition(values, k - 1)[k - 1])
    return np.asarray(places[np.argsort(values[places], kind="stable")[:k]])
