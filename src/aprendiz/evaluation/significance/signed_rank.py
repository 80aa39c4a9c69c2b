"""Two learners over several tables: Wilcoxon's signed-rank test.

The sizes |d_i| of the n differences are ranked, equal ones sharing the mean of their ranks:

    R⁺ = Σ of the ranks of d > 0,     R⁻ = Σ of those of d < 0,     T = min(R⁺, R⁻)                          (1)

Differences of zero are, as is asked for: "split", half of their ranks going to either side and one of an odd number left out
(Demšar); "drop", left out before ranking (Wilcoxon); "pratt", ranked and then left out (Pratt).

If the learners are equal, each rank of a difference that is not zero goes to either side with probability ½. Up to EXACT of
them, the distribution of R⁺ is counted, with the ranks as they are, ties included (twice a mean rank is a whole number):

    c_r(s) = c_{r−1}(s) + c_{r−1}(s − 2·rank_r),     P(R⁺ = s/2) = c_n(s)/2ⁿ                                 (2)

Beyond, R⁺ is normal with mean ½ Σ ranks and variance ¼ Σ ranks². The estimate is that of Hodges and Lehmann, the median of
the means of all pairs of differences (d_i + d_j)/2, i ≤ j; its interval lies between the m-th smallest and the m-th largest
of these means, m the number of the values of R⁺ below the α/2 quantile. The effect size is the rank-biserial correlation (R⁺
− R⁻)/(R⁺ + R⁻).

Cost: O(n³) for (2), O(n²) for the estimate.
References: Wilcoxon, Biometrics Bulletin 1, 1945; Demšar, JMLR 7, 2006; Pratt, JASA 54, 1959; Hollander, Wolfe & Chicken,
Nonparametric Statistical Methods, 2014, ch. 3; Kerby, Comprehensive Psychology 3, 2014.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import numpy as np
from scipy.special import ndtr, ndtri
from scipy.stats import rankdata

from aprendiz.core.rows import Array
from aprendiz.evaluation.significance.finding import Alternative, Assumption, Finding, tail

Zeros = Literal["split", "drop", "pratt"]
EXACT = 50  # differences up to which (2) is counted; 2⁵⁰ is exact in a double
FEWEST = 6  # differences that can reach p < 0.05: 2·2⁻⁶


def signed_rank(
    differences: Array,
    *,
    zeros: Zeros = "split",
    level: float = 0.05,
    alternative: Alternative = "two-sided",
    assumptions: tuple[Assumption, ...] = (),
) -> Finding:
    """(1) and its p-value."""
    ranks, signs = ranks_and_signs(differences, zeros)
    plus, minus = (float(ranks[signs == side].sum() + ranks[signs == 0].sum() / 2) for side in (1, -1))
    moving = ranks[signs != 0]
    constant = float(ranks[signs == 0].sum() / 2)
    exact = len(moving) <= EXACT
    below, above = (exact_tails if exact else normal_tails)(moving, plus - constant)
    low, high = walsh_interval(differences, level)
    return Finding(
        estimate=pseudo_median(differences),
        interval=(low, high),
        statistic=min(plus, minus),
        statistic_name="T",
        p_value=tail(below, above, alternative),
        side=plus - minus,
        effect_size=(plus - minus) / (plus + minus) if plus + minus else 0.0,
        effect_name="rank-biserial correlation",
        assumptions=(*assumptions, *checks(differences, moving, zeros, exact)),
    )


def ranks_and_signs(differences: Array, zeros: Zeros) -> tuple[Array, Array]:
    """The ranks of the sizes, and the signs; those of zeros are 0, and there are none of them but with "split"."""
    d = np.asarray(differences, dtype=np.float64)
    if zeros == "drop":
        d = d[d != 0]
    elif zeros == "split" and (d == 0).sum() % 2:
        d = np.delete(d, np.flatnonzero(d == 0)[0])
    ranks, signs = rankdata(np.abs(d)) if len(d) else d, np.sign(d)
    return (ranks[signs != 0], signs[signs != 0]) if zeros == "pratt" else (ranks, signs)


def exact_tails(ranks: Array, plus: float) -> tuple[float, float]:
    """P(R⁺ ≤ plus) and P(R⁺ ≥ plus) by (2)."""
    counts = subset_sums(tuple(np.rint(2 * ranks).astype(int).tolist()))
    here, total = round(2 * plus), counts.sum()
    return float(counts[: here + 1].sum() / total), float(counts[here:].sum() / total)


@lru_cache(maxsize=64)
def subset_sums(parts: tuple[int, ...]) -> Array:
    """In how many ways some of the parts add up to 0, 1, 2, …"""
    counts = np.zeros(sum(parts) + 1)
    counts[0] = 1.0
    for part in parts:
        counts[part:] += counts[:-part].copy()
    return counts


def normal_tails(ranks: Array, plus: float) -> tuple[float, float]:
    """The same by the normal distribution."""
    z = (plus - ranks.sum() / 2) / np.sqrt((ranks**2).sum() / 4)
    return float(ndtr(z)), float(ndtr(-z))


# ---- the estimate ------------------------------------------------------------------------------------------------------


def walsh_averages(differences: Array) -> Array:
    """The means of all pairs of differences, each with itself too, in order."""
    i, j = np.triu_indices(len(differences))
    return np.sort((differences[i] + differences[j]) / 2)


def pseudo_median(differences: Array) -> float:
    return float(np.median(walsh_averages(differences)))


def walsh_interval(differences: Array, level: float) -> tuple[float, float]:
    """The interval of the pseudo-median; endless where n is too small for the level."""
    n = len(differences)
    if n <= EXACT:
        counts = subset_sums(tuple(range(1, n + 1)))
        below = np.cumsum(counts) / counts.sum()
        m = int(np.searchsorted(below, level / 2, side="right"))  # the values with P(R⁺ ≤ value) at most α/2
    else:
        m = int(n * (n + 1) / 4 + ndtri(level / 2) * np.sqrt(n * (n + 1) * (2 * n + 1) / 24))
    if m < 1:
        return -np.inf, np.inf
    averages = walsh_averages(differences)
    return float(averages[m - 1]), float(averages[len(averages) - m])


# ---- what it takes for granted -----------------------------------------------------------------------------------------


def checks(differences: Array, moving: Array, zeros: Zeros, exact: bool) -> tuple[Assumption, ...]:
    """Zeros and ties, how the p-value was found, and whether there are enough differences."""
    none, sizes = int((differences == 0).sum()), np.abs(differences[differences != 0])
    tied = len(sizes) - len(np.unique(sizes))
    return (
        Assumption(f"zeros_{zeros}", none > 0, {"count": none}),
        Assumption("ties_exact" if exact else "ties_normal", tied > 0, {"count": tied}),
        Assumption("enough_differences", len(moving) < FEWEST, {"count": len(moving), "needed": FEWEST}),
    )
