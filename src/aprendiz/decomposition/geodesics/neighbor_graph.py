"""The graph of neighbours that distances along a surface are measured on.

    u — v     if v is one of the k rows nearest to u, or u one of those nearest to v, or both are within a radius     (1)

with the distance as the length of the edge. A graph that falls into parts has no paths between them. Parts are then joined,
each to each other, by an edge between the two rows that are nearest to each other, as scikit-learn does.

Cost: that of the search; for each pair of parts a search in one of them for each row of the other.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.cluster.graph.connections import parts
from aprendiz.core.rows import Array
from aprendiz.locale import _
from aprendiz.neighbors import NearestNeighbors


class DisconnectedGraphError(ValueError, RuntimeError):
    """A graph falls into parts, and nothing is known of the distances between them."""


def neighbor_graph(neighbors: NearestNeighbors, *, by_radius: bool) -> tuple[Any, int]:
    """(1) as a symmetric CSR array, joined to one part; and how many parts it had."""
    one_way = neighbors.radius_neighbors_graph if by_radius else neighbors.kneighbors_graph
    found = sparse.coo_array(one_way(mode="distance"))
    rows, columns = found.coords
    graph = both_ways(found.shape[0], rows, columns, found.data)
    part = parts(graph)
    count = int(part.max()) + 1
    return (graph if count == 1 else joined(graph, part, neighbors)), count


def both_ways(n: int, rows: Array, columns: Array, lengths: Array) -> Any:
    """Edges in both directions, each once, of parallel ones the shortest; edges of length 0 are edges."""
    rows, columns = np.concatenate([rows, columns]), np.concatenate([columns, rows])
    lengths = np.concatenate([lengths, lengths])
    order = np.lexsort((lengths, columns, rows))
    rows, columns, lengths = rows[order], columns[order], lengths[order]
    first = np.r_[True, (rows[1:] != rows[:-1]) | (columns[1:] != columns[:-1])] if len(rows) else np.empty(0, bool)
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows[first], minlength=n))])
    return sparse.csr_array((lengths[first], columns[first], starts), shape=(n, n))


def joined(graph: Any, part: Array, neighbors: NearestNeighbors) -> Any:
    """The graph with an edge between each two of its parts, and a warning."""
    count = int(part.max()) + 1
    said = _(
        "The number of connected components of the neighbors graph is {count} > 1: of {sizes} rows. Distances between them are "
        "measured over an edge between their nearest rows. Increase the number of neighbors or the radius to avoid this."
    )
    sizes = np.sort(np.bincount(part))[::-1]
    listed = ", ".join(str(size) for size in sizes[:5]) + (", …" if count > 5 else "")
    if sparse.issparse(neighbors._fit_X) and neighbors.is_precomputed():
        raise DisconnectedGraphError(
            f"The number of connected components of the neighbors graph is {count} > 1: of {listed} rows. The sparse graph "
            "does not say how far they are from each other: give more neighbours, or all distances."
        )
    warnings.warn(said.format(count=count, sizes=listed), UserWarning, stacklevel=6)
    extra = [nearest_pair(neighbors, members(part, i), members(part, j)) for i in range(count) for j in range(i)]
    found = sparse.coo_array(graph)
    new = (np.array(one) for one in zip(*extra, strict=True))
    return both_ways(len(part), *(np.r_[old, one] for old, one in zip((*found.coords, found.data), new, strict=True)))


def members(part: Array, number: int) -> Array:
    return np.flatnonzero(part == number)


def nearest_pair(neighbors: NearestNeighbors, some: Array, others: Array) -> tuple[int, int, float]:
    """Two rows, one of each group, at the smallest distance, and that distance."""
    X, metric, parameters = neighbors._fit_X, neighbors.effective_metric_, neighbors.effective_metric_params_
    if neighbors.is_precomputed():
        table = np.asarray(X[np.ix_(some, others)])
        i, j = divmod(int(table.argmin()), len(others))
        return int(some[i]), int(others[j]), float(table[i, j])
    distances, nearest = neighbors.index(X[others], metric, parameters).nearest(X[some], 1)
    i = int(distances.argmin())
    return int(some[i]), int(others[nearest[i, 0]]), float(distances[i, 0])
