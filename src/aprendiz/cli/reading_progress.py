"""What is said while a table that is too large for memory is read: that it is, and how far the reading is."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from aprendiz.cli.words import printable
from aprendiz.lab.reading import Table, read
from aprendiz.lab.sources.places import Paths
from aprendiz.locale import _, format_whole, percent


def read_with_progress(table: Paths, **options: Any) -> Table:
    """Read a table; say so if only a sample of it is kept."""
    name = os.fspath(table) if isinstance(table, (str, os.PathLike)) else _("the table")
    progress = ReadingProgress(os.path.basename(name))
    try:
        return read(table, on_rows=progress, **options)
    finally:
        progress.clear()


class ReadingProgress:
    """A sentence when the reading begins, and on a terminal the share that is done, in place."""

    def __init__(self, name: str, *, sampled: bool = True):
        self.name, self.sampled, self.shown, self.begun = name, sampled, -1, False

    def __call__(self, done: int, expected: float) -> None:
        if not self.begun:
            self.begun = True
            words = _("{file} is large: all rows (about {rows}) are read, and a random sample of them is kept")
            if not self.sampled:
                words = _("{file} is large: its rows (about {rows}) are read twice and predicted block by block")
            click.echo(words.format(file=printable(self.name), rows=format_whole(round(expected))), err=True)
        share = min(99, int(100 * done / max(1.0, expected)))
        if share != self.shown and sys.stderr.isatty():
            self.shown = share
            click.echo(f"\r{percent(share / 100, 0)} ", nl=False, err=True)

    def clear(self) -> None:
        """Remove the share from the screen."""
        if self.shown >= 0:
            click.echo("\r       \r", nl=False, err=True)
            self.shown = -1
