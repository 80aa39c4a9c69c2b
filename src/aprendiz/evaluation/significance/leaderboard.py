"""The learners from best to worst, each compared with the best: what the laboratory shows.

Folds decide, by the corrected t-test (resampled_t.py). With a single split, with one row at a time, and where all folds
differ by the same amount, the rows decide instead (paired_rows.py). Folds that not all have done (a run that was stopped), or
that have no score, are left out. p-values are raised by Holm's method.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.evaluation import METRICS, Comparison, Evaluation
from aprendiz.evaluation.significance.finding import NAN, Finding
from aprendiz.evaluation.significance.fold_scores import folds_of_evaluations
from aprendiz.evaluation.significance.options import Options
from aprendiz.evaluation.significance.paired_rows import paired_rows
from aprendiz.evaluation.significance.pairwise import in_order, raise_p_values, record, standings_of, worst_of
from aprendiz.evaluation.significance.resampled_t import resampled_t


def leaderboard(evaluations: Mapping[str, Evaluation], metric: str, options: Options) -> Comparison:
    """Each learner against the best."""
    scores = {who: one.score(metric) for who, one in evaluations.items()}
    values = {who: score.folds for who, score in scores.items()}
    order = in_order(scores, options.more_is_better)
    best = order[0]
    pairs = []
    for who in order[1:]:
        both = {best: evaluations[best], who: evaluations[who]}
        found = against_best(both, metric, values, options.level)
        pairs.append(record(found, "leaderboard", (best, who), options, metric=metric))
    raised = raise_p_values(pairs)
    by_row = any(one.by_row for one in evaluations.values())
    return record(
        Finding(assumptions=worst_of(raised)),
        "leaderboard",
        order,
        options,
        metric=metric,
        pairs=tuple(raised),
        posthoc="holm",
        standings=standings_of(scores, raised, options),
        folds={} if by_row else {"": folds_of_evaluations(evaluations, metric, values)},
    )


def against_best(both: Mapping[str, Evaluation], metric: str, values: Mapping[str, Array], level: float) -> Finding:
    """The folds of two learners, or their rows."""
    a, b = both.values()
    if a.by_row:
        return paired_rows(a, b, METRICS[metric], level=level)
    folds = folds_of_evaluations(both, metric, values)
    d = folds.differences(0, 1)
    if len(d) > 1 and np.ptp(d) == 0 and len(d) == len(a.folds) == len(b.folds):
        return paired_rows(
            a, b, METRICS[metric], level=level
        )  # no spread over the folds: only the rows can tell how sure that is
    known = d[~np.isnan(d)]
    if len(known) < 2:
        return Finding(estimate=float(known.mean()) if len(known) else NAN)
    return resampled_t(known, folds.ratio, level=level, assumptions=folds.checks(corrected=True))
