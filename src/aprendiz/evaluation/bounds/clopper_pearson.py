"""The exact interval of a share, of Clopper and Pearson: all p for which the observed count is not too strange.

With X ~ Binomial(n, p) and k errors, the ends are the p for which the count would be as far off with probability δ/2:

    P_low(X ≥ k) = δ/2,     P_high(X ≤ k) = δ/2                                                                 (1)
    low = B⁻¹(δ/2; k, n − k + 1),     high = B⁻¹(1 − δ/2; k + 1, n − k)     quantiles of Beta distributions     (2)

It covers p with probability at least 1 − δ for every p and n. Its δ for a given ε is (1) read from left to right:

    δ(n, p̂, ε) = 2·max(P_{p̂+ε}(X ≤ k), P_{p̂−ε}(X ≥ k))                                                          (3)

Cost: two incomplete beta functions, the same for 10 rows and for 10⁷.
Reference: Clopper & Pearson, "The use of confidence or fiducial limits", Biometrika 26, 1934.
"""

from __future__ import annotations

from math import inf, log
from typing import Any

from scipy.optimize import minimize_scalar
from scipy.special import betainc, betaincc, betainccinv, betaincinv, rel_entr

from aprendiz.evaluation.bounds.shares.share_bound import Interval, ShareBound, first


class ClopperPearson(ShareBound):
    """(2), (3)."""

    name = "clopper_pearson"
    most_rows = 10**12

    def interval(self, n: int, errors: float, delta: float) -> Interval:
        low = upper_end(n, n - errors, delta / 2.0, mirrored=True) if errors > 0 else 0.0
        high = upper_end(n, errors, delta / 2.0) if errors < n else 1.0
        return low, high

    def log_delta(self, n: int, rate: float, eps: float) -> float:
        k = rate * n
        above = betaincc(k + 1, n - k, rate + eps) if rate + eps < 1 else 0.0
        below = betainc(k, n - k + 1, rate - eps) if rate > eps else 0.0
        largest = float(max(above, below))
        return log(2.0) + (log(largest) if largest > 0 else chernoff(n, rate, eps))

    def worst_rate(self, n: int, eps: float) -> float:
        """Found by search up to ½, the other half is its mirror image: (3) rises to one maximum and falls."""
        if eps >= 1:
            return 0.0
        found = minimize_scalar(
            lambda rate: -self.log_delta(n, rate, eps), bounds=(0.0, min(0.5, 1.0 - eps)), options={"xatol": 1e-10}
        )
        return float(found.x) if self.log_delta(n, found.x, eps) >= self.log_delta(n, 0.0, eps) else 0.0


def upper_end(n: int, errors: float, tail: float, mirrored: bool = False) -> float:
    """The p with P_p(X ≤ k) = tail, or with `mirrored` 1 − p: SciPy's quantile, by halves where it has none (tiny tails)."""
    if mirrored:
        found = float(betaincinv(n - errors, errors + 1, tail))
        return found if found == found else 1.0 - upper_end(n, errors, tail)
    found = float(betainccinv(errors + 1, n - errors, tail))
    return found if found == found else first(lambda p: betaincc(errors + 1, n - errors, p) <= tail, errors / n, 1.0)


def chernoff(n: int, rate: float, eps: float) -> float:
    """The exponent −n·KL(p̂, p̂ ± ε), the larger one, that bounds the logarithm of a tail: for tails below the smallest
    number."""
    exponents = [n * (rel_entr(rate, q) + rel_entr(1.0 - rate, 1.0 - q)) for q in (rate + eps, rate - eps) if 0 <= q <= 1]
    return -float(min(exponents, default=inf))


def clopper_pearson(
    n: int | None = None,
    *,
    errors: int | None = None,
    eps: float | None = None,
    delta: float | None = None,
    rate: float | None = None,
) -> Any:
    """The exact interval of an error from a count on held-out rows, and what it needs.

    Parameters
    ----------
    n : int, optional
        Rows that had no part in the choice of the rule.
    errors : int, optional
        How many of them it got wrong.
    eps : float, optional
        ε: how far the farther end is from the share of errors.
    delta : float, optional
        δ: the probability that the interval misses the error.
    rate : float, optional
        The share of errors that you expect, where none was observed; by default the worst one.

    Returns
    -------
    float, int or tuple of two floats
        With n, errors and delta, the interval of the error, of which `low` or `high` alone holds with δ/2. With n and eps,
        δ; with n and delta, ε; with eps and delta, the number of rows.

    Examples
    --------
    >>> low, high = clopper_pearson(100, errors=5, delta=0.05)
    >>> round(low, 4), round(high, 4)
    (0.0164, 0.1128)
    >>> clopper_pearson(eps=0.05, delta=0.05), clopper_pearson(eps=0.05, delta=0.05, rate=0.05)
    (404, 142)
    """
    return ClopperPearson().answer(n, errors, eps, delta, rate)
