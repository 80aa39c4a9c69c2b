"""Coefficients as a sparse matrix, of the kind that scikit-learn's setting `sparse_interface` asks for."""

from __future__ import annotations

from typing import Any

from scipy import sparse
from sklearn import get_config

from aprendiz.core.rows import Array


def sparse_coefficients(coef: Array) -> Any:
    """A compressed copy of the coefficients: an array of SciPy, or, by default, a matrix."""
    kind = sparse.csr_array if get_config().get("sparse_interface") == "sparray" else sparse.csr_matrix
    return kind(coef)
