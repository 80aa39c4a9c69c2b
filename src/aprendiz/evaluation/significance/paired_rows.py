"""Two learners on the same test rows: the z of what the rows add to a measure.

If ψ is what a row adds to the measure (metrics.py), n rows and two learners a and b give

    z = d / (s/√n),     s the standard deviation over the rows of ψ_a − ψ_b                                    (1)

For the accuracy this is a test of the rows on which they disagree, as McNemar's is. It judges two models, or a protocol that
tests one row at a time, and does not know how much a learner varies with its training rows.
"""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr, ndtri

from aprendiz.evaluation import Evaluation, Metric
from aprendiz.evaluation.significance.finding import Alternative, Assumption, Finding, quotient, tail


def paired_rows(
    a: Evaluation, b: Evaluation, measure: Metric, *, level: float = 0.05, alternative: Alternative = "two-sided"
) -> Finding:
    """(1); no p-value if the rows are not the same or the measure needs what a learner does not give."""
    mine, theirs = a.pooled, b.pooled
    difference, n = measure.of(mine) - measure.of(theirs), len(mine.truth)
    if np.isnan(difference) or n < 2 or [f.number for f in a.folds] != [f.number for f in b.folds]:
        return Finding(estimate=difference)
    pulls = measure.pull(mine) - measure.pull(theirs)
    s = float(pulls.std(ddof=1))
    error = s / np.sqrt(n)
    z = 0.0 if difference == 0 else quotient(difference, error)
    half = float(ndtri(1 - level / 2)) * error
    return Finding(
        estimate=difference,
        interval=(difference - half, difference + half),
        standard_error=float(error),
        statistic=z,
        statistic_name="z",
        p_value=tail(float(ndtr(z)), float(ndtr(-z)), alternative),
        effect_size=0.0 if difference == 0 else quotient(difference, s),
        effect_name="Cohen's d",
        assumptions=(Assumption("one_model_each", len(a.folds) > 1, {"folds": len(a.folds)}),),
    )


def paired_test(a: Evaluation, b: Evaluation, measure: Metric) -> float:
    """The two-sided p-value of (1)."""
    return paired_rows(a, b, measure).p_value
