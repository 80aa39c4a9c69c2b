"""Training rows that are seen through their Gram matrix.

    s_k(x_i) = Σ_{j in cluster k} a_j·K(x_j, x_i)          for the distances to means: (1) of cluster_sums.py
    K(x_i, ·)                                              for the distances to a few rows

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
from aprendiz.kernel.partition.cluster_sums import cluster_sums

HELD_ROWS = 5_792  # of a matrix of 256 MiB
HELD_TILE = 1_024  # rows of the matrix that one thread sums
TILE_ROWS, TILE_COLUMNS = 512, 512  # of a tile that is computed, 2 MiB


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

    def sums(self, labels: Array, shares: Array, k: int) -> Array:
        """s, of shape (n, k)."""
        if self.gram is None:
            return kernel_sums(self.kernel, self.points, self.points, labels, shares, k)
        K, found = self.gram, np.zeros((k, len(labels)))

        def part(at: int) -> Array:
            rows = slice(at, at + HELD_TILE)
            return cluster_sums(K[rows], labels[rows], shares[rows], k)

        for sums in ordered_map(part, range(0, len(K), HELD_TILE)):
            found += sums
        return np.ascontiguousarray(found.T)


def kernel_sums(kernel: Kernel, Q: Any, P: Any, labels: Array, shares: Array, k: int) -> Array:
    """s of other rows Q, tile by tile; labels and shares are those of P."""
    if not kernel.in_tiles:
        return np.ascontiguousarray(cluster_sums(np.ascontiguousarray(kernel.block(Q, P).T), labels, shares, k).T)
    found = np.zeros((len(Q), k))

    def fill(at: int) -> None:
        some = Q.take(slice(at, min(at + TILE_COLUMNS, len(Q))))
        total = np.zeros((k, len(some)))
        for start in range(0, len(P), TILE_ROWS):
            rows = slice(start, min(start + TILE_ROWS, len(P)))
            tile = kernel.block(P.take(rows), some, np.empty((rows.stop - start, len(some))))
            total += cluster_sums(tile, labels[rows], shares[rows], k)
        found[at : at + len(some)] = total.T

    for _ in ordered_map(fill, range(0, len(Q), TILE_COLUMNS)):
        pass
    return found
