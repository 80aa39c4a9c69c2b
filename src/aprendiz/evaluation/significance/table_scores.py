"""Scores of the same learners on several tables: from evaluations, scores of folds, or plain numbers.

A mapping has a table under each name, which has a learner under each name. A frame or an array has a table in each row and a
learner in each column.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from aprendiz.core.frames import as_frame
from aprendiz.core.rows import Array
from aprendiz.evaluation import METRICS, Evaluation
from aprendiz.evaluation.significance.fold_scores import (
    FoldScores,
    common_metric,
    folds_of_arrays,
    folds_of_evaluations,
    refuse_other_rows,
)


@dataclass(frozen=True)
class TableScores:
    """The scores (a row for each table, a column for each learner), and those of the folds where they are known."""

    tables: tuple[str, ...]
    names: tuple[str, ...]
    scores: Array
    metric: str | None
    folds: Mapping[str, FoldScores]


def table_scores(given: Any, metric: str | None, names: Sequence[str] | None, n_test: Any, n_train: Any) -> TableScores:
    """Whatever is given, checked."""
    if isinstance(given, Mapping):
        found = of_mapping(given, metric, n_test, n_train)
    else:
        found = of_rectangle(given, metric, names)
    refuse_bad_tables(found)
    return found


def of_rectangle(given: Any, metric: str | None, names: Sequence[str] | None) -> TableScores:
    """A frame, whose columns are the learners, or an array with the names of its columns."""
    frame = as_frame(given)
    columns = names if frame is None else frame.columns
    scores = np.asarray(given if frame is None else frame.to_numpy())
    if scores.ndim != 2 or scores.dtype.kind not in "iuf":
        raise TypeError(
            "scores must be numbers, with a row for each table and a column for each learner (index the names of the tables)."
        )
    columns = [f"learner {j}" for j in range(scores.shape[1])] if columns is None else list(map(str, columns))
    if len(columns) != scores.shape[1]:
        raise ValueError(f"There are {len(columns)} names for {scores.shape[1]} columns: give one for each learner.")
    if len(set(columns)) < len(columns):
        twice = next(name for name in columns if columns.count(name) > 1)
        raise ValueError(f"The name {twice!r} appears more than once: give each learner a name of its own.")
    index = getattr(given, "index", None)
    tables = map(str, range(len(scores))) if index is None or callable(index) else map(str, index)
    return TableScores(tuple(tables), tuple(columns), scores.astype(np.float64), metric, {})


def of_mapping(given: Mapping[str, Any], metric: str | None, n_test: Any, n_train: Any) -> TableScores:
    """A mapping of tables to mappings of learners to results."""
    if not given:
        raise ValueError("There is no table: a comparison over tables needs at least two.")
    first, names, rows, folds = next(iter(given)), None, [], {}
    for table, results in given.items():
        if not isinstance(results, Mapping):
            raise TypeError(f"Table {table!r} is a {type(results).__name__}: give a mapping of learners to results.")
        names = tuple(results) if names is None else names
        if set(results) != set(names):
            odd = sorted(set(results) ^ set(names), key=str)
            raise ValueError(
                f"Tables {first!r} and {table!r} have not the same learners ({odd[0]!r}): compare those that all have."
            )
        metric, scores, found = of_table(
            table, {name: results[name] for name in names}, metric, size(n_test, table), size(n_train, table)
        )
        rows.append(scores)
        if found is not None:
            folds[str(table)] = found
    assert names is not None
    return TableScores(tuple(map(str, given)), names, np.array(rows), metric, folds if len(folds) == len(given) else {})


def size(given: Any, table: str) -> Any:
    """The rows of the folds of a table: one number for all tables, or a mapping."""
    return given.get(table) if isinstance(given, Mapping) else given


def of_table(
    table: str, results: Mapping[str, Any], metric: str | None, n_test: Any, n_train: Any
) -> tuple[str | None, list[float], FoldScores | None]:
    """The measure, the score of each learner, and the folds if there are several."""
    if all(isinstance(one, Evaluation) for one in results.values()):
        metric = common_metric(results, metric)
        refuse_other_rows(results)
        scores = [score_of(one, metric) for one in results.values()]
        folds = folds_of_evaluations(results, metric)
        return metric, scores, folds if folds.scores.shape[1] > 1 else None
    for name, one in results.items():
        if np.asarray(one).dtype.kind not in "iuf":
            raise TypeError(
                f"{name!r} on {table!r} is a {type(one).__name__}: give all Evaluations, or all numbers or arrays of numbers."
            )
    folds = folds_of_arrays(results, metric, n_test, n_train)
    return metric, folds.scores.mean(axis=1).tolist(), folds if folds.scores.shape[1] > 1 else None


def score_of(one: Evaluation, metric: str) -> float:
    """The mean over the folds, or the measure of all rows where rows are tested singly."""
    return METRICS[metric].of(one.pooled) if one.by_row else float(np.mean(one.values(METRICS[metric])))


def refuse_bad_tables(found: TableScores) -> None:
    """Fewer than two tables or learners, missing scores, and nothing but ties."""
    if len(found.names) < 2:
        raise ValueError(f"There is only {found.names[0]!r}: a comparison needs at least two learners.")
    if len(found.tables) < 2:
        raise ValueError(f"There is only the table {found.tables[0]!r}: compare needs one, compare_over_tables at least two.")
    missing = np.argwhere(~np.isfinite(found.scores))
    if len(missing):
        row, column = missing[0]
        raise ValueError(
            f"{found.names[column]!r} has no score on table {found.tables[row]!r}: leave the table or the learner out."
        )
    if np.ptp(found.scores, axis=1).max() == 0:
        raise ValueError("All learners have the same score on every table: there is no difference to test.")
