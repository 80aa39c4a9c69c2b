"""Graphs of rows: which rows are joined, and how strongly.

    ε            i ~ j   if d(x_i, x_j) ≤ ε                                                                      (1)
    k nearest    i ~ j   if x_j is one of the k rows nearest to x_i, or x_i one of those nearest to x_j          (2)
    mutual       i ~ j   if both are                                                                             (3)
    Gaussian     all i ~ j                                                                                       (4)

    weight of an edge:  1, or with a width σ   exp(−d(x_i, x_j)² / 2σ²)                                          (5)

A weight is a similarity: distances as weights would join the farthest rows most and identical rows not at all. No row is joined
to itself. Distances are Euclidean; of rows at equal distances the first are the nearest.

Cost: (1) to (3) that of the search for neighbours (neighbors/search/search.py); (4) O(n²·d).
Reference: von Luxburg, "A tutorial on spectral clustering", Statistics and Computing 17, 2007.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.compilation.compiled import compiled
from aprendiz.core.parameters import Positive, fits, refuse_count
from aprendiz.core.rows import Array
from aprendiz.core.tables import array_table, first_bad_cell, refuse_cell
from aprendiz.neighbors.search.point_index import side_by_side
from aprendiz.neighbors.search.search import search_of

TILE = 256  # rows and columns of a piece of the full table


def epsilon_graph(X: Any, epsilon: float, *, sigma: float | None = None) -> Any:
    """(1): each row joined to all rows within a distance ε.

    Parameters
    ----------
    X : array of shape (n, columns)
    epsilon : float
        ε, in the units of the columns.
    sigma : float, optional
        σ of (5); by default every edge has the weight 1.

    Returns
    -------
    W : CSR array of shape (n, n)

    Examples
    --------
    >>> epsilon_graph([[0.0], [1.0], [3.0]], 1.5).toarray()
    array([[0., 1., 0.],
           [1., 0., 0.],
           [0., 0., 0.]])
    """
    X = as_rows(X)
    refuse_positive("epsilon", epsilon)
    starts, distances, columns = search_of(X).within(X, float(epsilon))
    rows = np.repeat(np.arange(len(X)), np.diff(starts))
    others = rows != columns
    return edges(len(X), rows[others], columns[others], weights_of(distances[others], sigma))


def k_nearest_graph(X: Any, k: int, *, sigma: float | None = None) -> Any:
    """(2): each row joined to its k nearest rows and to those whose k nearest rows it belongs to.

    Parameters
    ----------
    X : array of shape (n, columns)
    k : int
        Neighbours of a row, itself not counted.
    sigma : float, optional
        σ of (5); by default every edge has the weight 1.

    Returns
    -------
    W : CSR array of shape (n, n)

    Examples
    --------
    >>> k_nearest_graph([[0.0], [1.0], [3.0]], 1).toarray()
    array([[0., 1., 0.],
           [1., 0., 1.],
           [0., 1., 0.]])
    """
    one_way = nearest_edges(X, k, sigma)
    return sparse.csr_array(one_way.maximum(one_way.T))


def mutual_k_nearest_graph(X: Any, k: int, *, sigma: float | None = None) -> Any:
    """(3): two rows are joined if each is one of the k nearest rows of the other. Parameters as of `k_nearest_graph`.

    Examples
    --------
    >>> mutual_k_nearest_graph([[0.0], [1.0], [3.0]], 1).toarray()
    array([[0., 1., 0.],
           [1., 0., 0.],
           [0., 0., 0.]])
    """
    one_way = nearest_edges(X, k, sigma)
    return sparse.csr_array(one_way.minimum(one_way.T))


def gaussian_graph(X: Any, sigma: float = 1.0) -> Any:
    """(4): all rows joined to each other, with the weights (5).

    Parameters
    ----------
    X : array of shape (n, columns)
    sigma : float, default=1.0
        σ of (5).

    Returns
    -------
    W : CSR array of shape (n, n)
        All but the diagonal is stored, except where a weight is below the smallest double.

    Examples
    --------
    >>> gaussian_graph([[0.0], [1.0]]).toarray().round(4)
    array([[0.    , 0.6065],
           [0.6065, 0.    ]])
    """
    refuse_positive("sigma", sigma)
    similarities = gaussian_similarities(as_rows(X), 0.5 / float(sigma) ** 2)
    np.fill_diagonal(similarities, 0.0)
    return sparse.csr_array(similarities)


# ---- pieces ----------------------------------------------------------------------------------------------------------


def as_rows(X: Any) -> Array:
    """A table of finite doubles."""
    table = np.ascontiguousarray(array_table(X), dtype=np.float64)
    if bad := first_bad_cell(table, missing_is_fine=False):
        refuse_cell(*bad, None)
    if 0 in table.shape:
        raise ValueError(f"X has the shape {table.shape}: a graph needs at least one row and one column.")
    return table


def refuse_positive(name: str, value: Any) -> None:
    if not (fits(value, Positive) and value < np.inf):
        raise ValueError(f"{name} must be a finite number above 0, got {value!r}.")


def nearest_edges(X: Any, k: int, sigma: float | None) -> Any:
    """An edge from each row to its k nearest others."""
    X = as_rows(X)
    refuse_count("k", k)
    if k >= len(X):
        raise ValueError(f"X has {len(X)} rows, so a row has {len(X) - 1} others, but k = {k}: use fewer neighbours.")
    distances, columns = search_of(X).nearest(X, int(k), np.arange(len(X)))
    return edges(len(X), np.repeat(np.arange(len(X)), k), columns.ravel(), weights_of(distances.ravel(), sigma))


def weights_of(distances: Array, sigma: float | None) -> Array:
    """(5)."""
    if sigma is None:
        return np.ones(len(distances))
    refuse_positive("sigma", sigma)
    return np.exp(-0.5 * (distances / float(sigma)) ** 2)


def edges(n: int, rows: Array, columns: Array, weights: Array) -> Any:
    graph = sparse.csr_array((weights, (rows, columns)), shape=(n, n))
    graph.eliminate_zeros()
    return graph


def gaussian_similarities(X: Array, gamma: float) -> Array:
    """exp(−γ‖x_i − x_j‖²) of all pairs of rows, each computed once: the table is symmetric to the last bit."""
    n, columns = len(X), np.ascontiguousarray(X.T)
    table = np.empty((n, n))

    def fill(start: int) -> None:
        rows = slice(start, min(start + TILE, n))
        for first in range(start, n, TILE):
            others = slice(first, min(first + TILE, n))
            piece = np.empty((rows.stop - rows.start, others.stop - others.start))
            squares(X[rows], columns, first, -gamma, piece)
            np.exp(piece, out=piece)
            table[rows, others] = piece
            table[others, rows] = piece.T

    side_by_side(fill, range(0, n, TILE))
    return table


@compiled
def squares(X: Array, columns: Array, first: int, factor: float, out: Array) -> None:
    """out[i, j] = factor·‖x_i − x_{first + j}‖²; `columns` is the table by columns."""
    m = out.shape[1]
    for i in range(len(X)):
        row = out[i]
        for j in range(m):
            row[j] = 0.0
        for t in range(len(columns)):
            x, column = X[i, t], columns[t, first : first + m]
            for j in range(m):
                u = x - column[j]
                row[j] += u * u
        for j in range(m):
            row[j] *= factor
