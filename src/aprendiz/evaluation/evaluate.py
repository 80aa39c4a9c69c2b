"""Honest evaluation: a learner is judged on rows that nothing of it has seen.

    evaluate(learner, X, y, protocol=KFolds(10))  →  Evaluation

The learner is whatever would be fitted: with imputation, encoding, scaling, selection and tuning inside it (a pipeline, a
grid search), all of that is learned anew from the training rows of each split, so nothing of a test row reaches the fit.
With `grid`, the parameters are tuned on inner folds of the training rows alone (nested cross-validation).

Protocols: `Holdout`, `KFolds` (stratified for classes; with `groups`, no group is on both sides), `Repeated`, `LeaveOneOut`.

A learner of one pass is not refitted (folds/fold_run.py). `Evaluation.how` says which way was taken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from aprendiz.evaluation import Evaluation, Fold, KFolds, LeaveOneOut, Tuned
from aprendiz.evaluation.folds.fold_run import OtherFolds, run
from aprendiz.evaluation.folds.predictions import target_and_groups, task_of
from aprendiz.evaluation.folds.splits import Protocol, refuse_single_rows
from aprendiz.evaluation.measures.choice import chosen_metrics


def evaluate(
    learner: Any,
    X: Any,
    y: Any,
    *,
    protocol: Protocol | None = None,
    groups: Any = None,
    metrics: str | Sequence[str] | None = None,
    grid: Mapping[str, Sequence[Any]] | None = None,
    inner: int | Protocol = 5,
    on_fold: Callable[[Fold], None] | None = None,
    done: Sequence[Fold] = (),
    only: Sequence[int] | None = None,
) -> Evaluation:
    """Evaluate a learner on rows it was not trained on.

    Parameters
    ----------
    learner : classifier or regressor
        With all of its preprocessing inside (a pipeline). It is cloned, never changed.
    X, y : the table and its target
    protocol : Holdout, KFolds, Repeated or LeaveOneOut, default=KFolds(10)
        Stratified for classes.
    groups : array, optional
        Rows of one group (a patient, a site) are never in both the training and the test set.
    metrics : str or list of str, optional
        See `aprendiz.evaluation.METRICS`; by default all of the task. The first decides in the tuning of `grid`.
    grid : mapping of parameter to values, optional
        Tuned on `inner` folds of the training rows of each split: nested cross-validation.
    inner : int or protocol, default=5
        The inner folds of `grid`: their number, or a protocol such as `Holdout(0.3)`.
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
