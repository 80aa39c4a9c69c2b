"""Starts for k-medoids: BUILD, k-medoids++, or rows at random.

BUILD takes the row with the smallest cost as the only medoid, then again and again the row that lowers the cost most:

    G_M(c) = Σ w max(d_M(x) − d(x, c), 0),     d_M(x) = distance of x to the nearest medoid so far             (1)

G_M(c) only shrinks as M grows, so a gain computed earlier is an upper bound of the present one. Candidates are evaluated anew
in the order of their old gains until a fresh one is on top: the same choice as by evaluating all of them, at a fraction of the
work. Sums of the same terms in the same order, each rounded down or not together, keep that order in floating point too.

k-medoids++ draws each next medoid with probability proportional to w·d_M(x), 2 + ln k times, and keeps the best draw.

Cost: O(n²) for the first two medoids of BUILD and, for the others, O(n) for each of a few candidates; O(n·k·ln k) for
k-medoids++. On 5 000 rows in 50 clusters, 10 000 gains are computed after the first two medoids instead of 240 000.
References: Kaufman & Rousseeuw, "Finding Groups in Data", 1990; Minoux, "Accelerated greedy algorithms for maximizing
submodular set functions", 1978.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.cluster.medoids.swaps import Candidates, row_costs, row_gains
from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array

BATCH = 32  # old gains that are computed anew together


def build(candidates: Candidates, weight: Array, k: int) -> Array:
    """The rows that BUILD takes, in its order; of equal gains the lower row."""
    allowed = np.flatnonzero(weight > 0)
    costs, gains = np.empty(len(allowed)), np.empty(len(allowed))
    candidates.each(row_costs, allowed, (weight,), (costs,))
    taken = [int(np.argmin(costs))]
    least = candidates.rows(allowed[taken])[0]
    candidates.each(row_gains, allowed, (weight, least), (gains,))
    while len(taken) < k:
        gains[taken[-1]] = -1.0  # below every gain
        taken.append(best_candidate(candidates, allowed, weight, least, gains))
        least = np.minimum(least, candidates.rows(allowed[taken[-1:]])[0])
    return allowed[taken]


def best_candidate(candidates: Candidates, allowed: Array, weight: Array, least: Array, gains: Array) -> int:
    """The place of the largest present gain, from old ones, of which some are brought up to date."""
    fresh = gains < 0
    while not fresh[best := int(np.argmax(gains))]:
        bounds = np.where(fresh, -1.0, gains)
        some = np.argpartition(bounds, -BATCH)[-BATCH:] if len(bounds) > BATCH else np.flatnonzero(~fresh)
        some = np.sort(some[~fresh[some]])
        present = np.empty(len(some))
        candidates.each(row_gains, allowed[some], (weight, least), (present,))
        gains[some], fresh[some] = present, True
    return best


def plus_plus(candidates: Candidates, weight: Array, k: int, seed: int) -> Array:
    """Rows drawn with chances w·d_M."""
    trials = 2 + int(np.log(k))
    u = uniforms(seed, 2, k * trials).reshape(k, trials)
    taken = draw_rows(weight, u[0, :1])
    least = candidates.rows(taken)[0]
    for j in range(1, k):
        chances = weight * least
        chances[taken] = 0.0
        if not chances.any():  # all rows coincide with medoids: any other row that counts
            chances = np.where(np.isin(np.arange(len(weight)), taken), 0.0, weight)
        some = np.unique(draw_rows(chances, u[j]))
        gains = np.empty(len(some))
        candidates.each(row_gains, some, (weight, least), (gains,))
        taken = np.append(taken, some[np.argmax(gains)])
        least = np.minimum(least, candidates.rows(taken[-1:])[0])
    return taken


def draw_rows(chances: Array, u: Array) -> Array:
    """Row numbers drawn with the given chances, never one with the chance 0."""
    possible = np.flatnonzero(chances)
    running = np.cumsum(chances[possible])
    return possible[np.minimum(np.searchsorted(running, u * running[-1], side="right"), len(possible) - 1)]


def at_random(weight: Array, k: int, seed: int) -> Array:
    """k different rows, each as likely as its weight."""
    race = -np.log1p(-uniforms(seed, 1, len(weight)))
    race = np.divide(race, weight, out=np.full(len(weight), np.inf), where=weight > 0)
    return np.argsort(race, kind="stable")[:k]


def check_given(numbers: Any, weight: Array, k: int) -> Array:
    """Rows that the user named."""
    found = np.asarray(numbers)
    if found.shape != (k,) or found.dtype.kind not in "iu":
        raise ValueError(
            f"init must be {k} row numbers, one for each cluster; got an array {found.dtype} of shape {found.shape}."
        )
    if (bad := np.flatnonzero((found < 0) | (found >= len(weight)))).size:
        raise ValueError(f"init names row {found[bad[0]]}, but the rows are numbered from 0 to {len(weight) - 1}.")
    if (bad := np.flatnonzero(weight[found] == 0)).size:
        raise ValueError(f"init names row {found[bad[0]]}, whose weight is 0: name one with a positive weight.")
    values, counts = np.unique(found, return_counts=True)
    if counts.max() > 1:
        raise ValueError(f"init names row {values[counts.argmax()]} more than once: name {k} different rows.")
    return found.astype(np.int64)


def check_partition(clusters: Any, weight: Array, k: int) -> Array:
    """The cluster of each row that the user named, 0 to k − 1, each with a row that counts."""
    found = np.asarray(clusters)
    if found.dtype.kind not in "iu":
        raise ValueError(
            f"init must hold the number of the cluster of each row, from 0 to {k - 1}; got an array {found.dtype}."
        )
    if (bad := np.flatnonzero((found < 0) | (found >= k))).size:
        raise ValueError(f"init puts row {bad[0]} in cluster {found[bad[0]]}, but the clusters are numbered from 0 to {k - 1}.")
    if (empty := np.flatnonzero(np.bincount(found[weight > 0], minlength=k) == 0)).size:
        raise ValueError(f"init puts no row in cluster {empty[0]}: give each of the {k} clusters a row with a positive weight.")
    return found.astype(np.int64)
