"""Products of a table with a few columns, and those with AᵀA, which are sums over the rows.

    P = X Q                     a row of the answer for each row of the table                                  (1)
    AᵀA Q = Σ w_i x_i (x_iᵀQ)   over the rows, A = diag(√w) X                                                  (2)

Sparse rows stay sparse. In (2) each row goes forth and back at once, so that P is never there as a whole.

Cost: 2·b multiplications for each cell that is stored, and again as many for (2), b columns of Q.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy import sparse

from aprendiz.compilation.compiled import compiled
from aprendiz.core.precision import double, in_dtype_of
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sources.arrays import compress, in_memory
from aprendiz.core.sums import Sums


def thin(rows: Rows) -> Rows:
    """The same rows; sparse ones stay sparse in their blocks."""
    return rows.like(thin=True) if in_memory(rows) and rows.sparse else rows


def times(X: Any, Q: Array) -> Array:
    """(1) in double precision, of dense or sparse rows."""
    if not sparse.issparse(X):
        return np.asarray(X @ Q, np.float64)
    found: Array = np.empty((X.shape[0], Q.shape[1]))
    multiply_rows(*compress(X.tocsr()), np.ascontiguousarray(Q), found)
    return found


@dataclass(frozen=True)
class GramProduct(Sums):
    """AᵀA Q of (2)."""

    product: Array

    @classmethod
    def of(cls, Q: Array, block: Block) -> Self:
        return cls(gram_product(block, Q))

    def __iadd__(self, other: Self) -> Self:
        np.add(self.product, other.product, out=self.product)
        return self


def gram_product(block: Block, Q: Array) -> Array:
    """(2) of a block."""
    X, w = block.X, block.weight
    if not sparse.issparse(X):
        P = X @ Q
        if w is not None:
            P *= w[:, None]
        return np.asarray(X.T @ P, np.float64)
    found: Array = np.zeros((X.shape[1], Q.shape[1]))
    add_gram_product(*compress(X), w, Q, np.empty(Q.shape[1]), found)
    return found


def back_product(block: Block, P: Array) -> Array:
    """Xᵀ diag(w) P of a block, for P with a row for each of its rows."""
    X = block.X
    P = P if block.weight is None else P * block.weight[:, None]
    if not sparse.issparse(X):
        return np.asarray(X.T @ P, np.float64)
    found: Array = np.zeros((X.shape[1], P.shape[1]))
    add_transposed(*compress(X), np.ascontiguousarray(P), found)
    return found


def project(rows: Rows, axes: Array, *, lazily: bool) -> Any:
    """(1) of all the rows, for axes that are rows of a matrix: at once, or as they are read; single where both are single."""
    Q = double(axes).T
    Q = np.ascontiguousarray(Q) if in_memory(rows) and rows.sparse else Q  # once, not for each block

    def change(X: Any) -> Array:
        return in_dtype_of(times(X, Q), X, axes)

    return rows.map(change) if lazily else rows.apply_transform(change)


@compiled
def multiply_rows(cells: Array, columns: Array, starts: Array, Q: Array, out: Array) -> None:
    """out = X Q, row by row of a sparse X."""
    width = Q.shape[1]
    for i in range(out.shape[0]):
        for k in range(width):
            out[i, k] = 0.0
        for t in range(starts[i], starts[i + 1]):
            j, x = columns[t], cells[t]
            for k in range(width):
                out[i, k] += x * Q[j, k]


@compiled
def add_gram_product(cells: Array, columns: Array, starts: Array, w: Array | None, Q: Array, p: Array, out: Array) -> None:
    """out += Xᵀ diag(w) X Q, row by row of a sparse X; p is room for a row of X Q."""
    width = Q.shape[1]
    for i in range(len(starts) - 1):
        for k in range(width):
            p[k] = 0.0
        for t in range(starts[i], starts[i + 1]):
            j, x = columns[t], cells[t]
            for k in range(width):
                p[k] += x * Q[j, k]
        if w is not None:
            for k in range(width):
                p[k] *= w[i]
        for t in range(starts[i], starts[i + 1]):
            j, x = columns[t], cells[t]
            for k in range(width):
                out[j, k] += x * p[k]


@compiled
def add_transposed(cells: Array, columns: Array, starts: Array, P: Array, out: Array) -> None:
    """out += Xᵀ P, row by row of a sparse X."""
    width = P.shape[1]
    for i in range(P.shape[0]):
        for t in range(starts[i], starts[i + 1]):
            j, x = columns[t], cells[t]
            for k in range(width):
                out[j, k] += x * P[i, k]
