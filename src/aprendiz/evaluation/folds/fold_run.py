"""One fold: a learner is fitted to the training rows, or to the sums of the other folds, and predicts the test rows."""

from __future__ import annotations

import time
import warnings
from collections import Counter
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from aprendiz.compilation.compiled import seconds_of_compilation
from aprendiz.core.certificate import Certificate
from aprendiz.core.rows import Array
from aprendiz.evaluation import Fold, Tuned
from aprendiz.evaluation.folds.chosen_columns import chosen_columns
from aprendiz.evaluation.folds.predictions import answers_of
from aprendiz.evaluation.folds.replicate_sums import ReplicateSums
from aprendiz.evaluation.folds.shared_steps import SharedSteps
from aprendiz.summaries.other_folds import OtherFolds


def run(
    number: int,
    learner: Any,
    X: Any,
    y: Array,
    train: Array,
    test: Array,
    shortcut: OtherFolds | ReplicateSums | None = None,
    groups: Array | None = None,
    shared: SharedSteps | None = None,
) -> Fold:
    """One fold: fit, predict, and what was said on the way. `shared`: what other learners have done with the same rows."""
    shared = SharedSteps(0) if shared is None else shared
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        start, compiled, saved = time.perf_counter(), seconds_of_compilation(), shared.seconds
        model = clone(learner)
        if shortcut is not None:
            shortcut.fit(model, number)
        elif isinstance(model, Tuned):
            model.fit(shared.rows(X, train), y[train], kept_together(train, groups), shared)
        else:
            model = shared.fit(model, shared.rows(X, train), y[train])
        fitted, compiled_fit, saved_fit = time.perf_counter(), seconds_of_compilation(), shared.seconds
        last, part = shared.before_last(model.best_estimator_ if isinstance(model, Tuned) else model, shared.rows(X, test))
        answers = answers_of(last, part, y[test])
        ended, compiled_all = time.perf_counter(), seconds_of_compilation()
    said = Counter(f"{one.category.__name__}: {one.message}" for one in heard)
    return Fold(
        number=number,
        test=test,
        trained_on=len(train),
        prediction=answers.prediction,
        probability=answers.probability,
        decision=answers.decision,
        # The first fit on a machine compiles kernels: not its time. What another learner has done for it is.
        fit_seconds=fitted - start - (compiled_fit - compiled) + saved_fit - saved,
        predict_seconds=ended - fitted - (compiled_all - compiled_fit) + shared.seconds - saved_fit,
        how="fit" if shortcut is None else shortcut.how,
        warnings=tuple(said.items()),
        chosen=dict(getattr(model, "best_params_", {})),
        classes=answers.classes,
        columns=chosen_columns(model),
        certificate=certificate_inside(model),
    )


def certificate_inside(model: Any) -> tuple[str, bool] | None:
    """What the fit claims and whether it holds, if that was found during the fit: nothing is computed for it."""
    model = getattr(model, "best_estimator_", model)
    model = model[-1] if isinstance(model, Pipeline) else model
    found = vars(getattr(model, "regressor_", model)).get("certificate_")
    return (found.claim, found.holds) if isinstance(found, Certificate) and "claim" in vars(found) else None


def kept_together(train: Array, groups: Array | None) -> Array | None:
    """The groups of the training rows. A row that was drawn twice is a group of its own: it must not be on both sides of an
    inner fold."""
    if groups is not None:
        return groups[train]
    return train if len(np.unique(train)) < len(train) else None
