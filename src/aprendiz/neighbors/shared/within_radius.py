"""The rows within a radius: `radius_neighbors` and its graph, for all learners that look at a ball around a row."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.parameters import NonNegative, ParameterError, fits
from aprendiz.core.rows import Array
from aprendiz.core.threads import ordered_map
from aprendiz.neighbors.shared.k_nearest import Mode, refuse_mode
from aprendiz.neighbors.shared.kept_rows import KeptRows
from aprendiz.neighbors.shared.votes import Near

TOGETHER = 256  # rows whose neighbours are in memory at a time, for each thread


class WithinRadius(KeptRows):
    """Looks at the neighbours within a radius."""

    radius: float

    def radius_neighbors(
        self, X: Any = None, radius: float | Array | None = None, return_distance: bool = True, sort_results: bool = False
    ) -> Any:
        """All rows of the fit at a distance of at most the radius: arrays of distances and of indices, one for each query,
        in the order of the table.

        Parameters
        ----------
        X : table, optional
            The query rows. None: the training rows, none of which is its own neighbour.
        radius : float or array of shape (n_queries,), optional
            That of the learner, by default; or one for each query.
        return_distance : bool, default=True
            Whether to give distances and indices, or indices alone.
        sort_results : bool, default=False
            Whether the nearest come first. It needs the distances.
        """
        if sort_results and not return_distance:
            raise ValueError("return_distance must be True if sort_results is True.")
        near = self.all_near(X, radius, sort_results)
        rows = list(near.rows())
        indices = as_objects([near.indices[row] for row in rows])
        return (as_objects([near.distances[row] for row in rows]), indices) if return_distance else indices

    def radius_neighbors_graph(
        self, X: Any = None, radius: float | Array | None = None, mode: Mode = "connectivity", sort_results: bool = False
    ) -> Any:
        """A sparse matrix (n_queries, n_samples_fit) with an entry for each neighbour: 1, or with "distance" the distance."""
        refuse_mode(mode)
        near = self.all_near(X, radius, sort_results)
        data = np.ones(len(near.indices)) if mode == "connectivity" else near.distances
        return sparse.csr_matrix((data, near.indices, near.starts), shape=(len(near), self.n_samples_fit_))

    def all_near(self, X: Any, radius: float | Array | None, nearest_first: bool) -> Near:
        """The neighbours of all rows asked about."""
        r = self.reach(radius)
        Q, skip = self.queries(X)
        near = around(*self.search_.within(Q, r), skip)
        return near if nearest_first else as_in_table(near, self.n_samples_fit_)

    def reach(self, asked: float | Array | None) -> float | Array:
        """The radius, as asked or as the learner has it."""
        if isinstance(asked, np.ndarray | list | tuple):
            return np.asarray(asked, np.float64)
        if not fits(asked, NonNegative | None):
            raise ParameterError(f"radius must be a number of at least 0, got {asked!r}.")
        return float(self.radius if asked is None else asked)

    def by_blocks(self, Q: Any, skip: Array | None, say: Callable[[Near], Array]) -> Array:
        """What `say` says of the neighbours, a few hundred rows at a time: there may be very many neighbours."""

        def answer(start: int) -> Array:
            some = slice(start, start + TOGETHER)
            return say(around(*self.search_.within(Q[some], self.radius), None if skip is None else skip[some]))

        with closing(ordered_map(answer, range(0, Q.shape[0], TOGETHER))) as parts:
            return np.concatenate(list(parts))


def around(starts: Array, distances: Array, indices: Array, skip: Array | None) -> Near:
    """Neighbours, each row without the one to leave out."""
    if skip is None:
        return Near(starts, distances, indices)
    row = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    others = indices != skip[row]
    counts = np.bincount(row[others], minlength=len(starts) - 1)
    return Near(np.concatenate([[0], np.cumsum(counts)]), distances[others], indices[others])


def as_in_table(near: Near, count: int) -> Near:
    """Neighbours of each row in the order of the table, which has so many rows: a matrix by columns and by rows again, which is
    two counting sorts."""
    by_rows = sparse.csr_array((near.distances, near.indices, near.starts), shape=(len(near), count)).tocsc().tocsr()
    return Near(near.starts, by_rows.data, by_rows.indices.astype(near.indices.dtype, copy=False))


def as_objects(arrays: list[Array]) -> Array:
    """An array of arrays of different lengths."""
    found = np.empty(len(arrays), dtype=object)
    for i, one in enumerate(arrays):
        found[i] = one
    return found
