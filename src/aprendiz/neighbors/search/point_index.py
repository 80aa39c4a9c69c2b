"""What every search for neighbours is: an index over points that answers two questions.

    nearest   the k points at the smallest distances, ties to the lower index
    within    all points at a distance of at most a radius

An index is never changed after it was built; any number of threads may ask it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from contextlib import closing
from typing import Any

import numpy as np

from aprendiz.core.blas import single_blas
from aprendiz.core.rows import Array
from aprendiz.core.threads import ordered_map

Found = tuple[Array, Array]  # distances and indices, (queries, k)
Listed = tuple[Array, Array, Array]  # how many for each query; distances and indices, one query after the other


class Search(ABC):
    """An index over n points.

    Attributes
    ----------
    n, columns : int
        Number of points and of columns.
    method : str
        "brute", "kd_tree" or "ball_tree".
    reason : str
        Why this method, in a sentence.
    """

    n: int
    columns: int
    method: str
    reason: str = ""
    block: int = 256  # queries that a thread answers at a time

    def nearest(self, Q: Any, k: int, skip: Array | None = None) -> Found:
        """Distances (queries, k), ascending, and indices. `skip` names for each query an index to leave out."""
        self.refuse_number(k, skip)
        parts = self.in_blocks(Q, lambda Q, rows: self.nearest_block(Q, k, None if skip is None else skip[rows]))
        if not parts:
            return np.empty((0, k)), np.empty((0, k), np.int64)
        distances, indices = zip(*parts, strict=True)
        return np.concatenate(distances), np.concatenate(indices)

    def within(self, Q: Any, radius: float | Array) -> Listed:
        """Starts (queries + 1), distances and indices of all points with distance ≤ radius, by distance, then index. There may
        be a radius for each query."""
        radii = np.asarray(radius, np.float64)
        if radii.ndim and radii.shape != (Q.shape[0],):
            raise ValueError(f"r must be one radius or one for each of the {Q.shape[0]} rows, got shape {radii.shape}.")
        if not (radii >= 0).all():
            raise ValueError(f"radius must be a number of at least 0, got {radii[()] if not radii.ndim else radii.min()}.")
        parts = self.in_blocks(
            Q, lambda Q, rows: self.within_each(Q, radii[rows]) if radii.ndim else self.within_block(Q, float(radii))
        )
        counts, distances, indices = zip(*parts, strict=True) if parts else ((), (), ())
        starts = np.concatenate([[0], np.cumsum(np.concatenate([np.empty(0, np.int64), *counts]))]).astype(np.int64)
        return starts, np.concatenate([np.empty(0), *distances]), np.concatenate([np.empty(0, np.int64), *indices])

    def within_each(self, Q: Any, radii: Array) -> Listed:
        """`within_block` with a radius for each query: of the points within the largest, those within its own."""
        counts, distances, indices = self.within_block(Q, float(radii.max()))
        query = np.repeat(np.arange(len(counts)), counts)
        inside = distances <= radii[query]
        return np.bincount(query[inside], minlength=len(counts)), distances[inside], indices[inside]

    @abstractmethod
    def nearest_block(self, Q: Any, k: int, skip: Array | None) -> Found:
        """`nearest` for a block of queries."""

    @abstractmethod
    def within_block(self, Q: Any, radius: float) -> Listed:
        """`within` for a block of queries, with counts instead of starts."""

    def in_blocks(self, Q: Any, answer: Callable[[Any, slice], Any]) -> list[Any]:
        """The answers for blocks of queries, found side by side."""
        self.refuse_columns(Q)
        with single_blas():
            return side_by_side(lambda rows: answer(Q[rows], rows), self.slices(Q.shape[0]))

    def slices(self, m: int) -> list[slice]:
        """Blocks of m queries: several for each thread, however few the queries."""
        size = max(1, min(self.block, -(-m // 8)))
        return [slice(start, min(start + size, m)) for start in range(0, m, size)]

    def refuse_columns(self, Q: Any) -> None:
        if Q.shape[1] != self.columns:
            raise ValueError(
                f"The queries have {Q.shape[1]} columns, but the points have {self.columns}: give the same columns."
            )

    def refuse_number(self, k: int, skip: Array | None) -> None:
        most = self.n - (skip is not None)
        if not 1 <= k <= most:
            others = " besides the row itself" if skip is not None else ""
            raise ValueError(f"k must be between 1 and {most}, the number of points{others}; got {k}.")


def side_by_side(function: Callable[[Any], Any], items: Iterable[Any]) -> list[Any]:
    """The results for all items, in their order."""
    with closing(ordered_map(function, items)) as results:
        return list(results)


def in_order(query: Array, sums: Array, indices: Array, queries: int) -> Listed:
    """Pairs in any order as `within_block` gives them, with distances or the sums that they are made of."""
    order = np.lexsort((indices, sums, query))
    return np.bincount(query, minlength=queries), sums[order], indices[order]
