"""Centring of a Gram matrix: as if the mean of φ over the training rows had been subtracted from every φ.

    K'_ij = K_ij − mean_j(K_i·) − mean_i(K_·j) + mean(K)                                                        (1)
    of new rows:  K'(x, x_j) = K(x, x_j) − mean_j K(x, x_j) − mean_i(K_ij) + mean(K)                              (2)

Cost: O(n²).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.kernel.gram.given_matrix import square_matrix


def center(K: Any, new: Any = None) -> Array:
    """The Gram matrix of the centred training rows, or that between new rows and them.

    Parameters
    ----------
    K : array of shape (n_rows, n_rows)
        The Gram matrix of the training rows.
    new : array of shape (n_new, n_rows) or None, default=None
        K between new rows and the training rows.

    Examples
    --------
    >>> center([[1.0, 3.0], [3.0, 9.0]])
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    K = square_matrix(K)
    means = K.mean(axis=0)
    if new is None:
        return K - means[:, None] - means + means.mean()
    rows = np.asarray(new, np.float64)
    if rows.ndim != 2 or rows.shape[1] != len(K):
        raise ValueError(f"K between new rows and training rows must have {len(K)} columns, got shape {rows.shape}.")
    centred: Array = rows - rows.mean(axis=1, keepdims=True) - means + means.mean()
    return centred
