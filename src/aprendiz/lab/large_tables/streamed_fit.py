"""The best method of a run on a sample, fitted to all rows of the file: preparation and learner, by sums over blocks.

    rows as numbers ──dates──▶ numbers ──ColumnTransformer, step by step──▶ prepared blocks ──learner──▶ model          (1)

Every step of (1) is fitted to all rows in turn, as it would be in memory: means and scales by sums, levels by their counts; the
learner by its own passes. The parameters are those that tuning chose on the sample. This is done where each step learns by sums
over blocks, so that memory does not grow with the rows; otherwise a reason is given.

Cost: one pass over the file, then the passes of the fit over eight bytes a cell on the disk.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import Pipeline

from aprendiz.core.columns import Columns
from aprendiz.core.learner import OnePass
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import Sums
from aprendiz.lab.columns.dates import DateColumns, numbers_of, without_dates
from aprendiz.lab.formats.all_formats import FORMATS
from aprendiz.lab.large_tables.spooled_rows import DAY, NotStreamedError, SpooledTarget, spool
from aprendiz.lab.levels import LevelColumns, LevelNumbers
from aprendiz.lab.opening import limited
from aprendiz.lab.reading import Table
from aprendiz.lab.sources.contents_of_files import questions
from aprendiz.lab.sources.places import places
from aprendiz.linear.logistic_regression import LogisticRegression
from aprendiz.locale import _
from aprendiz.preprocessing.min_max_scaler import MinMaxScaler
from aprendiz.preprocessing.simple_imputer import SimpleImputer
from aprendiz.preprocessing.standard_scaler import StandardScaler

BY_SUMS = (OnePass, LogisticRegression)  # learners whose memory does not grow with the rows
STEPS = (SimpleImputer, StandardScaler, MinMaxScaler)  # of a preparation, which learn by sums


@dataclass(frozen=True)
class StreamedFit:
    """A pipeline that was fitted to all rows of a file, and their number."""

    pipeline: Pipeline
    rows: int


def refuse_unstreamed(pipeline: Any) -> None:
    """Say why a pipeline cannot be fitted block by block."""
    if not isinstance(pipeline[-1], BY_SUMS):
        raise NotStreamedError(_("the method does not learn by sums over blocks of rows"))
    known = [("preparation", "learner"), ("dates", "preparation", "learner")]
    change = pipeline.named_steps.get("preparation")
    if tuple(pipeline.named_steps) not in known or not isinstance(change, ColumnTransformer):
        raise NotStreamedError(_("the preparation of the columns needs all rows at once"))
    steps = [step for _name, transformer, _columns in change.transformers for step in steps_of(transformer)]
    if not all(isinstance(step, (*STEPS, LevelNumbers, LevelColumns)) or step == "passthrough" for step in steps):
        raise NotStreamedError(_("the preparation of the columns needs all rows at once"))


def fit_to_all_rows(pipeline: Pipeline, table: Table, columns: Columns, target: SpooledTarget, X: Any) -> StreamedFit:
    """Fit a pipeline to all rows of a file whose sample it was fitted to.

    Parameters
    ----------
    pipeline : Pipeline
        Preparation and learner, fitted to the sample.
    table : Table
        The sample.
    columns : Columns
        The schema of the features.
    target : SpooledTarget
    X : data frame
        The features of the sample.
    """
    refuse_unstreamed(pipeline)
    with limited(float("inf")), TemporaryDirectory(prefix="aprendiz-") as place:
        folder = Path(place)
        file = places(table.paths)[0].plain(folder)
        blocks = FORMATS[table.dialect.kind].blocks
        assert blocks is not None  # else there would be no sample
        source = blocks(file, questions(file, table.dialect, {}, ()), folder)
        rows = spool(source, columns, target, folder)
        assert rows.count is not None
        return StreamedFit(PreparationFit(pipeline, columns, X).fitted_to(rows), rows.count)


class PreparationFit:
    """(1) for rows of numbers.

    Parameters
    ----------
    pipeline : Pipeline
        Fitted to the sample: what does not depend on the rows is taken from there.
    columns : Columns
    X : data frame
        The features of the sample.
    """

    def __init__(self, pipeline: Pipeline, columns: Columns, X: Any):
        self.pipeline, self.columns, self.X = pipeline, columns, X

    def fitted_to(self, rows: Rows) -> Pipeline:
        """The pipeline, fitted to all rows."""
        steps: list[tuple[str, Any]] = []
        if "dates" in self.pipeline.named_steps:
            dates = self.fit_dates(rows)
            steps.append(("dates", dates))
            plain = without_dates(self.columns)
            rows = rows.map(lambda X: dates_as_numbers(X, self.columns, dates.first_), [str(name) for name in plain.names])
        change, function = self.fit_change(rows, steps[-1][1].transform(self.X) if steps else self.X)
        learner = clone(self.pipeline[-1]).fit(rows.map(function))
        return Pipeline([*steps, ("preparation", change), ("learner", learner)])

    def fit_dates(self, rows: Rows) -> DateColumns:
        """The first date of each column."""
        dates: DateColumns = clone(self.pipeline.named_steps["dates"]).fit(self.X)
        first = rows.sum(FirstCells.of).first
        places = {column.name: place for place, column in enumerate(self.columns)}
        dates.first_ = {name: float(first[places[name]]) for name in dates.first_}
        return dates

    def fit_change(self, rows: Rows, X: Any) -> tuple[ColumnTransformer, Callable[[Array], Array]]:
        """The preparation of the columns, and what it does to a block of numbers."""
        assert rows.names is not None
        places = {name: place for place, name in enumerate(rows.names)}
        change = clone(self.pipeline.named_steps["preparation"]).fit(X)  # its form; its contents follow
        entries = {entry[0]: entry for entry in change.transformers_}
        functions, outputs, start = [], {}, 0
        for name, transformer, chosen in change.transformers:
            names = [str(one) for one in chosen.names]
            made, function, width = fit_branch(transformer, rows, [places[one] for one in names], names)
            functions.append(function)
            if made != "passthrough":  # in its place stands a step of scikit-learn
                entries[name] = (name, made, chosen)
            outputs[name] = slice(start, start + width)
            start += width
        change.transformers_ = list(entries.values())
        change.output_indices_ = {**outputs, "remainder": slice(0, 0)}
        return change, lambda block: np.hstack([function(block) for function in functions])


def fit_branch(transformer: Any, rows: Rows, places: list[int], names: list[str]) -> tuple[Any, Callable[[Array], Array], int]:
    """A branch of a ColumnTransformer, fitted to some columns of rows; what it does to a block; how many columns it makes."""
    branch = clone(transformer) if transformer != "passthrough" else transformer
    functions: list[Callable[[Array], Array]] = [lambda X: X[:, places]]
    current = rows.map(functions[0], names)
    for step in steps_of(branch):
        function = fit_step(step, current)
        functions.append(function)
        current = current.map(function)

    def whole(X: Array) -> Array:
        for function in functions:
            X = function(X)
        return X

    return branch, whole, current.columns


def fit_step(step: Any, rows: Rows) -> Callable[[Array], Array]:
    """Fit a step to rows; what it does to a block of numbers, in which levels are codes."""
    if isinstance(step, (LevelNumbers, LevelColumns)):
        counts = rows.sum(LevelCounts.of, max(len(column.levels) for column in step.columns)).counts
        step.fit_counts([counts[j, : len(column.levels)] for j, column in enumerate(step.columns)])
        return step.of_codes
    if step == "passthrough":
        return lambda X: X
    step.fit(rows)
    return step.change


def steps_of(transformer: Any) -> list[Any]:
    """The steps of a branch."""
    return [step for _name, step in transformer.steps] if isinstance(transformer, Pipeline) else [transformer]


def dates_as_numbers(X: Array, columns: Columns, first: dict[Any, float]) -> Array:
    """What `DateColumns` makes of a table, from days."""
    parts: list[Array] = []
    for place, column in enumerate(columns):
        if column.kind == "date":
            moments = pd.Series(pd.to_datetime(np.round(X[:, place] * DAY), unit="us"))
            parts += list(numbers_of(moments, column.levels, first[column.name]))
        else:
            parts.append(X[:, place])
    return np.column_stack(parts)


@dataclass(frozen=True)
class FirstCells(Sums):
    """The smallest known cell of each column."""

    first: Array

    @classmethod
    def of(cls, block: Block) -> FirstCells:
        return cls(np.fmin.reduce(block.X, axis=0))

    def __add__(self, other: FirstCells) -> FirstCells:
        return FirstCells(np.fmin(self.first, other.first))


@dataclass(frozen=True)
class LevelCounts(Sums):
    """How often each code stands in each column."""

    counts: Array

    @classmethod
    def of(cls, levels: int, block: Block) -> LevelCounts:
        return cls(np.array([np.bincount(column[column >= 0].astype(np.int64), minlength=levels) for column in block.X.T]))
