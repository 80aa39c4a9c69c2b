"""The range finder: where AᵀA sends a block of random columns, and the directions that it enlarges most.

    K_s = span(Ω, AᵀA Ω, …, (AᵀA)^(s−1) Ω),     Ω of d rows and ℓ ≥ k columns, normal numbers                  (1)
    V = the k largest Ritz vectors of AᵀA in K_s                                                               (2)

Power iterations keep the last block alone. All of (1) contains every polynomial of degree s − 1 in AᵀA, and among them
Chebyshev's, which separate better for the same products: q iterations are worth no more than 2 + 2q/5 steps, which is measured,
not proved (tests/decomposition/test_range_finder.py). A is never needed but for products with AᵀA, which are sums over rows.

Cost: s products of AᵀA with ℓ columns, and 4·d·(s·ℓ)² for keeping (1) orthonormal. Memory: d·s·ℓ.
References: Halko, Martinsson & Tropp, "Finding structure with randomness", SIAM Review 53, 2011; Musco & Musco, "Randomized
block Krylov methods for stronger and faster approximate singular value decomposition", NIPS 2015.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from aprendiz.cluster.spectral.block_lanczos import Product, largest_eigenpairs
from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array

BLOCKS, SPANS = 8, 4  # of a span, or times as many columns as are wanted, before it is replaced by the best of it
SQUARED = 1e-8  # of the largest eigenvalue of AᵀA: below it, half of the digits are lost
NOTHING = 1e-28  # of the largest eigenvalue, below which there is only rounding
PRECISE = 1e-14  # residual of an eigenvector of AᵀA beside the largest eigenvalue: as good as rounding allows


def krylov_steps(power_iterations: int) -> int:
    """Steps of (1) that come at least as near as so many power iterations."""
    return 2 + -(-2 * power_iterations // 5)


@dataclass(frozen=True)
class Directions:
    """(2) as orthonormal columns, the largest first; are all of them eigenvectors, to the tolerance?"""

    vectors: Array
    settled: bool


def dominant_directions(
    product: Product,
    columns: int,
    wanted: int,
    *,
    width: int,
    steps: int,
    seed: int,
    tolerance: float = PRECISE,
) -> Directions:
    """(2), at least as many as wanted, from blocks of `width` random columns, each of at most so many steps. `product`
    multiplies by AᵀA, or by another symmetric matrix of non-negative eigenvalues. Of a block only what lies above `SQUARED` of
    its largest eigenvalue is kept, for the digits of the rest are lost: another block finds it at right angles to the others.
    A block finds as many copies of a repeated eigenvalue as it has columns."""
    known, settled, first = np.empty((columns, 0)), True, 0.0
    while (missing := wanted - known.shape[1]) > 0:
        room = columns - known.shape[1]
        block = min(width, room)
        found = largest_eigenpairs(
            lambda Q: product(np.ascontiguousarray(Q)),
            known,
            normal_block(columns, block, seed, known.shape[1]),
            missing,
            room=max(block, min(max(BLOCKS * block, SPANS * wanted), room - block)),
            steps=steps,
            tolerance=tolerance,
        )
        first = first or float(found.values[0])
        nothing = found.values[0] <= NOTHING * first
        kept = len(found.values) if nothing else int((found.values > SQUARED * found.values[0]).sum())
        known, settled = np.column_stack([known, found.vectors[:, :kept]]), settled and (found.settled or nothing)
    return Directions(known, settled)


def normal_block(rows: int, columns: int, seed: int, stream: int = 0) -> Array:
    """Independent N(0, 1) numbers, each a function of the seed and of its place (Box and Muller's pairs)."""
    pairs = -(-rows * columns // 2)
    u, v = uniforms(seed, 2 * stream, pairs), uniforms(seed, 2 * stream + 1, pairs)
    radius, angle = np.sqrt(-2.0 * np.log1p(-u)), 2.0 * np.pi * v
    drawn = np.concatenate([radius * np.cos(angle), radius * np.sin(angle)])
    return drawn[: rows * columns].reshape(rows, columns)
