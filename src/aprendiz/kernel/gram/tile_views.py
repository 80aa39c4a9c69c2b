"""A tile of a larger matrix as one long vector, so that compiled loops see that the entries of a row lie side by side.

    tile[i, j] = flat[i·step + j]                                                                              (1)

Of a part of a matrix Numba does not know this, and a loop over it does one entry at a time: seven times as long.
"""

from __future__ import annotations

from numpy.lib.stride_tricks import as_strided

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array

SIDE = 16  # of the squares in which a tile is transposed: two of them fit into the nearest cache


def flat_view(tile: Array) -> tuple[Array, int]:
    """`flat` and `step` of (1), for a tile whose rows are contiguous."""
    rows, columns = tile.shape
    if tile.flags.c_contiguous or rows == 0 or columns == 0:
        return tile.reshape(-1), columns
    if tile.strides[1] != tile.itemsize or tile.strides[0] < columns * tile.itemsize:
        raise ValueError("The rows of a tile must be contiguous.")
    step = tile.strides[0] // tile.itemsize
    return as_strided(tile, ((rows - 1) * step + columns,), (tile.itemsize,)), step


@compiled
def mirror(matrix: Array, top: int, bottom: int, left: int, right: int) -> None:
    """Copy what a tile holds above the diagonal to its place below it."""
    for beside in range(left, right, SIDE):
        for above in range(top, bottom, SIDE):
            for j in range(beside, min(beside + SIDE, right)):
                end = min(above + SIDE, bottom, j)
                source, target = matrix[above:end, j], matrix[j, above:end]
                for i in range(len(target)):
                    target[i] = source[i]
