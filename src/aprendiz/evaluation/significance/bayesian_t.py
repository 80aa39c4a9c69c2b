"""Two learners on one table: the posterior of the difference of their scores (Bayesian correlated t-test).

The k differences have mean d, variance s² and correlation ρ = n_test/(n_test + n_train), for folds share training rows. With
a flat prior, the posterior of the true difference is Student's,

    δ ~ d + s·√(1/k + ρ/(1 − ρ))·t_{k−1},     ρ/(1 − ρ) = n_test/n_train                                       (1)

the same spread as in Nadeau and Bengio's test. With a region of practical equivalence from −r to r (rope),

    P(worse) = P(δ < −r),     P(same) = P(−r ≤ δ ≤ r),     P(better) = P(δ > r)                                (2)

for a measure of which more is better; the ends change places where less is.

References: Corani & Benavoli, Machine Learning 100, 2015; Benavoli, Corani, Demšar & Zaffalon, JMLR 18, 2017.
"""

from __future__ import annotations

from dataclasses import replace

from scipy.special import stdtr

from aprendiz.core.rows import Array
from aprendiz.evaluation.significance.finding import NAN, Assumption, Finding, Posterior
from aprendiz.evaluation.significance.resampled_t import resampled_t

Rope = tuple[float, float]


def bayesian_t(
    differences: Array,
    ratio: float,
    rope: Rope,
    *,
    more_is_better: bool = True,
    level: float = 0.05,
    assumptions: tuple[Assumption, ...] = (),
) -> Finding:
    """(2); the interval is the credible one of (1)."""
    found = resampled_t(differences, ratio, level=level, assumptions=assumptions)
    low, high = student_between(found.estimate, found.standard_error, len(differences) - 1, rope)
    worse, better = (low, high) if more_is_better else (high, low)
    posterior = Posterior(worse, max(0.0, 1.0 - low - high), better)
    return replace(found, p_value=NAN, statistic=NAN, statistic_name="", posterior=posterior)


def student_between(mean: float, scale: float, degrees: float, rope: Rope) -> tuple[float, float]:
    """P(δ < the low end) and P(δ > the high end) of the rope; a posterior without spread lies where its mean is."""
    if scale == 0:
        return float(mean < rope[0]), float(mean > rope[1])
    return float(stdtr(degrees, (rope[0] - mean) / scale)), float(stdtr(degrees, (mean - rope[1]) / scale))
