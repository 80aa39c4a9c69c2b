"""The columns that were used: how their values spread, by class or against the target, and what the best method does with them.

Numbers have a histogram for each class, or rows as points against the target; levels have counts, by class or with the
quartiles of the target, and so have the items of lists; dates are drawn as numbers, text by the number of its words, places by
their distance from the centre. Of very many columns those that matter
most are shown, of very many rows some.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from aprendiz.core.cells import Column
from aprendiz.core.rows import Array
from aprendiz.lab.columns.lists import items_by_row
from aprendiz.lab.columns.places import centre_of, coordinates, east_and_north
from aprendiz.lab.exploration.samples import ROWS_OF_COLUMNS, chosen_rows
from aprendiz.lab.exploration.single_columns import BARS, LEVELS, histogram
from aprendiz.lab.outcome import Outcome
from aprendiz.lab.preparation import learner_inside, treatment_of

MOST_COLUMNS = 40
MOST_CLASSES = 6
POINTS = 150  # rows against the target
FEW_ROWS = 400  # for which half the bars are enough


def columns_used_of(outcome: Outcome) -> dict[str, Any]:
    """The columns, and what all of them share: the classes, or the target of the rows that are points."""
    experiment, question = outcome.experiment, outcome.results.question
    rows = chosen_rows(len(experiment.y), ROWS_OF_COLUMNS)
    X, y = experiment.X.iloc[rows], experiment.y[rows]
    learner = learner_inside(outcome.pipeline[-1])
    shown = [column for column in question.columns(experiment.table) if column.name in set(chosen_columns(outcome))]
    if question.task == "classification":
        labels, counts = np.unique(y, return_counts=True)
        largest = labels[np.sort(np.argsort(-counts, kind="stable")[:MOST_CLASSES])]
        shared: dict[str, Any] = {"classes": [str(label) for label in largest], "all_classes": len(labels)}
        of_column = [by_class(column, X[column.name], y, largest) for column in shown]
    else:
        points = chosen_rows(len(y), POINTS)
        shared = {"target": y[points], "target_range": [float(y.min()), float(y.max())]}
        of_column = [against(column, X[column.name], y, points) for column in shown]
    columns = [
        {
            "name": column.name,
            "kind": column.kind,
            "missing": int(X[column.name].isna().sum()),
            "treatment": treatment_of(learner, column),
            **found,
        }
        for column, found in zip(shown, of_column, strict=True)
    ]
    return {
        **shared,
        "rows": len(rows),
        "all_rows": len(experiment.y),
        "all_columns": len(question.features),
        "columns": columns,
    }


def chosen_columns(outcome: Outcome) -> list[Any]:
    """All columns, or of many those that matter most to the best method, as far as that is known."""
    names = list(outcome.results.question.features)
    if len(names) <= MOST_COLUMNS or outcome.columns is None:
        return names[:MOST_COLUMNS]
    worth = outcome.columns.importance
    return [worth.names[j] for j in np.argsort(-worth.importances_mean, kind="stable")[:MOST_COLUMNS]]


# ---- one column ------------------------------------------------------------------------------------------------------


def by_class(column: Column, cells: Any, y: Array, labels: Array) -> dict[str, Any]:
    """Counts of the values of each class."""
    if column.kind == "list":
        of_items = [
            (item, rows, {"counts": [int(rows[y == label].sum()) for label in labels]}) for item, rows in items(column, cells)
        ]
        return with_items(of_items)
    if is_level(column):
        listed, codes = coded(cells)
        counts = [np.bincount(codes[(y == label) & (codes >= 0)], minlength=len(listed)) for label in labels]
        levels = [{"level": level, "counts": [int(of[k]) for of in counts]} for k, level in enumerate(listed)]
        return {"levels": with_all(levels, codes), "others": others(codes)}
    return bars(column, cells, [y == label for label in labels])[0]


def against(column: Column, cells: Any, y: Array, points: Array) -> dict[str, Any]:
    """A few rows as points, or the quartiles of the target for each level."""
    if column.kind == "list":
        quarters = [0.25, 0.5, 0.75]
        return with_items([(item, rows, {"quartiles": np.quantile(y[rows], quarters)}) for item, rows in items(column, cells)])
    if is_level(column):
        listed, codes = coded(cells)
        quartiles = [np.quantile(y[codes == k], [0.25, 0.5, 0.75]) for k in range(len(listed))]
        levels = [{"level": level, "quartiles": found} for level, found in zip(listed, quartiles, strict=True)]
        return {"levels": with_all(levels, codes), "others": others(codes)}
    found, values = bars(column, cells, [np.ones(len(y), dtype=bool)])
    return {**found, "points": values[points]} if found else {}


def bars(column: Column, cells: Any, parts: list[Array]) -> tuple[dict[str, Any], Array]:
    """The histogram of some parts of the rows, nothing where all cells are missing; and the values."""
    values = as_numbers(column, cells)
    known = np.isfinite(values)
    if not known.any():
        return {}, values
    edges = edges_of(values[known])
    counts = [counted(values[known & rows], edges) for rows in parts]
    return {**ends(column, values[known]), "edges": edges, "counts": counts}, values


def is_level(column: Column) -> bool:
    return column.kind in ("binary", "ordinal", "categorical")


def coded(cells: Any) -> tuple[list[str], Array]:
    """The most frequent levels, and for each row the number of its level: −1 where it is missing, −2 for a rarer one."""
    plain = cells.astype(object)
    counts = plain.value_counts()
    listed = list(counts.index[:LEVELS])
    place = {level: k for k, level in enumerate(listed)}
    codes = np.array([-1 if missing else place.get(cell, -2) for cell, missing in zip(plain, cells.isna(), strict=True)])
    return [str(level) for level in listed], codes


def items(column: Column, cells: Any) -> list[tuple[str, Array]]:
    """The most frequent items of lists, and the rows that have each."""
    table, _sizes, names = items_by_row(cells, column)
    rows = np.asarray(table.sum(axis=0)).ravel()
    return [(names[k], table[:, [k]].toarray().ravel() > 0) for k in np.argsort(-rows, kind="stable")[:LEVELS].tolist()]


def with_items(found: list[tuple[str, Array, dict[str, Any]]]) -> dict[str, Any]:
    """The items as levels; nothing where there are none."""
    levels = [{"level": item, **known, "rows": int(rows.sum())} for item, rows, known in found]
    return {"levels": levels, "others": 0} if levels else {}


def with_all(levels: list[dict[str, Any]], codes: Array) -> list[dict[str, Any]]:
    """Each level with the number of its rows."""
    return [{**level, "rows": int((codes == k).sum())} for k, level in enumerate(levels)]


def others(codes: Array) -> int:
    return int((codes == -2).sum())


def as_numbers(column: Column, cells: Any) -> Array:
    """Numbers as they are, dates in seconds, text by the number of its words, places by their distance from the centre in km;
    NaN where a cell is missing."""
    if column.kind == "place":
        place = coordinates({column.name: cells}, column, None)
        return np.hypot(*east_and_north(*place, centre_of(*place)))
    if column.kind == "date":
        moments = cells.to_numpy().astype("datetime64[us]")
        return np.where(np.isnat(moments), np.nan, moments.astype(np.int64) / 1e6)
    if column.kind == "text":
        return np.array([np.nan if pd.isna(cell) else len(str(cell).split()) for cell in cells], dtype=np.float64)
    return cells.to_numpy(dtype=np.float64, na_value=np.nan)


def edges_of(values: Array) -> Array:
    """The edges of a histogram; of few rows, bars twice as wide."""
    edges = np.array(histogram(np.sort(values))["edges"])
    return edges[::2] if len(edges) == BARS + 1 and len(values) < FEW_ROWS else edges


def counted(values: Array, edges: Array) -> Array:
    """How many values lie between the edges."""
    return np.array([len(values)]) if len(edges) == 2 else np.histogram(values, edges)[0]


def ends(column: Column, values: Array) -> dict[str, Any]:
    """The smallest and the largest value, of dates as days."""
    low, high = float(values.min()), float(values.max())
    if column.kind == "date":
        return {"low": str(np.datetime64(int(low), "s"))[:10], "high": str(np.datetime64(int(high), "s"))[:10]}
    return {"low": low, "high": high}
