"""Fences of a column of numbers: what lies beyond them is far out.

    h(a, b) = ((a − m) − (m − b))/(a − b)        for values a ≥ m ≥ b around the median m                      (1)
    MC      = the median of (1), the medcouple: a skewness between −1 and 1 that outliers hardly move          (2)
    [Q₁ − r·w(−MC)·IQR, Q₃ + r·w(MC)·IQR],       w(t) = exp(4t) for t > 0, else 1                              (3)
    r = max(3, r*)·exp(1.17·z/√n)                                                                             (4)

With r = 3 and without w these are Tukey's outer fences. A long tail belongs to a skewed column; w moves the fence out on that
side. (Hubert and Vandervieren's fences, of which the one of the short side is not drawn in here, because (2) is uncertain in
small samples.) Where the quartiles are equal there are no fences.

Where nothing is negative and log(1 + x/Q₂) is less skewed than x, the upper fence is that of the logarithm if it lies further
out: incomes and concentrations spread by factors.

A smallest or largest value that comes again, with a gap beside it that is wider than all other values together, is outside.

Large tables hold extreme values, and of many columns some have quartiles that are too near by chance. (4) allows for both: of d
normal columns of n rows, r* leaves 0.05 values outside in the mean, where the quartiles are those of the distribution; 1.17/√n
is the relative error of their distance, and z what the error of the worst of d columns does not exceed in 95 of 100 tables.

Cost: (1) of 100 quantiles, 2 500 pairs.
References: Brys, Hubert & Struyf, Journal of Computational and Graphical Statistics 13, 2004; Hubert & Vandervieren,
Computational Statistics & Data Analysis 52, 2008.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtri

from aprendiz.core.rows import Array

QUANTILES = 100  # from which the medcouple is computed
OUTER = 3.0
BY_CHANCE = 0.05  # values of a normal table that may lie outside
MOST_CODES, FEWEST_OTHERS = 0.2, 10  # share of the cells that may hold a code, and different values beside it
FEWEST = 20  # values that make fences


def medcouple(values: Array) -> float:
    """(2) of ascending values, from their quantiles."""
    x = np.quantile(values, (np.arange(QUANTILES) + 0.5) / QUANTILES)
    m = float(np.median(x))
    above, below = x[x >= m] - m, m - x[x <= m]
    sums = above[:, None] + below
    known = sums > 0
    return float(np.median((above[:, None] - below)[known] / sums[known])) if known.any() else 0.0


def fences(values: Array, columns: int = 1) -> tuple[float, float] | None:
    """(3) of the ascending values of one of several columns; None where there are too few, or the quartiles are equal."""
    if len(values) < FEWEST:
        return None
    first, middle, third = np.quantile(values, [0.25, 0.5, 0.75])
    if not third > first:
        return None
    reach, skew = reach_of(len(values), columns), medcouple(values)
    low, high = around(first, third, reach, skew)
    low, high = max(low, end_of_the_rest(values)), min(high, -end_of_the_rest(-values[::-1]))
    if values[0] >= 0 and middle > 0 and skew > 0:
        logs = np.log1p(values / middle)
        if abs(changed := medcouple(logs)) < skew:
            first, third = np.quantile(logs, [0.25, 0.75])
            high = max(high, middle * float(np.expm1(around(first, third, reach, changed)[1])))
    return low, float(high)


def end_of_the_rest(values: Array) -> float:
    """Where the smallest value of an ascending column comes several times and is further from all others than these are from
    each other, as codes such as -99 are, the middle of the gap; else −∞."""
    others = values[values > values[0]]
    times = len(values) - len(others)
    if not 2 <= times <= MOST_CODES * len(values) or others[-1] - others[0] >= others[0] - values[0]:
        return -np.inf
    return float((values[0] + others[0]) / 2) if len(np.unique(others)) >= FEWEST_OTHERS else -np.inf


def around(first: float, third: float, reach: float, skew: float) -> tuple[float, float]:
    """(3)."""
    size = reach * (third - first)
    return float(first - size * np.exp(4 * max(-skew, 0.0))), float(third + size * np.exp(4 * max(skew, 0.0)))


def reach_of(rows: int, columns: int) -> float:
    """(4)."""
    quartile = ndtri(0.75)
    beyond = -ndtri(BY_CHANCE / (2 * rows * columns))
    return float(max(OUTER, (beyond - quartile) / (2 * quartile)) * np.exp(-1.17 * ndtri(BY_CHANCE / columns) / np.sqrt(rows)))
