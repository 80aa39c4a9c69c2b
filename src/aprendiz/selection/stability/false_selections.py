"""How many columns of no use stability selection keeps on average, at most.

A method keeps q of d columns in a half of the rows. Of the columns that it keeps there no more often than chance would, with
probability θ = q/d (the columns of no use, if it is no worse than chance, and they are exchangeable), at most so many are kept
in a share of at least τ of all subsamples:

    "none"         q²/(d·(2τ − 1))                                                                            (1)
    "unimodal"     C(τ, B)·q²/d                                                                               (2)
                   C = 1/(2·(2τ − 1 − 1/(2B)))              up to τ = 3/4
                       4·(1 − τ + 1/(2B))/(1 + 1/B)         from there on
    "r_concave"    d·min(D(θ², 2τ − 1, B, −1/2), D(θ, τ, 2B, −1/4))                                            (3)

with B complementary pairs of halves. (1) is Meinshausen's and Bühlmann's, and holds for any distribution of the shares over
pairs; (2) asks for one peak, and (3) that it falls like a power, as is usual; they are Shah's and Samworth's. D(η, t, B, r) is
the largest P(share ≥ t) of an r-concave distribution on {0, 1/B, …, 1} of mean η.

References: Meinshausen & Bühlmann, "Stability selection", JRSS B 72, 2010; Shah & Samworth, "Variable selection with error
control: another look at stability selection", JRSS B 75, 2013.
"""

from __future__ import annotations

from math import ceil
from typing import Literal

import numpy as np
from scipy import optimize

Assumption = Literal["none", "unimodal", "r_concave"]
STEEPEST, FLATTEST = 1e-5, 1e5  # the parameter of (3)'s extreme distributions


def bound_on_false(q: float, columns: int, threshold: float, pairs: int, assumption: Assumption) -> float:
    """(1), (2) or (3): the expected number of false selections, at most."""
    if q <= 0:
        return 0.0
    worst = min(q, q * q / (columns * (2.0 * threshold - 1.0))) if threshold > 0.5 else q
    if assumption == "none":
        return worst
    if assumption == "unimodal":
        return min(worst, unimodal_factor(q / columns, threshold, pairs) * q * q / columns)
    return min(worst, columns * r_concave_tail(q / columns, threshold, pairs))


def unimodal_factor(theta: float, threshold: float, pairs: int) -> float:
    """C of (2); infinite where it says nothing."""
    step = 1.0 / (2.0 * pairs)
    if threshold > 0.75:
        return 4.0 * (1.0 - threshold + step) / (1.0 + 2.0 * step)
    if threshold <= min(0.5 + theta**2, 0.5 + step + 0.75 * theta**2):
        return np.inf
    low = 2.0 * threshold - 1.0 - step
    return 1.0 / (2.0 * low) if low > 0 else np.inf


def columns_per_sample(columns: int, threshold: float, most_false: float, pairs: int, assumption: Assumption) -> int:
    """The largest q whose bound is within `most_false`; at least 1."""
    low, high = 1, columns
    while low < high:
        q = (low + high + 1) // 2
        low, high = (q, high) if bound_on_false(q, columns, threshold, pairs, assumption) <= most_false else (low, q - 1)
    return low


# ---- r-concave distributions ---------------------------------------------------------------------------------------------


def r_concave_tail(theta: float, threshold: float, pairs: int) -> float:
    """The smaller of the two terms of (3), without d."""
    of_pairs = tail(theta**2, 2.0 * threshold - 1.0, pairs, -0.5)
    return min(of_pairs, tail(theta, threshold, 2 * pairs, -0.25))


def tail(mean: float, threshold: float, B: int, r: float) -> float:
    """D(η, t, B, r). The extreme distributions fall from 0 to a place k like (a + i)^(1/r),
    and end there."""
    t = ceil(round(threshold * B, 9))
    first = ceil(2.0 * mean * B) + 1
    if t < max(first, 1):
        return 1.0
    s, at = -1.0 / r, mean * B

    def moment(a: float, k: int) -> float:
        p = (a + np.arange(k + 1)) ** -s
        return float(np.arange(k + 1) @ p / p.sum()) - at

    places = range(first, B + 1)
    shape = {k: solved(lambda a, k=k: moment(a, k)) for k in places}

    def beyond(a: float, k: int) -> float:
        """P(share ≥ t/B) of the distribution between those of k and k + 1."""
        p = (a + np.arange(k + 1)) ** -s
        return 1.0 - (k + 1 - at) * float(p[:t].sum()) / float((k + 1 - np.arange(k + 1)) @ p)

    found = [beyond(shape[B], B)]
    for k in range(max(first, t - 1), B):
        low, high = shape[k + 1], shape[k]
        best = optimize.minimize_scalar(lambda a, k=k: -beyond(a, k), bounds=(low, high), method="bounded")
        found.append(max(-float(best.fun), beyond(low, k), beyond(high, k)))
    return float(min(1.0, max(found)))


def solved(moment: object) -> float:
    """The shape whose mean is right, within the limits."""
    low, high = STEEPEST, FLATTEST
    if moment(low) >= 0:  # type: ignore[operator]
        return low
    if moment(high) <= 0:  # type: ignore[operator]
        return high
    return float(optimize.brentq(moment, low, high, xtol=1e-12))
