"""Measures of the table of truth and prediction. They take any number of tables at once: outcomes of shape (…, K)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.evaluation import Outcomes
from aprendiz.evaluation.intervals.row_intervals import outcomes, quantile_interval, tables_with_one_more
from aprendiz.evaluation.measures.answers import Answers, Limits, Measure, Pull
from aprendiz.evaluation.measures.ratio import ratio


def by_table(measure: Callable[[Outcomes], Any]) -> tuple[Measure, Limits, Pull]:
    """A measure of the table, its interval, and the pulls: n times what one more row in the same cell would change."""

    def pull(answers: Answers) -> Array:
        table, labels = answers.table.table, answers.table.labels
        change = np.concatenate([measure(outcomes(some)) for some in tables_with_one_more(table)])
        pulls = np.zeros(table.shape)
        pulls[np.nonzero(table)] = len(answers.truth) * (change - measure(answers.table.outcomes))
        return pulls[np.searchsorted(labels, answers.truth), np.searchsorted(labels, answers.prediction)]

    return (
        lambda answers: float(measure(answers.table.outcomes)),
        lambda answers, level: quantile_interval(measure(answers.redrawn), level),
        pull,
    )


def balanced_accuracy(found: Outcomes) -> Any:
    """The mean of the recalls of the classes that occur."""
    return np.nanmean(found.recall, axis=-1)


def macro_f1(found: Outcomes) -> Any:
    """F1 averaged over the classes that occur; 0 for one that is never predicted."""
    return np.nanmean(np.where(found.support > 0, found.f1, np.nan), axis=-1)


def matthews(found: Outcomes) -> Any:
    """The correlation of truth and prediction; 0 if only one class is predicted, NaN if only one occurs."""
    n = found.support.sum(axis=-1)
    called = found.true_positives + found.false_positives
    a, r, c = found.true_positives.sum(axis=-1) / n, found.support / n[..., None], called / n[..., None]
    several = (np.count_nonzero(found.support, axis=-1) > 1), (np.count_nonzero(called, axis=-1) > 1)
    unequal = (1.0 - (r * r).sum(axis=-1)) * (1.0 - (c * c).sum(axis=-1))
    known = np.where(several[1], ratio(a - (r * c).sum(axis=-1), np.sqrt(np.maximum(unequal, 0.0))), 0.0)
    return np.where(several[0], known, np.nan)
