"""Normalisation of a Gram matrix: as if every φ had been divided by its length.

    K'_ij = K_ij/√(K_ii·K_jj),     0 where a length is 0                                                        (1)

The entries are cosines of angles, from −1 to 1. Cost: O(n²).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.kernel.gram.given_matrix import square_matrix


def normalize(K: Any) -> Array:
    """The Gram matrix of φ(x)/‖φ(x)‖.

    Parameters
    ----------
    K : array of shape (n_rows, n_rows)
        A Gram matrix.

    Examples
    --------
    >>> normalize([[4.0, 3.0], [3.0, 9.0]])
    array([[1. , 0.5],
           [0.5, 1. ]])
    """
    K = square_matrix(K)
    squares = np.diagonal(K)
    for i in np.flatnonzero(squares < 0)[:1]:
        raise ValueError(f"K[{i}, {i}] = {squares[i]:.6g} is below 0, so that row {i} has no length: K is not a Gram matrix.")
    lengths = np.sqrt(squares)
    inverse = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    found: Array = K * inverse[:, None] * inverse
    np.fill_diagonal(found, np.where(lengths > 0, 1.0, 0.0))
    return found
