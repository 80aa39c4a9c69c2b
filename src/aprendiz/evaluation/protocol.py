"""Honest evaluation: a learner is judged on rows that nothing of it has seen.

    evaluate(learner, X, y, protocol=KFolds(10))  →  Evaluation

The learner is whatever would be fitted: with imputation, encoding, scaling, selection and tuning inside it (a pipeline, a
grid search), all of that is learned anew from the training rows of each split, so nothing of a test row reaches the fit.
With `grid`, the parameters are tuned on inner folds of the training rows alone (nested cross-validation).

Protocols: `Holdout`, `KFolds` (stratified for classes; with `groups`, no group is on both sides), `Repeated`, `LeaveOneOut`.

A learner of one pass is not refitted: the sums of the rows outside a fold are those of the other folds, added from the
left and from the right (a subtraction would lose digits to an outlier). `Evaluation.how` says which way was taken.
"""

from __future__ import annotations

import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.model_selection import (
    GridSearchCV,
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
)

from aprendiz.core.frames import as_frame
from aprendiz.core.learner import OnePass
from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array, ArrayRows
from aprendiz.core.targets import as_target, same_length
from aprendiz.evaluation.evaluation import Evaluation, Fold
from aprendiz.evaluation.metrics import METRICS, Answers, Task, chosen_metrics

Split = tuple[Array, Array]  # numbers of the training rows, numbers of the test rows


# ---- protocols ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Holdout:
    """Some rows are set apart and tested once."""

    test: float = 0.3
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.test < 1:
            raise ParameterError(f"test of Holdout must be a share between 0 and 1, got {self.test!r}.")

    def splits(self, y: Array, groups: Array | None, by_class: bool) -> Iterator[Split]:
        kind = GroupShuffleSplit if groups is not None else StratifiedShuffleSplit if by_class else ShuffleSplit
        return kind(1, test_size=self.test, random_state=self.seed).split(np.zeros(len(y)), y, groups)

    def __str__(self) -> str:
        return f"holdout of {self.test:.0%} of the rows"


@dataclass(frozen=True)
class KFolds:
    """Each of k parts is tested once, by a learner fitted to the others."""

    k: int = 10
    seed: int | None = 0  # None: the rows are not shuffled

    def __post_init__(self) -> None:
        if not (isinstance(self.k, (int, np.integer)) and self.k >= 2):
            raise ParameterError(f"k of KFolds must be a whole number of at least 2, got {self.k!r}.")

    def splits(self, y: Array, groups: Array | None, by_class: bool) -> Iterator[Split]:
        refuse_few_rows(self.k, y, groups, by_class)
        shuffled = {"shuffle": self.seed is not None, "random_state": self.seed}
        if groups is not None:
            kind: Any = StratifiedGroupKFold if by_class else GroupKFold
        else:
            kind = StratifiedKFold if by_class else KFold
        return kind(self.k, **shuffled).split(np.zeros(len(y)), y, groups)

    def __str__(self) -> str:
        return f"{self.k}-fold cross-validation"


@dataclass(frozen=True)
class Repeated:
    """`KFolds` several times, shuffled anew each time."""

    k: int = 10
    times: int = 5
    seed: int = 0

    def splits(self, y: Array, groups: Array | None, by_class: bool) -> Iterator[Split]:
        for number in range(self.times):
            yield from KFolds(self.k, self.seed + number).splits(y, groups, by_class)

    def __str__(self) -> str:
        return f"{self.k}-fold cross-validation, {self.times} times"


@dataclass(frozen=True)
class LeaveOneOut:
    """Each row (each group, if there are groups) is tested by a learner fitted to all others."""

    def splits(self, y: Array, groups: Array | None, by_class: bool) -> Iterator[Split]:
        numbers = np.arange(len(y))
        for one in np.unique(groups) if groups is not None else numbers:
            test = numbers == one if groups is None else groups == one
            yield numbers[~test], numbers[test]

    def __str__(self) -> str:
        return "leave-one-out"


Protocol = Holdout | KFolds | Repeated | LeaveOneOut


def refuse_few_rows(k: int, y: Array, groups: Array | None, by_class: bool) -> None:
    """Folds that could not be filled."""
    if groups is not None and (found := len(np.unique(groups))) < k:
        raise ValueError(f"{k} folds need at least {k} groups, there are {found}: ask for fewer folds.")
    if len(y) < k:
        raise ValueError(f"{k} folds need at least {k} rows, there are {len(y)}: ask for fewer folds.")
    if by_class:
        labels, counts = np.unique(y, return_counts=True)
        if counts.max() < k:
            raise ValueError(f"{k} folds need a class with at least {k} rows; the largest has {counts.max()}.")
        if counts.min() < 2:
            rare = labels[counts.argmin()]
            raise ValueError(
                f"The class {str(rare)!r} has a single row: it cannot be learned and tested. Leave it out or join it."
            )


# ---- the evaluation ----------------------------------------------------------------------------------------------------


def evaluate(
    learner: Any,
    X: Any,
    y: Any,
    *,
    protocol: Protocol | None = None,
    groups: Any = None,
    metrics: str | Sequence[str] | None = None,
    grid: Mapping[str, Sequence[Any]] | None = None,
    inner: int = 5,
    on_fold: Callable[[Fold], None] | None = None,
    done: Sequence[Fold] = (),
) -> Evaluation:
    """Judge a learner on rows it has not seen.

    Parameters
    ----------
    learner : classifier or regressor
        With all of its preparation inside (a pipeline). It is cloned, never changed.
    X, y : the table and its target
    protocol : Holdout, KFolds, Repeated or LeaveOneOut, default=KFolds(10)
        Stratified for classes.
    groups : array, optional
        Rows of one group (a patient, a site) are never on both sides of a split.
    metrics : str or list of str, optional
        See `aprendiz.evaluation.METRICS`; by default all of the task. The first decides in the tuning of `grid`.
    grid : mapping of parameter to values, optional
        Tuned on `inner` folds of the training rows of each split: nested cross-validation.
    inner : int, default=5
    on_fold : function, optional
        Called with each `Fold` as it is finished.
    done : folds of an earlier call that was interrupted; they are not computed again.

    Examples
    --------
    >>> found = evaluate(GaussianNB(), X, y, protocol=KFolds(10))  # doctest: +SKIP
    >>> print(found)  # doctest: +SKIP
    """
    task = task_of(learner)
    target, split = as_target(y), as_target(groups) if groups is not None else None
    if task == "regression":
        target = target.astype(np.float64)
    if split is not None:
        same_length("groups", len(split), len(target))
    wanted = chosen_metrics(task, metrics)
    protocol = protocol or KFolds(10)
    splits = list(protocol.splits(target, split, task == "classification"))
    tuned = learner if grid is None else searched(learner, grid, inner, wanted[0].name, split)
    finished = {fold.number: fold for fold in done}
    shortcut = OtherFolds.of(tuned, X, target, splits) if grid is None and len(finished) < len(splits) else None
    folds = []
    for number, (train, test) in enumerate(splits):
        fold = finished.get(number)
        if fold is None:
            fold = run(number, tuned, X, target, train, test, shortcut)
            if on_fold is not None:
                on_fold(fold)
        folds.append(fold)
    classes = np.unique(target) if task == "classification" else None
    return Evaluation(task, str(protocol), tuple(metric.name for metric in wanted), tuple(folds), target, classes)


def task_of(learner: Any) -> Task:
    if is_classifier(learner):
        return "classification"
    if is_regressor(learner):
        return "regression"
    raise TypeError(f"{type(learner).__name__} predicts neither classes nor numbers: it cannot be judged by its predictions.")


def searched(learner: Any, grid: Mapping[str, Sequence[Any]], inner: int, metric: str, groups: Array | None) -> Any:
    """The learner with its parameters tuned on inner folds."""
    if groups is not None:
        raise ValueError("Tuning inside grouped folds is not available: give a learner that tunes itself, or no grid.")
    return GridSearchCV(learner, dict(grid), scoring=scorer_of(metric), cv=inner, error_score="raise")


def scorer_of(metric: str) -> Any:
    """A measure as scikit-learn's searches want it: larger is better."""
    measure = METRICS[metric]

    def score(model: Any, X: Any, y: Any) -> float:
        value = measure.of(answers_of(model, X, as_target(y)))
        return value if measure.more_is_better else -value

    return score


def run(number: int, learner: Any, X: Any, y: Array, train: Array, test: Array, shortcut: OtherFolds | None) -> Fold:
    """One fold: fit, predict, and what was said on the way."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        start = time.perf_counter()
        model = clone(learner)
        if shortcut is not None:
            shortcut.fit(model, number)
        else:
            model.fit(take(X, train), y[train])
        fitted = time.perf_counter()
        answers = answers_of(model, take(X, test), y[test])
        ended = time.perf_counter()
    said = Counter(f"{one.category.__name__}: {one.message}" for one in heard)
    return Fold(
        number=number,
        test=test,
        trained_on=len(train),
        prediction=answers.prediction,
        probability=answers.probability,
        fit_seconds=fitted - start,
        predict_seconds=ended - fitted,
        how="sums of the other folds" if shortcut is not None else "fit",
        warnings=tuple(said.items()),
        chosen=dict(getattr(model, "best_params_", {})),
        classes=answers.classes,
    )


def answers_of(model: Any, X: Any, y: Array) -> Answers:
    """What a fitted model says of some rows."""
    classes = getattr(model, "classes_", None)
    probability = model.predict_proba(X) if classes is not None and hasattr(model, "predict_proba") else None
    return Answers(y, np.asarray(model.predict(X)), classes, probability)


def take(X: Any, numbers: Array) -> Any:
    """Some rows of a table of any library."""
    if (frame := as_frame(X)) is not None:
        return frame[numbers].to_native()
    return X[numbers] if hasattr(X, "shape") else [X[number] for number in numbers]


# ---- sums of the other folds -------------------------------------------------------------------------------------------


class OtherFolds:
    """The record of each fold, so that a learner of one pass is fitted to a split by adding those of the other folds."""

    def __init__(self, records: Sequence[Any], noted: Mapping[str, Any]):
        self.noted = noted
        self.before: list[Any] = [None]
        for record in records[:-1]:
            self.before.append(record if self.before[-1] is None else self.before[-1] + record)
        after: list[Any] = [None]
        for record in records[:0:-1]:
            after.append(record if after[-1] is None else record + after[-1])
        self.after = after[::-1]

    @classmethod
    def of(cls, learner: Any, X: Any, y: Array, splits: Sequence[Split]) -> OtherFolds | None:
        """None where the learner does not learn from one sum, or the folds do not divide the rows."""
        tested = np.concatenate([test for _, test in splits])
        whole = len(splits) > 1 and len(tested) == len(y) and len(np.unique(tested)) == len(y)
        if not (isinstance(learner, OnePass) and whole and all(len(a) + len(b) == len(y) for a, b in splits)):
            return None
        rows = clone(learner).open(X, y)
        if not isinstance(rows, ArrayRows) or len(splits) > 2 * np.sqrt(len(y)):  # as many folds as rows: fits are small
            return None
        parts = [rows.like(X=rows.X[test], y=rows.y[test]) for _, test in splits]  # type: ignore[index]
        return cls([learner.summarise(part) for part in parts], rows.noted)

    def fit(self, model: Any, number: int) -> None:
        """Fit to all folds but one."""
        before, after = self.before[number], self.after[number]
        record = after if before is None else before if after is None else before + after
        model.fit_sums(record)
        model.settle(self.noted)
