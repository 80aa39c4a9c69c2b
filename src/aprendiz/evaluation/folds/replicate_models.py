"""Models of many training samples, and what each says of test rows: the material of a bias–variance decomposition.

A sample is a bootstrap replicate of a table, judged by the rows it left out or by rows set apart, or a fresh table from a
function of the user. Every sample is learned by a learner that has seen no other.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.base import clone

from aprendiz.core.random import hash_one
from aprendiz.core.rows import Array
from aprendiz.core.targets import as_target, same_length
from aprendiz.evaluation.folds.bootstrap_draws import bootstrap_counts
from aprendiz.evaluation.folds.predictions import refuse_no_number, take, target_and_groups
from aprendiz.evaluation.folds.replicate_sums import ReplicateSums
from aprendiz.evaluation.measures.answers import Task
from aprendiz.locale import _

Draw = Callable[[int, int], tuple[Any, Any]]
TEST_STREAM = 2**40  # of the seed of the test sample, beyond those of the training samples


@dataclass
class Samples:
    """Test rows, and the predictions of the models of all samples for them; each model once, when it is asked for.

    `labels` are those of all samples that were seen so far; `how` tells how the models were fitted, `heard` what they said.
    """

    X: Any
    y: Array
    predictions: Callable[[Samples], Iterator[tuple[Array, Array]]]
    how: str
    labels: set[Any]
    heard: Counter[str] = field(default_factory=Counter)

    def __iter__(self) -> Iterator[tuple[Array, Array]]:
        """For each sample: numbers of test rows, and what its model predicts for them."""
        source = self.predictions(self)
        while True:
            with warnings.catch_warnings(record=True) as said:
                warnings.simplefilter("always")
                found = next(source, None)
            self.heard.update(f"{one.category.__name__}: {one.message}" for one in said)
            if found is None:
                return
            yield found[0], refuse_no_number(np.asarray(found[1]))


# ---- replicates of a table ---------------------------------------------------------------------------------------------


def from_table(
    learner: Any, X: Any, y: Any, task: Task, replicates: int, held_out: Array | None, groups: Any, seed: int
) -> Samples:
    """Bootstrap replicates of all rows, tested on those they leave out, or of all but the rows that are held out."""
    target, together = target_and_groups(task, y, groups)
    rows = np.arange(len(target)) if held_out is None else np.setdiff1d(np.arange(len(target)), held_out)
    some = X if held_out is None else take(X, rows)
    by_class = task == "classification"
    counts = bootstrap_counts(replicates, target[rows], None if together is None else together[rows], by_class, seed)
    sums = ReplicateSums.of(learner, some, target[rows], counts)
    tested = rows if held_out is None else held_out

    def predictions(samples: Samples) -> Iterator[tuple[Array, Array]]:
        model = clone(learner)
        for number, count in enumerate(counts):
            if sums is not None:
                sums.fit(model, number)
            else:
                drawn = np.repeat(np.arange(len(rows)), count)
                model = fit_sample(learner, take(some, drawn), target[rows][drawn], number)
            if held_out is None:
                left_out = np.flatnonzero(count == 0)
                if len(left_out):
                    yield left_out, model.predict(take(X, left_out))
            else:
                yield np.arange(len(held_out)), model.predict(take(X, held_out))

    table = X if held_out is None else take(X, held_out)
    labels = set(np.unique(target).tolist()) if by_class else set()
    return Samples(table, target[tested], predictions, "fit" if sums is None else sums.how, labels)


# ---- fresh samples -----------------------------------------------------------------------------------------------------


def from_draws(learner: Any, draw: Draw, task: Task, replicates: int, rows: int, test: int, seed: int) -> Samples:
    """Fresh training samples, tested on the rows of one more."""
    X, y = drawn_table(draw, test, sample_seed(seed, TEST_STREAM), task)
    every = np.arange(test)
    by_class = task == "classification"

    def predictions(samples: Samples) -> Iterator[tuple[Array, Array]]:
        for number in range(replicates):
            some, target = drawn_table(draw, rows, sample_seed(seed, number), task)
            samples.labels.update(np.unique(target).tolist() if by_class else ())
            yield every, fit_sample(learner, some, target, number).predict(X)

    return Samples(X, y, predictions, "fit", set(np.unique(y).tolist()) if by_class else set())


def sample_seed(seed: int, number: int) -> int:
    """The seed of a sample, below 2³¹."""
    return hash_one(seed, number) >> 33


def drawn_table(draw: Draw, rows: int, seed: int, task: Task) -> tuple[Any, Array]:
    """What the user's function gives, if it is as many rows as were asked for."""
    given = draw(rows, seed)
    if not (isinstance(given, tuple) and len(given) == 2):
        raise TypeError(_("draw(n, seed) must return a pair, the table X and its target y."))
    X, y = given[0], as_target(given[1])
    same_length("y of draw", len(y), rows)
    return X, y.astype(np.float64) if task == "regression" else y


def fit_sample(learner: Any, X: Any, y: Array, number: int) -> Any:
    """The learner, as it was given, fitted to a sample."""
    try:
        return clone(learner).fit(X, y)
    except ValueError as error:
        kinds = len(np.unique(y))
        if kinds > 1:
            raise
        raise ValueError(
            _("Sample {number} has rows of a single class, which {learner} cannot learn: draw more rows. ({error})").format(
                number=number, learner=type(learner).__name__, error=error
            )
        ) from error
