"""Positive definite matrices: the triangle L with LLᵀ = Σ, and an error that names the column if there is none.

The matrix is first scaled to a diagonal of ones, so that the test for singularity does not depend on the units of the columns.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import linalg

from aprendiz.bayes.distributions.values import frozen
from aprendiz.core.rows import Array


def covariance_like(owner: Any, name: str, columns: int) -> None:
    """Store a symmetric matrix of a frozen record; it must fit the number of columns."""
    matrix = frozen(owner, name, 2)
    if matrix.shape != (columns, columns):
        raise ValueError(f"{name} has shape {matrix.shape}, there are {columns} columns: it must be {columns} × {columns}.")
    uneven = np.abs(matrix - matrix.T) > 1e-9 * np.sqrt(np.abs(np.outer(matrix.diagonal(), matrix.diagonal())))
    if uneven.any():
        i, j = (int(k) for k in np.argwhere(uneven)[0])
        raise ValueError(f"{name} is not symmetric: {matrix[i, j]:g} in ({i}, {j}), {matrix[j, i]:g} in ({j}, {i}).")


def triangle(name: str, matrix: Array) -> Array:
    """L, or a refusal that names the first column that the columns before it determine."""
    variances = matrix.diagonal()
    if (variances <= 0).any():
        j = int(np.flatnonzero(variances <= 0)[0])
        raise ValueError(
            f"{name} has {variances[j]:g} on its diagonal, column {j}: leave out columns that do not vary, or use a prior."
        )
    units = np.sqrt(variances)
    L, info = linalg.lapack.dpotrf(matrix / np.outer(units, units), lower=1, clean=1)
    reached = L.diagonal()[: info - 1 if info else None]
    flat = np.flatnonzero(reached**2 <= 8 * len(matrix) * np.finfo(float).eps)
    if info or len(flat):
        j = int(flat[0]) if len(flat) else info - 1
        raise ValueError(
            f"{name} is singular or not positive: column {j} follows from the columns before it; "
            "leave it out, give more rows, or use a prior."
        )
    return np.asarray(units[:, None] * L)


def squared_distances(L: Array, offsets: Array) -> Array:
    """dᵀ Σ⁻¹ d of each row d."""
    solved = linalg.solve_triangular(L, offsets.reshape(-1, len(L)).T, lower=True, check_finite=False)
    return np.asarray((solved**2).sum(axis=0).reshape(offsets.shape[:-1]))


def log_determinant(L: Array) -> float:
    """ln |Σ|."""
    return float(2 * np.log(L.diagonal()).sum())
