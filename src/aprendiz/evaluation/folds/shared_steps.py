"""What the methods of a comparison have in common in a fold, done once: parts of the table, and preparations fitted to them.

Most methods want the same columns: imputed and scaled, say. A step of a pipeline is fitted once to the same rows, and rows are
changed by it once, for all methods, inner folds and candidates that ask for it:

    (rows, step and its parameters, target)   →   the step fitted, and the rows after it                      (1)
    (fitted step, other rows)                 →   these rows after it                                         (2)

Rows are the same if they are the same object, which `rows` sees to. A step with random numbers of its own is fitted each time,
so every score is the one without sharing, to the last bit. What a step warned of is said again to each who asks, and its time
is added to theirs (`seconds`): a method takes as long as it would take alone.

Cost: memory for what is kept, up to `most` bytes; beyond that, steps are fitted anew.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.pipeline import Pipeline

from aprendiz.compilation.compiled import seconds_of_compilation
from aprendiz.core.rows import Array
from aprendiz.evaluation.folds.predictions import take

MOST_BYTES = 2**28


@dataclass(frozen=True)
class Done:
    """What was computed once: from what (kept, so that no other object can take its place), how long it took, what was said."""

    given: tuple[Any, ...]
    value: Any
    seconds: float
    heard: tuple[warnings.WarningMessage, ...]


class SharedSteps:
    """Parts of a table, and the steps that were fitted to them. With `most=0` nothing is kept: the same work, done each time.

    Attributes
    ----------
    seconds : float
        That would have been spent without sharing.
    """

    def __init__(self, most: int = MOST_BYTES):
        self.most = self.left = most
        self.seconds = 0.0
        self.done: dict[Hashable, Done] = {}

    def rows(self, X: Any, numbers: Array) -> Any:
        """Some rows of a table, the same object each time."""
        key = ("rows", id(X), blake2b(numbers.tobytes(), digest_size=16).digest())
        return self.once(key, (X,), partial(take, X, numbers), size_of)

    def fit_transform(self, steps: Pipeline, X: Any, y: Array) -> tuple[Pipeline, Any]:
        """The steps of a pipeline fitted to some rows, and the rows after them; `steps` stays as it is."""
        fitted = []
        for name, step in steps.steps:
            if step is None or step == "passthrough":
                fitted.append((name, step))
                continue
            one, X = self.fitted_step(step, X, y)
            fitted.append((name, one))
        return Pipeline(fitted), X

    def fitted_step(self, step: Any, X: Any, y: Array) -> tuple[Any, Any]:
        """(1)."""

        def fit() -> tuple[Any, Any]:
            one = clone(step)
            if hasattr(one, "fit_transform"):
                return one, one.fit_transform(X, y)
            return one.fit(X, y), one.transform(X)  # a step that was fitted before, say

        told = key_of(step)
        if told is None:
            return fit()
        target = blake2b(y.tobytes(), digest_size=16).digest() if y.dtype != object else tuple(y.tolist())
        return self.once(("fit", id(X), told, target), (X,), fit, lambda found: size_of(found[1]))

    def transform(self, steps: Pipeline, X: Any) -> Any:
        """Some rows after fitted steps."""
        for _name, step in steps.steps:
            if step is None or step == "passthrough":
                continue
            X = self.once(("transform", id(step), id(X)), (step, X), partial(step.transform, X), size_of)
        return X

    def fit(self, model: Any, X: Any, y: Array) -> Any:
        """A model fitted to some rows: of a pipeline, all steps but the last are shared."""
        if not is_plain_pipeline(model):
            return model.fit(X, y)
        steps, part = self.fit_transform(model[:-1], X, y)
        return Pipeline([*steps.steps, (model.steps[-1][0], model[-1].fit(part, y))])

    def before_last(self, model: Any, X: Any) -> tuple[Any, Any]:
        """The last step of a fitted pipeline, and some rows as it wants them; another model and the rows as they are."""
        if not is_plain_pipeline(model):
            return model, X
        return model[-1], self.transform(model[:-1], X)

    def once(self, key: Hashable, given: tuple[Any, ...], compute: Callable[[], Any], size: Callable[[Any], int]) -> Any:
        """What was computed for a key, or is now."""
        if not self.most:
            return compute()
        known = self.done.get(key)
        if known is None:
            start, compiled = time.perf_counter(), seconds_of_compilation()
            with warnings.catch_warnings(record=True) as heard:
                warnings.simplefilter("always")
                value = compute()
            seconds = time.perf_counter() - start - (seconds_of_compilation() - compiled)
            known = Done(given, value, seconds, tuple(heard))
            needed = size(value)
            if needed <= self.left:
                self.left -= needed
                self.done[key] = known
        else:
            self.seconds += known.seconds
        for one in known.heard:
            warnings.warn_explicit(one.message, one.category, one.filename, one.lineno)
        return known.value


def is_plain_pipeline(model: Any) -> bool:
    """A pipeline with steps before its learner, and nothing that a loop over its steps would leave out."""
    return type(model) is Pipeline and len(model) > 1 and model.memory is None and model.transform_input is None


@dataclass(frozen=True)
class Compared:
    """A value that is compared and not hashed: a schema of thousands of columns, say."""

    value: Any

    def __hash__(self) -> int:
        return hash(type(self.value))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Compared) and (self.value is other.value or bool(self.value == other.value))


class ChanceError(Exception):
    """A step draws random numbers that no seed decides."""


def key_of(step: Any) -> Hashable | None:
    """What decides what a step will be after its fit; None where chance has a part in it."""
    try:
        return described(step)
    except ChanceError:
        return None


def described(value: Any) -> Hashable:
    """Parameters, and those inside them, as something that is equal where they are."""
    if isinstance(value, BaseEstimator):
        given = value.get_params(deep=False)
        if "random_state" in given and not isinstance(given["random_state"], (int, np.integer)):
            raise ChanceError
        return type(value), tuple((name, described(one)) for name, one in sorted(given.items()))
    if isinstance(value, (list, tuple)):
        return type(value), tuple(map(described, value))
    if isinstance(value, Mapping):
        return type(value), tuple((described(name), described(one)) for name, one in value.items())
    if isinstance(value, np.ndarray):
        return np.ndarray, value.shape, value.dtype.str, tuple(value.tolist()) if value.dtype == object else value.tobytes()
    return type(value), Compared(value)


def size_of(part: Any) -> int:
    """About the bytes of a table of any kind."""
    if hasattr(part, "indptr"):
        return int(part.data.nbytes + part.indices.nbytes + part.indptr.nbytes)
    if hasattr(part, "nbytes"):
        return int(part.nbytes)
    return int(8 * np.prod(part.shape)) if hasattr(part, "shape") else 0  # a frame: its columns are not asked one by one
