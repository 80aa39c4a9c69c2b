"""Learners that know the test rows: fitted before the folds, keeping what they saw in other fits, or looking at rows that they
predict together.

    fitted before    a step that is not fitted again (FrozenEstimator), and is what a fit to all rows gives
    keeps rows       the first fold, fitted once more after the others, is predicted otherwise than at first, twice alike
    sees test rows   rows are predicted otherwise when other rows are predicted with them

The last two need a learner that does the same twice: one with an open `random_state` is not accused.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import Pipeline

from aprendiz.core.rows import Array
from aprendiz.evaluation import METRICS, Leak
from aprendiz.evaluation.folds.predictions import answers_of, take
from aprendiz.evaluation.leaks.case import Case
from aprendiz.evaluation.measures.answers import Answers
from aprendiz.locale import _, percent

SHARE, FEWEST = 0.01, 2  # of the rows that are predicted otherwise, and rows, from which on it is told
ONE_BY_ONE = 200  # rows that are predicted alone


# ---- fitted before -------------------------------------------------------------------------------------------------------


def fitted_before(case: Case) -> Iterator[Leak]:
    """Steps of a pipeline, or the learner itself, that were fitted to all rows and are not fitted again."""
    for name, step, before in frozen_steps(case.learner):
        if not is_fit_to(step.estimator, transformed(before, case.X, case.y), case.y):
            continue
        yield case.leak(
            "fitted-before",
            _("{step} was fitted to all rows before the folds, test rows among them, and is not fitted again.").format(
                step=f"{name} ({type(step.estimator).__name__})" if name else type(step.estimator).__name__
            ),
            _("Pass it unfitted, so that it is fitted to the training rows of each fold."),
            learner=thawed(case.learner),
        )


def frozen_steps(learner: Any) -> Iterator[tuple[str, Any, list[Any]]]:
    """Frozen steps by name, each with the steps before it."""
    if isinstance(learner, FrozenEstimator):
        yield "", learner, []
    if isinstance(learner, Pipeline):
        for place, (name, step) in enumerate(learner.steps):
            if isinstance(step, FrozenEstimator):
                yield name, step, [one for _name, one in learner.steps[:place]]


def transformed(steps: list[Any], X: Any, y: Array) -> Any:
    """The table behind some steps, fitted to all rows."""
    for step in steps:
        if step is not None and step != "passthrough":
            X = clone(step).fit(X, y).transform(X)
    return X


def is_fit_to(fitted: Any, X: Any, y: Array) -> bool:
    """Does a fit to these rows give the same numbers?"""
    try:
        again = clone(fitted).fit(X, y)
    except (ValueError, TypeError):
        return False
    known = {name: value for name, value in vars(fitted).items() if name.endswith("_") and is_numbers(value)}
    same = [name for name, value in known.items() if are_close(value, getattr(again, name, None))]
    return bool(known) and len(same) == len(known)


def is_numbers(value: Any) -> bool:
    return isinstance(value, np.ndarray | float | np.floating) and np.asarray(value).dtype.kind == "f" and np.size(value) > 0


def are_close(a: Any, b: Any) -> bool:
    return b is not None and np.shape(a) == np.shape(b) and bool(np.allclose(a, b, rtol=1e-9, atol=0.0, equal_nan=True))


def thawed(learner: Any) -> Any:
    """The learner with its frozen steps unfitted."""
    if isinstance(learner, FrozenEstimator):
        return clone(learner.estimator)
    free = clone(learner)
    return free.set_params(**{name: clone(step.estimator) for name, step, _before in frozen_steps(learner)})


# ---- other fits, other rows ----------------------------------------------------------------------------------------------


def keeps_rows(case: Case) -> Iterator[Leak]:
    """A learner whose first fold is predicted otherwise after the others."""
    first = case.found.folds[0]
    if not does_the_same_twice(case.learner) or first.how != "fit" or len(case.splits) < 2:
        return
    train, test = case.splits[first.number]
    tested = take(case.X, test), case.y[test], case.found.classes
    late, again = (answers_of(clone_and_fit(case, train), *tested) for _time in range(2))
    if not differs(first.prediction, late.prediction) or differs(late.prediction, again.prediction):
        return
    yield Leak(
        "keeps-rows",
        _("{learner} keeps what it saw in other fits: the first fold is predicted otherwise after the others.").format(
            learner=type(case.learner).__name__
        ),
        _("A fit must forget all fits before it: keep nothing outside of the fitted model."),
        case.metric,
        METRICS[case.metric].of(late),
        METRICS[case.metric].of(case.found.by_fold[0]),
    )


def sees_test_rows(case: Case) -> Iterator[Leak]:
    """A learner that predicts a row by the rows that stand beside it."""
    first = case.found.folds[0]
    if not does_the_same_twice(case.learner) or first.how != "fit":
        return
    train, test = case.splits[first.number]
    model, some = clone_and_fit(case, train), test[:ONE_BY_ONE]
    together = np.asarray(model.predict(take(case.X, test)))[:ONE_BY_ONE]
    alone = np.concatenate([np.asarray(model.predict(take(case.X, some[[i]]))) for i in range(len(some))])
    if not differs(together, alone):
        return
    share = float(np.mean(differing(together, alone)))
    yield Leak(
        "sees-test-rows",
        _("{share} of the test rows are predicted otherwise when other test rows are not there.").format(share=percent(share)),
        _("A step must use what it learned in fit, not the rows that it is given to predict."),
        case.metric,
        METRICS[case.metric].of(Answers(case.y[some], together, case.found.classes, None)),
        METRICS[case.metric].of(Answers(case.y[some], alone, case.found.classes, None)),
    )


def clone_and_fit(case: Case, train: Array) -> Any:
    return clone(case.learner).fit(take(case.X, train), case.y[train])


def does_the_same_twice(learner: Any) -> bool:
    """No parameter `random_state` is open."""
    known = learner.get_params(deep=True)
    return all(value is not None for name, value in known.items() if name.split("__")[-1] == "random_state")


def differs(a: Array, b: Array) -> bool:
    found = differing(a, b)
    return bool(found.sum() >= FEWEST and found.mean() >= SHARE)


def differing(a: Array, b: Array) -> Array:
    """Which predictions are not the same: of numbers, to six digits of their spread."""
    if a.dtype.kind == "f" and b.dtype.kind == "f":
        return np.asarray(np.abs(a - b) > 1e-6 * max(float(np.ptp(a)), 1e-300))
    return np.asarray(a != b)
