"""`aprendiz explore`: what is in a table, before anything is asked of it.

    first rows ──▶ text at once;  table ──read──▶ card ──explore──▶ findings, page

Ctrl-C ends the looking: the page shows what was finished.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from aprendiz.cli.dialect_options import dialect_options
from aprendiz.cli.tables import Tables, files_of, kept, name_of
from aprendiz.cli.words import input_errors, printable
from aprendiz.lab.cells import word_for
from aprendiz.lab.dialect import FIELDS
from aprendiz.lab.first_look import first_look
from aprendiz.lab.sources.places import places
from aprendiz.locale import _, format_whole, ngettext

SHOWN = 8  # columns of a type that are named before the table is read


def explore(tables: Tables, *, leave_out: tuple[str, ...], out: str | None, **written: Any) -> int:
    """Look at a table and write the page; the exit code."""
    given = dialect_options(written)
    with input_errors(), TemporaryDirectory(prefix="aprendiz-") as spare:
        table = files_of(tables, Path(spare))
        first = places(table)[0]
        if not first.inside:
            show_first_rows(str(first.file), given)
        from aprendiz.cli.reading_progress import read_with_progress
        from aprendiz.lab.explore import explore as look
        from aprendiz.lab.pages.folder import begin_folder

        home = begin_folder(name_of(tables), out, "exploration")
        found = kept(read_with_progress(table, **given), tables, home)
        click.echo(printable(found.card()))
        click.echo()
        exploration = look(found, leave_out=leave_out, on_stage=announce)
        page = exploration.write(home)
    for one in exploration.findings:
        click.echo(click.style(printable(f"• {one.sentence}"), fg="yellow" if one.weight == "warning" else None))
    if exploration.stopped:
        click.echo(_("Stopped: the report shows what was finished."))
    click.echo(f"{click.style(_('report'), bold=True)}  {page}")
    return 0


def announce(stage: str) -> None:
    """What is being done, where somebody watches."""
    if sys.stderr.isatty():
        click.echo(click.style(stage, dim=True), err=True)


def show_first_rows(table: str, given: dict[str, Any]) -> None:
    """The columns by type, as the first rows suggest them."""
    found = first_look(table, **{name: value for name, value in given.items() if name in FIELDS})
    if found is None:
        return
    columns = ngettext("{columns} column", "{columns} columns", found.all_columns).format(
        columns=format_whole(found.all_columns)
    )
    rows = ngettext("by the first row", "by the first {rows} rows", found.rows).format(rows=format_whole(found.rows))
    click.echo(printable(f"{columns}, {rows}:"))
    for kind in ("number", "boolean", "date", "text"):
        names = [name for name, guessed in found.columns if guessed == kind]
        if names:
            shown = ", ".join(name[:30] for name in names[:SHOWN]) + (", …" if len(names) > SHOWN else "")
            click.echo(printable(f"  {word_for(kind)} ({format_whole(len(names))}): {shown}"))
