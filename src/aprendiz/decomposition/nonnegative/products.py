"""Products of some rows of the table with a factor, for dense blocks by BLAS and for sparse ones cell by cell.

    times(X, V) = X V            turned(X, U) = XᵀU                                                           (1)

Both have k columns; a stored cell of a sparse block costs one addition of k numbers in each.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.compilation.compiled import compiled, int64
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
    """Add X V, four cells of a row at a time: its sums are read and written once for the four."""
    k = V.shape[1]
    for i in range(len(product)):
        place, stop = int64(starts[i]), int64(starts[i + 1])
        while place + 4 <= stop:
            a, b, c, d = cells[place], cells[place + 1], cells[place + 2], cells[place + 3]
            p, q, r, s = columns[place], columns[place + 1], columns[place + 2], columns[place + 3]
            for t in range(k):
                product[i, t] += a * V[p, t] + b * V[q, t] + c * V[r, t] + d * V[s, t]
            place += 4
        while place < stop:
            a, p = cells[place], columns[place]
            for t in range(k):
                product[i, t] += a * V[p, t]
            place += 1


@compiled
def add_turned(cells: Array, columns: Array, starts: Array, U: Array, product: Array) -> None:
    """Add XᵀU."""
    k = U.shape[1]
    for i in range(len(U)):
        for place in range(starts[i], starts[i + 1]):
            x, j = cells[place], columns[place]
            for t in range(k):
                product[j, t] += x * U[i, t]
