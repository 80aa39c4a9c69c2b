"""Measures of predictions by name, for both tasks: what `evaluate` can be asked for.

A measure is computed from what a learner said of rows it had not seen: classes, probabilities, or numbers. Those that are
means over the rows (accuracy, log loss, Brier, squared and absolute error) also give their value row by row, from which
an interval follows without resampling.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from sklearn.metrics import roc_auc_score

from aprendiz.core.rows import Array
from aprendiz.evaluation.confusion_table import confusion
from aprendiz.evaluation.errors import regression_errors

Task = Literal["classification", "regression"]


@dataclass(frozen=True)
class Answers:
    """What was said of some rows: truth, prediction, and for classes the probabilities (None if the learner gives none)."""

    truth: Array
    prediction: Array
    classes: Array | None = None
    probability: Array | None = None

    def take(self, chosen: Array) -> Answers:
        """Some of the rows."""
        probability = None if self.probability is None else self.probability[chosen]
        return Answers(self.truth[chosen], self.prediction[chosen], self.classes, probability)

    @property
    def of_truth(self) -> Array:
        """For each row, whether each class is the right one."""
        assert self.classes is not None
        return self.truth[:, None] == self.classes


@dataclass(frozen=True)
class Metric:
    """A measure: its name, its task, whether more is better, how it is computed, what it needs and what values it can have."""

    name: str
    task: Task
    more_is_better: bool
    function: Callable[[Answers], float]
    rows: Callable[[Answers], Array] | None = None  # row by row, where the measure is a mean over the rows
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


def mean_of(rows: Callable[[Answers], Array]) -> Callable[[Answers], float]:
    return lambda answers: float(np.mean(rows(answers)))


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


def area(answers: Answers) -> float:
    """AUC; with more than two classes, the mean of each class against the rest."""
    assert answers.probability is not None
    assert answers.classes is not None
    if len(np.unique(answers.truth)) < len(answers.classes):
        return float("nan")
    if len(answers.classes) == 2:
        return float(roc_auc_score(answers.truth == answers.classes[1], answers.probability[:, 1]))
    return float(roc_auc_score(answers.truth, answers.probability, multi_class="ovr", labels=answers.classes))


def squares(answers: Answers) -> Array:
    return (answers.truth - answers.prediction) ** 2


def sizes(answers: Answers) -> Array:
    return np.abs(answers.truth - answers.prediction)


def of_table(name: str) -> Callable[[Answers], float]:
    return lambda answers: getattr(confusion(answers.truth, answers.prediction, labels=answers.classes), name)


def macro_f1(answers: Answers) -> float:
    """F1 averaged over the classes that occur; 0 for one that is never predicted."""
    table = confusion(answers.truth, answers.prediction, labels=answers.classes)
    occurs = table.support > 0
    return float(np.nan_to_num(table.f1[occurs]).mean())


def of_errors(name: str) -> Callable[[Answers], float]:
    return lambda answers: getattr(regression_errors(answers.truth, answers.prediction), name)


ABOVE_ZERO = (0.0, np.inf)
METRICS = {
    metric.name: metric
    for metric in (
        Metric("accuracy", "classification", True, mean_of(hits), hits),
        Metric("balanced_accuracy", "classification", True, of_table("balanced_accuracy")),
        Metric("f1", "classification", True, macro_f1),
        Metric("matthews", "classification", True, of_table("matthews"), range=(-1.0, 1.0)),
        Metric("auc", "classification", True, area, needs_probabilities=True),
        Metric("log_loss", "classification", False, mean_of(surprise), surprise, True, ABOVE_ZERO),
        Metric("brier", "classification", False, mean_of(probability_error), probability_error, True, (0.0, 2.0)),
        Metric("r2", "regression", True, of_errors("r2"), range=(-np.inf, 1.0)),
        Metric("mse", "regression", False, mean_of(squares), squares, range=ABOVE_ZERO),
        Metric("rmse", "regression", False, of_errors("rmse"), range=ABOVE_ZERO),
        Metric("mae", "regression", False, mean_of(sizes), sizes, range=ABOVE_ZERO),
        Metric("nmse", "regression", False, of_errors("nmse"), range=ABOVE_ZERO),
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
