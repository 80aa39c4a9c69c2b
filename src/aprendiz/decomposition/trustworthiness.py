"""Trustworthiness: are rows that are neighbours in an embedding neighbours in the table too?

With N_k(i) the k rows nearest to row i in the embedding, and r(i, j) = 1, 2, … the rank of row j among the others by its
distance to row i in the table,

    T(k) = 1 − 2 / (nk(2n − 3k − 1)) · Σ_i Σ_{j ∈ N_k(i)} max(0, r(i, j) − k)                                 (1)

1 if all neighbours in the embedding are neighbours in the table, about ½ if they are drawn at random. With the embedding and
the table exchanged it is called continuity. Of rows at equal distances the first is the nearer one.

Cost: n²·d for the distances, n²·k for the ranks. Memory: n².
Reference: Venna & Kaski, "Neighborhood preservation in nonlinear projection methods", ICANN 2001.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.cluster.graph.similarity_graphs import as_rows
from aprendiz.core.blas import single_blas
from aprendiz.core.parameters import refuse_count
from aprendiz.core.rows import Array
from aprendiz.decomposition.dissimilarities.pair_rows import distance_table
from aprendiz.neighbors.search.point_index import side_by_side
from aprendiz.neighbors.search.search import search_of

ROWS = 256  # that a thread ranks at a time


def trustworthiness(X: Any, X_embedded: Any, *, n_neighbors: int = 5, metric: str | Callable[..., Any] = "euclidean") -> float:
    """(1) (drop-in for scikit-learn's).

    Parameters
    ----------
    X : array of shape (n_samples, n_features), or (n_samples, n_samples)
        The table; with metric="precomputed" the distances between its rows.
    X_embedded : array of shape (n_samples, n_components)
        The embedding.
    n_neighbors : int, default=5
        k, less than half of the rows.
    metric : str or callable, default="euclidean"
        The distance in the table.

    Examples
    --------
    >>> X = [[0.0], [1.0], [3.0], [7.0], [15.0]]
    >>> trustworthiness(X, X, n_neighbors=2), round(trustworthiness(X, [[0.0], [7.0], [1.0], [2.0], [3.0]], n_neighbors=2), 3)
    (1.0, 0.533)
    """
    refuse_count("n_neighbors", n_neighbors)
    points = as_rows(X_embedded.toarray() if sparse.issparse(X_embedded) else X_embedded)
    with single_blas():
        D = distance_table(X, metric)
        n, k = len(D), int(n_neighbors)
        if len(points) != n:
            raise ValueError(f"X has {n} rows, but X_embedded has {len(points)}: give the same rows.")
        if k >= n / 2:
            raise ValueError(f"n_neighbors ({k}) should be less than n_samples / 2 ({n / 2}): use fewer neighbours.")
        near = search_of(points).nearest(points, k, np.arange(n))[1]
        late = sum(side_by_side(lambda start: excess(D, near, start), range(0, n, ROWS)))
    return float(1.0 - 2.0 * late / (n * k * (2.0 * n - 3.0 * k - 1.0)))


def excess(D: Array, near: Array, start: int) -> int:
    """Σ max(0, r(i, j) − k) over a run of rows i and their neighbours j in the embedding."""
    rows = D[start : start + ROWS]
    own, columns = np.arange(start, start + len(rows)), np.arange(len(D))
    total = 0
    for chosen in near[own].T:
        distance = rows[np.arange(len(rows)), chosen][:, None]
        nearer = (rows < distance) | ((rows == distance) & (columns < chosen[:, None]))
        nearer[np.arange(len(rows)), own] = False
        total += int(np.maximum(nearer.sum(axis=1) + 1 - near.shape[1], 0).sum())
    return total
