"""A Gram matrix that somebody else computed: is it symmetric?

|K_ij − K_ji| ≤ 10⁻⁶·max|K|     (rounding of single precision passes, another function of the pair does not)       (1)
"""

from __future__ import annotations

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.core.threads import ordered_map

TOLERANCE = 1e-6
SIDE = 256  # of a tile that is compared with its mirror image: both fit into the cache


def refuse_asymmetric(K: Array, what: str) -> None:
    """Name the pair where (1) fails the most."""

    def look(start: int) -> tuple[float, float, int, int]:
        size, worst, where = 0.0, 0.0, (0, 0)
        rows = slice(start, start + SIDE)
        for left in range(0, len(K), SIDE):
            tile = K[rows, left : left + SIDE]
            size = max(size, float(np.abs(tile).max()))
            if left >= start:
                apart = np.abs(tile - K[left : left + SIDE, rows].T)
                row, column = divmod(int(apart.argmax()), apart.shape[1])
                if apart[row, column] > worst:
                    worst, where = float(apart[row, column]), (start + row, left + column)
        return size, worst, *where

    size, worst, where = 0.0, 0.0, (0, 0)
    for largest, one, row, column in ordered_map(look, range(0, len(K), SIDE)):
        size = max(size, largest)
        if one > worst:
            worst, where = one, (row, column)
    if worst > TOLERANCE * size:
        i, j = where
        raise ValueError(
            f"A kernel is symmetric, but in {what} K[{i}, {j}] = {K[i, j]:.6g} and K[{j}, {i}] = {K[j, i]:.6g}. "
            "Give K(x, z) = K(z, x); (K + K.T) / 2 is symmetric."
        )
