"""In how many ways a class of rules labels m points, at most: the growth function.

    VC dimension h                    S(m) ≤ Σ_{i≤h} C(m, i)                              Sauer's lemma          (1)
    K functions, the largest decides  S(m) ≤ (1)^{K(K−1)/2}, h that of a single comparison                       (2)
    trees with ℓ leaves, d columns    S(m) ≤ K^ℓ·C_{ℓ−1}·(d(m − 1))^{ℓ−1}  for m ≥ ℓ, C_i Catalan's numbers      (3)

(2): the label is known if it is known for each pair of classes which is larger. (3): a binary tree with ℓ leaves has one of
C_{ℓ−1} shapes and ℓ − 1 inner nodes; of numeric columns each of them cuts its points in at most d(m − 1) ways that leave none
of the sides empty; each leaf has one of K labels. Trees with fewer leaves label no other way, for a leaf with two points can be
cut into two of one label.

The VC dimension of the errors of the rules (which of the points are labelled wrongly) is at most the largest m of S(m) ≥ 2^m:

    h ≤ max {m : S(m) ≥ 2^m}                                                                                    (4)

Of (1) it is h itself.

References: Sauer, J. Combinatorial Theory A 13, 1972; Shalev-Shwartz & Ben-David, "Understanding machine learning", 2014,
chapters 6, 18 and 29.
"""

from __future__ import annotations

from collections.abc import Callable
from math import lgamma, log

import numpy as np
from scipy.special import logsumexp

LN_2 = log(2.0)


def log_sauer(m: int, h: int) -> float:
    """ln (1); all 2^m labellings for h ≥ m."""
    if h >= m:
        return m * LN_2
    j = np.arange(h)
    return float(
        logsumexp(np.append(0.0, np.cumsum(np.log((float(m) - j) / (j + 1.0)))))
    )  # C(m, i + 1)/C(m, i) = (m − i)/(i + 1)


def log_tree_labellings(m: int, leaves: int, columns: int, classes: int) -> float:
    """ln (3); for m < ℓ all K^m labellings."""
    if m < leaves:
        return m * log(classes)
    if leaves == 1:
        return log(classes)
    inner = leaves - 1
    log_catalan = lgamma(2 * inner + 1) - lgamma(inner + 1) - lgamma(inner + 2)
    return leaves * log(classes) + log_catalan + inner * (log(columns) + log(m - 1.0))


def largest_shattered(log_labellings: Callable[[int], float], least: int) -> int:
    """(4), from `least` points on, that can be shattered as far as is known: ln S(m) is concave, so it stays below m·ln 2 once
    it is. Twice as many points until it is, then by halves."""
    low, high = least, max(2, 2 * least)
    while enough(log_labellings, high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if enough(log_labellings, middle) else (low, middle)
    return low


def enough(log_labellings: Callable[[int], float], m: int) -> bool:
    """S(m) ≥ 2^m, with room for rounding: more is safe."""
    return log_labellings(m) >= m * LN_2 * (1.0 - 1e-12)
