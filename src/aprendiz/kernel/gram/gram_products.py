"""K·δ without K: the products of the Gram matrix with a few changed coefficients, tile by tile.

    (Kδ)_i = Σ_{j: δ_j ≠ 0} K(x_i, x_j)·δ_j                                                                     (1)

A tile of K is computed, multiplied and forgotten, so (1) needs the memory of a few tiles, whatever the number of rows. Threads
take spans of rows; within a span the tiles are added in their order, so the bits do not depend on the number of threads.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.core.threads import ordered_map

SPAN, WIDTH = 512, 1024  # rows and columns of a tile


def gram_products(kernel: Any, rows: Any, columns: Any, delta: Array) -> Array:
    """(1) for points `rows`, with the coefficients of the points `columns`: one vector, or one in each column of delta."""
    delta = np.ascontiguousarray(delta, dtype=columns.dtype)
    spans = [slice(at, min(at + SPAN, len(rows))) for at in range(0, len(rows), SPAN)]
    parts = [slice(at, min(at + WIDTH, len(columns))) for at in range(0, len(columns), WIDTH)]
    taken = [(columns.take(part), delta[part]) for part in parts]

    def product(span: slice) -> Array:
        some, total = rows.take(span), np.zeros((span.stop - span.start, *delta.shape[1:]))
        for points, coefficients in taken:
            total += kernel.block(some, points) @ coefficients
        return total

    if not spans:
        return np.zeros((0, *delta.shape[1:]))
    return np.concatenate(list(ordered_map(product, spans)))
