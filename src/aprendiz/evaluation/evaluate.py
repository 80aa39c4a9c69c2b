"""Honest evaluation: a learner is judged on rows that nothing of it has seen.

    evaluate(learner, X, y, protocol=KFolds(10))  →  Evaluation

The learner is whatever would be fitted: with imputation, encoding, scaling, selection and tuning inside it (a pipeline, a
grid search), all of that is learned anew from the training rows of each split, so nothing of a test row reaches the fit.
With `grid`, the parameters are tuned on inner folds of the training rows alone (nested cross-validation).

Protocols: `Holdout`, `KFolds` (stratified for classes; with `groups`, no group is on both sides), `Repeated`, `LeaveOneOut`,
`Bootstrap`. Training, validation and test rows in one call: `evaluate(…, protocol=Holdout(0.2), grid=…, inner=Holdout(0.25))`.

A learner of one pass is not refitted (summaries/other_folds.py). `Evaluation.how` says which way was taken.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.evaluation import Bootstrap, Evaluation, Fold, KFolds, LeaveOneOut, Tuned
from aprendiz.evaluation.folds.fold_run import run
from aprendiz.evaluation.folds.predictions import target_and_groups, task_of
from aprendiz.evaluation.folds.replicate_sums import ReplicateSums
from aprendiz.evaluation.folds.resampling import Resampling
from aprendiz.evaluation.folds.splits import Protocol, Split, refuse_single_rows
from aprendiz.evaluation.leaks.case import Case
from aprendiz.evaluation.leaks.meter import find_leaks
from aprendiz.evaluation.measures.choice import chosen_metrics
from aprendiz.summaries.other_folds import OtherFolds


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
    watch: bool = False,
) -> Evaluation:
    """Evaluate a learner on rows it was not trained on.

    Parameters
    ----------
    learner : classifier or regressor
        With all of its preprocessing inside (a pipeline). It is cloned, never changed.
    X, y : the table and its target
    protocol : Holdout, KFolds, Repeated, LeaveOneOut or Bootstrap, default=KFolds(10)
        Stratified for classes.
    groups : array, optional
        Rows of one group (a patient, a site) are never in both the training and the test set.
    metrics : str or list of str, optional
        See `aprendiz.evaluation.METRICS`; by default all of the task. The first decides in the tuning of `grid`.
    grid : mapping of parameter to values, optional
        Tuned on `inner` folds of the training rows of each split: nested cross-validation.
    inner : int or protocol, default=5
        The inner folds of `grid`: their number, or a protocol. With `Holdout(0.25)` the training rows of a split are divided
        into rows that teach and rows that validate.
    on_fold : function, optional
        Called with each `Fold` as it is finished.
    done : folds of an earlier call that was interrupted; they are not computed again.
    only : numbers of folds, optional
        Judge by these alone, counted from 0 in the order of the protocol.
    watch : bool, default=False
        Whether to look for leaks: rows, groups or copies of the target that were on both sides, preparation that has seen the
        test rows, learners that keep what they saw. `Evaluation.leaks` names each and measures its effect on the first measure,
        which takes one more evaluation for each that is found.

    Examples
    --------
    >>> found = evaluate(GaussianNB(), X, y, protocol=KFolds(10))  # doctest: +SKIP
    >>> print(found)  # doctest: +SKIP
    """
    task = task_of(learner)
    target, split = target_and_groups(task, y, groups)
    wanted = chosen_metrics(task, metrics)
    protocol = protocol or KFolds(10)
    by_class = task == "classification"
    if by_class and not isinstance(protocol, LeaveOneOut):
        refuse_single_rows(target)
    splits = list(protocol.splits(target, split, by_class))
    tuned = learner if not grid else Tuned(learner, grid, folds=inner, metric=wanted[0].name)
    finished = {fold.number: fold for fold in done}
    counts = counts_of(splits, len(target)) if isinstance(protocol, Bootstrap) else None
    shortcut: OtherFolds | ReplicateSums | None = None
    if len(finished) < len(splits):
        shortcut = OtherFolds.of(tuned, X, target, splits) if counts is None else ReplicateSums.of(tuned, X, target, counts)
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
    resampling = None
    if isinstance(protocol, Bootstrap) and counts is not None:
        everything = np.arange(len(target))
        seen = run(len(splits), tuned, X, target, everything, everything, groups=split)
        resampling = Resampling(protocol.estimate, counts, split, seen)
    names = tuple(metric.name for metric in wanted)
    classes = np.unique(target) if by_class else None
    found = Evaluation(task, str(protocol), names, tuple(folds), target, classes, resampling)
    if not watch:
        return found
    again = partial(evaluate, y=y, protocol=protocol, metrics=names[0], inner=inner)
    return replace(found, leaks=find_leaks(Case(learner, X, target, split, splits, grid, found, again)))


def counts_of(splits: Sequence[Split], count: int) -> Array:
    """How often each row is among the training rows of each split."""
    return np.stack([np.bincount(train, minlength=count).astype(np.uint16) for train, _ in splits])
