"""The linear kernel in units of the spread of the data: columns are measured by their variances and correlations.

    K(x, z) = (x − μ)ᵀΣ⁻¹(z − μ)                                                                               (1)

φ(x) = L⁻¹(x − μ) with Σ = LLᵀ. The same for any linear change of the columns, if μ and Σ are those of the rows.

Cost: d³/3 once, d² for each row, d multiplications for an entry.
"""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from scipy import sparse
from scipy.linalg import solve_triangular

from aprendiz.core.parameters import ArrayLike, ParameterError
from aprendiz.core.rows import Array
from aprendiz.kernel.gram.kernel_function import Kernel
from aprendiz.kernel.gram.points import Points, products
from aprendiz.kernel.gram.rounding import summation_error
from aprendiz.kernel.gram.symmetric import refuse_asymmetric

SINGULAR = 1e-12  # an eigenvalue of the correlations below it is none


class Mahalanobis(Kernel):
    """K(x, z) = (x − μ)ᵀΣ⁻¹(z − μ).

    Parameters
    ----------
    covariance : array of shape (n_columns, n_columns) or None, default=None
        Σ; None: that of the training rows.
    mean : array of shape (n_columns,) or None, default=None
        μ; None: that of the training rows.

    Examples
    --------
    >>> Mahalanobis([[4.0, 0.0], [0.0, 1.0]], mean=[0.0, 0.0])([[2.0, 0.0], [2.0, 3.0]])
    array([[ 1.,  1.],
           [ 1., 10.]])
    """

    def __init__(self, covariance: ArrayLike | None = None, *, mean: ArrayLike | None = None):
        self.covariance = covariance
        self.mean = mean

    def on(self, X: Any) -> Self:
        super().on(X)
        X = np.asarray(X.toarray() if sparse.issparse(X) else X, np.float64)
        d = X.shape[1]
        around = (X - X[0]).mean(axis=0)
        mean: Any = X[0] + around if self.mean is None else np.asarray(self.mean, np.float64)
        moved = X - X[0] - around
        covariance: Any = moved.T @ moved / max(len(X) - 1, 1) if self.covariance is None else self.covariance
        covariance = np.asarray(covariance, np.float64)
        if covariance.shape != (d, d) or mean.shape != (d,):
            raise ParameterError(
                f"Mahalanobis: X has {d} columns; the covariance must have shape ({d}, {d}) and the mean ({d},), got "
                f"{covariance.shape} and {mean.shape}."
            )
        refuse_asymmetric(covariance, "the covariance of Mahalanobis")
        refuse_singular(covariance)
        return type(self)(covariance, mean=mean)

    def points(self, X: Any, like: Points | None = None) -> Points:
        """φ(x)."""
        X = np.asarray(X.toarray() if sparse.issparse(X) else X, np.float64)
        lower = np.linalg.cholesky(np.asarray(self.covariance))
        rows = np.ascontiguousarray(solve_triangular(lower, (X - np.asarray(self.mean)).T, lower=True).T)
        return Points(rows, np.einsum("ij,ij->i", rows, rows))

    def block(self, P: Points, Q: Points, out: Array | None = None) -> Array:
        return products(P, Q, out)

    def diagonal_of(self, P: Points) -> Array:
        return P.squares.copy()

    def rounding(self, P: Points, eps: float) -> float:
        """Of the inner products; φ is taken as it is."""
        return summation_error(P, eps)


def refuse_singular(covariance: Array) -> None:
    """Name the columns that one of them is a combination of."""
    sizes = np.sqrt(np.maximum(np.diagonal(covariance), 0.0))
    if not (sizes > 0).all():
        j = int(np.argmin(sizes))
        raise ParameterError(f"Mahalanobis: column {j} has no variance, so that Σ has no inverse: leave it out.")
    values, vectors = np.linalg.eigh(covariance / np.outer(sizes, sizes))
    if values[0] <= SINGULAR * len(values):
        kind = "singular" if values[0] > -SINGULAR * len(values) else "not positive definite"
        columns = np.flatnonzero(np.abs(vectors[:, 0]) > 0.1).tolist()
        raise ParameterError(
            f"Mahalanobis: Σ is {kind}; columns {columns} depend on each other (or there are too few rows). Leave one of them "
            "out, or give a covariance with a small number added to its diagonal."
        )
