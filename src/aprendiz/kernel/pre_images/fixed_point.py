"""The row whose image under a Gaussian kernel is nearest to a point of its space, by Mika's fixed-point iteration.

A point Ψ = Σ_i c_i φ(x_i) need not be the image φ(z) of any row z. The nearest image maximises Σ_i c_i K(z, x_i), where the
gradient is zero:

    z ← Σ_i c_i K(z, x_i) x_i / Σ_i c_i K(z, x_i)                                                              (1)

With coordinates t in the principal components, v_k/√λ_k their coefficients and centring in the space of the kernel,

    c_i = b_i + (1 − Σ_j b_j)/n,     b_i = Σ_k t_k v_ik/√λ_k                                                   (2)

The iteration begins at the training row with the nearest coordinates, keeps a step only if it brings φ(z) nearer, and stops
where none does, or where the denominator vanishes.

Cost of a step: an entry of the kernel for each new and each training row.
Reference: Mika, Schölkopf, Smola, Müller, Scholz & Rätsch, "Kernel PCA and de-noising in feature spaces", NIPS 1998.
"""

from __future__ import annotations

import numpy as np

from aprendiz.core.blas import single_blas
from aprendiz.core.rows import Array
from aprendiz.kernel.kernels import RBF
from aprendiz.kernel.shared.kept_rows import kernel_sums

STEPS = 500
SETTLED = 1e-12  # a step beside the spread of the rows
SAME = 1e-14  # what rounding may take from the sum that (1) makes larger, as a part of Σ|c|


def coefficients(T: Array, scaled: Array) -> Array:
    """(2): a column for each row of coordinates; `scaled` are the v_k/√λ_k as columns."""
    b = scaled @ T.T
    return b + (1.0 - b.sum(axis=0)) / len(b)


def fixed_points(kernel: RBF, X: Array, C: Array, start: Array) -> Array:
    """(1) for each column of C, from rows to start with."""
    Z = np.array(start, np.float64)
    spread = float(np.ptp(X, axis=0).max(initial=0.0)) or 1.0
    with single_blas(float(len(X)) * len(Z)):
        near, means = step(kernel, X, C, Z)
        moving = np.arange(len(Z))
        for _ in range(STEPS):
            moving = moving[np.isfinite(means[moving]).all(axis=1)]
            if not len(moving):
                break
            ahead = means[moving]
            reached, next_means = step(kernel, X, C[:, moving], ahead)
            better = reached >= near[moving] - SAME * np.abs(C[:, moving]).sum(axis=0)
            length = np.linalg.norm(ahead - Z[moving], axis=1)
            kept = moving[better]
            Z[kept], near[kept], means[kept] = ahead[better], reached[better], next_means[better]
            moving = moving[better & (length > SETTLED * spread)]
    return Z


def step(kernel: RBF, X: Array, C: Array, Z: Array) -> tuple[Array, Array]:
    """Σ c_i K(z, x_i) for each z, and the right side of (1), NaN where it is not positive."""
    P = kernel.points(X)
    sums, means = np.empty(len(Z)), np.empty((len(Z), X.shape[1]))
    for j in range(len(Z)):
        columns = C[:, j : j + 1] * np.column_stack([np.ones(len(X)), X])
        found = kernel_sums(kernel, kernel.points(Z[j : j + 1], P), P, columns)[0]
        sums[j] = found[0]
        means[j] = found[1:] / found[0] if found[0] > 0 else np.nan
    return sums, means
