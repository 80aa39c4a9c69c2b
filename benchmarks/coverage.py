"""How often intervals of 95 % hold the true score.

Many tables are drawn from a distribution in which the true score of a model has a closed form (populations.py). Each interval
is asked two questions:

    the learner's score     the mean score of models of as many training rows as the protocol has, over all tables
    the model's score       of the one model that would be used: fitted to all rows; of a holdout, to the training rows

The first is what cross-validation estimates, the second what held-out rows do. The bootstrap estimates the score of a learner
of all rows. An interval that could not be made holds nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from benchmarks import QUICK
from benchmarks.peers import Data
from benchmarks.populations import LinearTarget, NormalClasses

Population = NormalClasses | LinearTarget

CLASSES, TARGET = NormalClasses((0.8,) * 4), LinearTarget((1.0, 0.5, 0.5, 0.0))
SIZES = (100, 1000)  # of the tables of which 0.3 is held out
REPEATS = 20 if QUICK else 800
REPLICATES = 50  # of a bootstrap


class Seen(NamedTuple):
    """An interval, and what it should hold."""

    protocol: str
    measure: str
    interval: str
    low: float
    high: float
    model: float
    learner: float  # of one model of as many training rows; the mean over the tables is the learner's


@dataclass(frozen=True)
class CoverageResult:
    """How often an interval held the truth, and how wide it was."""

    protocol: str
    measure: str
    interval: str
    rows: int
    repeats: int
    learner: int
    model: int
    width: float

    @property
    def name(self) -> str:
        return f"{self.protocol}, {self.measure}, {self.interval}, {self.rows} rows"

    @property
    def kept(self) -> bool:
        """A rate is no promise: what intervals promise is in tests/evaluation."""
        return True

    def __str__(self) -> str:
        return f"{self.name}: {self.learner} and {self.model} of {self.repeats}"


# ---- protocols ---------------------------------------------------------------------------------------------------------


def of_folds(population: Population, measures: Sequence[str], protocol: Any, name: str, data: Data) -> Iterator[Seen]:
    """The corrected interval of the folds, the one that takes folds for independent, and that of all rows together."""
    from scipy.special import stdtrit

    from aprendiz.evaluation import evaluate

    X, y = data
    found = evaluate(population.learner, X, y, protocol=protocol, metrics=measures)
    teach = np.setdiff1d(np.arange(len(y)), found.folds[0].test)
    model, part = (population.truth(population.learner.fit(X[rows], y[rows])) for rows in (slice(None), teach))
    for measure in measures:
        score, pooled = found.score(measure), found.pooled_score(measure)
        k = len(score.folds)
        half = stdtrit(k - 1, 0.975) * score.folds.std(ddof=1) / np.sqrt(k)
        truth = model[measure], part[measure]
        yield Seen(name, measure, "of the folds, corrected", score.low, score.high, *truth)
        yield Seen(name, measure, "of the folds, naive", score.value - half, score.value + half, *truth)
        yield Seen(name, measure, "of all rows", pooled.low, pooled.high, *truth)


def of_held_out_rows(population: Population, measures: Sequence[str], data: Data) -> Iterator[Seen]:
    """The interval of the rows, and the bounds of a share of errors."""
    from aprendiz.evaluation import Holdout, bounds, evaluate

    X, y = data
    found = evaluate(population.learner, X, y, protocol=Holdout(), metrics=measures)
    test = found.folds[0].test
    teach = np.setdiff1d(np.arange(len(y)), test)
    truth = population.truth(population.learner.fit(X[teach], y[teach]))
    for measure in measures:
        score = found.score(measure)
        yield Seen("holdout", measure, ROWS[measure], score.low, score.high, truth[measure], truth[measure])
    if "accuracy" in measures:
        errors, accuracy = int((found.folds[0].prediction != y[test]).sum()), truth["accuracy"]
        for name, bound in (
            ("Clopper–Pearson", bounds.clopper_pearson),
            ("empirical Bernstein", bounds.empirical_bernstein),
            ("Hoeffding", bounds.hoeffding),
        ):
            low, high = bound(len(test), errors=errors, delta=0.05)
            yield Seen("holdout", "accuracy", name, 1 - high, 1 - low, accuracy, accuracy)


ROWS = {  # the interval that the rows give a measure
    "accuracy": "Wilson",
    "balanced_accuracy": "drawn tables",
    "f1": "drawn tables",
    "matthews": "drawn tables",
    "auc": "DeLong",
    "log_loss": "mean of the rows",
    "brier": "mean of the rows",
    "r2": "ratio of means",
    "mse": "mean of the rows",
    "rmse": "root of a mean",
    "mae": "mean of the rows",
}


def of_one_row_at_a_time(population: Population, data: Data) -> Iterator[Seen]:
    """Leave-one-out: the rows alone tell."""
    from aprendiz.evaluation import LeaveOneOut, evaluate

    X, y = data
    score = evaluate(population.learner, X, y, protocol=LeaveOneOut(), metrics="accuracy").score()
    truth = population.truth(population.learner.fit(X, y))["accuracy"]
    yield Seen("leave-one-out", "accuracy", "Wilson", score.low, score.high, truth, truth)


def of_replicates(population: Population, measures: Sequence[str], data: Data) -> Iterator[Seen]:
    """The three estimates of the bootstrap, from the same replicates."""
    from aprendiz.evaluation import Bootstrap, evaluate

    X, y = data
    found = evaluate(population.learner, X, y, protocol=Bootstrap(REPLICATES), metrics=measures)
    truth = population.truth(population.learner.fit(X, y))
    for estimate in ("loo", ".632", ".632+"):
        other = replace(found, resampling=replace(found.resampling, estimate=estimate))
        for measure in measures:
            score = other.score(measure)
            yield Seen("bootstrap", measure, estimate, score.low, score.high, truth[measure], truth[measure])


# ---- results -----------------------------------------------------------------------------------------------------------


def pieces() -> Iterator[tuple[Population, int, int, Callable[[Data], Iterator[Seen]]]]:
    """A population, rows, repeats and what is looked at."""
    from aprendiz.evaluation import KFolds, Repeated

    some, fewer = max(REPEATS // 2, 2), max(REPEATS // 4, 2)
    rows_of = {CLASSES: tuple(ROWS)[:7], TARGET: tuple(ROWS)[7:]}
    for population, two in ((CLASSES, ("accuracy", "auc")), (TARGET, ("r2", "mae"))):
        yield population, 100, REPEATS, partial(of_folds, population, two, KFolds(10), "10 folds")
        yield population, 100, some, partial(of_replicates, population, two)
        for rows in SIZES:
            yield population, rows, REPEATS, partial(of_held_out_rows, population, rows_of[population])
    yield CLASSES, 100, some, partial(of_folds, CLASSES, ("accuracy",), Repeated(2, 5), "5 times 2 folds")
    yield CLASSES, 100, fewer, partial(of_one_row_at_a_time, CLASSES)


def measured() -> Iterator[CoverageResult]:
    for number, (population, rows, repeats, look) in enumerate(pieces()):
        found: dict[tuple[str, str, str], list[Seen]] = {}
        for seed in range(repeats):
            for seen in look(population.draw(rows, np.random.default_rng([number, seed]))):
                found.setdefault(seen[:3], []).append(seen)
        yield from (counted(key, of, rows) for key, of in found.items())


def counted(key: tuple[str, str, str], seen: Sequence[Seen], rows: int) -> CoverageResult:
    low, high, model, learner = np.array([one[3:] for one in seen]).T
    inside = [int(((low <= truth) & (truth <= high)).sum()) for truth in (learner.mean(), model)]
    return CoverageResult(*key, rows, len(seen), *inside, float(np.nanmean(high - low)))
