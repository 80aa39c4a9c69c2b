"""Sums with twice the digits of a double: the residuals of a linear model, and their products with the columns.

A number is held as an unevaluated pair high + low with |low| ≤ ½ ulp(high):

    two_sum      a + b = s + e exactly,   s = fl(a + b)                                                       (1)
    two_product  a · b = p + e exactly,   p = fl(a · b), by splitting a and b into halves of 26 bits          (2)

Compiled without any fast-math licence: reordering would undo (1).
References: Dekker, Numerische Mathematik 18, 1971; Ogita, Rump & Oishi, SIAM J. Sci. Comput. 26, 2005.
"""

from __future__ import annotations

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array

SPLITTER = 134217729.0  # 2²⁷ + 1


@compiled(exact=True)
def two_sum(a: float, b: float) -> tuple[float, float]:
    """(1)."""
    s = a + b
    back = s - a
    return s, (a - (s - back)) + (b - back)


@compiled(exact=True, inner=True)
def two_product(a: float, b: float) -> tuple[float, float]:
    """(2)."""
    p = a * b
    t = SPLITTER * a
    a_high = t - (t - a)
    a_low = a - a_high
    t = SPLITTER * b
    b_high = t - (t - b)
    b_low = b - b_high
    return p, ((a_high * b_high - p) + a_high * b_low + a_low * b_high) + a_low * b_low


@compiled(exact=True)
def exact_gradient(
    X: Array, y: Array, weight: Array, mean: Array, w: Array, b: float, b_low: float, high: Array, low: Array
) -> None:
    """Add Σ ω r to the first entry of `high` + `low` and Σ ω r (x − mean) to the others, r = y − (b + b_low) − xᵀw."""
    n, d = X.shape
    for i in range(n):
        r, e = two_sum(y[i], -b)
        e -= b_low
        for j in range(d):
            p, q = two_product(X[i, j], -w[j])
            r, f = two_sum(r, p)
            e += q + f
        r, e = two_sum(r, e)
        r, f = two_product(r, weight[i])
        e = e * weight[i] + f
        high[0], f = two_sum(high[0], r)
        low[0] += e + f
        for j in range(d):
            z, f = two_sum(X[i, j], -mean[j])
            p, q = two_product(r, z)
            high[1 + j], g = two_sum(high[1 + j], p)
            low[1 + j] += q + g + (e * z + r * f)
