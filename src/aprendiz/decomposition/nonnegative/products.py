"""Products of some rows of the table with a factor, for dense blocks by BLAS and for sparse ones cell by cell.

    times(X, V) = X V            turned(X, U) = XᵀU                                                           (1)

Both have k columns; a stored cell of a sparse block costs one addition of k numbers in each.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.core.sources.arrays import compress


def times(X: Any, V: Array) -> Array:
    """X V."""
    if not sparse.issparse(X):
        return np.asarray(X @ V)
    product = np.zeros((X.shape[0], V.shape[1]))
    add_times(*compress(X), V, product)
    return product


def turned(X: Any, U: Array) -> Array:
    """XᵀU."""
    if not sparse.issparse(X):
        return np.asarray(X.T @ U)
    product = np.zeros((X.shape[1], U.shape[1]))
    add_turned(*compress(X), U, product)
    return product


@compiled
def add_times(cells: Array, columns: Array, starts: Array, V: Array, product: Array) -> None:
    """Add X V."""
    k = V.shape[1]
    for i in range(len(product)):
        for place in range(starts[i], starts[i + 1]):
            x, j = cells[place], columns[place]
            for t in range(k):
                product[i, t] += x * V[j, t]


@compiled
def add_turned(cells: Array, columns: Array, starts: Array, U: Array, product: Array) -> None:
    """Add XᵀU."""
    k = U.shape[1]
    for i in range(len(U)):
        for place in range(starts[i], starts[i + 1]):
            x, j = cells[place], columns[place]
            for t in range(k):
                product[j, t] += x * U[i, t]
