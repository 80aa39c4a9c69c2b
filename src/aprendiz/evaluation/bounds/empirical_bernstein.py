"""The empirical Bernstein bound: as Hoeffding's, with the variance that was observed in the place of the largest possible one.

    P(|p̂ − p| > √(2V·L/n) + 7L/(3(n − 1))) ≤ δ,     L = ln(3/δ),     V = n/(n − 1)·p̂(1 − p̂)                      (1)

It holds for every n ≥ 2 and p. Bennett's inequality on either side and a bound of the variance are three events of probability
δ/3; of one side alone there are two, ln(2/δ), which is the form of the reference. (1) is a quadratic in √L, so

    √L = (−b + √(b² + 4aε))/(2a),     a = 7/(3(n − 1)),     b = √(2V/n)                                          (2)

Where few rows err it is close to L/n, as Clopper and Pearson's is; where many do, the second term costs more than the variance
saves unless there are hundreds of rows.

Reference: Maurer & Pontil, "Empirical Bernstein bounds and sample variance penalization", COLT 2009, theorem 4.
"""

from __future__ import annotations

from math import inf, log, sqrt
from typing import Any

from aprendiz.evaluation.bounds.shares.share_bound import Interval, ShareBound


class EmpiricalBernstein(ShareBound):
    """(1), (2)."""

    name = "empirical_bernstein"

    def interval(self, n: int, errors: float, delta: float) -> Interval:
        eps = self.reach(n, errors / n, delta)
        return max(0.0, errors / n - eps), min(1.0, errors / n + eps)

    def reach(self, n: int, rate: float, delta: float) -> float:
        a, b = coefficients(n, rate)
        L = log(3.0 / delta)
        return b * sqrt(L) + a * L if n > 1 else inf

    def worst_reach(self, n: int, delta: float) -> float:
        return self.reach(n, 0.5, delta)

    def log_delta(self, n: int, rate: float, eps: float) -> float:
        if n < 2:
            return log(3.0)
        a, b = coefficients(n, rate)
        root = 2.0 * eps / (b + sqrt(b * b + 4.0 * a * eps))  # (2), without a difference
        return log(3.0) - root**2

    def worst_rate(self, n: int, eps: float) -> float:
        return 0.5


def coefficients(n: int, rate: float) -> tuple[float, float]:
    """a and b of (2); a single row has no variance."""
    if n < 2:
        return inf, inf
    return 7.0 / (3.0 * (n - 1)), sqrt(2.0 * rate * (1.0 - rate) / (n - 1))


def empirical_bernstein(
    n: int | None = None,
    *,
    errors: int | None = None,
    eps: float | None = None,
    delta: float | None = None,
    rate: float | None = None,
) -> Any:
    """How far the error on n held-out rows is from the error itself, given how much it varied on them.

    Parameters
    ----------
    n : int, optional
        Rows that had no part in the choice of the rule.
    errors : int, optional
        How many of them it got wrong.
    eps : float, optional
        ε: the largest difference.
    delta : float, optional
        δ: the probability that it is larger.
    rate : float, optional
        The share of errors that you expect, where none was observed; by default the worst one, ½.

    Returns
    -------
    float, int or tuple of two floats
        With n, errors and delta, the interval of the error. With n and eps, δ (a bound above 1 says nothing); with n and
        delta, ε; with eps and delta, the number of rows.

    Examples
    --------
    >>> low, high = empirical_bernstein(1000, errors=10, delta=0.05)
    >>> round(low, 4), round(high, 4)
    (0.0, 0.0286)
    """
    return EmpiricalBernstein().answer(n, errors, eps, delta, rate)
