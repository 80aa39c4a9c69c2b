"""Wilson's interval of a share: all p from which the observed share is not too many standard deviations away.

    (p̂ − p)² ≤ z²·p(1 − p)/n,     z the quantile of the normal distribution, P(|Z| > z) = δ                      (1)

The normal distribution stands for the binomial one, so it covers p with probability near 1 − δ, on the average over p, not at
least 1 − δ for each: for a guarantee use `clopper_pearson`, which is wider. The ends of (1) are in intervals/row_intervals.py;
an end at p̂ ± ε is reached where

    z² = n·ε²/(q(1 − q)),     q = p̂ ± ε                                                                         (2)

so the worst p̂ is the one whose farther end is ½: n = z²/(4ε²).

Reference: Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22, 1927.
"""

from __future__ import annotations

from math import inf, log, sqrt
from typing import Any

from scipy.special import log_ndtr, ndtri

from aprendiz.evaluation.bounds.shares.share_bound import Interval, ShareBound
from aprendiz.evaluation.intervals import row_intervals


class Wilson(ShareBound):
    """(1), (2)."""

    name = "wilson"

    def interval(self, n: int, errors: float, delta: float) -> Interval:
        low, high = row_intervals.wilson(errors / n, n, -float(ndtri(delta / 2.0)))
        return (max(0.0, low) if errors > 0 else 0.0), (min(1.0, high) if errors < n else 1.0)  # their values, without rounding

    def log_delta(self, n: int, rate: float, eps: float) -> float:
        widest = max(q * (1.0 - q) if 0 < q < 1 else 0.0 for q in (rate + eps, rate - eps))
        return log(2.0) + float(log_ndtr(-eps * sqrt(n / widest))) if widest > 0 else -inf

    def worst_rate(self, n: int, eps: float) -> float:
        return max(0.0, 0.5 - eps)


def wilson(
    n: int | None = None,
    *,
    errors: int | None = None,
    eps: float | None = None,
    delta: float | None = None,
    rate: float | None = None,
) -> Any:
    """The interval of an error from a count on held-out rows by the normal distribution, and what it needs.

    Parameters
    ----------
    n : int, optional
        Rows that had no part in the choice of the rule.
    errors : int, optional
        How many of them it got wrong.
    eps : float, optional
        ε: how far the farther end is from the share of errors.
    delta : float, optional
        δ: the probability, nearly, that the interval misses the error.
    rate : float, optional
        The share of errors that you expect, where none was observed; by default the worst one.

    Returns
    -------
    float, int or tuple of two floats
        With n, errors and delta, the interval of the error. With n and eps, δ; with n and delta, ε; with eps and delta, the
        number of rows.

    Examples
    --------
    >>> low, high = wilson(100, errors=5, delta=0.05)
    >>> round(low, 4), round(high, 4)
    (0.0215, 0.1118)
    >>> wilson(eps=0.05, delta=0.05)
    385
    """
    return Wilson().answer(n, errors, eps, delta, rate)
