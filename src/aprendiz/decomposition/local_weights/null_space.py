"""Coordinates that satisfy sparse equations as well as they can.

    minimise ‖RY‖² = Tr YᵀMY,  M = RᵀR,     such that  YᵀY = I,  1ᵀY = 0                                       (1)

The constant vector satisfies all equations and says nothing. The others with the smallest eigenvalues are found by

    small      LAPACK
    large      block Lanczos with (M + σI)⁻¹, from a sparse factorisation (cluster/spectral/block_lanczos.py)         (2)

Cost: n³ for LAPACK; (2) that of the factors, which have few entries for graphs of neighbours in few dimensions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import linalg, sparse
from scipy.sparse.linalg import splu

from aprendiz.cluster.spectral.block_lanczos import largest_eigenpairs, random_block
from aprendiz.core.certificate import Certificate
from aprendiz.core.rows import Array
from aprendiz.kernel.solvers.centred_spectrum import upright
from aprendiz.neighbors.search.point_index import side_by_side

SMALL = 400  # rows, up to which LAPACK is the fastest
SHIFT = 1e-13  # σ, beside the size of M
MORE = 2  # columns of a block beside those that are wanted
STEPS = 60
SMALL_RESIDUAL, SMALL_ANGLE = 1e-9, 1e-9


@dataclass(frozen=True)
class NullSpace:
    """Y of (1), the entry of largest size in each column positive, and the eigenvalues, ascending."""

    points: Array
    values: Array
    method: str
    settled: bool
    certificate: Certificate

    @classmethod
    def of(cls, R: Any, count: int, *, dense: bool, tolerance: float, steps: int, seed: int) -> NullSpace:
        """The `count` best columns."""
        M = sparse.csc_array(R.T @ R)
        size = float(abs(M).sum(axis=0).max())
        if dense or len(M.indptr) <= SMALL + 1:
            vectors, method, settled = by_lapack(M, count, size), "LAPACK", True
        else:
            vectors, settled = by_inverse(M, count, size, tolerance, steps, seed)
            method = "inverse block Lanczos"
        small = R @ vectors
        values, turn = np.linalg.eigh(small.T @ small)
        points, values = upright(vectors @ turn), np.maximum(values, 0.0)
        return cls(points, values, method, settled, exactness(M, points, values, size))


def by_lapack(M: Any, count: int, size: float) -> Array:
    """The constant vector is lifted to the upper end of the spectrum."""
    table = M.toarray()
    table += 2.0 * size / len(table)
    return np.asarray(linalg.eigh(table, subset_by_index=(0, count - 1), overwrite_a=True, check_finite=False)[1])


def by_inverse(M: Any, count: int, size: float, tolerance: float, steps: int, seed: int) -> tuple[Array, bool]:
    """(2)."""
    n = M.shape[0]
    shifted = sparse.csc_array(M + SHIFT * size * sparse.eye_array(n, format="csc"))
    factors = splu(shifted, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True})

    def product(V: Array) -> Array:
        return np.column_stack(side_by_side(lambda j: factors.solve(np.ascontiguousarray(V[:, j])), range(V.shape[1])))

    block = count + MORE
    found = largest_eigenpairs(
        product,
        np.full((n, 1), n**-0.5),
        random_block(n, block, seed),
        count,
        room=min(12 * block, n // 2),
        steps=steps,
        tolerance=tolerance,
    )
    return found.vectors[:, :count], found.settled


def exactness(M: Any, points: Array, values: Array, size: float) -> Certificate:
    """That ‖My − λy‖ ≤ 10⁻⁹·‖M‖ for each column, and right angles to 10⁻⁹, to the constant too. (Whether they belong to the
    smallest eigenvalues is not shown.)"""
    n = len(points)
    residual = float(np.linalg.norm(M @ points - points * values, axis=0).max()) / size if size > 0 else 0.0
    both = np.column_stack([np.full(n, n**-0.5), points])
    angle = float(np.abs(both.T @ both - np.eye(both.shape[1])).max())
    return Certificate(
        "the coordinates are eigenvectors of the sum of squared equations, at right angles to each other",
        bool(residual <= SMALL_RESIDUAL and angle <= SMALL_ANGLE),
        {"error": float(values.sum()), "residual": residual, "orthogonality": angle},
    )
