"""Measures that are made row by row: means over the rows, and errors that follow from such means.

Each has the interval that the rows give it (intervals/row_intervals.py), and what a row adds to it, its pull: n times the
change of the measure when the row's weight grows, up to a constant.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.evaluation.intervals.row_intervals import Interval, mean_interval, ratio_interval, root_interval
from aprendiz.evaluation.measures.answers import Answers, Limits, Measure, Pull
from aprendiz.evaluation.measures.ratio import ratio

# ---- means over the rows -----------------------------------------------------------------------------------------------


def by_rows(
    rows: Callable[[Answers], Array], interval: Callable[[Array, float], Interval] = mean_interval
) -> tuple[Measure, Limits, Pull]:
    """The mean of what is measured row by row, its interval, and the pulls, which are just that."""
    return lambda answers: float(np.mean(rows(answers))), lambda answers, level: interval(rows(answers), level), rows


def hits(answers: Answers) -> Array:
    return (answers.truth == answers.prediction).astype(float)


def surprise(answers: Answers) -> Array:
    """−log of the probability of the right class."""
    assert answers.probability is not None
    right = np.where(answers.of_truth, answers.probability, 0.0).sum(axis=1)
    return -np.log(np.maximum(right, np.finfo(float).eps))


def probability_error(answers: Answers) -> Array:
    """Σ over classes of (p − 1 or 0)², halved for two classes, as scikit-learn has it."""
    assert answers.probability is not None
    assert answers.classes is not None
    total = ((answers.probability - answers.of_truth) ** 2).sum(axis=1)
    return total / 2 if len(answers.classes) == 2 else total


def costs(answers: Answers) -> Array:
    """What the decision of each row costs by the rule: a rejected row as much as a rejection."""
    assert answers.classes is not None
    truth, decided = (np.searchsorted(answers.classes, labels) for labels in (answers.truth, answers.prediction))
    rule = answers.rule
    table = 1.0 - np.eye(len(answers.classes)) if rule.loss is None else rule.loss
    found = table[truth, decided]
    if answers.probability is None or rule.reject_cost is None:
        return np.asarray(found)
    return np.where(rule.decide(answers.probability) < 0, rule.reject_cost, found)


def squares(answers: Answers) -> Array:
    return (answers.truth - answers.prediction) ** 2


def sizes(answers: Answers) -> Array:
    return np.abs(answers.truth - answers.prediction)


# ---- other errors ------------------------------------------------------------------------------------------------------


def of_errors(name: str) -> Measure:
    return lambda answers: getattr(answers.errors, name)


def rmse_interval(answers: Answers, level: float) -> Interval:
    return root_interval(squares(answers), level)


def rmse_pull(answers: Answers) -> Array:
    """d√m = dm / 2√m; a perfect prediction has no pull."""
    return np.nan_to_num(ratio(squares(answers), 2.0 * answers.errors.rmse))


def nmse_interval(answers: Answers, level: float) -> Interval:
    return ratio_interval(squares(answers), (answers.truth - answers.truth.mean()) ** 2, level)


def nmse_pull(answers: Answers) -> Array:
    """ψ of row_intervals.py (3)."""
    spread = (answers.truth - answers.truth.mean()) ** 2
    return (squares(answers) - answers.errors.nmse * spread) / spread.mean()


def r2_interval(answers: Answers, level: float) -> Interval:
    low, high = nmse_interval(answers, level)
    return 1.0 - high, 1.0 - low


def r2_pull(answers: Answers) -> Array:
    return -nmse_pull(answers)
