"""The questions that scikit-learn's trees answer, in its forms of the answers."""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.core.tables import array_table, first_bad_cell, refuse_cell
from aprendiz.neighbors.search.point_index import Search


class TreeQueries(Search):
    """`query` and `query_radius` of an index."""

    data: Array

    def query(self, X: Any, k: int = 1, return_distance: bool = True, sort_results: bool = True) -> Any:
        """The k nearest points of each row of X: (distances, indices), or indices alone. They are always sorted."""
        distances, indices = self.nearest(self.rows_of(X), k)
        return (distances, indices) if return_distance else indices

    def query_radius(
        self, X: Any, r: Any, return_distance: bool = False, count_only: bool = False, sort_results: bool = False
    ) -> Any:
        """The points within r (one radius, or one for each row of X) of each row: arrays of indices, (indices, distances),
        or their numbers. They are always sorted by distance."""
        if count_only and return_distance:
            raise ValueError("count_only=True gives numbers of points, which have no distances: set return_distance=False.")
        starts, distances, indices = self.within_each(self.rows_of(X), np.asarray(r, np.float64))
        if count_only:
            return np.diff(starts)
        listed = pieces(indices, starts)
        return (listed, pieces(distances, starts)) if return_distance else listed

    def within_each(self, Q: Array, radii: Array) -> tuple[Array, Array, Array]:
        """`within`, with one radius for all or one for each query."""
        if radii.ndim == 0:
            return self.within(Q, float(radii))
        if radii.shape != (len(Q),):
            raise ValueError(f"r must be one radius or one for each of the {len(Q)} rows, got shape {radii.shape}.")
        found = [self.within(Q[i : i + 1], float(radius)) for i, radius in enumerate(radii)]
        starts = np.cumsum([0, *(len(indices) for _, _, indices in found)])
        distances, indices = ([part[which] for part in found] for which in (1, 2))
        return starts, np.concatenate([np.empty(0), *distances]), np.concatenate([np.empty(0, np.int64), *indices])

    def rows_of(self, X: Any) -> Array:
        table = check_table(X)
        self.refuse_columns(table)
        return table


def check_table(X: Any, leaf_size: int = 1) -> Array:
    """A table of finite numbers."""
    if not leaf_size >= 1:
        raise ValueError(f"leaf_size must be at least 1, got {leaf_size}.")
    table = array_table(X)
    if 0 in table.shape:
        raise ValueError(f"A tree needs at least one row and one column, got shape {table.shape}.")
    if bad := first_bad_cell(table, missing_is_fine=False):
        refuse_cell(*bad, None)
    return table


def pieces(values: Array, starts: Array) -> Array:
    """An array of arrays, one for each query."""
    out = np.empty(len(starts) - 1, dtype=object)
    out[:] = np.split(values, starts[1:-1]) if len(starts) > 2 else [values]
    return out
