"""A Gram matrix that was computed elsewhere.

    training:    X is the square matrix K_ij = K(x_i, x_j) of the training rows
    prediction:  X has a row for each new row, and a column for each training row

A matrix that is not square or not symmetric is refused, with the pair of rows that shows it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from scipy import sparse

from aprendiz.core.rows import Array
from aprendiz.kernel.gram.kernel_function import Kernel
from aprendiz.kernel.gram.symmetric import refuse_asymmetric


@dataclass(frozen=True)
class MatrixPoints:
    """Rows of a Gram matrix, by their numbers; those of training rows are numbers of columns too."""

    matrix: Array | None
    numbers: Array
    training: bool
    columns: int

    def __len__(self) -> int:
        return len(self.numbers)

    def take(self, chosen: Any) -> Self:
        return replace(self, numbers=self.numbers[chosen])

    def astype(self, dtype: Any) -> Self:
        return self if self.matrix is None else replace(self, matrix=self.matrix.astype(dtype, copy=False))

    @property
    def dtype(self) -> Any:
        return np.dtype(np.float64) if self.matrix is None else self.matrix.dtype


class Precomputed(Kernel):
    """K is given.

    Examples
    --------
    >>> from aprendiz.kernel.kernels import Linear
    >>> K = Linear()([[1.0, 2.0], [3.0, 1.0]])
    >>> bool((Precomputed()(K) == K).all())
    True
    """

    psd = False  # nobody knows
    compares = "matrix"

    def __init__(self) -> None:
        pass

    def on(self, X: Any) -> Self:
        super().on(X)
        if X.shape[0] != X.shape[1]:
            raise ValueError(
                f"Precomputed matrix must be a square matrix: K of the training rows has {X.shape[0]} rows and {X.shape[1]} "
                "columns. Give K(x_i, x_j) for all pairs of training rows."
            )
        refuse_asymmetric(dense(X), "the precomputed matrix")
        return self

    def points(self, X: Any, like: MatrixPoints | None = None) -> MatrixPoints:
        """Training rows, or new rows, with a column for each training row."""
        if like is not None and X.shape[1] != like.columns:
            raise ValueError(
                f"Precomputed: K between new rows and training rows has {X.shape[1]} columns, but there were "
                f"{like.columns} training rows. Give K(new, training)."
            )
        matrix = np.asarray(dense(X), np.float64)
        return MatrixPoints(matrix, np.arange(len(matrix)), like is None, matrix.shape[1])

    def training_points(self, columns: int) -> MatrixPoints:
        """What stands for the training rows where their matrix is no longer there: their numbers."""
        return MatrixPoints(None, np.arange(columns), True, columns)

    def block(self, P: MatrixPoints, Q: MatrixPoints, out: Array | None = None) -> Array:
        if Q.training and P.matrix is not None:
            found = P.matrix[np.ix_(P.numbers, Q.numbers)]
        elif P.training and Q.matrix is not None:
            found = Q.matrix[np.ix_(Q.numbers, P.numbers)].T
        else:
            raise ValueError("Precomputed: K between two sets of new rows is not known.")
        if out is None:
            return found
        out[...] = found
        return out

    def diagonal_of(self, P: MatrixPoints) -> Array:
        if not P.training or P.matrix is None:
            raise ValueError("Precomputed: K(x, x) of new rows is not known.")
        return P.matrix[P.numbers, P.numbers]

    def largest_entry(self, P: MatrixPoints) -> float:
        return 0.0 if P.matrix is None else max(float(P.matrix.max()), -float(P.matrix.min()))

    def rounding(self, P: MatrixPoints, eps: float) -> float:
        return eps


def dense(X: Any) -> Any:
    return X.toarray() if sparse.issparse(X) else X
