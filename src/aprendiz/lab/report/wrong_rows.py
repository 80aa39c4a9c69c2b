"""Test rows that the best method gets most wrong, and what may explain each: rows like it, and cells that are usual elsewhere.

    order       classes: P(predicted) − P(true), the largest first;   quantities: |y − ŷ|
    near rows   the nearest in the standardised columns, missing cells as the mean, words as columns of zeros and ones
    cells       the largest log p(x_j | predicted) − log p(x_j | true), as naive Bayes estimates them                 (1)

Both look at the table, not at the method: a wrong row among rows of the predicted class is hard for any method, or its class is
written wrongly; one among rows of its own class is a fault of the method.
"""

from __future__ import annotations

import warnings
from collections import Counter
from typing import Any

import numpy as np

from aprendiz.bayes.naive_bayes import NaiveBayes
from aprendiz.core.rows import Array
from aprendiz.evaluation.measures.answers import Answers
from aprendiz.lab.outcome import Outcome
from aprendiz.lab.preparation import numbers_of_table

LISTED = 10  # rows
NEAR = 5  # rows like each
CELLS = 3  # that speak for the predicted class,
TELLING = 0.1  # by at least this logarithm, 1.1 times as likely
MOST_CELLS = 20_000_000  # of a prepared table in which near rows are looked for


def wrong_rows_of(outcome: Outcome) -> dict[str, Any]:
    """How many test rows are wrong, and the worst of them; rows are counted from 1, as they stand in the file."""
    experiment, evaluation = outcome.experiment, outcome.evaluation
    answers, tested = evaluation.pooled, np.concatenate([fold.test for fold in evaluation.folds])
    by_class = experiment.question.task == "classification"
    size = excess(answers) if by_class else np.abs(answers.truth - answers.prediction)
    wrong = np.flatnonzero(answers.truth != answers.prediction) if by_class else np.arange(len(size))
    worst = wrong[np.argsort(-size[wrong], kind="stable")][:LISTED]
    numbers = experiment.table.numbers_of_rows(experiment.question.known_rows(experiment.table))
    near = near_rows(outcome, tested[worst])
    cells = telling_cells(outcome, tested[worst], answers.prediction[worst]) if by_class else {}
    listed = []
    for at, like in zip(worst, near, strict=True):
        row = int(tested[at])
        known = {"row": int(numbers[row]), "truth": plain(answers.truth[at]), "predicted": plain(answers.prediction[at])}
        if by_class and answers.probability is not None:
            known["probability"] = float(answers.probability[at].max())
        found = [{"row": int(numbers[other]), "truth": plain(experiment.y[other])} for other in like]
        listed.append({**known, "near": found, "of_near": counted(found, by_class), "cells": cells.get(row, [])})
    return {"tested": len(tested), "count": len(wrong) if by_class else None, "rows": listed}


def excess(answers: Answers) -> Array:
    """P(predicted) − P(true) of each row; 0 for methods without probabilities."""
    if answers.probability is None or answers.classes is None:
        return np.zeros(len(answers.truth))
    true = np.searchsorted(answers.classes, answers.truth)
    return np.asarray(answers.probability.max(axis=1) - answers.probability[np.arange(len(true)), true])


def plain(value: Any) -> Any:
    """A class as text, a quantity as a number."""
    return float(value) if isinstance(value, (float, np.floating)) else str(value)


def counted(found: list[dict[str, Any]], by_class: bool) -> list[dict[str, Any]]:
    """The classes of the near rows, the most frequent first; of quantities, their mean."""
    if not by_class:
        return [{"mean": float(np.mean([one["truth"] for one in found]))}] if found else []
    return [{"label": label, "rows": times} for label, times in Counter(one["truth"] for one in found).most_common()]


def near_rows(outcome: Outcome, rows: Array) -> list[Array]:
    """The rows that are most like each of some; none where the prepared table is too large."""
    experiment, none = outcome.experiment, [np.empty(0, np.int64) for _ in rows]
    if not len(rows) or experiment.X.shape[0] * experiment.X.shape[1] > MOST_CELLS:
        return none
    Z = numbers_of_table(experiment.X, experiment.question.columns(experiment.table))
    if Z.size > MOST_CELLS:
        return none
    scale = Z.std(axis=0)
    Z = (Z - Z.mean(axis=0)) / np.where(scale > 0, scale, 1.0)
    return [nearest(Z, int(row)) for row in rows]


def nearest(Z: Array, row: int) -> Array:
    """The rows nearest to one, but itself."""
    squares = ((Z - Z[row]) ** 2).sum(axis=1)
    squares[row] = np.inf
    count = min(NEAR, len(Z) - 1)
    some = np.argpartition(squares, count - 1)[:count] if count else np.empty(0, np.int64)
    return some[np.argsort(squares[some], kind="stable")]


def telling_cells(outcome: Outcome, rows: Array, predicted: Array) -> dict[int, list[dict[str, Any]]]:
    """(1), for each row; empty where naive Bayes does not take the table."""
    experiment = outcome.experiment
    names = list(experiment.question.columns(experiment.table).names)
    if not len(rows) or not names:
        return {}
    X, y, found = experiment.X[names], experiment.y, dict[int, list[dict[str, Any]]]()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what naive Bayes says of the table is not about the method
            model = NaiveBayes().fit(X, y)
            for row, label in zip(rows, predicted, strict=True):
                found[int(row)] = ratios(model.explain(X.iloc[[row]]), list(model.classes_), label, y[row])
    except (ValueError, TypeError):
        return {}
    return found


def ratios(table: Any, classes: list[Any], predicted: Any, true: Any) -> list[dict[str, Any]]:
    """The cells that are most times as likely in the predicted class as in the true one, and how many times."""
    with np.errstate(invalid="ignore"):
        difference = table.log_factors[:, classes.index(predicted)] - table.log_factors[:, classes.index(true)]
    order = [j for j in np.argsort(-difference, kind="stable") if difference[j] > TELLING][:CELLS]
    return [
        {"column": str(table.cells[j][0]), "cell": cell(table.cells[j][1]), "log_ratio": float(difference[j])} for j in order
    ]


def cell(value: Any) -> Any:
    """A cell as a number or a word."""
    return value if isinstance(value, (int, float, str)) else str(value)
