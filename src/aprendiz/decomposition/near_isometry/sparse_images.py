"""Products of rows, dense or sparse, with a sparse matrix P of k rows.

    dense     P Uᵀ of a few rows at a time: each entry of P meets all of them, side by side in memory          (1)
    sparse    each cell of a row meets the entries of P in its column: Pᵀ is read row by row                   (2)

Cost: as many multiplications as P has entries, for each row (1); in the columns of the cells of the row (2).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.core.sources.arrays import compress
from aprendiz.decomposition.randomized.products import multiply_rows

TILE = 2**16  # cells of the rows that are taken together, which stay in the cache of the processor


def dense_images(U: Array, P: Any) -> Array:
    """(1)."""
    n, (k, d) = len(U), P.shape
    found: Array = np.empty((n, k))
    step = int(np.clip(TILE // d, 8, 256))
    cells, columns, starts = compress(P)
    for at in range(0, n, step):
        some = np.ascontiguousarray(U[at : at + step].T, dtype=np.float64)
        images = np.empty((k, some.shape[1]))
        multiply_rows(cells, columns, starts, some, images)
        found[at : at + step] = images.T
    return found


def sparse_images(U: Any, P: Any) -> Array:
    """(2)."""
    found: Array = np.zeros((U.shape[0], P.shape[0]))
    add_images(*compress(U.tocsr()), *compress(P.T.tocsr()), found)
    return found


@compiled
def add_images(cells: Array, columns: Array, starts: Array, entries: Array, rows: Array, ends: Array, out: Array) -> None:
    """out += U Pᵀ for U by rows, and P by columns."""
    for i in range(out.shape[0]):
        for t in range(starts[i], starts[i + 1]):
            j, x = columns[t], cells[t]
            for s in range(ends[j], ends[j + 1]):
                out[i, rows[s]] += x * entries[s]
