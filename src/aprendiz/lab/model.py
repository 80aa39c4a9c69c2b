"""A model with what is needed to use it on new files: how they are read, which columns it wants, and what it predicts.

`predict` takes a data frame or a path. A file is read in the dialect of the one the model was made from. Columns may stand in
another order and others may stand beside them; a column that is missing, or that holds words where there were numbers, is
refused with its name.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator

from aprendiz.core.cells import Column
from aprendiz.core.columns import Columns
from aprendiz.core.frames import as_frame
from aprendiz.core.rows import Array
from aprendiz.evaluation.words.measures import measure_in_words
from aprendiz.lab.card import shorten
from aprendiz.lab.cells import word_for
from aprendiz.lab.dialect import Dialect
from aprendiz.lab.large_tables.table_blocks import tables_of
from aprendiz.lab.reading import Table
from aprendiz.lab.sources.places import Paths
from aprendiz.locale import _, format_whole, moment, number

LEVELS = 8  # of a column that are shown


class TableModel(BaseEstimator):
    """A fitted pipeline and the description of its table.

    Parameters
    ----------
    model : fitted estimator
    target : str
        The name of the column that it predicts.
    task : "classification" or "regression"
    columns : Columns
        The schema of the columns that it wants.
    dialect : mapping
        How files were read: the fields of `Dialect`.
    facts : mapping of str to str or number
        What else is worth knowing: the method, its score, when and from what it was made.
    conformal : ConformalRegressor or ConformalClassifier, optional
        The model, calibrated by the predictions of the folds (targets/coverage_of_run.py).
    """

    def __init__(self, model: Any, target: str, task: str, columns: Columns, dialect: Any, facts: Any, conformal: Any = None):
        self.model = model
        self.target = target
        self.task = task
        self.columns = columns
        self.dialect = dialect
        self.facts = facts
        self.conformal = conformal

    @classmethod
    def of(
        cls, model: Any, target: str, task: str, columns: Columns, dialect: Dialect, *, conformal: Any = None, **facts: Any
    ) -> TableModel:
        return cls(model, target, task, columns, asdict(dialect), facts, conformal)

    @property
    def feature_names_in_(self) -> Array:
        return np.array(self.columns.names, dtype=object)

    @property
    def n_features_in_(self) -> int:
        return len(self.columns)

    @property
    def classes_(self) -> Array:
        return self.model.classes_

    def predict(self, table: Any) -> Array:
        """The predicted class or number of each row of a frame or file."""
        return self.of_each(table, self.model.predict)

    def predict_proba(self, table: Any) -> Array:
        """The probability of each class."""
        return self.of_each(table, self.model.predict_proba)

    def predict_interval(self, table: Any, coverage: float = 0.9) -> Array:
        """The low and the high end of the interval of each row, which contains the target with this probability."""
        calibrated = self.calibrated("regression")
        return self.of_each(table, lambda frame: calibrated.predict_interval(frame, coverage))

    def predict_set(self, table: Any, coverage: float = 0.9) -> Array:
        """The set of classes of each row, which contains the true one with this probability: true and false, rows × classes."""
        calibrated = self.calibrated("classification")
        return self.of_each(table, lambda frame: calibrated.predict_set(frame, coverage))

    def of_each(self, table: Any, answer: Callable[[Any], Any]) -> Array:
        """The answers for the rows of a frame, or of a file or several, block by block where it does not fit into memory."""
        paths = isinstance(table, list) and table and all(isinstance(one, (str, os.PathLike)) for one in table)
        if isinstance(table, (str, os.PathLike)) or paths:
            return np.concatenate([np.asarray(answer(self.frame(block.frame))) for block in self.tables(table)])
        return np.asarray(answer(self.frame(table)))

    def calibrated(self, task: str) -> Any:
        """The model with its calibration."""
        if self.task != task:
            raise ValueError(
                _("The model predicts classes: ask for sets (predict_set).")
                if task == "regression"
                else _("The model predicts numbers: ask for intervals (predict_interval).")
            )
        if self.conformal is None:
            raise ValueError(
                _("The model has no intervals or sets: its method gives no probabilities, or an earlier version made it.")
            )
        return self.conformal

    def of_dialect(self) -> Dialect:
        """How files are read: as the first one was, the columns that the model wants with the types they had there."""
        wanted = set(self.columns.names)
        types = {name: kind for name, kind in self.dialect["types"] if name in wanted}
        return Dialect(**{**self.dialect, "types": types})

    def tables(self, path: Paths, **overrides: Any) -> Iterator[Table]:
        """The rows of a file or several, read as the one the model was made from: as one table, or block by block if it does
        not fit into memory (large_tables/table_blocks.py). `overrides` are those of `aprendiz.lab.read`."""
        dialect = self.of_dialect()
        types = {**dict(dialect.types), **dict(overrides.pop("types", {}))}
        return tables_of(path, like=replace(dialect, types=tuple(types.items())), **overrides)

    def frame(self, table: Any) -> Any:
        """The columns that the model wants, in its order."""
        if not isinstance(table, pd.DataFrame):
            table = as_pandas(table)
        given = [str(name) for name in table.columns]
        known = set(given)
        absent = [name for name in self.columns.names if name not in known]
        if absent:
            raise ValueError(
                _("The table has no column {name}, which the model needs; it has {known}.").format(
                    name=repr(absent[0]), known=", ".join(map(repr, given[:20]))
                )
            )
        wanted = table[list(self.columns.names)].copy()
        for column, dtype in zip(self.columns, wanted.dtypes, strict=True):
            if column.kind in ("numeric", "latitude", "longitude") and dtype.kind not in "biuf":
                wanted[column.name] = numbers_of(wanted[column.name])
        return wanted

    def describe(self) -> str:
        """What the model is, in a few lines."""
        lines = [
            _("predicts {target} ({task})").format(target=self.target, task=_(self.task)),
            *(f"{name}: {value}" for name, value in self.facts_in_words()),
            _("columns needed:"),
            *(f"  {shorten(str(column.name), 40)}: {describe(column)}" for column in self.columns),
        ]
        return "\n".join(lines)

    def facts_in_words(self) -> Iterator[tuple[str, str]]:
        """What else is known of the model, with its names in the current language."""
        known = self.facts
        if "method" in known:
            yield _("method"), str(known["method"])
        if "score" in known:
            interval = _("({low} to {high})").format(low=number(known["low"]), high=number(known["high"]))
            yield measure_in_words(known["measure"]), f"{number(known['score'])} {interval}"
        if "rows" in known:
            yield _("rows"), format_whole(known["rows"])
        if "table" in known:
            yield _("table"), str(known["table"])
        if "made" in known:
            yield _("made"), moment(datetime.fromisoformat(known["made"]))


def as_pandas(table: Any) -> Any:
    """A table of another library, or a mapping of columns."""
    frame = as_frame(table)
    if frame is not None:
        return frame.to_pandas()
    if isinstance(table, Mapping):
        return pd.DataFrame(dict(table))
    raise TypeError(
        _("The model needs columns with names: give a data frame or the path of a file, not {kind}.").format(
            kind=type(table).__name__
        )
    )


def numbers_of(series: Any) -> Any:
    """A column as numbers, or a word about the cell that is none."""
    found = pd.to_numeric(series, errors="coerce")
    strange = series[found.isna() & series.notna()]
    if len(strange):
        raise ValueError(
            _("Column {name} contains {value}, but the model was trained on numbers.").format(
                name=repr(series.name), value=repr(str(strange.iloc[0]))
            )
        )
    return found.astype(float)


def describe(column: Column) -> str:
    """What a column holds."""
    if column.kind in ("numeric", "text", "date", "place", "latitude", "longitude"):
        return word_for({"numeric": "number"}.get(column.kind, column.kind))
    known = column.levels[1:] if column.kind == "list" else column.levels
    levels = [shorten(str(level), 40) for level in known]
    shown = ", ".join(levels[:LEVELS])
    return f"{shown}, … ({format_whole(len(levels))})" if len(levels) > LEVELS else shown
