"""Two learners on the same k splits of one table: t-tests of the differences of their scores.

With d the mean of the k differences and s² their variance (divisor k − 1),

    paired t, as in the course:            t = d / (s·√(1/k)),                        k − 1 degrees of freedom    (1)
    corrected for shared training rows:    t = d / (s·√(1/k + n_test/n_train)),       k − 1 degrees of freedom    (2)
    interval:                              d ± t_{α/2, k−1}·(the denominator)                                     (3)

The folds of a cross-validation share training rows, so their differences are correlated and (1) finds too many differences.
Nadeau and Bengio's (2) takes the correlation to be n_test/(n_test + n_train); it is also the test of Weka's experimenter. That
is a guess: for stable learners it is too careful, for learners that a table may mislead as a whole not careful enough
(docs/methods/how_sure_are_we.md). The effect size is Cohen's d/s.

References: Mitchell, Machine Learning, 1997, ch. 5; Nadeau & Bengio, Machine Learning 52, 2003.
"""

from __future__ import annotations

import numpy as np
from scipy.special import stdtr, stdtrit

from aprendiz.core.rows import Array
from aprendiz.evaluation.significance.finding import NAN, Alternative, Assumption, Finding, quotient, tail


def resampled_t(
    differences: Array,
    ratio: float = 0.0,
    *,
    level: float = 0.05,
    alternative: Alternative = "two-sided",
    assumptions: tuple[Assumption, ...] = (),
) -> Finding:
    """(1) with ratio 0, (2) with ratio = n_test/n_train."""
    k, mean = len(differences), float(differences.mean())
    s = spread(differences)
    error = s * float(np.sqrt(1 / k + ratio))
    half = float(stdtrit(k - 1, 1 - level / 2)) * error
    t = 0.0 if mean == 0 else quotient(mean, error)
    return Finding(
        estimate=mean,
        interval=(mean - half, mean + half),
        standard_error=error,
        statistic=t,
        statistic_name="t",
        degrees=(k - 1.0,),
        p_value=tail(float(stdtr(k - 1, t)), float(stdtr(k - 1, -t)), alternative),
        effect_size=0.0 if mean == 0 else quotient(mean, s),
        effect_name="Cohen's d",
        assumptions=(*assumptions, Assumption("differences_vary", s == 0)),
    )


def spread(differences: Array) -> float:
    """The standard deviation; 0, not rounding, where all are equal."""
    return 0.0 if np.ptp(differences) == 0 else float(differences.std(ddof=1))


def corrected_t_test(differences: Array, ratio: float) -> float:
    """The two-sided p-value of (2) of the differences that are known; 1 where all are zero, NaN for fewer than two."""
    known = differences[~np.isnan(differences)]
    return resampled_t(known, ratio).p_value if len(known) > 1 else NAN
