"""A learner judged on both sides of every split: on the test rows, and on the rows it was fitted to. For learning curves and
validation curves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.evaluation import METRICS, Evaluation, Fold, Score
from aprendiz.evaluation.folds.fold_run import run
from aprendiz.evaluation.folds.predictions import compares_pairs, target_and_groups, task_of
from aprendiz.evaluation.folds.splits import Protocol, Split
from aprendiz.evaluation.measures.answers import Task
from aprendiz.evaluation.measures.choice import chosen_metrics
from aprendiz.summaries.other_folds import OtherFolds


@dataclass(frozen=True)
class Trial:
    """A table with its target and groups, how it is split, and the measure that judges."""

    X: Any
    y: Array
    groups: Array | None
    task: Task
    protocol: Protocol
    metric: str

    @classmethod
    def of(cls, learner: Any, X: Any, y: Any, groups: Any, protocol: Protocol, metric: str | None) -> Trial:
        """Checked; a measure that needs probabilities is refused for a learner without them."""
        task = task_of(learner)
        target, together = target_and_groups(task, y, groups)
        wanted = chosen_metrics(task, metric)[0].name
        refuse_unanswerable(learner, wanted, target)
        return cls(X, target, together, task, protocol, wanted)

    @property
    def classes(self) -> Array | None:
        return np.unique(self.y) if self.task == "classification" else None

    def splits(self) -> list[Split]:
        return list(self.protocol.splits(self.y, self.groups, self.task == "classification"))

    def judge(self, learner: Any, splits: Sequence[Split], shortcut: OtherFolds | None = None) -> tuple[Evaluation, Score]:
        """The evaluation on unseen rows, and the score on training rows."""
        folds = [self.both_sides(number, learner, split, shortcut) for number, split in enumerate(splits)]
        unseen, seen = (self.evaluation(side) for side in zip(*folds, strict=True))
        return unseen, spread(seen)

    def evaluation(self, folds: Sequence[Fold]) -> Evaluation:
        return Evaluation(self.task, str(self.protocol), (self.metric,), tuple(folds), self.y, self.classes)

    def both_sides(self, number: int, learner: Any, split: Split, shortcut: OtherFolds | None) -> tuple[Fold, Fold]:
        """One fit, and what it says of the rows it has not seen and of those it has."""
        part, test = split
        fold = run(number, learner, self.X, self.y, part, np.concatenate([test, part]), shortcut, self.groups)
        return some_rows(fold, slice(None, len(test))), some_rows(fold, slice(len(test), None))


def refuse_unanswerable(learner: Any, metric: str, target: Array) -> None:
    """A measure of probabilities is not for a learner without them, unless its decision values rank the rows of each class."""
    needs = METRICS[metric].needs
    if needs == "predictions" or hasattr(learner, "predict_proba"):
        return
    if (
        needs == "scores"
        and hasattr(learner, "decision_function")
        and not (len(np.unique(target)) > 2 and compares_pairs(learner))
    ):
        return
    raise ValueError(f"{type(learner).__name__} gives no probabilities, which {metric} needs: choose another measure.")


def some_rows(fold: Fold, rows: slice) -> Fold:
    probability = None if fold.probability is None else fold.probability[rows]
    decision = None if fold.decision is None else fold.decision[rows]
    return replace(fold, test=fold.test[rows], prediction=fold.prediction[rows], probability=probability, decision=decision)


def spread(seen: Evaluation) -> Score:
    """Mean and range over the splits. The interval of unseen rows has no meaning for rows that were learned from."""
    metric = METRICS[seen.metrics[0]]
    values = seen.values(metric)
    return Score(metric.name, float(values.mean()), float(values.min()), float(values.max()), values)
