"""`aprendiz cluster`: are there groups of rows, how many, and what tells them apart.

Ctrl-C ends the search: what is finished is reported.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from aprendiz.cli.dialect_options import dialect_options
from aprendiz.cli.exploring import announce
from aprendiz.cli.reading_progress import read_with_progress
from aprendiz.cli.tables import Tables, files_of, kept, name_of
from aprendiz.cli.words import input_errors, printable
from aprendiz.lab.cluster import answer_lines
from aprendiz.lab.cluster import cluster as look
from aprendiz.lab.notes import sample_notes
from aprendiz.lab.pages.folder import GROUPS, MODEL, begin_folder
from aprendiz.locale import _


def cluster(
    tables: Tables,
    *,
    k: int | None,
    methods: str | None,
    leave_out: tuple[str, ...],
    budget: float | None,
    seed: int | None,
    out: str | None,
    **written: Any,
) -> int:
    """Look for groups and write the report; the exit code."""
    with input_errors(), TemporaryDirectory(prefix="aprendiz-") as spare:
        home = begin_folder(name_of(tables), out, "groups")
        rows = read_with_progress(files_of(tables, Path(spare)), **dialect_options(written), seed=seed or 0)
        rows = kept(rows, tables, home)
        found = look(rows, k=k, methods=methods, leave_out=leave_out, budget=budget, seed=seed or 0, on_stage=announce)
        page = found.write(home)
    for line in sample_notes(rows.sample):
        click.echo(printable(line))
    for line in answer_lines(found.numbers):
        click.echo(printable(line))
    if found.numbers["stopped"]:
        click.echo(_("Stopped: the report shows what was finished."))
    click.echo(f"{click.style(_('report'), bold=True)}  {page}")
    if found.labels is not None:
        click.echo(f"{click.style(_('rows with their group'), bold=True)}  {home / GROUPS}")
        command = f"aprendiz predict {shlex.quote(str(home / MODEL))} new.csv -o predictions.csv"
        click.echo(f"{click.style(_('predict'), bold=True)}  {command}")
    sys.stdout.flush()
    return 0
