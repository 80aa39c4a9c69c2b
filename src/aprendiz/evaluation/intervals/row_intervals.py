"""Intervals of a score from the rows it was measured on: how much it would vary with other rows.

With z the quantile of the normal distribution (1.96 for 95 %) and s the standard deviation of n values,

    share p of the rows:      (p + z²/2n ± z·√(p(1 − p)/n + z²/4n²)) / (1 + z²/n)              Wilson          (1)
    mean of v over the rows:  m ± z·s_v/√n;     of its root: the roots of both ends                            (2)
    ratio of means ρ = p̄/q̄:   ρ ± z·s_ψ/√n,     ψ = (p − ρ·q)/q̄                                               (3)

(3) is (2) for what each row adds to ρ: dρ = dp̄/q̄ − ρ·dq̄/q̄, and a row moves p̄ and q̄ by (p − p̄)/n and (q − q̄)/n. NMSE is
such a ratio, with p = (y − ŷ)² and q = (y − ȳ)²; that ȳ is estimated too adds nothing, since q̄ is least at ȳ and does not
change with it in first order. R² = 1 − NMSE.

    measure of a table of counts N:  quantiles over tables drawn from multinomial(n, N/n)                      (4)

Rows drawn with replacement fall into the cells in just this way: (4) is the bootstrap of the rows, without the rows.

The area under the ROC curve, the mean over K classes of each against the rest: b_ik is the share of the rows on the other
side of class k that row i is ranked rightly against, ties counting half, n_ik the number of rows on its own side, and A_k
the mean of b over either side. The error is

    error² = Σ_i u_i²,     u_i = mean over k of (b_ik − A_k) / √(n_ik(n_ik − 1))                               (5)

u_i is what row i adds to all the areas together, so (5) knows that they share their rows. A single curve, all that two
classes need, has exactly DeLong's error, and the interval is DeLong's, on the logit scale (delong.py).

Rows that were tested r times, by folds that were repeated or by replicates, are still n rows, of which a measure of all r·n
predictions takes each for another. What is said of a row varies less than rows do, so the ends are moved away from the value by

    (end − value)·√r                                                                                          (6)

A few rows of a long tail say little of it: of 30 rows the intervals of the mean squared error, the log loss and Matthews'
coefficient held the truth in some 90 % of drawn tables, of 300 rows in 94 to 95 % (docs/methods/how_sure_are_we.md).

Cost: O(n) for (1) to (3), O(K²) for each table, a sort for each curve.
References: Wilson, JASA 22, 1927; Efron & Tibshirani, An Introduction to the Bootstrap, 1993, ch. 13; van der Vaart,
Asymptotic Statistics, 1998, ch. 3; DeLong, DeLong & Clarke-Pearson, Biometrics 44, 1988.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import ndtri

from aprendiz.core.rows import Array
from aprendiz.evaluation import Outcomes
from aprendiz.evaluation.intervals import delong
from aprendiz.evaluation.measures.ratio import ratio

Interval = tuple[float, float]

RESAMPLES = 1000
CELLS = 1 << 22  # of drawn tables in memory at once


def share_interval(hits: Array, level: float) -> Interval:
    """(1), of rows that are 1 or 0."""
    return wilson(float(hits.mean()), len(hits), float(ndtri(0.5 + level / 2)))


def wilson(share: float, n: int, z: float) -> Interval:
    """(1), of a share of n rows."""
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return float(centre - half), float(centre + half)


def mean_interval(values: Array, level: float) -> Interval:
    """(2). NaN from a single row, which has no spread."""
    if len(values) < 2:
        return float("nan"), float("nan")
    mean, half = float(values.mean()), float(ndtri(0.5 + level / 2) * values.std(ddof=1) / np.sqrt(len(values)))
    return mean - half, mean + half


def root_interval(values: Array, level: float) -> Interval:
    """(2), of the root of the mean of values that are not negative."""
    low, high = np.sqrt(np.maximum(mean_interval(values, level), 0.0)).tolist()
    return low, high


def ratio_interval(part: Array, whole: Array, level: float) -> Interval:
    """(3)."""
    unit = whole.mean()
    value = part.mean() / unit
    return mean_interval(value + (part - value * whole) / unit, level)


def of_rows_tested_again(value: float, interval: Interval, times: float) -> Interval:
    """(6); the interval itself for rows that were tested once."""
    if times == 1:
        return interval
    low, high = (value + (end - value) * np.sqrt(times) for end in interval)
    return float(low), float(high)


# ---- tables ------------------------------------------------------------------------------------------------------------


def drawn_outcomes(table: Array) -> Outcomes:
    """Each class against the rest in the tables of (4): arrays of shape (RESAMPLES, K)."""
    blocks = [vars(outcomes(tables)) for tables in drawn_tables(table)]
    return Outcomes(**{name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]})


def drawn_tables(table: Array) -> Iterator[Array]:
    """The tables of (4), some at a time."""
    random = np.random.default_rng(0)
    occupied = np.flatnonzero(table)  # an empty cell stays empty
    counts = table.ravel()[occupied]
    n, block = counts.sum(), max(1, CELLS // table.size)
    for start in range(0, RESAMPLES, block):
        tables = np.zeros((min(block, RESAMPLES - start), table.size), dtype=np.int64)
        tables[:, occupied] = random.multinomial(n, counts / n, len(tables))
        yield tables.reshape(-1, *table.shape)


def tables_with_one_more(table: Array) -> Iterator[Array]:
    """The table with one more row in each occupied cell in turn, some at a time."""
    occupied, block = np.flatnonzero(table), max(1, CELLS // table.size)
    for start in range(0, len(occupied), block):
        some = occupied[start : start + block]
        tables = np.tile(table.ravel(), (len(some), 1))
        tables[np.arange(len(some)), some] += 1
        yield tables.reshape(-1, *table.shape)


def outcomes(tables: Array) -> Outcomes:
    """Each class against the rest, in tables of shape (…, K, K)."""
    right = np.diagonal(tables, axis1=-2, axis2=-1)
    called, missed = tables.sum(axis=-2) - right, tables.sum(axis=-1) - right
    return Outcomes(right, called, missed, tables.sum(axis=(-2, -1))[..., None] - right - called - missed)


def quantile_interval(drawn: Array, level: float) -> Interval:
    """(4), from the measure of each drawn table; those without one (NaN) are left out."""
    low, high = np.nanquantile(drawn, [0.5 - level / 2, 0.5 + level / 2]).tolist()
    return low, high


# ---- areas -------------------------------------------------------------------------------------------------------------


def area_interval(positive: Array, score: Array, level: float) -> Interval:
    """(5), with a column for each curve. NaN where all separate their sides, or one has a single row on a side."""
    areas = [*map(area, positive.T, score.T)]
    return delong.interval(float(np.mean(areas)), float(np.linalg.norm(pulls_of_areas(positive, score))), level)


def pulls_of_areas(positive: Array, score: Array) -> Array:
    """u of (5), with a column for each curve."""
    return np.mean([*map(pull_of_area, positive.T, score.T)], axis=0)


def area(positive: Array, score: Array) -> float:
    """A_k of one curve, which needs a row on both sides."""
    return float(placements(positive, score)[positive].mean())


def pull_of_area(positive: Array, score: Array) -> Array:
    """u of (5) if there were this curve only."""
    placed = placements(positive, score)
    own = np.where(positive, np.count_nonzero(positive), np.count_nonzero(~positive))
    return ratio(placed - placed[positive].mean(), np.sqrt(own * (own - 1.0)))


def placements(positive: Array, score: Array) -> Array:
    """b of (5) for one curve: what share of the other side each row is ranked rightly against."""
    place = np.unique(score, return_inverse=True)[1]
    positives = np.bincount(place, positive)
    negatives = np.bincount(place) - positives
    below = (np.cumsum(negatives) - negatives / 2) / negatives.sum()
    above = 1.0 - (np.cumsum(positives) - positives / 2) / positives.sum()
    return np.where(positive, below[place], above[place])
