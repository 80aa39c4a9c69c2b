"""Measures of predictions by name, for both tasks: what `evaluate` can be asked for.

A measure is computed from what a learner said of rows it had not seen: classes, probabilities, or numbers. Each comes with
the interval that these rows give it (intervals/row_intervals.py), according to what it is: a share of the rows, a mean over
them, a ratio of means, an area under ROC curves, or a measure of the table of truth and prediction.

Each also says what a row adds to it, its pull: n times the change of the measure when the row's weight grows, up to a
constant. Two learners that were judged on the same rows are compared by their pulls (compare.py).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from aprendiz.evaluation.intervals.row_intervals import share_interval
from aprendiz.evaluation.measures.answers import Answers, Limits, Measure, Needs, Pull, Task
from aprendiz.evaluation.measures.area_measures import mean_area, mean_area_interval, mean_area_pull
from aprendiz.evaluation.measures.row_measures import (
    by_rows,
    costs,
    hits,
    nmse_interval,
    nmse_pull,
    of_errors,
    probability_error,
    r2_interval,
    r2_pull,
    rmse_interval,
    rmse_pull,
    sizes,
    squares,
    surprise,
)
from aprendiz.evaluation.measures.table_measures import balanced_accuracy, by_table, macro_f1, matthews


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
    needs: Needs = "predictions"
    range: tuple[float, float] = (0.0, 1.0)

    def of(self, answers: Answers) -> float:
        """The measure; NaN where it has no meaning, such as an AUC of rows of one class."""
        if not self.answerable(answers):
            return float("nan")
        return float(self.function(answers))

    def answerable(self, answers: Answers) -> bool:
        """Whether enough was said."""
        said = {"predictions": answers.prediction, "scores": answers.scores, "probabilities": answers.probability}
        said |= {"rule": answers.rule}
        return said[self.needs] is not None

    def better(self, a: float, b: float) -> bool:
        """Is a better than b?"""
        return a > b if self.more_is_better else a < b


ABOVE_ZERO = (0.0, np.inf)
METRICS = {
    metric.name: metric
    for metric in (
        Metric("accuracy", "classification", True, *by_rows(hits, share_interval)),
        Metric("balanced_accuracy", "classification", True, *by_table(balanced_accuracy)),
        Metric("f1", "classification", True, *by_table(macro_f1)),
        Metric("matthews", "classification", True, *by_table(matthews), range=(-1.0, 1.0)),
        Metric("auc", "classification", True, mean_area, mean_area_interval, mean_area_pull, "scores"),
        Metric("log_loss", "classification", False, *by_rows(surprise), "probabilities", ABOVE_ZERO),
        Metric("brier", "classification", False, *by_rows(probability_error), "probabilities", (0.0, 2.0)),
        Metric("mean_cost", "classification", False, *by_rows(costs), "rule", ABOVE_ZERO),
        Metric("r2", "regression", True, of_errors("r2"), r2_interval, r2_pull, range=(-np.inf, 1.0)),
        Metric("mse", "regression", False, *by_rows(squares), range=ABOVE_ZERO),
        Metric("rmse", "regression", False, of_errors("rmse"), rmse_interval, rmse_pull, range=ABOVE_ZERO),
        Metric("mae", "regression", False, *by_rows(sizes), range=ABOVE_ZERO),
        Metric("nmse", "regression", False, of_errors("nmse"), nmse_interval, nmse_pull, range=ABOVE_ZERO),
    )
}
