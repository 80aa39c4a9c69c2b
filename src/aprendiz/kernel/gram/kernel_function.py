"""What every kernel is: a function of two rows that is an inner product in some space.

    K(x, z) = φ(x)ᵀφ(z)          so that every Gram matrix K_ij = K(x_i, x_j) is symmetric and positive semi-definite     (1)

A kernel works on points (points.py), made once from the rows, and gives blocks of the Gram matrix:

    on(X)               the kernel with what it takes from the rows filled in, such as γ = "scale"
    points(X, like)     the rows as it compares them; new rows are made like the training rows
    block(P, Q, out)    K between two sets of points, in their precision
    diagonal(P)         K(x, x) of each point
    rounding(P, eps)    a bound on the error of an entry that arithmetic with relative error eps makes

Kernels are scikit-learn objects (`get_params`, `clone`), so that a grid can search `kernel__gamma`.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator

from aprendiz.core.parameters import check_parameters
from aprendiz.core.rows import Array
from aprendiz.kernel.gram.gram_matrix import gram_matrix
from aprendiz.kernel.gram.points import make_points


class Kernel(BaseEstimator):
    """The base of all kernels.

    Class attributes
    ----------------
    psd : bool
        Whether (1) holds for any rows.
    compares : {"rows", "strings", "nodes", "matrix"}
        What it compares: rows of numbers, strings, nodes of a graph, or rows of a Gram matrix that was computed elsewhere.
    centred : bool
        Whether it depends on differences of rows alone, so that a pivot may be subtracted.
    """

    psd = True
    compares = "rows"
    centred = False

    def on(self, X: Any) -> Self:
        """The kernel with what it takes from the rows filled in."""
        check_parameters(self)
        return self

    def points(self, X: Any, like: Any = None) -> Any:
        """The rows as the kernel compares them."""
        return make_points(X, like, centred=self.centred)

    @abstractmethod
    def block(self, P: Any, Q: Any, out: Array | None = None) -> Array:
        """K between two sets of points."""

    @abstractmethod
    def diagonal_of(self, P: Any) -> Array:
        """K(x, x) of each point."""

    @abstractmethod
    def rounding(self, P: Any, eps: float) -> float:
        """A bound on the error of an entry that arithmetic with relative error eps makes, relative to the largest K(x, x)."""

    def __call__(self, X: Any, Z: Any = None) -> Array:
        """The Gram matrix of the rows of X, or between those of X and of Z."""
        X = self.table(X)
        ready = self.on(X)
        P = ready.points(X)
        return gram_matrix(ready, P, None if Z is None else ready.points(self.table(Z), P))

    def diagonal(self, X: Any) -> Array:
        """K(x, x) of each row, without the matrix."""
        X = self.table(X)
        ready = self.on(X)
        return ready.diagonal_of(ready.points(X))

    def table(self, X: Any) -> Any:
        """Rows given by a user, as the kernel takes them."""
        return np.atleast_2d(np.asarray(X, dtype=np.float64))
