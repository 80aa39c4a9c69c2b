"""Hoeffding's inequality: how far the share of errors on n held-out rows can be from the error, whatever the error is.

    P(|p̂ − p| ≥ ε) ≤ 2·e^{−2nε²}                                                                                (1)

It holds for every n and p, also for means of losses between 0 and 1. It does not know that small errors vary little: where few
rows err, `clopper_pearson` and `empirical_bernstein` are closer.

Reference: Hoeffding, "Probability inequalities for sums of bounded random variables", JASA 58, 1963, theorem 2.
"""

from __future__ import annotations

from math import ceil, log, sqrt
from typing import Any

from aprendiz.evaluation.bounds.shares.share_bound import Interval, ShareBound


class Hoeffding(ShareBound):
    """(1)."""

    name = "hoeffding"

    def interval(self, n: int, errors: float, delta: float) -> Interval:
        eps = self.worst_reach(n, delta)
        return max(0.0, errors / n - eps), min(1.0, errors / n + eps)

    def log_delta(self, n: int, rate: float, eps: float) -> float:
        return log(2.0) - 2.0 * n * eps**2

    def worst_rate(self, n: int, eps: float) -> float:
        return 0.5  # (1) is the same for all

    def reach(self, n: int, rate: float, delta: float) -> float:
        return self.worst_reach(n, delta)

    def worst_reach(self, n: int, delta: float) -> float:
        return sqrt(log(2.0 / delta) / (2.0 * n))

    def rows(self, rate: float | None, eps: float, delta: float) -> int:
        return max(1, ceil(log(2.0 / delta) / (2.0 * eps**2)))


def hoeffding(n: int | None = None, *, errors: int | None = None, eps: float | None = None, delta: float | None = None) -> Any:
    """How far the error on n held-out rows is from the error itself (two-sided), or how many rows a promise needs.

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

    Returns
    -------
    float, int or tuple of two floats
        With n and eps, δ (a bound above 1 says nothing); with n and delta, ε; with eps and delta, the number of rows. With n,
        errors and delta, the interval of the error.

    Examples
    --------
    >>> round(hoeffding(1000, delta=0.05), 4), round(hoeffding(1000, eps=0.05), 4), hoeffding(eps=0.05, delta=0.05)
    (0.0429, 0.0135, 738)
    """
    return Hoeffding().answer(n, errors, eps, delta)
