"""The folds of a cross-validated logistic regression: their rows, the scores of planes on them, and what those say.

Rows that are not in memory stay where they are: a fold leaves its test rows out by giving them no weight, and only the accuracy
is known of them.

Cost: one look at the rows of a fold for all planes.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from sklearn.metrics import make_scorer
from sklearn.model_selection import check_cv

from aprendiz.core.certificate import Certificate
from aprendiz.core.iteration import State
from aprendiz.core.parameters import ParameterError, Within
from aprendiz.core.rows import Array, Block, Rows, read_only
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.sums import Sums
from aprendiz.core.targets import plain
from aprendiz.linear import LogisticRegression
from aprendiz.linear.designs.fold_sums import refuse_folds, take_rows
from aprendiz.linear.paths.logistic_path import Fit
from aprendiz.summaries.folds import checked_splits


@dataclass(frozen=True)
class LogisticFolds(State):
    """Paths in the folds so far, and at the end the plane of all rows. `objective` is the best mean score, negative."""

    planes: Array  # (folds, shares, Cs, outputs, coefficients and the intercept)
    passes: Array  # (folds, shares, Cs)
    scores: Array  # likewise
    early: int  # fits that did not come to an end
    plane: Array

    def after(self, planes: Array, fits: list[Fit], scores: Array) -> LogisticFolds:
        """One more fold, with its fits and its scores; all planes so far."""
        known = np.concatenate([self.scores, scores[None]])
        passes = np.array([fit.passes for fit in fits], np.int32).reshape(1, *scores.shape)
        return replace(
            self,
            iteration=self.iteration + 1,
            objective=-float(known.mean(axis=0).max()),
            planes=planes,
            passes=np.concatenate([self.passes, passes]),
            scores=known,
            early=self.early + sum(not fit.ended for fit in fits),
        )


def splits_of(rows: Rows, cv: Any) -> list[tuple[Array, Array]]:
    """The numbers of the training rows and of the test rows of each fold."""
    assert rows.labels is not None
    codes = np.asarray(rows.y) if in_memory(rows) else rows.each(lambda block: block.y)
    X, y = (rows.X if in_memory(rows) else np.empty((len(codes), 1))), rows.labels[codes]
    if isinstance(cv, (int, np.integer)):
        refuse_folds(cv, len(y))
        refuse_thin_classes(cv, y)
    found = checked_splits(check_cv(cv, y, classifier=True).split(X, y), len(y))
    for number, (train, _) in enumerate(found):
        if (codes[train] == codes[train[0]]).all():
            only = plain(y[train[0]])
            raise ValueError(f"Fold {number} of cv trains on one class, {only!r}: give fewer or stratified folds.")
    return found


def refuse_thin_classes(cv: Any, y: Array) -> None:
    """Each fold should have a row of some class, at least; of a class with fewer rows scikit-learn warns."""
    labels, counts = np.unique(y, return_counts=True)
    if counts.max() < cv:
        largest = plain(labels[counts.argmax()])
        raise ValueError(
            f"cv={cv} folds need a class of {cv} rows; the largest, {largest!r}, has {counts.max()}: give fewer folds."
        )


def rows_of_fold(rows: Rows, train: Array, test: Array) -> Rows:
    """The training rows; where the rows are not in memory, all of them, the others at weight 0."""
    if in_memory(rows):
        return rows.like(**take_rows(rows.X, rows, train))
    counted = np.isin(np.arange(1 + max(train.max(), test.max())), train).astype(float)
    return rows.changed(lambda block: replace(block, weight=read_only(block.weights * counted[block.numbers])))


# ---- scores ------------------------------------------------------------------------------------------------------------


def scores_of(planes: Array, rows: Rows, test: Array, scorer: Any, weighted: bool = True) -> Array:
    """The score of each plane in the test rows of a fold, by weight or not; without a scorer the accuracy."""
    if not in_memory(rows):
        return rows.sum(Hits.among, test, planes).share
    part = take_rows(rows.X, rows, test)
    part["weight"] = part["weight"] if weighted else None
    if scorer is None:
        return Hits.of(planes, Block(part["X"], part["y"], part["weight"], 0)).share
    assert rows.labels is not None
    judge, y, model = with_labels(scorer, rows.labels), rows.labels[part["y"]], LogisticRegression()
    known = {} if part["weight"] is None else {"sample_weight": part["weight"]}
    model.settle({"classes_": rows.labels, "n_features_in_": rows.columns})
    return np.array([judge(model.settle(as_attributes(plane)), part["X"], y, **known) for plane in planes], float)


def as_attributes(plane: Array) -> dict[str, Any]:
    """A plane with its intercept last, as attributes."""
    return {"coef_": plane[:, :-1], "intercept_": plane[:, -1]}


def with_labels(scorer: Any, labels: Array) -> Any:
    """A scorer that knows all the classes, where its measure asks for them: a fold may lack some."""
    measure = getattr(scorer, "_score_func", None)
    asked = {} if measure is None else inspect.signature(measure).parameters
    if "labels" not in asked:
        return scorer
    second = {"pos_label": labels[-1]} if len(labels) == 2 and "pos_label" in asked else {}
    known = {"labels": labels, **second, **scorer._kwargs}
    return make_scorer(measure, response_method=scorer._response_method, greater_is_better=scorer._sign == 1, **known)


@dataclass(frozen=True)
class Hits(Sums):
    """Σ ω of the rows whose class each plane says, and of all rows."""

    right: Array
    weight: float

    @classmethod
    def of(cls, planes: Array, block: Block) -> Self:
        """`planes` are of shape (planes, outputs, coefficients and the intercept)."""
        count, outputs = planes.shape[:2]
        T = np.asarray(block.X @ planes[:, :, :-1].reshape(count * outputs, -1).T)
        T = T.reshape(-1, count, outputs) + planes[:, :, -1]
        said = T[:, :, 0] > 0 if outputs == 1 else T.argmax(axis=2)
        weight = block.weights
        return cls(np.array([weight[hit].sum() for hit in (said == block.y[:, None]).T]), float(weight.sum()))

    @classmethod
    def among(cls, test: Array, planes: Array, block: Block) -> Self:
        """The same for the test rows of the block."""
        inside = np.isin(block.numbers, test)
        return cls.of(planes, replace(block, weight=block.weights * inside))

    @property
    def share(self) -> Array:
        return self.right / self.weight if self.weight > 0 else np.full(len(self.right), np.nan)


# ---- what the scores say -----------------------------------------------------------------------------------------------


def highest(scores: Array) -> tuple[int, int]:
    """Numbers of ρ and C with the best mean score; of equals the first C, then the first ρ."""
    total = scores.sum(axis=0).T
    number, place = np.unravel_index(total.argmax(), total.shape)
    return int(place), int(number)


def standard_error(scores: Array, best: tuple[int, int]) -> float:
    """Of a mean score over the folds."""
    folds = len(scores)
    return float(scores[:, best[0], best[1]].std(ddof=1) / np.sqrt(folds)) if folds > 1 else 0.0


def grid_certificate(scores: Array, Cs: Array, C: float) -> Certificate:
    """That the C with the best mean score over the folds is neither the smallest nor the largest of the grid; that score and
    its standard error."""
    claim, score, error, inside = "the best penalty lies inside the grid, not at one of its ends", np.nan, 0.0, len(Cs) == 1
    if len(scores):
        best = highest(scores)
        score, error = float(scores.mean(axis=0)[best]), standard_error(scores, best)
        inside = inside or bool(Cs.min() < Cs[best[1]] < Cs.max())
    return Certificate(claim, inside, {"C": C, "score": score, "error": error})


# ---- parameters --------------------------------------------------------------------------------------------------------


def numbers_of(name: str, given: Any, rule: Within) -> Array:
    """The numbers of a parameter, checked."""
    try:
        values = np.asarray(given, float)
    except (TypeError, ValueError):
        values = np.array([])
    if values.ndim != 1 or len(values) == 0 or not all(rule.contains(value) for value in values):
        raise ParameterError(f"{name} must be a list of one or more numbers {rule}, got {given!r}.")
    return values
