"""Several learners over several tables: Friedman's test of their ranks, and Iman and Davenport's.

On each of N tables the k learners are ranked, the best first, equal ones sharing the mean of their ranks. With R_j the mean
rank of learner j over the tables and t the sizes of the groups of equal scores,

    χ²_F = 12N/(k(k + 1)) · [Σ R_j² − k(k + 1)²/4],        k − 1 degrees of freedom                           (1)
    corrected for ties:   χ²_F / (1 − Σ (t³ − t)/(N(k³ − k)))                                                 (2)
    F_F = (N − 1)·χ²_F/(N(k − 1) − χ²_F),                  k − 1 and (k − 1)(N − 1) degrees of freedom        (3)

Ties make (1) too small: (2) is its right size. (3), of either, is less timid than χ². The effect size is Kendall's
coefficient of agreement W = χ²_F/(N(k − 1)), 1 if all tables rank the learners alike.

References: Friedman, JASA 32, 1937; Iman & Davenport, Communications in Statistics 9, 1980; Demšar, JMLR 7, 2006.
"""

from __future__ import annotations

import numpy as np
from scipy.special import chdtrc, fdtrc
from scipy.stats import rankdata

from aprendiz.core.rows import Array
from aprendiz.evaluation.significance.close_values import merged_rows
from aprendiz.evaluation.significance.finding import Assumption, Finding, quotient

FEWEST_TABLES, FEWEST_LEARNERS = 10, 5  # from which the χ² of (1) is close (Demšar)


def ranks_of(scores: Array, more_is_better: bool) -> Array:
    """The ranks of the learners (columns) on each table (row), the best being 1."""
    equal = merged_rows(scores)
    return np.asarray(rankdata(-equal if more_is_better else equal, axis=1))


def tie_correction(ranks: Array) -> float:
    """1 − Σ (t³ − t)/(N(k³ − k)) of (2); 0 if all learners are equal everywhere."""
    N, k = ranks.shape
    shared = (ranks[:, :, None] == ranks[:, None, :]).sum(
        axis=2
    )  # t of each score: Σ over scores of t² − 1 is Σ over groups of t³ − t
    return 1.0 - float((shared.astype(float) ** 2 - 1.0).sum()) / (N * (k**3 - k))


def chi_square_of_ranks(mean_ranks: Array, N: int, correction: float = 1.0) -> float:
    """(1), or (2) with the correction."""
    k = len(mean_ranks)
    return 12 * N / (k * (k + 1)) * (float((mean_ranks**2).sum()) - k * (k + 1) ** 2 / 4) / correction


def iman_davenport_of(chi_square: float, k: int, N: int) -> float:
    """(3); infinite where all tables rank the learners alike."""
    return quotient((N - 1) * chi_square, max(N * (k - 1) - chi_square, 0.0))


def friedman(
    ranks: Array, *, iman_davenport: bool = False, tie_corrected: bool = True, assumptions: tuple[Assumption, ...] = ()
) -> Finding:
    """(1) or (2), or (3) of them, of the ranks of some learners (columns) on some tables (rows)."""
    N, k = ranks.shape
    correction = tie_correction(ranks)
    chi_square = chi_square_of_ranks(ranks.mean(axis=0), N, correction if tie_corrected else 1.0)
    checks: tuple[Assumption, ...] = (
        Assumption("ties_in_ranks" if tie_corrected else "ties_in_ranks_uncorrected", correction < 1.0),
    )
    degrees: tuple[float, ...]
    if iman_davenport:
        degrees, statistic, name = (k - 1.0, (k - 1.0) * (N - 1.0)), iman_davenport_of(chi_square, k, N), "F"
        p = 0.0 if np.isinf(statistic) else float(fdtrc(*degrees, statistic))
    else:
        degrees, statistic, name = (k - 1.0,), chi_square, "χ²"
        p = float(chdtrc(k - 1, chi_square))
        few = N <= FEWEST_TABLES or k < FEWEST_LEARNERS
        enough = {"tables": N, "learners": k, "needed": FEWEST_TABLES, "wanted": FEWEST_LEARNERS}
        checks = (*checks, Assumption("enough_tables", few, enough))
    return Finding(
        statistic=statistic,
        statistic_name=name,
        degrees=degrees,
        p_value=p,
        effect_size=chi_square / (N * (k - 1)),
        effect_name="Kendall's W",
        assumptions=(*assumptions, *checks),
    )
