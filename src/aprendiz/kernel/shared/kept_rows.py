"""The training rows that a learner keeps, and what it says of new rows with them:

    f(x) = Σ_i a_i K(x, x_i)                                                                                  (1)

Rows of files and of Dask are gathered into memory at the fit: a Gram matrix is not a sum. New rows of files are read block by
block. (1) is computed in tiles, without the matrix between all new and all training rows.

Cost of (1): an entry of the kernel for each new and each training row.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.blas import single_blas
from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array, Rows, read_only
from aprendiz.core.sources.arrays import in_memory
from aprendiz.kernel.features.far_cells import refuse_far
from aprendiz.kernel.gram.gram_matrix import gram_matrix
from aprendiz.kernel.gram.gram_products import gram_products
from aprendiz.kernel.gram.kernel_function import Kernel

KEPT_IN_MEMORY = "the rows are kept in memory: a Gram matrix is not a sum"


def gather(rows: Rows) -> tuple[Any, Any, Any]:
    """Table, by rows, targets and weights of all rows, in memory; a sparse table stays so."""
    if in_memory(rows):
        return rows.X if sparse.issparse(rows.X) else read_only(rows.X), rows.y, rows.weight
    has_target, has_weight = rows.first(lambda block: (block.y is not None, block.weight is not None))
    y = rows.each(lambda block: block.y) if has_target else None
    return rows.each(lambda block: block.X), y, rows.each(lambda block: block.weight) if has_weight else None


def refuse_other_rows(kernel: Kernel, learner: str) -> None:
    """Kernels of strings and of nodes: their Gram matrix can be given instead."""
    if kernel.compares not in ("rows", "matrix", "anything"):
        raise ParameterError(
            f'{learner} takes tables of numbers, and {kernel!r} compares {kernel.compares}: give kernel="precomputed", and '
            "as X the Gram matrix kernel(rows); for new rows kernel(new, rows)."
        )


def gram_of_training_rows(kernel: Kernel, X: Any) -> tuple[Kernel, Any, Array]:
    """The kernel with its numbers filled in, the rows as its points, and their Gram matrix."""
    with np.errstate(over="ignore", invalid="ignore"):
        ready = kernel.on(X)
        P = ready.points(X)
        K = gram_matrix(ready, P)
        extreme = float(K.max()) - float(K.min())
    if not np.isfinite(extreme):
        refuse_far(X, "products of its rows")
    return ready, P, K


def kernel_sums(kernel: Kernel, Q: Any, P: Any, A: Array) -> Array:
    """(1) for new points Q and each column of A."""
    if not kernel.in_tiles:
        return np.asarray(kernel.block(Q, P), np.float64) @ A
    with single_blas(float(len(Q)) * len(P)), np.errstate(over="ignore", invalid="ignore"):
        return gram_products(kernel, Q, P, A)


def answer_rows(rows: Rows, answer: Any) -> Array:
    """`answer` of tables of new rows, block by block, wherever they are; of a sparse table at once."""
    if in_memory(rows) and sparse.issparse(rows.X):
        return np.asarray(answer(rows.X))
    return rows.each(lambda block: answer(block.X))


def dense(X: Any) -> Array:
    return np.asarray(X.toarray() if sparse.issparse(X) else X)
