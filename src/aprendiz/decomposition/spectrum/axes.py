"""Eigenvectors of a symmetric matrix, and the record of what was found.

    S v_j = λ_j v_j,     λ₁ ≥ λ₂ ≥ …                                                                          (1)

A few vectors of a large matrix by block Lanczos (cluster/spectral/block_lanczos.py), others by LAPACK.

Cost: Lanczos up to 40 products of S with k + 6 columns, LAPACK about 4/3·d³ to 9·d³; memory d².
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import linalg

from aprendiz.cluster.spectral.block_lanczos import largest_eigenpairs, random_block
from aprendiz.core.rows import Array
from aprendiz.kernel.solvers.tiles import multiply

FEW_COLUMNS = 1200  # up to which LAPACK is the fastest
COLUMNS_FOR_EACH = 24  # columns for each vector, below which the spans of Lanczos would be as large as the matrix
MORE = 6  # columns of a block beside those that are wanted
MOST_STEPS = 40  # of Lanczos, before LAPACK is the better way after all
PRECISE = 1e-13  # residual of an eigenvector beside the largest eigenvalue
SEED = 0  # of the block that Lanczos begins with: no answer depends on it


@dataclass(frozen=True)
class Axes:
    """The largest eigenvalues of the scatter, descending, orthonormal vectors as rows, the sum of all eigenvalues, and the
    route by which they were found."""

    values: Array
    vectors: Array
    total: float
    method: str


def eigenpairs(S: Array, k: int) -> tuple[Array, Array]:
    """(1): the k largest eigenvalues, descending, and their vectors as columns."""
    d = len(S)
    if d > FEW_COLUMNS and d >= COLUMNS_FOR_EACH * k:
        width = k + MORE
        found = largest_eigenpairs(
            lambda B: multiply(S, np.ascontiguousarray(B)),
            np.empty((d, 0)),
            random_block(d, width, SEED),
            k,
            room=8 * width,
            steps=MOST_STEPS,
            tolerance=PRECISE,
        )
        if found.settled:
            return found.values[:k], found.vectors[:, :k]
    few = None if 3 * k > d else [d - k, d - 1]
    values, vectors = linalg.eigh(S, subset_by_index=few, driver="evd" if few is None else "evr", check_finite=False)
    return values[::-1][:k], vectors[:, ::-1][:, :k]


def upright(vectors: Array) -> Array:
    """Eigenvectors as rows, with the sign that makes the entry of largest size positive."""
    largest = np.argmax(np.abs(vectors), axis=1)
    return vectors * np.sign(vectors[np.arange(len(vectors)), largest])[:, None]


def at_right_angles(V: Array, count: int) -> Array:
    """`count` orthonormal rows at right angles to the rows of V."""
    more = random_block(V.shape[1], count, SEED).T
    for _ in range(2):
        more -= (more @ V.T) @ V
    return np.linalg.qr(more.T)[0].T
