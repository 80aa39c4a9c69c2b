"""How many components: the fewest that explain a share of the variance, or the most likely number.

    k(τ) = min{k : (λ₁ + … + λ_k)/(λ₁ + … + λ_d) ≥ τ}                                                         (1)
    k* = argmax over k of the evidence of the probabilistic model with k components                           (2)

Reference: Minka, "Automatic choice of dimensionality for PCA", NIPS 2000, equation 79, for (2).
"""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln

from aprendiz.core.rows import Array

ROUNDING = 8 * float(np.finfo(float).eps)  # of a share of the variance, for each component that is summed
ZERO = 1e-15  # of the largest variance


def fewest_explaining(share: float, variances: Array, total: float) -> int:
    """(1); a share that is reached but for rounding is reached."""
    explained = np.cumsum(variances) / total if total > 0 else np.ones(len(variances))
    return min(int(np.searchsorted(explained, share - ROUNDING * len(variances))) + 1, len(variances))


def most_likely_number(variances: Array, n: int) -> int:
    """(2)."""
    if variances[0] == 0:
        return 1
    d, variances = len(variances), variances / variances[0]  # the unit of the columns does not matter
    floor = np.maximum(variances, np.finfo(float).tiny)
    best, best_evidence = 1, -np.inf
    for k in range(1, d):
        if variances[k - 1] < ZERO:
            break
        found = evidence(floor, k, n)
        if found > best_evidence:
            best, best_evidence = k, found
    return best


def evidence(variances: Array, k: int, n: int) -> float:
    """The logarithm of the evidence of k components, by Laplace's approximation."""
    d = len(variances)
    sigma2 = max(float(variances[k:].mean()), ZERO)
    i = np.arange(1, k + 1)
    uniform = -k * np.log(2.0) + np.sum(gammaln((d - i + 1) / 2) - np.log(np.pi) * (d - i + 1) / 2)
    likelihood = -0.5 * n * (np.log(variances[:k]).sum() + (d - k) * np.log(sigma2))
    free = d * k - k * (k + 1) / 2
    shrunk = np.concatenate([variances[:k], np.full(d - k, sigma2)])
    first, second = np.triu_indices(d, 1)
    pairs = first < k
    a, b = first[pairs], second[pairs]
    curvature = np.log((variances[a] - variances[b]) * (1 / shrunk[b] - 1 / shrunk[a])).sum() + len(a) * np.log(n)
    return float(uniform + likelihood + 0.5 * np.log(2 * np.pi) * (free + k) - 0.5 * curvature - 0.5 * k * np.log(n))
