"""A few eigenvectors of the scatter by passes over the rows, without the d × d matrix.

    S B = Σ w (x − m)((x − m)ᵀB)                    of a block B of columns, a sum over the rows                  (1)

B has at least four columns more than are wanted, and a multiple of eight, with which products are fastest.

Block Lanczos (cluster/spectral/block_lanczos.py) asks for (1) until the residuals ‖Sv − λv‖ are small. It may take as many
passes as cost somewhat less than the matrix would; then, or as soon as digits come too slowly, the matrix is the better way.

Cost: 4·n·d·(k + 4) operations in a pass, and about ten passes; memory 9·d·(k + 4).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from aprendiz.cluster.spectral.block_lanczos import largest_eigenpairs, random_block
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import Spread, Sums
from aprendiz.core.threads import scratch
from aprendiz.decomposition.spectrum.axes import Axes

LEAST_ROWS, CELLS_IN_CACHE = 64, 2**19  # of rows that are centred and used twice before they are forgotten
MORE = 4  # columns of B beside those that are wanted
LEAST_STEPS = 12  # passes that should be within the price of the matrix
PRICE = 6  # of a pass, for each cell and each column of B, beside 1 for each multiplication of the matrix (measured)


@dataclass(frozen=True)
class ScatterProduct(Sums):
    """(1)."""

    image: Array

    @classmethod
    def of(cls, mean: Array, B: Array, block: Block) -> Self:
        image, step = np.zeros(B.shape), max(LEAST_ROWS, CELLS_IN_CACHE // len(B))
        for at in range(0, len(block), step):
            X, weight = block.X[at : at + step], block.weights[at : at + step]
            Z = np.subtract(X, mean, out=scratch(*X.shape))
            image += Z.T @ ((Z @ B) * weight[:, None])
        return cls(image)


def affordable_steps(n: int, d: int, k: int) -> int:
    """How many passes cost what the smaller of the matrices ZᵀZ and ZZᵀ costs; 0 where they are too few."""
    steps = min(n, d) // (PRICE * block_width(k))
    return steps if k and steps >= LEAST_STEPS else 0


def block_width(k: int) -> int:
    """The columns of B for k components."""
    return 8 * -(-(k + MORE) // 8)


def lanczos_axes(
    rows: Rows, spread: Spread, k: int, scale: Array | None, steps: int, tolerance: float, seed: int
) -> tuple[Axes, float] | None:
    """The axes and their largest residual beside λ₁; None if they have not been found after so many steps."""
    mean, s = spread.mean, np.ones(spread.columns) if scale is None else scale

    def image(B: Array) -> Array:
        return rows.sum(ScatterProduct.of, mean, B / s[:, None]).image / s[:, None]

    d, width = spread.columns, block_width(k)
    first = random_block(d, width, seed)
    found = largest_eigenpairs(
        image, np.empty((d, 0)), first, k, room=8 * width, steps=steps, tolerance=tolerance, resigns=True
    )
    if not found.settled:
        return None
    values, V = found.values[:k], found.vectors[:, :k]
    largest = float(values[0]) if values[0] > 0 else 1.0
    residual = float(np.linalg.norm((image(V) - V * values) / largest, axis=0).max())
    return Axes(values, V.T, float((spread.scatter / s**2).sum()), "lanczos"), residual
