"""Measures of predictions by name, for both tasks: what `evaluate` can be asked for.

A measure is computed from what a learner said of rows it had not seen: classes, probabilities, or numbers. Each comes with
the interval that these rows give it (intervals.py), according to what it is: a share of the rows, a mean over them, a ratio
of means, an area under ROC curves, or a measure of the table of truth and prediction.

The measures of a table take any number of tables at once: outcomes of shape (…, K).

Each also says what a row adds to it, its pull: n times the change of the measure when the row's weight grows, up to a
constant. Two learners that were judged on the same rows are compared by their pulls (comparison.py).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.core.targets import refuse_bad_number
from aprendiz.evaluation.confusion_table import ConfusionTable, confusion
from aprendiz.evaluation.errors import RegressionErrors, regression_errors
from aprendiz.evaluation.intervals import (
    Interval,
    area,
    area_interval,
    drawn_outcomes,
    mean_interval,
    outcomes,
    pulls_of_areas,
    quantile_interval,
    ratio_interval,
    root_interval,
    share_interval,
    tables_with_one_more,
)
from aprendiz.evaluation.outcomes import Outcomes, ratio

Task = Literal["classification", "regression"]


@dataclass(frozen=True)
class Answers:
    """What was said of some rows: truth, prediction, and for classes the probabilities (None if the learner gives none)."""

    truth: Array
    prediction: Array
    classes: Array | None = None
    probability: Array | None = None

    @cached_property
    def of_truth(self) -> Array:
        """For each row, whether each class is the right one."""
        assert self.classes is not None
        return self.truth[:, None] == self.classes

    @cached_property
    def table(self) -> ConfusionTable:
        """How often each class was taken for each other."""
        return confusion(self.truth, self.prediction, labels=self.classes)

    @cached_property
    def redrawn(self) -> Outcomes:
        """Each class against the rest, in tables of rows drawn with replacement from these."""
        return drawn_outcomes(self.table.table)

    @cached_property
    def errors(self) -> RegressionErrors:
        """How far the numbers are from the truth."""
        return regression_errors(self.truth, self.prediction)

    @property
    def curves(self) -> tuple[Array, Array]:
        """Truth and probability of each class against the rest, in columns; of two classes the second says it all. Classes
        without rows, or without a rest, have no curve."""
        assert self.classes is not None
        assert self.probability is not None
        refuse_bad_number("probability", self.probability)
        first = 1 if len(self.classes) == 2 else 0
        positive, score = self.of_truth[:, first:], self.probability[:, first:]
        both = positive.any(axis=0) & ~positive.all(axis=0)
        return positive[:, both], score[:, both]


Measure = Callable[[Answers], float]
Limits = Callable[[Answers, float], Interval]
Pull = Callable[[Answers], Array]


@dataclass(frozen=True)
class Metric:
    """A measure: its name, its task, whether more is better, how it is computed, the interval that the rows give it at a
    level, what each row adds to it, what it needs and what values it can have."""

    name: str
    task: Task
    more_is_better: bool
    function: Measure
    interval: Limits
    pull: Pull
    needs_probabilities: bool = False
    range: tuple[float, float] = (0.0, 1.0)

    def of(self, answers: Answers) -> float:
        """The measure; NaN where it has no meaning, such as an AUC of rows of one class."""
        if self.needs_probabilities and answers.probability is None:
            return float("nan")
        return float(self.function(answers))

    def better(self, a: float, b: float) -> bool:
        """Is a better than b?"""
        return a > b if self.more_is_better else a < b


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
    """ψ of intervals.py (3)."""
    spread = (answers.truth - answers.truth.mean()) ** 2
    return (squares(answers) - answers.errors.nmse * spread) / spread.mean()


def r2_interval(answers: Answers, level: float) -> Interval:
    low, high = nmse_interval(answers, level)
    return 1.0 - high, 1.0 - low


def r2_pull(answers: Answers) -> Array:
    return -nmse_pull(answers)


# ---- areas -------------------------------------------------------------------------------------------------------------


def mean_area(answers: Answers) -> float:
    """AUC; with more than two classes, the mean of each class that occurs against the rest. NaN if only one occurs."""
    positive, score = answers.curves
    return float(np.mean([*map(area, positive.T, score.T)])) if positive.shape[1] else float("nan")


def mean_area_interval(answers: Answers, level: float) -> Interval:
    return area_interval(*answers.curves, level)


def mean_area_pull(answers: Answers) -> Array:
    """n·u of intervals.py (5)."""
    return len(answers.truth) * pulls_of_areas(*answers.curves)


# ---- measures of the table ---------------------------------------------------------------------------------------------


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


ABOVE_ZERO = (0.0, np.inf)
METRICS = {
    metric.name: metric
    for metric in (
        Metric("accuracy", "classification", True, *by_rows(hits, share_interval)),
        Metric("balanced_accuracy", "classification", True, *by_table(balanced_accuracy)),
        Metric("f1", "classification", True, *by_table(macro_f1)),
        Metric("matthews", "classification", True, *by_table(matthews), range=(-1.0, 1.0)),
        Metric("auc", "classification", True, mean_area, mean_area_interval, mean_area_pull, needs_probabilities=True),
        Metric("log_loss", "classification", False, *by_rows(surprise), True, ABOVE_ZERO),
        Metric("brier", "classification", False, *by_rows(probability_error), True, (0.0, 2.0)),
        Metric("r2", "regression", True, of_errors("r2"), r2_interval, r2_pull, range=(-np.inf, 1.0)),
        Metric("mse", "regression", False, *by_rows(squares), range=ABOVE_ZERO),
        Metric("rmse", "regression", False, of_errors("rmse"), rmse_interval, rmse_pull, range=ABOVE_ZERO),
        Metric("mae", "regression", False, *by_rows(sizes), range=ABOVE_ZERO),
        Metric("nmse", "regression", False, of_errors("nmse"), nmse_interval, nmse_pull, range=ABOVE_ZERO),
    )
}


def chosen_metrics(task: Task, wanted: Any = None) -> tuple[Metric, ...]:
    """The measures that are asked for, all of the task by default; a wrong name is answered with the right ones."""
    of_task = [metric for metric in METRICS.values() if metric.task == task]
    if wanted is None:
        return tuple(of_task)
    names = [wanted] if isinstance(wanted, str) else list(wanted)
    for name in names:
        if name not in METRICS or METRICS[name].task != task:
            known = ", ".join(metric.name for metric in of_task)
            raise ValueError(f"{name!r} is no measure of {task}; there are {known}.")
    return tuple(METRICS[name] for name in names)
