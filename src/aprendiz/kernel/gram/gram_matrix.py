"""Gram matrices, tile by tile on all threads: each tile is a product of matrices and a function of its entries, while it is in
the cache of the processor.

How the matrix is cut into tiles follows from its size alone, so the bits are the same for any number of threads.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.blas import single_blas
from aprendiz.core.rows import Array
from aprendiz.core.threads import ordered_map
from aprendiz.kernel.gram.symmetric import refuse_asymmetric
from aprendiz.kernel.gram.tile_views import mirror

FEW_ENTRIES = 2**15  # for which other threads would come too late
ROWS, COLUMNS = 128, 1024  # of a tile: long rows, so that a function of them takes few calls


def gram_matrix(kernel: Any, P: Any, Q: Any = None) -> Array:
    """K between two sets of points; of one set, symmetric to the last bit and with its exact diagonal."""
    if not kernel.in_tiles:
        return whole_matrix(kernel, P, Q)
    n, m = len(P), len(P if Q is None else Q)
    out = np.empty((n, m), getattr(P, "dtype", np.float64))
    pairs = [
        (slice(top, min(top + ROWS, n)), slice(left, min(left + COLUMNS, m)))
        for top in range(0, n, ROWS)
        for left in range(top if Q is None else 0, m, COLUMNS)  # above the diagonal; the rest is mirrored
    ]

    def fill(pair: tuple[slice, slice]) -> None:
        a, b = pair
        kernel.block(P.take(a), (P if Q is None else Q).take(b), out[a, b])
        if Q is None:
            mirror(out, a.start, a.stop, b.start, b.stop)

    with single_blas(float(n) * m):
        for _ in (map if n * m <= FEW_ENTRIES else ordered_map)(fill, pairs):
            pass
    if Q is None:
        np.fill_diagonal(out, kernel.diagonal_of(P))
    return out


def whole_matrix(kernel: Any, P: Any, Q: Any) -> Array:
    """In one piece, on this thread, for a function that a user wrote."""
    found: Array = kernel.block(P, P if Q is None else Q)
    if Q is None:
        refuse_asymmetric(found, "this Gram matrix")
        found = (found + found.T) / found.dtype.type(2.0)
    return found


def gram_rows(kernel: Any, P: Any, chosen: Array, out: Array, columns: Any = None) -> None:
    """Fill `out` with K between some of the points and all of them (or those of `columns`)."""
    some, others = P.take(chosen), P if columns is None else P.take(columns)
    if not kernel.in_tiles:
        kernel.block(some, others, out)
        return
    spans = [slice(at, min(at + 2048, len(others))) for at in range(0, len(others), 2048)]

    def fill(span: slice) -> None:
        kernel.block(some, others.take(span), out[:, span])

    for _ in ordered_map(fill, spans):
        pass
