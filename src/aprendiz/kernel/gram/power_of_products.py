"""(γ·xᵀz + c)ᵈ of a tile of inner products, in one pass over its rows."""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array


def fill_power(tile: Array, gamma: float, c: float, degree: int) -> None:
    """In place of the inner products of a tile."""
    if degree == 0:
        tile[...] = 1.0
        return
    number = tile.dtype.type
    fill_rows(tile, number(gamma), number(c), degree, np.empty(tile.shape[1], tile.dtype))


@compiled
def fill_rows(tile: Array, gamma: float, c: float, degree: int, base: Array) -> None:
    for i in range(tile.shape[0]):
        for j in range(tile.shape[1]):
            base[j] = gamma * tile[i, j] + c
            tile[i, j] = base[j]
        for _ in range(degree - 1):
            for j in range(tile.shape[1]):
                tile[i, j] *= base[j]
