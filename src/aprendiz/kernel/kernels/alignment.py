"""Alignment of two Gram matrices: the cosine of the angle between them.

    A(K, L) = ⟨K, L⟩/√(⟨K, K⟩·⟨L, L⟩),     ⟨K, L⟩ = Σ K_ij·L_ij                                                 (1)

With L = yyᵀ of labels −1 and 1 it tells how well a kernel fits the labels, before anything is learnt: 1 is perfect. Centred
matrices are compared unless told otherwise, since a large constant would make all kernels alike.

Cost: O(n²).
Reference: Cortes, Mohri, Rostamizadeh: Algorithms for learning kernels based on centered alignment, JMLR 13, 2012.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.kernel.gram.given_matrix import square_matrix


def alignment(K: Any, L: Any, *, centred: bool = True) -> float:
    """The alignment of two Gram matrices of the same rows, or of one with targets.

    Parameters
    ----------
    K : array of shape (n_rows, n_rows)
        A Gram matrix.
    L : array of shape (n_rows, n_rows) or (n_rows,)
        Another one, or targets y: numbers stand for yyᵀ, words for 1 where two rows have the same one.
    centred : bool, default=True
        Whether both are centred first.

    Returns
    -------
    float
        From −1 to 1; of two positive semi-definite matrices from 0. NaN if one of them is 0.

    Examples
    --------
    >>> alignment([[2.0, 0.0], [0.0, 2.0]], [[1.0, -1.0], [-1.0, 1.0]])
    1.0
    """
    K = square_matrix(K)
    other = of_targets(np.asarray(L)) if np.ndim(L) == 1 else square_matrix(L)
    if K.shape != other.shape:
        raise ValueError(f"The matrices must be of the same rows, got shapes {K.shape} and {other.shape}.")
    if centred:
        K, other = without_means(K), without_means(other)
    K, other = unit(K), unit(other)
    return float(np.clip(np.vdot(K, other), -1.0, 1.0))


def of_targets(y: Array) -> Array:
    if y.dtype.kind in "fiub":
        return np.multiply.outer(y.astype(np.float64), y.astype(np.float64))
    return np.asarray(y[:, None] == y, np.float64)


def without_means(K: Array) -> Array:
    """Around an entry first, so that no digits are lost to a large constant."""
    K = K - K[0, 0]
    return K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()


def unit(K: Array) -> Array:
    """K divided by its length."""
    top = float(np.max(np.abs(K), initial=0.0))
    scaled: Array = K / top if top else np.full_like(K, np.nan)
    return scaled / np.sqrt(np.vdot(scaled, scaled))
