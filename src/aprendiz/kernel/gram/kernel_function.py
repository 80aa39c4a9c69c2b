"""What every kernel is: a function of two rows that is an inner product in some space.

    K(x, z) = φ(x)ᵀφ(z)          so that every Gram matrix K_ij = K(x_i, x_j) is symmetric and positive semi-definite     (1)

A kernel works on points (points.py), made once from the rows, and gives blocks of the Gram matrix:

    on(X)               the kernel with what it takes from the rows filled in, such as γ = "scale"
    points(X, like)     the rows as it compares them; new rows are made like the training rows
    block(P, Q, out)    K between two sets of points, in their precision
    diagonal_of(P)      K(x, x) of each point
    rounding(P, eps)    a bound on the error of an entry that arithmetic with relative error eps makes, relative to K(x, x)
    entry_error(P, eps) the same as a number, also where K(x, x) is 0

Kernels are scikit-learn objects (`get_params`, `clone`), so that a grid can search `kernel__gamma`. Their sums, products and
multiples by a number of at least 0 are kernels: `2 * RBF(gamma=0.5) + Linear()`.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Self

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator

from aprendiz.core.parameters import check_parameters, fits
from aprendiz.core.rows import Array
from aprendiz.kernel.gram.given_rows import table_of_numbers
from aprendiz.kernel.gram.gram_matrix import gram_matrix
from aprendiz.kernel.gram.points import make_points
from aprendiz.kernel.gram.rounding import largest


class Kernel(BaseEstimator):
    """The base of all kernels."""

    __array_ufunc__ = None  # NumPy's numbers leave `number * kernel` to the kernel
    centred = False  # whether it depends on differences of rows alone, so that a pivot may be subtracted
    in_tiles = True  # whether blocks may be computed in any order on any thread

    @property
    def psd(self) -> bool:
        """Whether (1) is known to hold for any rows."""
        return True

    @property
    def compares(self) -> str:
        """What it compares: "rows" of numbers, "strings", "nodes" of a graph, rows of a Gram "matrix" that was computed
        elsewhere, or "anything"."""
        return "rows"

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

    def largest_entry(self, P: Any) -> float:
        """A bound on |K(x, z)|: by (1) the largest K(x, x)."""
        return largest(self.diagonal_of(P))

    def entry_error(self, P: Any, eps: float) -> float:
        """A bound on the error of an entry that arithmetic with relative error eps makes."""
        return self.rounding(P, eps) * self.largest_entry(P)

    def table(self, X: Any) -> Any:
        """Rows given by a user, as the kernel takes them."""
        return table_of_numbers(X)

    # ---- what users call ---------------------------------------------------------------------------------------------

    def __call__(self, X: Any, Z: Any = None) -> Array:
        """The Gram matrix of the rows of X, or between those of X and of Z. Numbers such as γ = "scale" come from X."""
        X = self.table(X)
        ready = self.on(X)
        P = ready.points(X)
        if Z is None:
            return gram_matrix(ready, P)
        Z = self.table(Z)
        if self.compares == "rows" and X.shape[1] != Z.shape[1]:
            raise ValueError(f"Rows of the same columns are compared, but X has {X.shape[1]} columns and Z has {Z.shape[1]}.")
        return gram_matrix(ready, P, ready.points(Z, P))

    def diagonal(self, X: Any) -> Array:
        """K(x, x) of each row, without the matrix."""
        X = self.table(X)
        ready = self.on(X)
        return ready.diagonal_of(ready.points(X))

    # ---- algebra -----------------------------------------------------------------------------------------------------

    def __add__(self, other: Any) -> Kernel:
        from aprendiz.kernel.kernels import Sum

        return NotImplemented if (other := as_kernel(other)) is None else Sum(self, other)

    def __radd__(self, other: Any) -> Kernel:
        from aprendiz.kernel.kernels import Sum

        return NotImplemented if (other := as_kernel(other)) is None else Sum(other, self)

    def __mul__(self, other: Any) -> Kernel:
        from aprendiz.kernel.kernels import Product

        return NotImplemented if (other := as_kernel(other)) is None else Product(self, other)

    def __rmul__(self, other: Any) -> Kernel:
        from aprendiz.kernel.kernels import Product

        return NotImplemented if (other := as_kernel(other)) is None else Product(other, self)

    def __eq__(self, other: object) -> bool:
        """Of the same class with equal parameters."""
        if type(self) is not type(other):
            return NotImplemented
        theirs = other.get_params(deep=False)
        return all(same(value, theirs[name]) for name, value in self.get_params(deep=False).items())

    def __hash__(self) -> int:
        return hash(type(self))


def as_kernel(value: Any) -> Any:
    """A kernel, or a number as the kernel that is that number everywhere; None for anything else."""
    from aprendiz.kernel.kernels import Constant

    if isinstance(value, Kernel):
        return value
    if not fits(value, float):
        return None
    constant = Constant(float(value))
    constant.on(None)
    return constant


def same(a: Any, b: Any) -> bool:
    """Are two parameters equal?"""
    if a is b:
        return True
    if sparse.issparse(a) or sparse.issparse(b):
        both = sparse.issparse(a) and sparse.issparse(b) and a.shape == b.shape
        return both and (a != b).nnz == 0
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return np.array_equal(np.asarray(a, dtype=object), np.asarray(b, dtype=object))
    return type(a) is type(b) and bool(a == b) if isinstance(a, str | Kernel) else bool(a == b)
