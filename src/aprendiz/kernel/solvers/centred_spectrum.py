"""Eigenvectors of a Gram matrix whose rows are centred in the space of the kernel.

    K_c = (I − 𝟏𝟏ᵀ/n) K (I − 𝟏𝟏ᵀ/n) = K − m𝟏ᵀ − 𝟏mᵀ + M,     m the means of the rows of K, M their mean        (1)
    K_c v = λ v                                                                                                (2)

Found by what suits the problem:

    features   where φ is known and has fewer features than rows: F_c = U S Vᵀ, whose U are the v and S² the λ  (3)
    lanczos    few components of many rows: block Lanczos, products of K_c with a block (cluster/spectral)
    dense      LAPACK; of many rows with its own threads, whose number may then change the last bits

Eigenvalues below 10⁻¹² of the largest are rounding, and set to 0.

Cost: (3) n·D²; Lanczos about 20 to 60 products with K_c, each n²·(components + a few); dense 9n³.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg

from aprendiz.cluster.spectral.block_lanczos import largest_eigenpairs, random_block
from aprendiz.core.blas import single_blas
from aprendiz.core.rows import Array
from aprendiz.kernel.solvers.tiles import for_each, multiply, runs

ROUNDING = 1e-12  # of the largest eigenvalue, below which an eigenvalue is 0
PRECISE = 1e-13  # residual of an eigenvector beside the largest eigenvalue
FEW_ROWS = 400  # up to which LAPACK is the fastest
ROWS_FOR_EACH = 24  # rows for each component, below which the spans of Lanczos would be as large as the matrix
MORE = 6  # columns of a block beside those that are wanted
MOST_STEPS = 200


@dataclass(frozen=True)
class Eigenpairs:
    """The largest eigenvalues, descending, with orthonormal vectors as columns; how they were found, and whether to the end."""

    values: Array
    vectors: Array
    method: str
    settled: bool = True


def centre(K: Array) -> tuple[Array, float]:
    """(1) in place; returns m and M."""
    means = multiply(K, np.ones((len(K), 1)))[:, 0] / len(K)
    mean = float(means.mean())

    def rows(run: slice) -> None:
        K[run] -= means
        K[run] -= (means[run] - mean)[:, None]

    for_each(rows, runs(0, len(K)))
    return means, mean


def eigenpairs(K: Array, count: int, *, dense: bool, tolerance: float, steps: int | None, seed: int) -> Eigenpairs:
    """(2) of a centred matrix."""
    n = len(K)
    if dense or n <= FEW_ROWS or n < ROWS_FOR_EACH * count:
        return by_lapack(K, count)
    with single_blas(float(n) ** 3):
        return by_lanczos(K, count, tolerance or PRECISE, steps or MOST_STEPS, seed)


def by_lapack(K: Array, count: int) -> Eigenpairs:
    """The last `count` eigenvalues, with BLAS as it is."""
    n = len(K)
    if 4 * count > n:
        values, vectors = linalg.eigh(K, check_finite=False, driver="evd")
        values, vectors = values[n - count :], vectors[:, n - count :]
    else:
        values, vectors = linalg.eigh(K, check_finite=False, subset_by_index=(n - count, n - 1))
    return Eigenpairs(values[::-1], vectors[:, ::-1], "dense")


def by_lanczos(K: Array, count: int, tolerance: float, steps: int, seed: int) -> Eigenpairs:
    """From a random block that is a little wider than what is wanted."""
    n, width = len(K), count + MORE
    found = largest_eigenpairs(
        lambda V: multiply(K, np.ascontiguousarray(V)),
        np.full((n, 1), n**-0.5),  # (1) sends the constant vector to 0
        random_block(n, width, seed),
        count,
        room=min(8 * width, n // 2),
        steps=steps,
        tolerance=tolerance,
    )
    return Eigenpairs(found.values[:count], found.vectors[:, :count], "lanczos", found.settled)


def by_features(F: Array, count: int) -> tuple[Eigenpairs, Array]:
    """(3) of centred features, and the directions V as columns, one for each component that F can have."""
    with single_blas(float(F.size) * F.shape[1]):
        U, S, V = linalg.svd(F, full_matrices=False, check_finite=False)
        kept = min(count, len(S))
        values, vectors = np.zeros(count), U[:, :kept]
        values[:kept] = S[:kept] ** 2
        if kept < count:
            vectors = completed(vectors, count)
    return Eigenpairs(values, vectors, "features"), V[:kept].T


def completed(vectors: Array, count: int) -> Array:
    """Orthonormal columns, and more of them at right angles to those."""
    more = random_block(len(vectors), count - vectors.shape[1], 0)
    for _ in range(2):
        more -= vectors @ (vectors.T @ more)
    return np.column_stack([vectors, np.linalg.qr(more)[0]])


def without_rounding(values: Any) -> Array:
    """Eigenvalues as scikit-learn cleans them: negative ones and those that are rounding are 0."""
    values = np.maximum(np.asarray(values, np.float64), 0.0)
    return np.where(values < ROUNDING * values.max(initial=0.0), 0.0, values)


def upright(vectors: Array) -> Array:
    """Columns with the sign that makes the entry of largest size positive."""
    largest = np.abs(vectors).argmax(axis=0)
    signs = np.sign(vectors[largest, np.arange(vectors.shape[1])])
    return vectors * np.where(signs == 0, 1.0, signs)
