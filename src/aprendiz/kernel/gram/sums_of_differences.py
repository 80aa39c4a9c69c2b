"""Sums over the columns of a function of two cells, for kernels that are no function of inner products.

The rows of the second table are transposed once, so that the innermost loop runs along them and the processor does several
entries at a time. Cost of an entry: d steps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.kernel.gram.points import Points, dense_parts
from aprendiz.kernel.gram.tile_views import flat_view


def summed(add: Callable[[Array, int, Array, Array], None], P: Points, Q: Points, out: Array | None) -> Array:
    """The sums between two sets of points."""
    tile = np.empty((len(P), len(Q)), P.dtype) if out is None else out
    tile[...] = 0.0
    for rows, columns in dense_parts(P, Q):
        add(*flat_view(tile), rows, columns)
    return tile


@compiled
def add_absolute(flat: Array, step: int, rows: Array, columns: Array) -> None:
    """Add Σ_k |x_k − z_k| to a tile (tile_views.py); `columns` holds the second table transposed."""
    for i in range(len(rows)):
        line = flat[i * step : i * step + columns.shape[1]]
        for k in range(rows.shape[1]):
            x, other = rows[i, k], columns[k]
            for j in range(len(line)):
                line[j] += abs(x - other[j])


@compiled
def add_chi_squared(flat: Array, step: int, rows: Array, columns: Array) -> None:
    """Add Σ_k (x_k − z_k)²/(x_k + z_k), 0 where both are 0."""
    nothing = rows.dtype.type(0)
    for i in range(len(rows)):
        line = flat[i * step : i * step + columns.shape[1]]
        for k in range(rows.shape[1]):
            x, other = rows[i, k], columns[k]
            for j in range(len(line)):
                apart, both = x - other[j], x + other[j]
                line[j] += apart * apart / both if both > nothing else nothing


def refuse_negative_cells(X: Any, name: str) -> None:
    """Counts are at least 0."""
    if sparse.issparse(X):
        X = sparse.csr_array(X)
        bad = np.flatnonzero(X.data < 0)
        places = [(int(np.searchsorted(X.indptr, entry, side="right")) - 1, int(X.indices[entry])) for entry in bad[:1]]
    else:
        places = [(int(i), int(j)) for i, j in np.argwhere(np.asarray(X) < 0)[:1]]
    for i, j in places:
        raise ValueError(f"{name}: X contains negative values, {X[i, j]} in row {i}, column {j}; counts are at least 0.")
