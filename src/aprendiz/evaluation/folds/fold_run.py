"""One fold: a learner is fitted to the training rows and predicts the test rows.

A learner of one pass is not refitted: the sums of the rows outside a fold are those of the other folds, added from the
left and from the right (a subtraction would lose digits to an outlier).
"""

from __future__ import annotations

import time
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from sklearn.base import clone

from aprendiz.compilation.compiled import seconds_of_compilation
from aprendiz.core.learner import OnePass
from aprendiz.core.rows import Array
from aprendiz.core.sources.arrays import in_memory
from aprendiz.evaluation import Fold, Tuned
from aprendiz.evaluation.folds.predictions import answers_of, take
from aprendiz.evaluation.folds.splits import Split
from aprendiz.summaries.folds import is_partition, sums_of_others


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
        start, compiled = time.perf_counter(), seconds_of_compilation()
        model = clone(learner)
        if shortcut is not None:
            shortcut.fit(model, number)
        elif isinstance(model, Tuned):
            model.fit(take(X, train), y[train], None if groups is None else groups[train])
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
        fit_seconds=fitted - start - (compiled_fit - compiled),  # the first fit on a machine compiles kernels: not its time
        predict_seconds=ended - fitted - (compiled_all - compiled_fit),
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
        parts = [rows.like(X=rows.X[test], y=rows.y[test]) for _, test in splits]  # type: ignore[index]
        return cls([learner.summarise(part) for part in parts], rows.noted)

    def fit(self, model: Any, number: int) -> None:
        """Fit to all folds but one."""
        model.fit_sums(self.sums[number]).settle(self.noted)
