"""A look at the first rows of a CSV file before it is read: its columns and their types, within a moment.

Nothing but the standard library is imported for it, and nothing but the beginning of the file is read, so that there is
something to see while a large table is being read. Other kinds of files begin with what tells their columns, and are only
read. What cannot be looked at is left to the reader, who says what is wrong.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from aprendiz.lab.first_types import guess
from aprendiz.lab.formats.kinds import kind
from aprendiz.lab.formats.questions import Questions
from aprendiz.lab.opening import ReadingError, checked
from aprendiz.lab.records import layout
from aprendiz.lab.sniffing import sniff
from aprendiz.lab.sources.packing import opened

BEGINNING = 1 << 18  # bytes
MOST_COLUMNS = 2000  # whose types are guessed


@dataclass(frozen=True)
class FirstLook:
    """The names and guessed types of the columns, and how many rows that was guessed from."""

    columns: tuple[tuple[str, str], ...]
    rows: int
    all_columns: int


def first_look(path: str | os.PathLike[str], **overrides: Any) -> FirstLook | None:
    """Look at the first rows; None where that tells nothing."""
    try:
        file = checked(path)
        with opened(file) as source:
            start = source.read(BEGINNING + 1)
        if len(start) > BEGINNING:
            start = start[: start.rfind(b"\n", 0, BEGINNING) + 1]
        with TemporaryDirectory(prefix="aprendiz-") as folder:
            return look(start, Path(folder), overrides)
    except (ReadingError, OSError, ValueError, TypeError, KeyError, EOFError):
        return None


def look(start: bytes, folder: Path, overrides: Mapping[str, Any]) -> FirstLook | None:
    """The layout of the beginning of a file."""
    part = folder / "beginning.csv"
    part.write_bytes(start)
    if overrides.get("kind", kind(part, start)) != "csv":
        return None
    asked = Questions(overrides)
    sniff(part, asked)
    dialect = asked.dialect
    top, given = layout(part, dialect), dict(dialect.types)
    names = list(enumerate(top.names[:MOST_COLUMNS]))
    columns = tuple((name, given.get(name) or guess(j, top, dialect.cells)) for j, name in names)
    return FirstLook(columns, len(top.rows), len(top.names))
