"""What the columns are worth to the best method of a run, whatever the method: importance by permutation, partial dependence.

Both ask a model about rows that it was not fitted to: the method, with the parameters that tuning chose on all rows, is fitted
to 70 % of them, and asked about the others. So they tell what the method does with columns, not how well it does.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from aprendiz.evaluation import METRICS, partial_dependence, permutation_importance
from aprendiz.evaluation.folds.predictions import take
from aprendiz.evaluation.holdout import Holdout
from aprendiz.evaluation.partial_dependence import PartialDependence
from aprendiz.evaluation.permutation_importance import PermutationImportance
from aprendiz.lab.experiment import Experiment, Results
from aprendiz.lab.methods import BASELINE

LONGEST = 5.0  # seconds for all predictions
REPEATS = 5
MOST_COLUMNS = 200
ASKED = 500  # rows whose predictions are averaged
GRID = 25  # values along a column
SHOWN = 3  # columns that matter most, along which predictions are shown


@dataclass(frozen=True)
class ColumnsOfRun:
    """How much worse predictions become when a column is shuffled, and how they go along the columns that matter most."""

    importance: PermutationImportance
    dependence: tuple[PartialDependence, ...]
    rows: int  # that were asked about


def columns_of(experiment: Experiment, results: Results, pipeline: Any) -> ColumnsOfRun | None:
    """The record; None where the baseline is best, or it would take too long, or the method cannot be asked so."""
    wide = experiment.X.shape[1] > MOST_COLUMNS
    if experiment.stopped == "interrupted" or results.best in BASELINE.values() or wide or too_slow(results):
        return None
    try:
        by_class = experiment.question.task == "classification"
        train, test = next(iter(Holdout(0.3, 0).splits(experiment.y, experiment.groups, by_class)))
        rows = test[:ASKED]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what there is to say of such a fit was said of that to all rows
            model = clone(pipeline).fit(take(experiment.X, train), experiment.y[train])
            schema = experiment.question.columns(experiment.table)
            drawable = [column.name for column in schema if column.kind not in ("text", "date", "list", "place")]
            return asked(model, take(experiment.X, rows), experiment.y[rows], results.question.metric, drawable)
    except (ValueError, TypeError, np.linalg.LinAlgError):  # too few rows, or cells that cannot be changed one by one
        return None


def too_slow(results: Results) -> bool:
    """Would a fit take too long, from the time of a fold?"""
    found = results.evaluations[results.best]
    return found.seconds / len(found.folds) > LONGEST


def asked(model: Any, X: Any, y: Any, metric: str, drawable: Sequence[Any]) -> ColumnsOfRun | None:
    """What a fitted model says of some rows; predictions are drawn along the columns with values in an order, or few levels."""
    start = time.perf_counter()
    model.predict(X)
    every = (time.perf_counter() - start) * X.shape[1]
    if every > LONGEST:
        return None
    repeats = int(np.clip(LONGEST / max(every, 1e-9), 1, REPEATS))
    scoring = metric if metric in METRICS else None
    importance: PermutationImportance = permutation_importance(  # type: ignore[operator]
        model, X, y, scoring=scoring, n_repeats=repeats, random_state=0
    )
    mean = importance.importances_mean
    along = [j for j in np.argsort(-mean, kind="stable").tolist() if mean[j] > 0 and X.columns[j] in set(drawable)]
    dependence = [partial_dependence(model, X, j, grid_resolution=GRID, method="brute") for j in along[:SHOWN]]  # type: ignore[operator]
    return ColumnsOfRun(importance, tuple(dependence), len(y))
