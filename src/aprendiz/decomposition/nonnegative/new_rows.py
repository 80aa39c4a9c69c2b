"""The best rows of U for a given V, where the error is not the squared one.

For the Kullback–Leibler divergence by Newton's steps (newton_sweeps.py), for others by multiplication (divergences.py), again
and again. Each row is a convex problem of its own for 1 ≤ β ≤ 2, and begins with equal shares of its own sum, so that what is
found for a row does not depend on the others. A row has come to rest when a step changes it by less than `tol` of its size.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.rows import Array
from aprendiz.decomposition.nonnegative.divergences import Divergence, multiplied
from aprendiz.decomposition.nonnegative.kullback_leibler import swept_rows
from aprendiz.decomposition.nonnegative.penalties import Penalty
from aprendiz.decomposition.nonnegative.table_facts import dense

SETTLED = 1e-12  # of what the first sweep of a row is worth


def settled_rows(X: Any, V: Array, divergence: Divergence, penalty: Penalty, tol: float, most: int) -> tuple[Array, float]:
    """Rows of U, and ΣD."""
    if divergence.beta == 1:
        return newton_rows_of(sparse.csr_array(X), V, penalty, most)
    cells = np.asarray(dense(X), np.float64)
    U = multiplied_rows(cells, V, divergence, penalty, tol, most)
    return U, divergence.total(cells, divergence.product(cells, U, V))


def newton_rows_of(X: Any, V: Array, penalty: Penalty, most: int) -> tuple[Array, float]:
    """The same for the Kullback–Leibler divergence, from the cells above 0."""
    sums = np.asarray(X.sum(axis=1), np.float64).ravel()
    U = np.tile((sums / max(float(V.sum()), 1e-300))[:, None], (1, V.shape[1]))
    U, _worth, entropy = swept_rows(X, V, U, penalty, most, SETTLED)
    return U, entropy - float(sums.sum()) + float(U.sum(axis=0) @ V.sum(axis=0))


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
