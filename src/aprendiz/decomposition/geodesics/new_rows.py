"""Distances of new rows along a graph that they are not part of.

    d(x, v) = min over the neighbours u of x of  ‖x − u‖ + d(u, v)                                            (1)

Cost: n for each neighbour of each new row.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.neighbors import NearestNeighbors
from aprendiz.neighbors.search.point_index import side_by_side

ROWS = 64  # new rows that a thread takes at a time


def distances_over_neighbours(neighbors: NearestNeighbors, X: Any, D: Array, *, by_radius: bool) -> Array:
    """(1) of some new rows, of shape (new rows, rows of the fit)."""
    graph = (neighbors.radius_neighbors_graph if by_radius else neighbors.kneighbors_graph)(X, mode="distance")
    alone = np.flatnonzero(np.diff(graph.indptr) == 0)
    if len(alone):
        raise ValueError(
            f"Row {alone[0]} of X has no neighbours within the radius, so no distance to the rows of the fit is known: use a "
            "larger radius, or n_neighbors."
        )
    starts, out = graph.indptr.astype(np.int64), np.empty((graph.shape[0], len(D)))
    indices = graph.indices.astype(np.int64)

    def work(first: int) -> None:
        run = slice(first, min(first + ROWS, len(out)))
        shortest(starts[run.start : run.stop + 1], indices, graph.data, D, out[run])

    side_by_side(work, range(0, len(out), ROWS))
    return out


@compiled(exact=True)
def shortest(starts: Array, indices: Array, lengths: Array, D: Array, out: Array) -> None:
    """(1) for some of the new rows."""
    for row in range(len(out)):
        found = out[row]
        for v in range(len(found)):
            found[v] = np.inf
        for place in range(starts[row], starts[row + 1]):
            over, length = D[indices[place]], lengths[place]
            for v in range(len(found)):
                found[v] = min(found[v], length + over[v])
