"""Two learners over several tables: the sign test, which counts wins.

Of n tables the first learner is better on w, and on none of them by chance if the two are equal more often than a coin falls:

    p = min(1, 2·P(X ≤ min(w, n − w))),     X binomial with n trials of ½                                      (1)

Tables without a difference are "split" between the two, one of an odd number being left out (Demšar), or left out ("drop"). The
estimate is the median difference; its interval lies between two differences in order of size, the m-th from either end, m the
largest with 2·P(X < m) ≤ α. The effect size is the share of wins.

References: Demšar, JMLR 7, 2006; Sheskin, Handbook of Parametric and Nonparametric Statistical Procedures, 2000.
"""

from __future__ import annotations

import numpy as np
from scipy.special import bdtr

from aprendiz.core.rows import Array
from aprendiz.evaluation.significance.finding import NAN, Alternative, Assumption, Finding
from aprendiz.evaluation.significance.mcnemar import binomial_p
from aprendiz.evaluation.significance.signed_rank import FEWEST, Zeros


def sign_test(
    differences: Array,
    *,
    zeros: Zeros = "split",
    level: float = 0.05,
    alternative: Alternative = "two-sided",
    assumptions: tuple[Assumption, ...] = (),
) -> Finding:
    """(1) of the signs of the differences."""
    above, below, none = (int(np.sum(differences > 0)), int(np.sum(differences < 0)), int(np.sum(differences == 0)))
    half = none // 2 if zeros == "split" else 0
    wins, losses = above + half, below + half
    return Finding(
        estimate=float(np.median(differences)),
        interval=median_interval(differences, level),
        statistic=float(wins),
        statistic_name="w",
        p_value=binomial_p(wins, losses, alternative),
        side=float(wins - losses),
        effect_size=wins / (wins + losses) if wins + losses else NAN,
        effect_name="share of wins",
        assumptions=(
            *assumptions,
            Assumption(f"zeros_{zeros}", none > 0, {"count": none}),
            Assumption("enough_differences", wins + losses < FEWEST, {"count": wins + losses, "needed": FEWEST}),
        ),
    )


def median_interval(differences: Array, level: float) -> tuple[float, float]:
    """Between the m-th smallest and the m-th largest difference; endless where n is too small for the level."""
    n = len(differences)
    m = int(np.searchsorted(bdtr(np.arange(n), n, 0.5), level / 2, side="right"))
    ordered = np.sort(differences)
    return (float(ordered[m - 1]), float(ordered[n - m])) if m >= 1 else (-np.inf, np.inf)
