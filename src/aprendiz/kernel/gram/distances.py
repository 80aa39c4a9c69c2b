"""Distances between points, from one product of matrices.

    ‖x − z‖² = ‖x‖² + ‖z‖² − 2xᵀz                                                                              (1)

Where (1) is small beside ‖x‖² + ‖z‖², digits cancel, and the root of what is left would have half of them. Such pairs, below
SMALL of the squares, are subtracted cell by cell instead. With e_d of rounding.py the error of a distance is then at most

    e_d·√(‖x‖² + ‖z‖²)/√SMALL                                                                                  (2)

Cost of an entry: d multiplications and a root.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.kernel.gram.points import Points, products
from aprendiz.kernel.gram.rounding import largest, summation_error
from aprendiz.kernel.gram.tile_views import flat_view

SMALL = 2.0**-6
PAIRS = 4096  # of sparse rows that are subtracted at a time


def distances(P: Points, Q: Points, out: Array | None = None) -> Array:
    """‖x − z‖ between two sets of points."""
    tile = squared_distances(P, Q, out)
    return np.sqrt(tile, out=tile)


def squared_distances(P: Points, Q: Points, out: Array | None = None) -> Array:
    """‖x − z‖², with digits at any distance."""
    tile = products(P, Q, out)
    if sparse.issparse(P.coordinates) or sparse.issparse(Q.coordinates):
        fill_sparse(tile, P, Q)
    else:
        fill_distances(*flat_view(tile), P.squares, Q.squares, P.coordinates, Q.coordinates)
    return tile


def fill_sparse(tile: Array, P: Points, Q: Points) -> None:
    """The same for sparse tables: near pairs are subtracted some at a time."""
    sums = P.squares[:, None] + Q.squares
    np.subtract(sums, 2 * tile, out=tile)
    near = np.nonzero(tile < SMALL * sums)
    rows, columns = sparse.csr_array(P.coordinates), sparse.csr_array(Q.coordinates)
    for start in range(0, len(near[0]), PAIRS):
        i, j = near[0][start : start + PAIRS], near[1][start : start + PAIRS]
        apart = rows[i] - columns[j]
        tile[i, j] = np.asarray(apart.multiply(apart).sum(axis=1)).ravel()


def distance_error(P: Any, eps: float) -> float:
    """(2) of the longest rows."""
    return (summation_error(P, eps) + 4.0 * eps) * np.sqrt(2.0 * largest(P.squares) / SMALL)


@compiled
def fill_distances(flat: Array, step: int, row_squares: Array, column_squares: Array, rows: Array, columns: Array) -> None:
    """Squared distances in place of the inner products of a tile."""
    for i in range(len(row_squares)):
        square, line = row_squares[i], flat[i * step : i * step + len(column_squares)]
        for j in range(len(line)):
            line[j] = square + column_squares[j] - line[j] - line[j]
        for j in range(len(line)):
            if line[j] < SMALL * (square + column_squares[j]):
                total = flat.dtype.type(0)
                for k in range(rows.shape[1]):
                    total += (rows[i, k] - columns[j, k]) * (rows[i, k] - columns[j, k])
                line[j] = total
