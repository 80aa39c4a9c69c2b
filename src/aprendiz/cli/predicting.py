"""`aprendiz predict`: the rows of a new table, with what the model says of them.

The file is written as the table is: the same separator, decimal sign and encoding. Cells that a spreadsheet would run get an
apostrophe. If the table holds the target too, the score on it is told.

The answer goes into a file that is always whole. A link means the file it points to. Devices and pipes (`/dev/stdout`, a FIFO)
are written to as they are; nothing else is put in their place.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import numpy as np

from aprendiz.bayes.bayes_decision_classifier import BayesDecisionClassifier
from aprendiz.cli.dialect_options import dialect_options
from aprendiz.cli.intervals import coverage_words, interval_columns
from aprendiz.cli.words import InputError, input_errors, printable
from aprendiz.core.atomic import write_whole
from aprendiz.evaluation.measures.answers import Answers
from aprendiz.evaluation.metrics import METRICS
from aprendiz.evaluation.words.measures import measure_in_words, score_in_words
from aprendiz.lab.card import shorten
from aprendiz.lab.experiment import fingerprint
from aprendiz.lab.levels import UNKNOWN, level_codes
from aprendiz.lab.model import TableModel
from aprendiz.lab.notes import mixed_notes
from aprendiz.lab.reading import Table
from aprendiz.lab.series import label_of
from aprendiz.lab.written_table import encode, free, to_csv
from aprendiz.locale import _, format_whole, ngettext
from aprendiz.persistence import ModelFileError, load

OPEN_STREAM = re.compile(r"/dev/(stdout|stderr|fd/\d+)|/proc/\w+/fd/\d+")  # perhaps a file, which must not be replaced


def predict(model: str, table: str, *, out: str | None, force: bool, coverage: float | None = None, **written: Any) -> int:
    """Predict and write; the exit code."""
    streamed = out is not None and out != "-" and is_stream(out)
    if out is not None and out != "-" and os.path.lexists(out) and not force and not streamed:
        raise InputError(_("{file} already exists: choose another name, or overwrite it with --force.").format(file=out))
    with input_errors():
        known = load_model(model)
        found = known.read(table, **dialect_options(written))
        columns = answers(known, found, coverage)
    text = to_csv(found, columns, found.dialect)
    if out is None or out == "-":
        sys.stdout.write(printable(text) if sys.stdout.isatty() else text)
        sys.stdout.flush()
    elif streamed:
        with open(os.open(out, os.O_WRONLY | os.O_APPEND), "wb") as stream:
            stream.write(encode(text, found.dialect))
    else:
        write_whole(out, encode(text, found.dialect))
    rows = ngettext("{rows} row predicted", "{rows} rows predicted", found.rows).format(rows=format_whole(found.rows))
    click.echo(printable(rows if out is None else f"{rows}: {out}"), err=True)
    checked = [] if coverage is None else coverage_words(known, found, coverage)
    odd = mixed_notes(found.dialect, found.mixed)
    for sentence in (*odd, *strangers(known, found), *evaluate(known, found, columns), *checked):
        click.echo(printable(sentence), err=True)
    return 0


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


def answers(model: TableModel, table: Table, coverage: float | None = None) -> dict[str, Any]:
    """The columns that the model adds: its prediction, the probability of each class, and intervals or sets of a coverage."""
    taken = {str(name) for name in table.frame.columns}
    frame = model.frame(table.frame)
    columns = {free(f"predicted_{model.target}", taken): np.asarray(model.model.predict(frame))}
    if model.task == "classification" and hasattr(model.model, "predict_proba"):
        probability = model.model.predict_proba(frame)
        for column, label in enumerate(model.classes_):
            columns[free(f"probability_{label}", taken)] = probability[:, column]
    if coverage is not None:
        columns |= interval_columns(model, table, coverage, taken)
    return columns


def strangers(model: TableModel, table: Table) -> Iterator[str]:
    """Cells that hold what the model has not met in their columns."""
    for column in model.columns:
        if column.kind in ("numeric", "text", "date"):
            continue
        codes = level_codes(table.frame, column)
        count = int((codes == UNKNOWN).sum())
        if count:
            example = table.frame[column.name].iloc[int(np.flatnonzero(codes == UNKNOWN)[0])]
            yield ngettext(
                "column {name}: {count} cell holds a level not seen in training, {example}",
                "column {name}: {count} cells hold levels not seen in training, such as {example}",
                count,
            ).format(name=repr(column.name), count=format_whole(count), example=repr(shorten(str(example), 40)))


def evaluate(model: TableModel, table: Table, columns: dict[str, Any]) -> Iterator[str]:
    """How good the predictions are, if the table knows the target."""
    if model.target not in table.frame.columns:
        return
    truth = table.frame[model.target]
    known = truth.notna().to_numpy()
    if not known.any():
        return
    prediction = next(iter(columns.values()))[known]
    if isinstance(model.model, BayesDecisionClassifier):
        yield cost_of_decisions(model.model, truth[known], prediction)
    name = "accuracy" if model.task == "classification" else "mae"
    if name == "accuracy":
        right: Any = np.array([label_of(value) for value in truth[known]])
    elif truth.dtype.kind in "fiu":
        right = truth[known].to_numpy(float)
    else:
        return
    value = METRICS[name].of(Answers(right, prediction))
    rows = int(known.sum())
    yield ngettext(
        "the target is known in {rows} row: {measure} {value}",
        "the target is known in {rows} rows: {measure} {value}",
        rows,
    ).format(rows=format_whole(rows), measure=measure_in_words(name), value=score_in_words(value, name))
    if fingerprint(table.path) == model.facts.get("fingerprint"):
        yield _("these are the training rows of the model: on new rows it will do worse")


def cost_of_decisions(model: BayesDecisionClassifier, truth: Any, prediction: Any) -> str:
    """What the decisions cost on average, and how many rows were rejected."""
    labels, rule = [str(label) for label in model.classes_], model.rule()
    table = 1.0 - np.eye(len(labels)) if rule.loss is None else rule.loss
    pairs = [(label_of(true), str(said)) for true, said in zip(truth, prediction, strict=True)]
    rejected = sum(said not in labels for _true, said in pairs)
    costs = [
        rule.reject_cost if said not in labels else table[labels.index(true), labels.index(said)]
        for true, said in pairs
        if true in labels
    ]
    words = ngettext("mean cost {cost}; {count} row was rejected", "mean cost {cost}; {count} rows were rejected", rejected)
    cost = score_in_words(float(np.mean(costs)), "mean_cost") if costs else "–"
    return words.format(cost=cost, count=format_whole(rejected))
