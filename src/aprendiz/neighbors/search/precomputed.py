"""Distances that the user computed: the nearest are read off a table.

A table of n columns holds the distance of each of its rows to the n rows of the fit. In a sparse table only the stored entries
are neighbours: a graph of neighbours, as `kneighbors_graph(mode="distance")` gives it.

Cost: O(n log n) for each row of a dense table, that of its entries for a row of a sparse one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.rows import Array
from aprendiz.neighbors.search.point_index import Found, Listed, Search, in_order


class Precomputed(Search):
    """The nearest rows by given distances. Queries are rows of distances to the rows of the fit."""

    method = "brute"
    reason = "the distances were given"

    def __init__(self, X: Any):
        if X.shape[0] != X.shape[1]:
            raise ValueError(
                f'Precomputed matrix must be square. Input is a {X.shape[0]}x{X.shape[1]} matrix: with metric="precomputed" '
                "give the distances between the rows of the fit."
            )
        refuse_bad_distances(X)
        self.n = self.columns = int(X.shape[0])

    def nearest_block(self, Q: Any, k: int, skip: Array | None) -> Found:
        if sparse.issparse(Q):
            return nearest_entries(without(sparse.csr_array(Q), skip), k)
        distances = np.array(Q, dtype=np.float64)
        if skip is not None:
            distances[np.arange(len(distances)), skip] = np.inf
        order = np.argsort(distances, axis=1, kind="stable")[:, :k]
        return np.take_along_axis(distances, order, axis=1), order.astype(np.int64)

    def within_block(self, Q: Any, radius: float) -> Listed:
        if sparse.issparse(Q):
            rows, columns, lengths = entries(sparse.csr_array(Q))
        else:
            rows, columns = np.indices(Q.shape).reshape(2, -1)
            lengths = np.asarray(Q, dtype=np.float64).ravel()
        inside = lengths <= radius
        return in_order(rows[inside], lengths[inside], columns[inside].astype(np.int64), Q.shape[0])


def refuse_bad_distances(X: Any) -> None:
    """A distance is never negative."""
    cells = X.data if sparse.issparse(X) else X
    if (cells < 0).any():
        rows, columns = sparse.coo_array(X).coords if sparse.issparse(X) else np.indices(X.shape)
        row, column = (int(at[cells < 0][0]) for at in (rows, columns))
        raise ValueError(
            f"Negative values in data passed to precomputed distances: row {row}, column {column}. "
            "Give distances of at least 0."
        )


def entries(graph: Any) -> tuple[Array, Array, Array]:
    """Row, column and length of the stored entries."""
    return np.repeat(np.arange(graph.shape[0]), np.diff(graph.indptr)), graph.indices, graph.data


def starts_of(rows: Array, count: int) -> Array:
    """Where the entries of each row begin, and where the last end."""
    return np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=count))]).astype(np.int64)


def without(graph: Any, skip: Array | None) -> Any:
    """The graph without the entries to leave out."""
    if skip is None:
        return graph
    rows, columns, lengths = entries(graph)
    others = columns != skip[rows]
    return sparse.csr_array((lengths[others], columns[others], starts_of(rows[others], graph.shape[0])), shape=graph.shape)


def nearest_entries(graph: Any, k: int) -> tuple[Array, Array]:
    """The k shortest entries of each row."""
    stored = np.diff(graph.indptr)
    if (stored < k).any():
        row = int(np.argmax(stored < k))
        raise ValueError(
            f"{k} neighbors are required for each row, but the distances of row {row} have {stored[row]} entries: "
            "give a graph with more neighbours, or ask for fewer."
        )
    rows, columns, lengths = entries(graph)
    order = np.lexsort((columns, lengths, rows))
    first = order[(graph.indptr[:-1, None] + np.arange(k)).astype(np.int64)]
    return lengths[first].astype(np.float64), columns[first].astype(np.int64)
