"""The tables that a command names: files, folders, patterns, or `-` for what comes through standard input.

Standard input is written to a file first, so that it can be looked at more than once. A command that leaves a folder keeps a
copy there: what it writes refers to that.
"""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from aprendiz.cli.words import InputError
from aprendiz.locale import _

if TYPE_CHECKING:
    from aprendiz.lab.reading import Table

STREAM, STDIN = "-", "stdin"
SUFFIXES = {
    "csv": ".csv",
    "arff": ".arff",
    "parquet": ".parquet",
    "excel": ".xlsx",
    "json": ".json",
    "stata": ".dta",
    "spss": ".sav",
}

Tables = tuple[str, ...]


def name_of(tables: Tables) -> str:
    """What a folder is named after."""
    return STDIN if STREAM in tables else tables[0]


def files_of(tables: Tables, spare: Path) -> str | list[str]:
    """What `read` gets; standard input as a file in the spare folder."""
    if STREAM in tables:
        if len(tables) > 1:
            raise InputError(_("- means standard input, which is a table by itself: give it alone."))
        with (spare / STDIN).open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        return str(spare / STDIN)
    return tables[0] if len(tables) == 1 else list(tables)


def kept(table: Table, tables: Tables, home: Path) -> Table:
    """The table that came through standard input, with a copy of it in the folder; another one as it is."""
    return copied_to(table, home / f"{STDIN}{SUFFIXES.get(table.dialect.kind, '.csv')}") if STREAM in tables else table


def copied_to(table: Table, path: Path) -> Table:
    """The table of a copy of its file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(table.path, path)
    return replace(table, paths=(str(path),))
