"""What a kernel keeps of some rows, so that it need not look at them again for every block of the Gram matrix.

    coordinates   the rows as the kernel compares them: moved, stretched or mapped; an array or a sparse matrix
    squares       ‖coordinates‖² of each row
    pivot         what was subtracted from every row, so that distances keep their digits at any offset

Points of new rows are made like those of the training rows, with the same pivot.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from scipy import sparse

from aprendiz.core.rows import Array

SPARSE_COLUMNS = 4096  # that are made dense at a time
PIVOT_ROWS = 101  # of which the pivot is the median: an odd number, so that it is a value of the table


@dataclass(frozen=True)
class Points:
    """Rows as a kernel compares them."""

    coordinates: Any
    squares: Array
    pivot: Array | None = None

    def __len__(self) -> int:
        return int(self.coordinates.shape[0])

    def take(self, chosen: Any) -> Self:
        """Some of the rows, by their numbers or as a slice."""
        return replace(self, coordinates=self.coordinates[chosen], squares=self.squares[chosen])

    def astype(self, dtype: Any) -> Self:
        """The same points in another precision."""
        return replace(
            self, coordinates=self.coordinates.astype(dtype, copy=False), squares=self.squares.astype(dtype, copy=False)
        )

    @property
    def dtype(self) -> Any:
        return self.coordinates.dtype


def make_points(X: Any, like: Points | None, *, centred: bool) -> Points:
    """The rows in double precision; centred: moved by the pivot, if the training rows are dense."""
    if sparse.issparse(X) and like is not None and like.pivot is not None:
        X = X.toarray()
    if sparse.issparse(X):
        coordinates = sparse.csr_array(X).astype(np.float64, copy=False)
        return Points(coordinates, np.asarray(coordinates.multiply(coordinates).sum(axis=1), dtype=np.float64).ravel())
    pivot = (find_pivot_row(X) if like is None else like.pivot) if centred else None
    coordinates = np.ascontiguousarray(X if pivot is None else X - pivot, dtype=np.float64)
    squares = np.einsum("ij,ij->i", coordinates, coordinates)
    for row in np.flatnonzero(~np.isfinite(squares))[:1]:
        raise ValueError(
            f"Input X: row {row} holds {np.abs(coordinates[row]).max():.3g}, whose square is no number in double precision. "
            "Divide the column by a large number (StandardScaler)."
        )
    return Points(coordinates, squares, pivot)


def find_pivot_row(X: Array) -> Array:
    """The median of each column over a few rows, far and near."""
    rows = np.unique(np.linspace(0, len(X) - 1, PIVOT_ROWS).astype(np.intp))
    return np.sort(X[rows[: len(rows) - 1 + len(rows) % 2]], axis=0)[(len(rows) - 1) // 2].astype(np.float64)


def dense_parts(P: Points, Q: Points) -> Iterator[tuple[Array, Array]]:
    """The coordinates as arrays, those of Q transposed; of sparse tables some columns at a time."""
    if not sparse.issparse(P.coordinates) and not sparse.issparse(Q.coordinates):
        yield P.coordinates, np.ascontiguousarray(Q.coordinates.T)
        return
    rows, others = sparse.csc_array(P.coordinates), sparse.csc_array(Q.coordinates)
    for start in range(0, rows.shape[1], SPARSE_COLUMNS):
        part = slice(start, start + SPARSE_COLUMNS)
        yield rows[:, part].toarray(order="C"), np.ascontiguousarray(others[:, part].toarray().T)


def products(P: Points, Q: Points, out: Array | None = None) -> Array:
    """The inner products of the coordinates, as a dense block."""
    if sparse.issparse(P.coordinates) or sparse.issparse(Q.coordinates):
        found = P.coordinates @ Q.coordinates.T
        found = np.ascontiguousarray(found.toarray() if sparse.issparse(found) else found)
        if out is None:
            return found
        out[...] = found
        return out
    return np.matmul(P.coordinates, Q.coordinates.T, out=out)
