"""One fold: a learner is fitted to the training rows, or to the sums of the other folds, and predicts the test rows."""

from __future__ import annotations

import time
import warnings
from collections import Counter
from typing import Any

import numpy as np
from sklearn.base import clone

from aprendiz.compilation.compiled import seconds_of_compilation
from aprendiz.core.rows import Array
from aprendiz.evaluation import Fold, Tuned
from aprendiz.evaluation.folds.chosen_columns import chosen_columns
from aprendiz.evaluation.folds.predictions import answers_of, take
from aprendiz.evaluation.folds.replicate_sums import ReplicateSums
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
) -> Fold:
    """One fold: fit, predict, and what was said on the way."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        start, compiled = time.perf_counter(), seconds_of_compilation()
        model = clone(learner)
        if shortcut is not None:
            shortcut.fit(model, number)
        elif isinstance(model, Tuned):
            model.fit(take(X, train), y[train], kept_together(train, groups))
        else:
            model.fit(take(X, train), y[train])
        fitted, compiled_fit = time.perf_counter(), seconds_of_compilation()
        answers = answers_of(model, take(X, test), y[test])
        ended, compiled_all = time.perf_counter(), seconds_of_compilation()
    said = Counter(f"{one.category.__name__}: {one.message}" for one in heard)
    return Fold(
        number=number,
        test=test,
        trained_on=len(train),
        prediction=answers.prediction,
        probability=answers.probability,
        decision=answers.decision,
        fit_seconds=fitted - start - (compiled_fit - compiled),  # the first fit on a machine compiles kernels: not its time
        predict_seconds=ended - fitted - (compiled_all - compiled_fit),
        how="fit" if shortcut is None else shortcut.how,
        warnings=tuple(said.items()),
        chosen=dict(getattr(model, "best_params_", {})),
        classes=answers.classes,
        columns=chosen_columns(model),
    )


def kept_together(train: Array, groups: Array | None) -> Array | None:
    """The groups of the training rows. A row that was drawn twice is a group of its own: it must not be on both sides of an
    inner fold."""
    if groups is not None:
        return groups[train]
    return train if len(np.unique(train)) < len(train) else None
