"""Scores of several learners in the same folds of a table: what tests of paired folds need to know.

They come from evaluations, which must have been made on the same rows, or as plain arrays.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.stats import shapiro

from aprendiz.core.rows import Array
from aprendiz.evaluation import METRICS, Evaluation, Score
from aprendiz.evaluation.significance.close_values import paired_differences
from aprendiz.evaluation.significance.finding import NAN, Assumption
from aprendiz.evaluation.significance.resampled_t import resampled_t

FEWEST_ROWS = 30  # in a test fold, for its score to be nearly normal
NORMAL = 0.05  # p of Shapiro and Wilk's test below which differences do not look normal


@dataclass(frozen=True)
class FoldScores:
    """The scores (a row for each learner, a column for each fold), and the rows of the folds, None where unknown."""

    names: tuple[str, ...]
    scores: Array
    metric: str | None
    n_test: Array | None = None
    n_train: Array | None = None

    def differences(self, i: int, j: int) -> Array:
        return paired_differences(self.scores[i], self.scores[j])

    @property
    def ratio(self) -> float:
        """n_test/n_train; NaN where unknown."""
        return NAN if self.n_test is None or self.n_train is None else float(self.n_test.mean() / self.n_train.mean())

    @property
    def share_training(self) -> bool | None:
        """Must training rows have been used twice? More of them were used than there are rows."""
        if self.n_test is None or self.n_train is None:
            return None
        return bool(self.n_train.sum() > (self.n_test + self.n_train).max())

    def score(self, i: int, level: float) -> Score:
        """The mean over the folds; its interval where the sizes of the folds are known."""
        values = self.scores[i]
        found = resampled_t(values, self.ratio, level=level)
        return Score(self.metric or "score", found.estimate, *found.interval, values)

    def halves(self) -> Assumption:
        """Does every split have as many training rows as test rows, up to two?"""
        if self.n_test is None or self.n_train is None:
            return Assumption("half_splits", None, {"test": 0, "train": 0})
        uneven = bool((np.abs(self.n_test - self.n_train) > 2).any())
        return Assumption("half_splits", uneven, {"test": int(self.n_test[0]), "train": int(self.n_train[0])})

    def checks(self, *, corrected: bool) -> tuple[Assumption, ...]:
        """Large folds, and training rows that are shared."""
        shared = self.share_training
        training = Assumption("corrected_training", False) if corrected else Assumption("separate_training", shared)
        if self.n_test is None:
            return training, Assumption("test_rows", None, {"needed": FEWEST_ROWS, "fewest": 0})
        fewest = int(self.n_test.min())
        return training, Assumption("test_rows", fewest < FEWEST_ROWS, {"needed": FEWEST_ROWS, "fewest": fewest})


def normality(differences: Array) -> Assumption:
    """Do the differences look normal? Three at least, not all equal, can tell."""
    if len(differences) < 3 or np.ptp(differences) == 0:
        return Assumption("normal_differences", None, {"p": NAN})
    p = float(shapiro(differences).pvalue)
    return Assumption("normal_differences", p < NORMAL, {"p": p})


# ---- from evaluations ----------------------------------------------------------------------------------------------------


def folds_of_evaluations(
    evaluations: Mapping[str, Evaluation], metric: str, values: Mapping[str, Array] | None = None
) -> FoldScores:
    """The folds that all have done; `values` are the scores in all folds of each, where they are known already."""
    first = next(iter(evaluations.values()))
    values = values or {name: one.values(METRICS[metric]) for name, one in evaluations.items()}
    shared = sorted(set.intersection(*({fold.number for fold in one.folds} for one in evaluations.values())))
    scores = np.array([scores_in(one, values[name], shared) for name, one in evaluations.items()])
    folds = [fold for fold in first.folds if fold.number in shared]
    tests, trains = np.array([(len(fold.test), fold.trained_on) for fold in folds], dtype=np.float64).reshape(-1, 2).T
    return FoldScores(tuple(evaluations), scores, metric, tests, trains)


def scores_in(evaluation: Evaluation, values: Array, shared: list[int]) -> list[float]:
    by_number = dict(zip((fold.number for fold in evaluation.folds), values, strict=True))
    return [by_number[number] for number in shared]


def common_metric(evaluations: Mapping[str, Evaluation], metric: str | None) -> str:
    """The measure: the given one, or the first of each, which must be the same; it must fit what was predicted."""
    who, first = next(iter(evaluations.items()))
    name = metric or first.metrics[0]
    if name not in METRICS:
        raise ValueError(f"{name!r} is not a measure; choose one of {', '.join(METRICS)}.")
    for other, one in evaluations.items():
        if METRICS[name].task != one.task:
            raise ValueError(f"{other!r} is a {one.task}, for which there is no {name}: choose another metric.")
        if metric is None and one.metrics[0] != name:
            raise ValueError(
                f"{who!r} was judged by {name} and {other!r} by {one.metrics[0]}: say which decides, as in metric={name!r}."
            )
    return name


def refuse_other_rows(evaluations: Mapping[str, Evaluation]) -> None:
    """Folds of one number must have tested the same rows of the same target."""
    (who, first), *others = evaluations.items()
    mine = {fold.number: fold.test for fold in first.folds}
    for other, one in others:
        if one.y is not first.y and not np.array_equal(one.y, first.y):
            raise ValueError(f"{who!r} and {other!r} were judged on different targets: evaluate both on the same X and y.")
        for fold in one.folds:
            rows = mine.get(fold.number, fold.test)
            if rows is not fold.test and not np.array_equal(rows, fold.test):
                raise ValueError(
                    f"{who!r} and {other!r} were tested on different rows in fold {fold.number}: give both the same protocol."
                )


# ---- from arrays -------------------------------------------------------------------------------------------------------


def folds_of_arrays(scores: Mapping[str, Any], metric: str | None, n_test: Any, n_train: Any) -> FoldScores:
    """Plain scores: one array for each learner, fold by fold."""
    arrays = {name: np.asarray(values, dtype=np.float64).ravel() for name, values in scores.items()}
    who, first = next(iter(arrays.items()))
    for other, values in arrays.items():
        if len(values) != len(first):
            raise ValueError(
                f"{who!r} has {len(first)} folds, {other!r} has {len(values)}: scores must come from the same folds."
            )
    sizes = [fold_sizes(name, given, len(first)) for name, given in (("n_test", n_test), ("n_train", n_train))]
    return FoldScores(tuple(scores), np.array(list(arrays.values())), metric, *sizes)


def fold_sizes(name: str, given: Any, folds: int) -> Array | None:
    """The rows of each fold: one number for all, or one for each."""
    if given is None:
        return None
    sizes = (
        np.broadcast_to(np.asarray(given, dtype=np.float64), folds) if np.ndim(given) == 0 else np.asarray(given, dtype=float)
    )
    if sizes.shape != (folds,) or not (sizes > 0).all():
        raise ValueError(f"{name} = {given!r} must be a number of rows above 0, or one for each of the {folds} folds.")
    return sizes


def refuse_missing_scores(folds: FoldScores) -> None:
    """A fold without a score, and fewer than two folds."""
    if folds.scores.shape[1] < 2:
        raise ValueError(f"{folds.scores.shape[1]} common fold is too few: a test of paired folds needs at least 2.")
    missing = np.argwhere(~np.isfinite(folds.scores))
    if len(missing):
        i, fold = missing[0]
        raise ValueError(f"{folds.names[i]!r} has no score in fold {fold}: leave the fold out, or choose another measure.")
