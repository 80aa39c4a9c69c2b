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

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.kernel.gram.points import Points, dense_rows, products
from aprendiz.kernel.gram.rounding import largest, summation_error

SMALL = 2.0**-6


def distances(P: Points, Q: Points, out: Array | None = None) -> Array:
    """‖x − z‖ between two sets of points."""
    tile = products(P, Q, out)
    fill_distances(tile, P.squares, Q.squares, dense_rows(P), dense_rows(Q))
    return np.sqrt(tile, out=tile)


def distance_error(P: Any, eps: float) -> float:
    """(2) of the longest rows."""
    return (summation_error(P, eps) + 4.0 * eps) * np.sqrt(2.0 * largest(P.squares) / SMALL)


@compiled
def fill_distances(tile: Array, row_squares: Array, column_squares: Array, rows: Array, columns: Array) -> None:
    """Squared distances in place of the inner products of a tile."""
    nothing = np.zeros(1, tile.dtype)[0]
    for i in range(tile.shape[0]):
        for j in range(tile.shape[1]):
            tile[i, j] = row_squares[i] + column_squares[j] - tile[i, j] - tile[i, j]
        for j in range(tile.shape[1]):
            if tile[i, j] < SMALL * (row_squares[i] + column_squares[j]):
                total = nothing
                for k in range(rows.shape[1]):
                    total += (rows[i, k] - columns[j, k]) * (rows[i, k] - columns[j, k])
                tile[i, j] = total
