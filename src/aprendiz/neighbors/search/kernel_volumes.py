"""What makes the integral of a kernel 1, in logarithms: log c(h) of kernel_sums.py.

With S the surface of the unit ball in d columns, ∫ K(‖x‖/h) dx = S·hᵈ·∫ K(u) uᵈ⁻¹ du, and the last integral J(d) is

    gaussian   2^(d/2−1)·Γ(d/2)      exponential   Γ(d)                    tophat   1/d
    linear     1/(d(d + 1))          epanechnikov  2/(d(d + 2))                                                (1)
    cosine     J(d) = a·(1 − a·J(d + 2)) / (d(d + 1)),  a = π/2,  twice by parts                               (2)

(2) is taken from a large d downwards, where each step shrinks the error; upwards it would lose all digits by d = 20.
"""

from __future__ import annotations

import math

from aprendiz.neighbors.search.kernel_sums import COSINE, EPANECHNIKOV, EXPONENTIAL, GAUSSIAN, LINEAR

STEPS = 20  # of (2): the first counts for less than a rounding of the last


def log_scale(kernel: int, h: float, columns: int) -> float:
    """log c(h)."""
    surface = math.log(2.0) + 0.5 * columns * math.log(math.pi) - math.lgamma(0.5 * columns)
    return -(surface + columns * math.log(h) + log_integral(kernel, columns))


def log_integral(kernel: int, d: int) -> float:
    """log J(d) of (1)."""
    if kernel == GAUSSIAN:
        return (0.5 * d - 1.0) * math.log(2.0) + math.lgamma(0.5 * d)
    if kernel == EXPONENTIAL:
        return math.lgamma(d)
    if kernel == COSINE:
        a, integral = 0.5 * math.pi, 0.0
        for m in range(d + 2 * STEPS, d - 1, -2):
            integral = a * (1.0 - a * integral) / (m * (m + 1.0))
        return math.log(integral)
    return -math.log({LINEAR: d * (d + 1.0), EPANECHNIKOV: 0.5 * d * (d + 2.0)}.get(kernel, float(d)))
