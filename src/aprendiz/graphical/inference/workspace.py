"""Room for the messages of some rows, as much as the largest of them takes."""

from __future__ import annotations

import sys

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.graphical.inference.junction_tree import BYTES_PER_CELL, JunctionTree, readable_bytes
from aprendiz.graphical.inference.messages import Workspace
from aprendiz.graphical.inference.row_kernels import largest_cells

MOST_CELLS = 2**27  # for a row, of which each thread has one at a time: 2 GiB


def cells_of_rows(tree: JunctionTree, known: Array) -> tuple[Array, Array]:
    """The largest number of cells that each clique and its message take in any of some rows, as doubles."""
    arrays, cells, sent = tree.arrays, np.ones(len(tree.cliques)), np.ones(len(tree.cliques))
    largest_cells(arrays.above, arrays.axis_start, arrays.axes, arrays.shared, arrays.sizes, known, cells, sent)
    return cells, sent


def refuse_wide(tree: JunctionTree, known: Array) -> None:
    """Stop where the cliques of some row are too large."""
    if tree.cost.cells > MOST_CELLS and (cells := cells_of_rows(tree, known)[0].sum()) > MOST_CELLS:
        cells = min(cells, sys.float_info.max)
        size = readable_bytes(BYTES_PER_CELL * int(cells))
        raise ValueError(
            f"The cliques of this network have {cells:.3g} cells ({size}), even with what the rows know; at most {MOST_CELLS} "
            "are held for rows. Use a network with fewer parents, or rows with fewer missing cells."
        )


def workspace(tree: JunctionTree, known: Array) -> Workspace:
    """Arrays for the messages of some rows."""
    arrays, cliques = tree.arrays, len(tree.cliques)
    cells, sent = cells_of_rows(tree, known)
    product = np.concatenate([[0], np.cumsum(cells)]).astype(np.int64)
    message = np.concatenate([[0], np.cumsum(sent)]).astype(np.int64)
    axis, size, step = (np.empty(len(arrays.axes), dtype=np.int64) for _ in range(3))
    return Workspace(
        np.empty(len(tree.sizes), dtype=np.int32),
        np.empty(cliques, dtype=np.int64),
        axis,
        size,
        step,
        np.empty(int(cells.max(initial=1)), dtype=np.int64),
        np.empty(len(tree.sizes), dtype=np.int64),
        product,
        np.empty(product[-1]),
        message,
        np.empty(cliques, dtype=np.int64),
        np.empty(message[-1]),
        np.empty(message[-1]),
        np.empty(cliques),
    )
