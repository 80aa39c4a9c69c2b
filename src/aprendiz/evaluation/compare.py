"""Which of several learners are better, and which cannot be told apart.

All were judged on the same splits, so differences are taken fold by fold. With d the mean of k differences and s² their
variance, the corrected resampled t-test (folds share training rows) is

    t = d / (s·√(1/k + n_test/n_train)),     k − 1 degrees of freedom                                          (1)

With a single split, or one row at a time, the rows decide instead. If ψ is what a row adds to the measure (metrics.py), n rows
and two learners a and b give

    z = d / (s/√n),     s the standard deviation over the rows of ψ_a − ψ_b                                    (2)

Each learner is compared with the best one. Several comparisons are made, so the p-values are raised by Holm's method: the
smallest is multiplied by their number, the next by one less, and so on, never below the one before.

References: Nadeau & Bengio, Machine Learning 52, 2003; Holm, Scandinavian Journal of Statistics 6, 1979.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.stats import norm, t

from aprendiz.core.rows import Array
from aprendiz.evaluation import METRICS, Evaluation, Metric, Score


@dataclass(frozen=True)
class Standing:
    """A learner in a comparison: its score, its difference from the best, and how sure that difference is."""

    name: str
    score: Score
    difference: float
    p_value: float  # after Holm's correction; NaN for the best one and where there is too little to judge by
    tied: bool  # not significantly worse than the best; False where that is unknown


def compare(evaluations: Mapping[str, Evaluation], metric: str | None = None, level: float = 0.05) -> tuple[Standing, ...]:
    """The learners from best to worst, marking those that are not significantly worse than the best.

    Folds that not all have done (a run that was stopped) are left out of the tests.
    """
    name = metric or next(iter(evaluations.values())).metrics[0]
    measure = METRICS[name]
    scores = {who: evaluation.score(name) for who, evaluation in evaluations.items()}
    known = [who for who in scores if scores[who].value == scores[who].value]
    unknown = [who for who in scores if who not in known]
    order = sorted(known, key=lambda who: scores[who].value, reverse=measure.more_is_better) + unknown
    best = order[0]
    raw = {who: p_value(evaluations[best], evaluations[who], name) for who in order[1:]}
    corrected = dict(zip(raw, holm(list(raw.values())), strict=True))
    found = [Standing(best, scores[best], 0.0, float("nan"), True)]
    for who in order[1:]:
        p = corrected[who]
        found.append(Standing(who, scores[who], scores[who].value - scores[best].value, p, bool(p >= level)))
    return tuple(found)


def p_value(a: Evaluation, b: Evaluation, metric: str) -> float:
    """(1) or (2), two-sided, over the folds that both have done."""
    measure = METRICS[metric]
    if a.by_row:
        return paired_test(a, b, measure)
    mine, theirs = (dict(zip((fold.number for fold in one.folds), one.values(measure), strict=True)) for one in (a, b))
    shared = sorted(mine.keys() & theirs.keys())
    differences = np.array([mine[k] - theirs[k] for k in shared])
    folds = [fold for fold in a.folds if fold.number in shared]
    test = np.mean([len(fold.test) for fold in folds]) if shared else 0.0
    train = np.mean([fold.trained_on for fold in folds]) if shared else 1.0
    if len(shared) > 1 and np.ptp(differences) == 0 and len(shared) == len(a.folds) == len(b.folds):
        return paired_test(a, b, measure)  # no spread over the folds: only the rows can tell how sure that is
    return corrected_t_test(differences, float(test / train))


def paired_test(a: Evaluation, b: Evaluation, measure: Metric) -> float:
    """(2); NaN if the rows are not the same or the measure needs what a learner does not give."""
    mine, theirs = a.pooled, b.pooled
    difference = measure.of(mine) - measure.of(theirs)
    if np.isnan(difference) or len(mine.truth) < 2 or [f.number for f in a.folds] != [f.number for f in b.folds]:
        return float("nan")
    spread = float((measure.pull(mine) - measure.pull(theirs)).std(ddof=1) / np.sqrt(len(mine.truth)))
    if spread == 0:
        return 1.0 if difference == 0 else 0.0
    return float(2 * norm.sf(abs(difference) / spread))


def corrected_t_test(differences: Array, ratio: float) -> float:
    """The two-sided p-value of (1), `ratio` = n_test/n_train; 1 where all differences are zero, NaN for fewer than two."""
    known = differences[~np.isnan(differences)]
    if len(known) < 2:
        return float("nan")
    spread = known.std(ddof=1) * np.sqrt(1 / len(known) + ratio)
    if spread == 0:
        return 1.0 if known.mean() == 0 else 0.0
    return float(2 * t.sf(abs(known.mean()) / spread, len(known) - 1))


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values raised for the number of comparisons; NaN stays NaN and does not count."""
    p = np.asarray(p_values, dtype=float)
    known = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known])]
    raised = p.copy()
    raised[order] = np.minimum(1.0, np.maximum.accumulate(p[order] * np.arange(len(order), 0, -1))) if len(order) else []
    return [float(value) for value in raised]
