"""An upper bound on the spectral norm of what some directions leave of a matrix, from a few products.

Let B = A(I − VVᵀ) and θ the largest Ritz value of BᵀB in the Krylov space of s steps from a block Ω of r normal columns. With φ
the angle between the first right singular vector of B and the nearest vector of span(Ω),

    √θ ≤ ‖B‖₂ ≤ √θ · cosh( arsinh(tan φ) / (2s − 1) )                                                         (1)
    tan²φ ≤ χ²_d / χ²_r,      two independent sums of squares                                                  (2)

(1): if every Ritz value were below μ < ‖B‖², then for all polynomials p of degree s − 1 and the g of that angle
p(‖B‖²)²·cos²φ·(‖B‖² − μ) ≤ sin²φ·max over 0 ≤ λ ≤ μ of p(λ)²(μ − λ). Chebyshev's U_{2s−2}(√(λ/μ)) turns this into
sinh((2s − 1)η) ≤ tan φ with cosh²η = ‖B‖²/μ. (2): the components of Ω along that vector are r normal numbers, and those of the
combination of columns that is nearest to it are d − 1 more. V may come from anywhere: nothing is presumed of how it was found,
but that it does not depend on Ω.

Cost: s products of AᵀA with r columns.
Reference: Kuczyński & Woźniakowski, "Estimating the largest eigenvalue by the power and Lanczos algorithms with a random
start", SIAM J. Matrix Anal. 13, 1992, for one column.
"""

from __future__ import annotations

import math

import numpy as np
from scipy import special

from aprendiz.cluster.spectral.block_lanczos import Product, largest_eigenpairs
from aprendiz.core.rows import Array
from aprendiz.decomposition.randomized.range_finder import normal_block

PROBES, STEPS = 12, 4  # r and s
PROBED = 2**40  # their stream of random numbers, apart from those that find directions
FAILURE = 1e-10  # probability that (2) does not hold with the quantiles that are used


def remaining_norm(product: Product, V: Array, seed: int) -> tuple[float, float]:
    """(1) for orthonormal columns V, which must not depend on the random numbers of stream `PROBED`: both bounds."""
    d, known = V.shape
    probes = min(PROBES, d - known)
    if probes == 0:
        return 0.0, 0.0
    steps = max(1, min(STEPS, (d - known) // probes))
    found = largest_eigenpairs(
        lambda Q: product(np.ascontiguousarray(Q)),
        V,
        normal_block(d, probes, seed, PROBED),
        1,
        room=probes * (steps + 1),
        steps=steps,
        tolerance=0.0,
    )
    below = math.sqrt(max(float(found.values[0]), 0.0))
    return below, below * largest_ratio(d - known, probes, steps)


def largest_ratio(dimension: int, probes: int, steps: int, failure: float = FAILURE) -> float:
    """The factor of (1), with quantiles for (2)."""
    least = 2.0 * special.gammaincinv(probes / 2.0, failure / 2.0)
    most = 2.0 * special.gammainccinv(max(dimension - 1, 1) / 2.0, failure / 2.0)
    return math.cosh(math.asinh(math.sqrt(most / least)) / (2.0 * steps - 1.0))
