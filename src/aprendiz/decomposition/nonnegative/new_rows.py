"""The best rows of U for a given V, where the error is not the squared one: by repeated multiplication (divergences.py).

Each row is a convex problem of its own for 1 ≤ β ≤ 2, and begins with equal shares of its own sum, so that what is found for a
row does not depend on the others. A row has come to rest when a step changes it by less than `tol` of its size.
"""

from __future__ import annotations

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.decomposition.nonnegative.divergences import Divergence, multiplied
from aprendiz.decomposition.nonnegative.penalties import Penalty


def multiplied_rows(X: Array, V: Array, divergence: Divergence, penalty: Penalty, tol: float, most: int) -> Array:
    """Rows of U, after at most so many steps each."""
    X = np.asarray(X, np.float64)
    share = X.sum(axis=1) / max(float(V.sum()), 1e-300)
    U = np.tile(share[:, None], (1, V.shape[1]))
    left = np.arange(len(X))
    for _step in range(most):
        new = multiplied(X[left], U[left], V, divergence, penalty)
        moves = np.linalg.norm(new - U[left], axis=1)
        U[left] = new
        left = left[moves > tol * np.linalg.norm(new, axis=1)]
        if not len(left):
            break
    return U
