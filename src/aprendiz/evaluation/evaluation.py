"""What an evaluation found: the folds, what was said of every row, and scores with intervals.

A score is the mean over the folds, with an interval that knows that folds share training rows (intervals/fold_interval.py). For
a single split, for one row at a time, and where all folds agree, the interval comes from the rows instead
(intervals/row_intervals.py). The bootstrap has estimates and intervals of its own (bootstrap.py). A bound outside the values
that a measure can have is moved to the nearest of them.

Beside the mean over folds stands the measure of all test rows together, with f₋ᵢ the model of the fold that tests row i:

    Err_CV = 1/n Σ_i L(y_i, f₋ᵢ(x_i))                                                                         (1)

The two agree for means over rows and folds of one size. They differ where folds have different sizes, and for measures that are
no means, such as R², F and the area under a curve, which a small fold makes unsteady.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from aprendiz import evaluation
from aprendiz.core.html import Html, ShownAsHtml
from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.evaluation import METRICS, ConfusionTable, Leak, Metric, RegressionErrors, RocCurve
from aprendiz.evaluation.folds.predictions import widen
from aprendiz.evaluation.folds.resampling import Resampling
from aprendiz.evaluation.intervals.fold_interval import from_folds
from aprendiz.evaluation.intervals.replicates import from_replicates
from aprendiz.evaluation.intervals.row_intervals import of_rows_tested_again
from aprendiz.evaluation.measures.answers import Answers, Task
from aprendiz.evaluation.words import boxes
from aprendiz.evaluation.words.tables import align, frame, measure

TWO = np.array([False, True])  # a class against the rest
NO_CURVE = "The learner gives neither probabilities nor decision values of the classes: it has no ROC curve."


@dataclass(frozen=True, repr=False)
class Fold(ShortRepr):
    """One split: the test rows, their predictions, the time taken and the warnings."""

    number: int
    test: Array
    trained_on: int
    prediction: Array
    probability: Array | None
    classes: Array | None
    fit_seconds: float
    predict_seconds: float
    how: str
    warnings: tuple[tuple[str, int], ...] = ()
    chosen: Mapping[str, Any] | None = None  # parameters that tuning chose
    decision: Array | None = None  # without probabilities: of two classes positive for the second, of more a column for each
    columns: tuple[str, ...] | None = None  # that a selection inside the fold chose
    certificate: tuple[str, bool] | None = None  # claim of the fit, and whether it holds, where that is known without more work


@dataclass(frozen=True, repr=False)
class Score(ShortRepr):
    """A measure with its interval, and its value in each fold."""

    name: str
    value: float
    low: float
    high: float
    folds: Array

    def __str__(self) -> str:
        return f"{self.name} {measure(self.value)} ({measure(self.low)} to {measure(self.high)})"


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation(ShortRepr, ShownAsHtml):
    """The folds of a learner, and the scores that follow from them.

    Attributes
    ----------
    task : "classification" or "regression"
    protocol : str
        How the rows were split, in words.
    metrics : tuple of str
        The measures that were asked for.
    folds : tuple of Fold
    y : ndarray
        The target of all rows.
    classes : ndarray or None
    resampling : Resampling or None
        Of a bootstrap: the estimate, how often each row was drawn, and the fit to all rows.
    leaks : tuple of Leak
        What `watch=True` has found.
    rule : DecisionRule or None
        What decisions cost, where they were made by costs.
    """

    task: Task
    protocol: str
    metrics: tuple[str, ...]
    folds: tuple[Fold, ...]
    y: Array
    classes: Array | None
    resampling: Resampling | None = None
    leaks: tuple[Leak, ...] = ()
    rule: Any = None

    # ---- what was said -------------------------------------------------------------------------------------------------

    def answers(self, fold: Fold) -> Answers:
        """What was said of the test rows of a fold, with a column for each class of the table."""
        return Answers(self.y[fold.test], fold.prediction, self.classes, self.probability(fold), self.decision(fold), self.rule)

    def probability(self, fold: Fold) -> Array | None:
        """A column for each class of the table; 0 for one that the training rows lack."""
        if fold.probability is None or self.classes is None or fold.classes is None:
            return None
        return widen(fold.probability, fold.classes, self.classes)

    def decision(self, fold: Fold) -> Array | None:
        """The decision values, if the table has the classes of the fold."""
        if self.classes is None or fold.classes is None or not np.array_equal(self.classes, fold.classes):
            return None
        return fold.decision

    @cached_property
    def selected(self) -> dict[str, int]:
        """In how many folds each column was chosen, the most frequent first; empty if no step of the learner selects."""
        counts = Counter(name for fold in self.folds for name in fold.columns or ())
        return dict(sorted(counts.items(), key=lambda one: -one[1]))

    @cached_property
    def by_fold(self) -> tuple[Answers, ...]:
        """The predictions for the test rows of each fold."""
        return tuple(self.answers(fold) for fold in self.folds)

    @cached_property
    def pooled(self) -> Answers:
        """The predictions for all test rows, fold after fold."""
        parts = self.by_fold
        if len(parts) == 1:
            return parts[0]

        def together(name: str) -> Array | None:
            values = [getattr(part, name) for part in parts]
            return None if any(value is None for value in values) else np.concatenate(values)

        truth, prediction = (np.concatenate([getattr(part, name) for part in parts]) for name in ("truth", "prediction"))
        return Answers(truth, prediction, self.classes, together("probability"), together("decision"), self.rule)

    @property
    def how(self) -> str:
        """Whether the folds were fitted one by one, or from the sums of the other folds."""
        return ", ".join(sorted({fold.how for fold in self.folds}))

    @property
    def seconds(self) -> float:
        """Time of all fits and predictions."""
        return float(sum(fold.fit_seconds + fold.predict_seconds for fold in self.folds))

    @property
    def warnings(self) -> Counter[str]:
        """The warnings, and how often each was given."""
        total: Counter[str] = Counter()
        for fold in self.folds:
            total.update(dict(fold.warnings))
        return total

    # ---- scores --------------------------------------------------------------------------------------------------------

    def score(self, name: str | None = None, level: float = 0.95) -> Score:
        """A measure (the first that was asked for, by default) with its interval."""
        if not 0 < level < 1:
            raise ValueError(f"level = {level!r} must lie between 0 and 1: 0.95 is usual.")
        metric = METRICS[name or self.metrics[0]]
        values = self.values(metric)
        if self.resampling is not None:
            value, low, high = from_replicates(self, metric, values, level)
        elif self.by_row:
            value, low, high = self.from_rows(metric, values, level)
        else:
            value, low, high = from_folds(values, self.folds, level)
            if low == high:  # all folds agree: only the rows can tell how sure that is, if they differ
                by_rows = self.row_interval(metric, value, level)
                low, high = (low, high) if np.isnan(by_rows).any() else by_rows
        low, high = np.clip([low, high], *metric.range).tolist()
        return Score(metric.name, value, low, high, values)

    def pooled_score(self, name: str | None = None, level: float = 0.95) -> Score:
        """A measure of all test rows together, (1), with the interval that the rows give it; a row that is tested several times
        counts as often, but its interval is that of one row. It leaves out how much the model varies with its training rows:
        `score` has that."""
        if not 0 < level < 1:
            raise ValueError(f"level = {level!r} must lie between 0 and 1: 0.95 is usual.")
        metric = METRICS[name or self.metrics[0]]
        values = self.values(metric)
        value = metric.of(self.pooled)
        low, high = np.clip(self.row_interval(metric, value, level), *metric.range).tolist()
        return Score(metric.name, float(value), low, high, values)

    @property
    def by_row(self) -> bool:
        """Whether the rows tell how sure a score is: a single split, or one row at a time."""
        return len(self.folds) < 2 or max(len(fold.test) for fold in self.folds) == 1

    def values(self, metric: Metric) -> Array:
        """The measure in each fold."""
        return np.array([metric.of(answers) for answers in self.by_fold])

    def from_rows(self, metric: Metric, values: Array, level: float) -> tuple[float, float, float]:
        """The measure of all tested rows together, and how much it would vary with other rows."""
        value = float(values[0]) if len(values) == 1 else metric.of(self.pooled)
        return value, *self.row_interval(metric, value, level)

    def row_interval(self, metric: Metric, value: float, level: float) -> tuple[float, float]:
        """How much the measure of all tested rows would vary with other rows; NaN where it has no value."""
        if np.isnan(value):
            return float("nan"), float("nan")
        tested = np.concatenate([fold.test for fold in self.folds])
        times = len(tested) / len(np.unique(tested))
        return of_rows_tested_again(value, metric.interval(self.pooled, level), times)

    # ---- a closer look -------------------------------------------------------------------------------------------------

    def confusion(self) -> ConfusionTable:
        """The confusion matrix of all test rows."""
        return self.pooled.table

    def roc(self, positive: Any = None) -> RocCurve:
        """The ROC curve of the probabilities or decision values of a class (the last one by default), over all tested rows."""
        answers = self.pooled
        if self.classes is None or answers.scores is None:
            raise ValueError(NO_CURVE)
        label = self.classes[-1] if positive is None else positive
        column = int(np.flatnonzero(self.classes == label)[0])
        return evaluation.roc(answers.truth == label, answers.scores[:, column], positive=True)

    def area(self, positive: Any = None, level: float = 0.95) -> Score:
        """The area under the ROC curve of a class (the last one by default) against the rest, as `score("auc")` has it for two
        classes: the mean over the folds in which it occurs beside others."""
        if self.classes is None or self.pooled.scores is None:
            raise ValueError(NO_CURVE)
        label = self.classes[-1] if positive is None else positive
        return self.against_rest(label).score("auc", level)

    def against_rest(self, label: Any) -> Evaluation:
        """The same predictions for two classes: a label, and all others."""
        assert self.classes is not None
        column = int(np.flatnonzero(self.classes == label)[0])

        def of_two(fold: Fold) -> Fold:
            known, decision = self.probability(fold), self.decision(fold)
            both = None if known is None else np.column_stack([1.0 - known[:, column], known[:, column]])
            if decision is not None and decision.ndim == 2:
                decision = decision[:, column]
            elif decision is not None and column == 0:
                decision = -decision
            return replace(fold, prediction=fold.prediction == label, probability=both, classes=TWO, decision=decision)

        drawn = self.resampling and replace(self.resampling, apparent=of_two(self.resampling.apparent))
        folds = tuple(map(of_two, self.folds))
        return replace(self, folds=folds, y=self.y == label, classes=TWO, resampling=drawn, rule=None)

    def errors(self) -> RegressionErrors:
        """The errors of regression over all tested rows."""
        return self.pooled.errors

    def frame(self) -> Any:
        """A pandas frame: a row for each fold, a column for each measure."""
        columns = {name: self.values(METRICS[name]) for name in self.metrics}
        return frame({**columns, "fit_seconds": np.array([fold.fit_seconds for fold in self.folds])})

    def html_parts(self) -> Iterable[Html]:
        """Scores, folds, leaks and warnings, for notebooks."""
        return boxes.evaluation_parts(self)

    def __str__(self) -> str:
        scores = [self.score(name) for name in self.metrics]
        rows = [["measure", "value", "95 % interval"]]
        rows += [[s.name, measure(s.value), f"{measure(s.low)} to {measure(s.high)}"] for s in scores]
        return "\n".join([f"{self.protocol}; {self.how}; {self.seconds:.3g} s", align(rows), *map(str, self.leaks)])
