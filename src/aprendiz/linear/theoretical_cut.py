"""The best cut of a line when the distributions of the two classes are known.

With F₀, F₁ the distribution functions of x in the classes and p = P(second class), a cut at x' errs with probability

    second class above    p·F₁(x') + (1 − p)(1 − F₀(x'))
    second class below    p·(1 − F₁(x')) + (1 − p)·F₀(x')                                                        (1)

L, the smallest value of (1), is at most min(p, 1 − p) (the constant rules, x' = ∞); `stoller_bound` has a bound of it for any
distributions with given means and deviations. For normal classes (1) is least where the densities cross, p·f₁ = (1 − p)·f₀: the
roots of a quadratic,

    x²(1/s₁² − 1/s₀²) − 2x(m₁/s₁² − m₀/s₀²) + m₁²/s₁² − m₀²/s₀² + 2 ln(s₁(1 − p)/(s₀p)) = 0                      (2)

or at infinity. With equal deviations that cut is the Bayes rule itself.

Reference: Stoller, "Univariate two-population distribution-free discrimination", JASA 49, 1954.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.stats import norm

from aprendiz.linear.diagnostics.moment_bounds import check_deviations


class TheoreticalCut(NamedTuple):
    """Where to cut, on which side the second class is (1 above, −1 below), and the probability of an error."""

    threshold: float
    orientation: int
    error: float


def theoretical_cut(m0: float, s0: float, m1: float, s1: float, p: float = 0.5) -> TheoreticalCut:
    """The best cut between N(m₀, s₀²) and N(m₁, s₁²), where the second class has probability p."""
    check_deviations(s0, s1)
    if s0 == 0 or s1 == 0:
        raise ValueError(f"The standard deviations of normal classes must be above 0, got s0={s0!r} and s1={s1!r}.")
    if not 0 < p < 1:
        raise ValueError(f"p must be a probability above 0 and below 1, got {p!r}.")
    cuts = [(x, side) for x in crossings(m0, s0, m1, s1, p) for side in (1, -1)]
    cuts += [(np.inf, 1 if p <= 0.5 else -1)]
    found = [TheoreticalCut(float(x), side, error_of(x, side, m0, s0, m1, s1, p)) for x, side in cuts]
    return min(found, key=lambda cut: cut.error)


def error_of(x: float, orientation: int, m0: float, s0: float, m1: float, s1: float, p: float) -> float:
    """(1) for normal classes."""
    above = p * norm.cdf(x, m1, s1) + (1.0 - p) * norm.sf(x, m0, s0)
    below = p * norm.sf(x, m1, s1) + (1.0 - p) * norm.cdf(x, m0, s0)
    return float(above if orientation > 0 else below)


def crossings(m0: float, s0: float, m1: float, s1: float, p: float) -> list[float]:
    """The real roots of (2), computed around the middle of the means and in units of s₀."""
    middle, ratio = (m0 + m1) / 2.0, s1 / s0
    a0, a1 = (m0 - middle) / s0, (m1 - middle) / s0
    square, line = 1.0 / ratio**2 - 1.0, -2.0 * (a1 / ratio**2 - a0)
    constant = a1**2 / ratio**2 - a0**2 + 2.0 * np.log(ratio * (1.0 - p) / p)
    if square == 0:
        return [float(middle - s0 * constant / line)] if line else []
    inside = line**2 - 4.0 * square * constant
    if inside < 0:
        return []
    q = -0.5 * (line + np.copysign(np.sqrt(inside), line))  # no difference of nearly equal numbers
    roots = [q / square, constant / q] if q else [0.0]
    return [float(middle + s0 * root) for root in roots]
