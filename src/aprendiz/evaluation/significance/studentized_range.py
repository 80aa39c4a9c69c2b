"""The range of k independent standard normal numbers: its tail and its quantiles.

    P(range > q) = k ∫ φ(z)·(Φ(z)^{k−1} − [Φ(z) − Φ(z − q)]^{k−1}) dz                                          (1)

With a = Φ(z) and b = Φ(z − q), the difference of powers is b·Σ_i aⁱ(a − b)^{k−2−i}, in which nothing cancels: small tails
keep their digits. The integrand is smooth and dies off at both ends, so the trapezoidal rule is exact to rounding.

Reference: Lund & Lund, Applied Statistics 32, 1983.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy.optimize import brentq
from scipy.special import ndtr

from aprendiz.core.rows import Array

STEP, ENDS = 0.05, 9.0  # of the rule; φ(9) is below rounding


def range_tail(q: Array, k: int) -> Array:
    """(1) for each q ≥ 0."""
    q = np.asarray(q, dtype=np.float64)
    if not q.size:
        return q
    z = np.arange(-ENDS, ENDS + float(q.max()) + STEP, STEP)
    a, b = ndtr(z), ndtr(z - q[..., None])
    density = np.exp(-z * z / 2) / np.sqrt(2 * np.pi)
    powers = sum(a**i * (a - b) ** (k - 2 - i) for i in range(k - 1))
    return np.minimum(k * STEP * (density * b * powers).sum(axis=-1), 1.0)


@lru_cache(maxsize=256)
def range_quantile(level: float, k: int) -> float:
    """q with P(range > q) = level."""
    return float(brentq(lambda q: float(range_tail(np.array([q]), k)[0]) - level, 0.0, 40.0, xtol=1e-13))
