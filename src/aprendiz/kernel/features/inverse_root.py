"""The inverse square root of a Gram matrix, K^(−1/2) = V·Λ^(−1/2)·Vᵀ for K = V·Λ·Vᵀ.

    λ → sign(λ) / √max(|λ|, τ),     τ = 10⁻¹²·min(1, largest |λ|)                                              (1)

Directions with |λ| < τ, such as those between equal rows, are not blown up further. A negative eigenvalue beyond τ, of a
function that is no kernel, keeps its sign, as in scikit-learn.

Cost: of the order of m³.
"""

from __future__ import annotations

import numpy as np
from scipy import linalg

from aprendiz.core.rows import Array

SMALLEST = 1e-12


def inverse_root(K: Array) -> Array:
    """(1), symmetric to the last bit."""
    values, V = linalg.eigh(K, driver="evd", check_finite=False)
    least = SMALLEST * min(1.0, float(np.abs(values).max()) or 1.0)
    factors = np.where(values < -least, -1.0, 1.0) / np.sqrt(np.maximum(np.abs(values), least))
    root = (V * factors) @ V.T
    return 0.5 * (root + root.T)
