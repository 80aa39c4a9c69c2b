"""(γ·xᵀz + c)ᵈ of a tile of inner products, in one pass over its rows."""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.kernel.gram.tile_views import flat_view

LARGEST_LOOP = 16  # degree up to which multiplications are faster than a power


def fill_power(tile: Array, gamma: float, c: float, degree: int) -> None:
    """In place of the inner products of a tile."""
    if degree == 0:
        tile[...] = 1.0
        return
    if degree > LARGEST_LOOP:
        with np.errstate(over="ignore"):
            tile *= tile.dtype.type(gamma)
            tile += tile.dtype.type(c)
            np.power(tile, tile.dtype.type(degree), out=tile)
        return
    number, (flat, step) = tile.dtype.type, flat_view(tile)
    fill_rows(flat, step, len(tile), number(gamma), number(c), degree, np.empty(tile.shape[1], tile.dtype))


@compiled
def fill_rows(flat: Array, step: int, rows: int, gamma: float, c: float, degree: int, base: Array) -> None:
    for i in range(rows):
        line = flat[i * step : i * step + len(base)]
        for j in range(len(base)):
            base[j] = gamma * line[j] + c
            line[j] = base[j]
        for _ in range(degree - 1):
            for j in range(len(base)):
                line[j] *= base[j]
