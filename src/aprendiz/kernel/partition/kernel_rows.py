"""Training rows that are seen through their Gram matrix.

    K·A,  A of shape (n, k)          for sums over clusters
    K(x_i, ·)                        for the distances to a few rows

The matrix is held for up to 5 792 rows (256 MiB), or if it was given. For more rows it is computed anew at each pass, tile by
tile, and memory is O(n·k). How it is cut into tiles follows from n alone, so the bits are the same for any number of threads.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.core.threads import ordered_map
from aprendiz.kernel.gram.gram_matrix import gram_matrix
from aprendiz.kernel.gram.kernel_function import Kernel

HELD_ROWS = 5_792  # of a matrix of 256 MiB
TILE_ROWS, TILE_COLUMNS = 256, 4_096  # 8 MiB


class KernelRows(ArrayRows):
    """Rows in memory, with a kernel that has all its numbers (`Kernel.on`)."""

    def __init__(self, rows: ArrayRows, kernel: Kernel, gamma: Any):
        super().__init__(rows.X, None, rows.weight, rows.names)
        self.noted, self.kernel, self.gamma = rows.noted, kernel, gamma

    def compact(self) -> ArrayRows:
        return self

    @cached_property
    def points(self) -> Any:
        return self.kernel.points(self.X)

    @cached_property
    def weights(self) -> Array:
        return np.ones(self.X.shape[0]) if self.weight is None else np.asarray(self.weight, np.float64)

    @cached_property
    def gram(self) -> Array | None:
        """K, where it is held."""
        held = len(self.points) <= HELD_ROWS or self.kernel.compares == "matrix" or not self.kernel.in_tiles
        return gram_matrix(self.kernel, self.points) if held else None

    @cached_property
    def diagonal(self) -> Array:
        return np.asarray(self.kernel.diagonal_of(self.points), np.float64)

    def gram_rows(self, numbers: Array) -> Array:
        """K between a few rows and all of them."""
        if self.gram is not None:
            return self.gram[numbers]
        return self.kernel.block(self.points.take(numbers), self.points, np.empty((len(numbers), len(self.points))))

    def times(self, A: Array) -> Array:
        """K·A, rows of tiles on all threads."""
        if self.gram is None:
            return kernel_products(self.kernel, self.points, self.points, A)
        K, found = self.gram, np.empty(A.shape)

        def fill(at: int) -> None:
            np.matmul(K[at : at + TILE_ROWS], A, out=found[at : at + TILE_ROWS])

        for _ in ordered_map(fill, range(0, len(K), TILE_ROWS)):
            pass
        return found


def kernel_products(kernel: Kernel, Q: Any, P: Any, A: Array) -> Array:
    """Σ_j K(q_i, p_j)·A_jk, tile by tile."""
    found = np.zeros((len(Q), A.shape[1]))
    if not kernel.in_tiles:
        return np.asarray(kernel.block(Q, P) @ A)

    def fill(at: int) -> None:
        some = Q.take(slice(at, min(at + TILE_ROWS, len(Q))))
        for start in range(0, len(P), TILE_COLUMNS):
            columns = P.take(slice(start, min(start + TILE_COLUMNS, len(P))))
            tile = kernel.block(some, columns, np.empty((len(some), len(columns))))
            found[at : at + TILE_ROWS] += tile @ A[start : start + TILE_COLUMNS]

    for _ in ordered_map(fill, range(0, len(Q), TILE_ROWS)):
        pass
    return found
