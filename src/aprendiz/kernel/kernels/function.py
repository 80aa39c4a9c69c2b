"""A kernel that the user writes, as a function.

    of tables:  f(X, Z) is the matrix K of the rows of X and of Z, as scikit-learn's SVC has it                 (1)
    of pairs:   f(x, z) is the number K(x, z), as scikit-learn's KernelRidge, KernelPCA and Nystroem have it    (2)

What it returns is checked: another shape, a missing value or an asymmetric matrix is refused, with the rows that show it.
Nobody knows whether it is positive semi-definite: `check_psd` tells for some rows.

Cost: what the function takes; (2) is called once for each pair, in Python.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array
from aprendiz.kernel.gram.kernel_function import Kernel
from aprendiz.kernel.gram.points import Points


class Function(Kernel):
    """K(x, z) = f(x, z).

    Parameters
    ----------
    function : callable
        f(X, Z) → matrix, or f(x, z) → number.
    of_pairs : bool, default=False
        Whether the function takes two rows and returns a number.
    params : dict or None, default=None
        More arguments of the function, by name.

    Examples
    --------
    >>> Function(lambda X, Z: X @ Z.T)([[1.0, 2.0], [3.0, 1.0]])
    array([[ 5.,  5.],
           [ 5., 10.]])
    >>> Function(lambda x, z: np.minimum(x, z).sum(), of_pairs=True)([[1.0], [3.0]])
    array([[1., 1.],
           [1., 3.]])
    """

    psd = False  # nobody knows
    in_tiles = False  # the function sees all rows at once, on the thread of the caller

    def __init__(self, function: Callable[..., Any], *, of_pairs: bool = False, params: dict[str, Any] | None = None):
        self.function = function
        self.of_pairs = of_pairs
        self.params = params

    def points(self, X: Any, like: Points | None = None) -> Points:
        rows = sparse.csr_array(X) if sparse.issparse(X) else np.ascontiguousarray(X, dtype=np.float64)
        return Points(rows, np.zeros(rows.shape[0]))

    def block(self, P: Points, Q: Points, out: Array | None = None) -> Array:
        if self.of_pairs:
            pairs = [(i, j) for i in range(len(P)) for j in range(len(Q))]
            found = np.array([self.number(P, Q, i, j) for i, j in pairs]).reshape(len(P), len(Q))
        else:
            found = self.function(P.coordinates, Q.coordinates, **(self.params or {}))
            found = self.checked(found, (len(P), len(Q)))
        if out is None:
            return found.astype(P.dtype, copy=False)
        out[...] = found
        return out

    def number(self, P: Points, Q: Points, i: int, j: int) -> float:
        """(2) of one pair."""
        found = np.asarray(self.function(P.coordinates[i], Q.coordinates[j], **(self.params or {})))
        if found.size != 1 or found.dtype.kind not in "fiub" or not np.isfinite(found).all():
            got = f"an array of shape {found.shape}" if found.size != 1 else repr(found.ravel()[0].item())
            raise ParameterError(
                f"{self.title} must return a finite number for two rows, got {got} for row {i} and row {j}. "
                "A function of two tables is Function(f), without of_pairs."
            )
        return float(found.ravel()[0])

    def checked(self, found: Any, shape: tuple[int, int]) -> Array:
        """(1), a matrix of finite numbers."""
        found = np.asarray(found.toarray() if sparse.issparse(found) else found)
        if found.shape != shape or found.dtype.kind not in "fiub":
            raise ParameterError(
                f"{self.title} must return a matrix of {shape[0]} × {shape[1]} numbers, a row for each row of the first "
                f"table and a column for each of the second, got {found.dtype} of shape {found.shape}. "
                "A function of two rows is Function(f, of_pairs=True)."
            )
        bad = ~np.isfinite(found)
        if bad.any():
            i, j = np.argwhere(bad)[0]
            raise ParameterError(
                f"{self.title} returned {found[i, j]} for row {i} and row {j}; K(x, z) must be a finite number."
            )
        return np.asarray(found, np.float64)

    def diagonal_of(self, P: Points) -> Array:
        return np.array([self.block(one, one)[0, 0] for one in (P.take([i]) for i in range(len(P)))], P.dtype)

    def rounding(self, P: Points, eps: float) -> float:
        """Of storing it: what the function computes is taken as it is."""
        return eps

    @property
    def title(self) -> str:
        return f"The kernel function {getattr(self.function, '__name__', type(self.function).__name__)}"
