"""`aprendiz predict`: the rows of a new table, with what the model says of them.

The file is written as the table is: the same separator, decimal sign and encoding. Cells that a spreadsheet would run get an
apostrophe. If the table holds the target too, the score on it is told.

A table that does not fit into memory is predicted block by block. The answer goes into a file that is always whole: CSV, or
Parquet if its name says so. A link means the file it points to. Devices and pipes (`/dev/stdout`, a FIFO)
are written to as they are; nothing else is put in their place.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
import numpy as np

from aprendiz.cli.dialect_options import dialect_options
from aprendiz.cli.intervals import interval_columns
from aprendiz.cli.prediction_checks import PredictionChecks
from aprendiz.cli.reading_progress import ReadingProgress
from aprendiz.cli.tables import Tables, files_of, name_of
from aprendiz.cli.words import InputError, input_errors, printable
from aprendiz.core.atomic import whole_file
from aprendiz.lab.model import TableModel
from aprendiz.lab.notes import mixed_notes
from aprendiz.lab.reading import Table
from aprendiz.lab.written_table import CsvTables, ParquetTables, free, to_csv
from aprendiz.locale import _, format_whole, ngettext
from aprendiz.persistence import ModelFileError, load

OPEN_STREAM = re.compile(r"/dev/(stdout|stderr|fd/\d+)|/proc/\w+/fd/\d+")  # perhaps a file, which must not be replaced


def predict(
    model: str,
    table: Tables,
    *,
    out: str | None,
    force: bool,
    coverage: float | None = None,
    memory: float | None = None,
    **written: Any,
) -> int:
    """Predict and write; the exit code."""
    streamed = out is not None and out != "-" and is_stream(out)
    if out is not None and out != "-" and os.path.lexists(out) and not force and not streamed:
        raise InputError(_("{file} already exists: choose another name, or overwrite it with --force.").format(file=out))
    with input_errors(), TemporaryDirectory(prefix="aprendiz-") as spare:
        known = load_model(model)
        progress = ReadingProgress(os.path.basename(name_of(table)), sampled=False)
        checks, files = PredictionChecks(known, coverage), files_of(table, Path(spare))
        tables = known.tables(files, max_memory=memory, on_rows=progress, **dialect_options(written))
        heard = set[str]()
        answered = ((found, answers(known, found, coverage, heard)) for found in tables)
        first = next(answered)  # what is wrong is refused before anything is written
        with opened_for(out, streamed) as file:
            for found, columns in chain([first], answered):
                checks.add(found, columns)
                file.add(found, columns)
            file.close()
        sentences = [*mixed_notes(first[0].dialect, first[0].mixed), *checks.sentences()]
    progress.clear()
    rows = ngettext("{rows} row predicted", "{rows} rows predicted", checks.rows).format(rows=format_whole(checks.rows))
    click.echo(printable(rows if out is None else f"{rows}: {out}"), err=True)
    for sentence in sentences:
        click.echo(printable(sentence), err=True)
    return 0


@contextmanager
def opened_for(out: str | None, streamed: bool) -> Iterator[Any]:
    """What tables are written to: the screen, a stream, or a new file that is whole at the end."""
    if out is None or out == "-":
        yield OnScreen()
    elif streamed:
        with open(os.open(out, os.O_WRONLY | os.O_APPEND), "wb") as stream:
            yield CsvTables(stream)
    else:
        with whole_file(out) as file:
            yield ParquetTables(file) if out.lower().endswith((".parquet", ".pq")) else CsvTables(file)


class OnScreen:
    """Tables as CSV on the standard output."""

    begun = False

    def add(self, table: Table, columns: dict[str, Any]) -> None:
        text = to_csv(table, columns, table.dialect, header=not self.begun)
        sys.stdout.write(printable(text) if sys.stdout.isatty() else text)
        self.begun = True

    def close(self) -> None:
        sys.stdout.flush()


def is_stream(path: str) -> bool:
    """Is it written to as it is, never replaced: a device, a pipe, or a stream that the system has opened for us?"""
    if OPEN_STREAM.fullmatch(os.path.abspath(path)):
        return True
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    if stat.S_ISBLK(mode) or stat.S_ISSOCK(mode):
        raise InputError(_("{file} is a disk or a socket: give the name of a file.").format(file=path))
    return stat.S_ISCHR(mode) or stat.S_ISFIFO(mode)


def load_model(path: str) -> TableModel:
    """The model of a file."""
    if not Path(path).is_file():
        raise InputError(_("There is no model {file}: give the path of a file such as model.apz.").format(file=path))
    try:
        model = load(path)
    except ModelFileError as error:
        raise InputError(_("{file} cannot be loaded as a model. ({reason})").format(file=path, reason=error)) from error
    if not isinstance(model, TableModel):
        kind = type(model).__name__
        raise InputError(
            _("{file} contains {kind}, not a model written by aprendiz run: only those know how to read a table.").format(
                file=path, kind=kind
            )
        )
    return model


def answers(model: TableModel, table: Table, coverage: float | None, heard: set[str]) -> dict[str, Any]:
    """The columns that the model adds: its prediction, the probability of each class, and intervals or sets of a coverage."""
    taken = {str(name) for name in table.frame.columns}
    frame = model.frame(table.frame)
    columns = {free(f"predicted_{model.target}", taken): np.asarray(model.model.predict(frame))}
    if model.task == "classification" and hasattr(model.model, "predict_proba"):
        probability = model.model.predict_proba(frame)
        for column, label in enumerate(model.classes_):
            columns[free(f"probability_{label}", taken)] = probability[:, column]
    if coverage is not None:
        columns |= interval_columns(model, table, coverage, taken, heard)
    return columns
