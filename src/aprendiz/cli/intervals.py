"""`aprendiz predict --coverage`: the columns of intervals or sets, and how often they contain a target that is known."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import click
import numpy as np

from aprendiz.cli.words import printable
from aprendiz.conformal.shared.coverage import Coverage
from aprendiz.lab.model import TableModel
from aprendiz.lab.reading import Table
from aprendiz.lab.series import label_of
from aprendiz.lab.written_table import free

BETWEEN = " | "  # the classes of a set


def interval_columns(model: TableModel, table: Table, coverage: float, taken: set[str], heard: set[str]) -> dict[str, Any]:
    """The ends of the interval of each row, or its set of classes. A warning that is in `heard` is not told again."""
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        if model.task == "regression":
            ends = model.predict_interval(table.frame, coverage)
            found = {free(f"{end}_{model.target}", taken): ends[:, place] for place, end in enumerate(("low", "high"))}
        else:
            sets = model.predict_set(table.frame, coverage)
            names = [str(label) for label in model.classes_]
            words = [BETWEEN.join(name for name, inside in zip(names, row, strict=True) if inside) for row in sets]
            found = {free(f"set_{model.target}", taken): np.array(words, dtype=object)}
    for sentence in dict.fromkeys(str(one.message) for one in warned):
        if sentence not in heard:
            click.echo(printable(sentence), err=True)
            heard.add(sentence)
    return found


def coverage_words(model: TableModel, table: Table, coverage: float) -> Iterator[str]:
    """How often the truth lies inside, if the table knows the target."""
    if model.target not in table.frame.columns:
        return
    truth = table.frame[model.target]
    known = truth.notna().to_numpy()
    if not known.any() or (model.task == "regression" and truth.dtype.kind not in "fiu"):
        return
    rows = table.frame[known]
    with warnings.catch_warnings(action="ignore"):
        if model.task == "regression":
            yield str(Coverage.of_intervals(coverage, truth[known].to_numpy(float), model.predict_interval(rows, coverage)))
            return
        labels = np.asarray(model.classes_)
        places = {str(label): code for code, label in enumerate(labels)}
        codes = np.array([places.get(label_of(value), -1) for value in truth[known]])
        yield str(Coverage.of_sets(coverage, codes, model.predict_set(rows, coverage), labels))
