"""Which learners differ, after Friedman's test: differences of mean ranks, all pairs or against a control.

Of k learners over N tables, with mean ranks R,

    z_ij = (R_i − R_j) / √(k(k + 1)/6N)                                                                       (1)
    Nemenyi:           p_ij = P(range of k normal numbers > √2·|z_ij|),    CD = q_α/√2 · √(k(k + 1)/6N)        (2)
    Bonferroni–Dunn:   p_i = min(1, (k − 1)·2Φ(−|z_i,control|)),           CD = z_{α/2(k−1)}·√(k(k + 1)/6N)    (3)
    the others:        p-values 2Φ(−|z_ij|), raised by the method (adjusted_p_values.py, logical_relations.py)

CD is the critical difference: mean ranks that differ by less cannot be told apart. (3) makes fewer comparisons than (2), and
finds more.

References: Nemenyi, thesis, Princeton, 1963; Dunn, JASA 56, 1961; Demšar, JMLR 7, 2006; García & Herrera, JMLR 9, 2008.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

from aprendiz.core.rows import Array
from aprendiz.evaluation.significance.adjusted_p_values import bonferroni, hochberg, holm
from aprendiz.evaluation.significance.finding import NAN
from aprendiz.evaluation.significance.logical_relations import bergmann_hommel, shaffer
from aprendiz.evaluation.significance.studentized_range import range_quantile, range_tail

FOR_ALL_PAIRS: dict[str, Callable[[Array, int], Array]] = {
    "holm": lambda p, k: holm(p),
    "hochberg": lambda p, k: hochberg(p),
    "shaffer": shaffer,
    "bergmann_hommel": bergmann_hommel,
}
FOR_A_CONTROL: dict[str, Callable[[Array], Array]] = {"bonferroni_dunn": bonferroni, "holm": holm, "hochberg": hochberg}
POSTHOC = ("nemenyi", "holm", "hochberg", "shaffer", "bergmann_hommel", "bonferroni_dunn")


@dataclass(frozen=True)
class RankDifferences:
    """The pairs (in two arrays of numbers of learners), their z, their p-values and raised p-values, and the critical
    difference, NaN for methods without."""

    first: Array
    second: Array
    z: Array
    p_values: Array
    adjusted: Array
    critical: float


def standard_error(k: int, N: int) -> float:
    """√(k(k + 1)/6N) of (1)."""
    return float(np.sqrt(k * (k + 1) / (6 * N)))


def rank_differences(
    mean_ranks: Array, N: int, method: str, level: float = 0.05, control: int | None = None
) -> RankDifferences:
    """All pairs, or the pairs of a control with each other learner, by a method of POSTHOC."""
    k, error = len(mean_ranks), standard_error(len(mean_ranks), N)
    if control is None:
        first, second = np.triu_indices(k, 1)
    else:
        second = np.array([j for j in range(k) if j != control])
        first = np.full(k - 1, control)
    z = (mean_ranks[first] - mean_ranks[second]) / error
    p = 2 * ndtr(-np.abs(z))
    critical = NAN
    if method == "nemenyi":
        adjusted = range_tail(np.sqrt(2) * np.abs(z), k)
        critical = critical_difference(k, N, level)
    elif control is not None:
        adjusted = FOR_A_CONTROL[method](p)
        critical = critical_difference_to_control(k, N, level) if method == "bonferroni_dunn" else NAN
    else:
        adjusted = FOR_ALL_PAIRS[method](p, k)
    return RankDifferences(first, second, z, p, adjusted, critical)


def critical_difference(k: int, N: int, level: float) -> float:
    """Nemenyi's CD of (2)."""
    return range_quantile(level, k) / float(np.sqrt(2)) * standard_error(k, N)


def critical_difference_to_control(k: int, N: int, level: float) -> float:
    """Dunn's CD of (3)."""
    return float(ndtri(1 - level / (2 * (k - 1)))) * standard_error(k, N)


def cliques(mean_ranks: Array, apart: Array) -> list[tuple[int, ...]]:
    """The largest runs of learners, in order of their mean ranks, of which no two are apart (a matrix of True and False)."""
    order = np.argsort(mean_ranks, kind="stable")
    runs: list[tuple[int, ...]] = []
    for start in range(len(order)):
        end = start + 1
        while end < len(order) and not apart[np.ix_(order[start : end + 1], order[start : end + 1])].any():
            end += 1
        if end - start > 1 and not (runs and order[end - 1] in runs[-1]):
            runs.append(tuple(order[start:end].tolist()))
    return runs
