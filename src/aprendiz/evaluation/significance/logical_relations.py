"""All pairs of k learners: p-values raised by what the pairs say of each other (Shaffer, Bergmann and Hommel).

If a equals b and b equals c, then a equals c. So not every set of the m = k(k − 1)/2 equalities can be the set of the true
ones: those that can are the pairs inside the groups of a partition of the learners, the exhaustive sets. Of 4 learners, never
4 or 5 of the 6 equalities are true without the others.

    Shaffer, static:     min(1, max over j ≤ i of t_j·p_j),   t_j the largest possible number of true ones ≤ m − j + 1     (1)
    numbers possible:    S(0) = S(1) = {0},   S(k) = ∪_{j=1..k} {j(j − 1)/2 + s : s ∈ S(k − j)}                            (2)
    Bergmann–Hommel:     min(1, max over exhaustive sets I with i ∈ I of |I|·min over j ∈ I of p_j)                        (3)

There are as many exhaustive sets as partitions (Bell's numbers, 21,147 for 9 learners, 115,975 for 10); they do not depend on
the p-values and are kept, as a table of partitions × pairs, so (3) is two passes over that table.

References: Shaffer, JASA 81, 1986; Bergmann & Hommel, 1988; García & Herrera, JMLR 9, 2008.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.evaluation.significance.adjusted_p_values import in_order

MOST_LEARNERS = 10  # of (3)


def shaffer(p_values: Sequence[float] | Array, k: int) -> Array:
    """(1), of the p-values of all pairs of k learners."""
    p = np.asarray(p_values, dtype=np.float64)
    order, raised = in_order(p), p.copy()
    possible, left = np.array(sorted(possible_numbers(k))), np.arange(len(p), 0, -1)
    most = possible[np.searchsorted(possible, left, side="right") - 1]
    raised[order] = np.minimum(1.0, np.maximum.accumulate(p[order] * most))
    return raised


@lru_cache(maxsize=128)
def possible_numbers(k: int) -> frozenset[int]:
    """(2): how many of the equalities of k learners can be true."""
    if k < 2:
        return frozenset({0})
    return frozenset(j * (j - 1) // 2 + s for j in range(1, k + 1) for s in possible_numbers(k - j))


def bergmann_hommel(p_values: Sequence[float] | Array, k: int) -> Array:
    """(3), of the p-values of all pairs of k learners, in the order (0, 1), (0, 2), …, (k − 2, k − 1)."""
    if k > MOST_LEARNERS:
        raise ValueError(
            f"Bergmann and Hommel's method goes through all partitions of {k} learners: it is for up to {MOST_LEARNERS}. "
            'Use posthoc="shaffer".'
        )
    p = np.asarray(p_values, dtype=np.float64)
    together = exhaustive_sets(k)
    least = np.where(together, p, np.inf).min(axis=1)
    bound = together.sum(axis=1) * least
    return np.minimum(1.0, np.where(together, bound[:, None], 0.0).max(axis=0))


@lru_cache(maxsize=8)
def exhaustive_sets(k: int) -> Array:
    """A row for each partition of k learners but that into single ones, a column for each pair: are the two together?"""
    groups = partitions(k)
    i, j = np.triu_indices(k, 1)
    together = groups[:, i] == groups[:, j]
    return together[together.any(axis=1)]


def partitions(k: int) -> Array:
    """All partitions of k things, as the number of each one's group: the first is in group 0, each later one in a group that
    there is, or in the next new one."""
    groups, used = np.zeros((1, 1), dtype=np.int8), np.ones(1, dtype=np.int64)
    for _ in range(1, k):
        which = np.repeat(np.arange(len(groups)), used + 1)
        first = np.cumsum(used + 1) - (used + 1)
        new = np.arange(len(which)) - first[which]
        groups = np.column_stack([groups[which], new.astype(np.int8)])
        used = np.maximum(used[which], new + 1)
    return groups
