"""The cosine of the angle between two rows: their direction counts, their length does not.

    K(x, z) = xᵀz/(‖x‖·‖z‖),     0 where a row is 0                                                            (1)

φ(x) = x/‖x‖. Cost of an entry: d multiplications.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.rows import Array
from aprendiz.kernel.gram.kernel_function import Kernel
from aprendiz.kernel.gram.points import Points, make_points, products
from aprendiz.kernel.gram.rounding import summation_error


class Cosine(Kernel):
    """K(x, z) = xᵀz/(‖x‖·‖z‖).

    Examples
    --------
    >>> Cosine()([[1.0, 0.0], [2.0, 2.0]]).round(4)
    array([[1.    , 0.7071],
           [0.7071, 1.    ]])
    """

    def __init__(self) -> None:
        pass

    def points(self, X: Any, like: Points | None = None) -> Points:
        """x/‖x‖; first divided by the largest cell, so that no square overflows or vanishes."""
        P = make_points(X, like, centred=False)
        rows = P.coordinates
        tops = np.asarray(abs(rows).max(axis=1).toarray() if sparse.issparse(rows) else np.abs(rows).max(axis=1)).ravel()
        rows = divided(rows, np.where(tops > 0, tops, 1.0))
        lengths = np.sqrt(np.asarray((rows * rows).sum(axis=1)).ravel())
        rows = divided(rows, np.where(lengths > 0, lengths, 1.0))
        return replace(P, coordinates=rows, squares=np.asarray((lengths > 0), np.float64))

    def block(self, P: Points, Q: Points, out: Array | None = None) -> Array:
        return products(P, Q, out)

    def diagonal_of(self, P: Points) -> Array:
        return P.squares.copy()

    def rounding(self, P: Points, eps: float) -> float:
        return 2.0 * summation_error(P, eps)


def divided(rows: Any, sizes: Array) -> Any:
    return sparse.csr_array(sparse.diags_array(1.0 / sizes) @ rows) if sparse.issparse(rows) else rows / sizes[:, None]
