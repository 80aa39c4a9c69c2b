"""Weights of terms: how much a term says, and documents of unit length.

    idf_t  = log(n / df_t) + 1,   smooth: log((n + 1) / (df_t + 1)) + 1     df_t: documents with term t, of n          (1)
    x_dt   = tf_dt · idf_t        sublinear: (1 + log tf_dt) · idf_t                                                   (2)
    z_d    = x_d / ‖x_d‖                                                                                               (3)

Document frequencies add, so those of two parts of a corpus give those of the whole.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from scipy import sparse
from sklearn import get_config

from aprendiz.core.rows import Array

Norm = Literal["l1", "l2"]


def document_frequencies(X: Any) -> Array:
    """In how many documents each term occurs: the entries that are stored, as scikit-learn counts them."""
    return np.bincount(X.indices, minlength=X.shape[1]) if X.format == "csr" else np.diff(X.indptr)


def inverse_frequencies(X: Any, smooth: bool) -> Array:
    """(1), of a sparse table of counts."""
    dtype = X.dtype if X.dtype in (np.float64, np.float32) else np.dtype(np.float64)
    rows, frequencies = X.shape[0] + int(smooth), document_frequencies(X) + int(smooth)
    with np.errstate(divide="ignore"):
        weights: Array = np.log(np.full(X.shape[1], rows, dtype) / frequencies.astype(dtype)) + 1
    return weights


def weighed(X: Any, weights: Array | None, sublinear: bool, norm: Norm | None) -> Any:
    """(2) and (3), in place."""
    if sublinear:
        np.log(X.data, out=X.data)
        X.data += 1.0
    if weights is not None:
        X.data *= weights[X.indices]
    return X if norm is None else of_unit_length(X, norm)


def of_unit_length(X: Any, norm: Norm) -> Any:
    """(3), in place; documents without terms stay empty."""
    if not len(X.data):
        return X
    lengths = np.diff(X.indptr)
    filled = lengths > 0
    sizes = np.abs(X.data) if norm == "l1" else X.data * X.data
    sums = np.add.reduceat(sizes, X.indptr[:-1][filled])
    sums = sums if norm == "l1" else np.sqrt(sums)
    X.data /= np.repeat(np.where(sums == 0, 1, sums).astype(X.data.dtype), lengths[filled])
    return X


def handed_out(X: Any) -> Any:
    """In the form of sparse tables that scikit-learn is set to."""
    return X if get_config()["sparse_interface"] == "sparray" else sparse.csr_matrix(X)
