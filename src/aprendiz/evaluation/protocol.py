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
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.base import clone

from aprendiz.core.folds import is_partition, sums_of_others
from aprendiz.core.learner import OnePass
from aprendiz.core.rows import Array, in_memory
from aprendiz.evaluation.answers import answers_of, take, target_and_groups, task_of
from aprendiz.evaluation.evaluation import Evaluation, Fold
from aprendiz.evaluation.metrics import chosen_metrics
from aprendiz.evaluation.splits import KFolds, LeaveOneOut, Protocol, Split, refuse_single_rows
from aprendiz.evaluation.tuning import Tuned


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
    only: Sequence[int] | None = None,
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
    only : numbers of folds, optional
        Judge by these alone, counted from 0 in the order of the protocol.

    Examples
    --------
    >>> found = evaluate(GaussianNB(), X, y, protocol=KFolds(10))  # doctest: +SKIP
    >>> print(found)  # doctest: +SKIP
    """
    task = task_of(learner)
    target, split = target_and_groups(task, y, groups)
    wanted = chosen_metrics(task, metrics)
    protocol = protocol or KFolds(10)
    if task == "classification" and not isinstance(protocol, LeaveOneOut):
        refuse_single_rows(target)
    splits = list(protocol.splits(target, split, task == "classification"))
    tuned = learner if not grid else Tuned(learner, grid, folds=inner, metric=wanted[0].name)
    finished = {fold.number: fold for fold in done}
    shortcut = OtherFolds.of(tuned, X, target, splits) if len(finished) < len(splits) else None
    folds = []
    for number, (train, test) in enumerate(splits):
        if only is not None and number not in only:
            continue
        fold = finished.get(number)
        if fold is None:
            fold = run(number, tuned, X, target, train, test, shortcut, split)
            if on_fold is not None:
                on_fold(fold)
        folds.append(fold)
    classes = np.unique(target) if task == "classification" else None
    return Evaluation(task, str(protocol), tuple(metric.name for metric in wanted), tuple(folds), target, classes)


def run(
    number: int,
    learner: Any,
    X: Any,
    y: Array,
    train: Array,
    test: Array,
    shortcut: OtherFolds | None = None,
    groups: Array | None = None,
) -> Fold:
    """One fold: fit, predict, and what was said on the way."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        start = time.perf_counter()
        model = clone(learner)
        if shortcut is not None:
            shortcut.fit(model, number)
        elif isinstance(model, Tuned):
            model.fit(take(X, train), y[train], None if groups is None else groups[train])
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


# ---- sums of the other folds -------------------------------------------------------------------------------------------


class OtherFolds:
    """The sums of all folds but each one, so that a learner of one pass is fitted to a split without seeing the rows again."""

    def __init__(self, records: Sequence[Any], noted: Mapping[str, Any]):
        self.sums, self.noted = sums_of_others(records), noted

    @classmethod
    def of(cls, learner: Any, X: Any, y: Array, splits: Sequence[Split]) -> OtherFolds | None:
        """None where the learner does not learn from one sum, or the folds do not divide the rows."""
        if not (isinstance(learner, OnePass) and len(splits) > 1 and is_partition(splits, len(y))):
            return None
        if len(splits) > 2 * np.sqrt(len(y)):  # nearly as many folds as rows: fits are cheaper than their sums
            return None
        rows = clone(learner).open(X, y)
        if not (in_memory(rows) and isinstance(rows.X, np.ndarray)):  # a schema would know the test rows
            return None
        parts = [rows.like(X=rows.X[test], y=rows.y[test]) for _, test in splits]  # type: ignore[index]  # there is a y
        return cls([learner.summarise(part) for part in parts], rows.noted)

    def fit(self, model: Any, number: int) -> None:
        """Fit to all folds but one."""
        model.fit_sums(self.sums[number]).settle(self.noted)
