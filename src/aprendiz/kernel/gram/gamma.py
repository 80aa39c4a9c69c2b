"""γ of a kernel, as a number or from the rows: "scale" is 1/(columns · variance of all cells), "auto" is 1/columns.

γ of a kernel of distances that are not squared has the unit of 1/distance: there "scale" is the root of it, and of sums of
absolute differences 1/(columns · standard deviation of all cells).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse


def gamma_of(gamma: Any, X: Any) -> float:
    """γ as a number. Where all cells are equal, "scale" is 1, as in scikit-learn."""
    if gamma == "auto":
        return 1.0 / X.shape[1]
    if gamma != "scale":
        return float(gamma)
    variance = cell_variance(X)
    return 1.0 / (X.shape[1] * variance) if variance > 0 else 1.0


def gamma_of_distances(gamma: Any, X: Any) -> float:
    """γ for distances: the root of that for squared distances."""
    return float(np.sqrt(gamma_of(gamma, X))) if gamma == "scale" else gamma_of(gamma, X)


def gamma_of_differences(gamma: Any, X: Any) -> float:
    """γ for sums of absolute differences."""
    return float(np.sqrt(gamma_of(gamma, X) / X.shape[1])) if gamma == "scale" else gamma_of(gamma, X)


def cell_variance(X: Any) -> float:
    """The variance of all cells together, around one of them."""
    if sparse.issparse(X):
        values = np.asarray(X.data, np.float64)
        mean, size = values.sum() / np.prod(X.shape, dtype=float), np.prod(X.shape, dtype=float)
        return float((((values - mean) ** 2).sum() + (size - len(values)) * mean**2) / size)
    return float(np.var(np.asarray(X, np.float64) - X[0, 0]))
