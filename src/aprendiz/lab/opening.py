"""The door of the laboratory: a file that is there is opened, and no table may become larger than is allowed.

A few megabytes of gzip or Parquet can declare more than a machine can hold. That is said before a table of that size is built:
of Parquet by its directory (rows × columns × 8 bytes), of packed files as soon as more is unpacked than is allowed.
"""

from __future__ import annotations

import difflib
import io
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import IO

from aprendiz.lab.memory import free_memory
from aprendiz.locale import _, number

HEAD = 1 << 18  # bytes that are looked at first
LONGEST_HEAD = 1 << 24  # bytes that are looked at if the lines are very long
FEW_LINES = 10
LONG_LINE = 2_000_000  # bytes that DuckDB takes for a line, unless it is told
NEVER_TOO_MANY = 2**28  # bytes of a table, however little memory there is

_limit: ContextVar[float] = ContextVar("bytes that a file may become", default=float("inf"))


class ReadingError(ValueError):
    """A file that cannot be read as a table: which file, where in it, what was found, and what to do."""


def checked(path: str | os.PathLike[str]) -> Path:
    """The path of a file that is there and can be opened."""
    file = Path(path)
    if re.match(r"[a-z][a-z0-9+]+://", os.fspath(path)):
        raise ReadingError(_("{file} is a URL: download the file and give its path.").format(file=path))
    if file.is_dir():
        raise ReadingError(_("{file} is a folder: give a file inside it.").format(file=file))
    if not file.exists():
        raise ReadingError(_("{file} does not exist. {hint}").format(file=file, hint=neighbour(file)))
    if not file.is_file():
        raise ReadingError(_("{file} is not a plain file: save the table in a file.").format(file=file))
    try:
        with file.open("rb") as opened:
            opened.read(1)
    except OSError as error:
        raise ReadingError(
            _("{file} cannot be opened ({error}): check its permissions.").format(file=file, error=error.strerror)
        ) from error
    return file


def neighbour(file: Path) -> str:
    """The file that was perhaps meant."""
    names = [one.name for one in file.parent.iterdir()] if file.parent.is_dir() else []
    near = difflib.get_close_matches(file.name, names, n=1)
    return _("Did you mean {name}?").format(name=near[0]) if near else _("Check the path.")


@contextmanager
def limited(size: float | None) -> Iterator[None]:
    """Files that are opened inside may become so many bytes; with None, a third of the free memory: reading takes up to
    three times the size of the table."""
    if size is not None and (isinstance(size, bool) or not isinstance(size, (int, float)) or not size > 0):
        raise ValueError(_("max_bytes={value} must be a positive number.").format(value=repr(size)))
    token = _limit.set(max(NEVER_TOO_MANY, free_memory() // 3) if size is None else size)
    try:
        yield
    finally:
        _limit.reset(token)


def refuse_large(file: Path, size: int) -> None:
    """Stop where a file would become more than is allowed."""
    if size > (limit := _limit.get()):
        raise ReadingError(
            _(
                "{file} has {packed} MB but becomes a table of at least {size} GB, more than the {limit} GB allowed (by "
                "default, a third of the free memory, for CSV half of the free disk). If you trust the file, allow more: "
                "max_bytes=…, or --max-size."
            ).format(
                file=file.name,
                packed=number(file.stat().st_size / 1e6, 3),
                size=number(size / 1e9, 3),
                limit=number(limit / 1e9, 3),
            )
        )


def text(file: Path, encoding: str) -> IO[str]:
    """The characters of a file, with its own line ends. A byte-order mark is not a character."""
    return io.TextIOWrapper(file.open("rb"), encoding="utf-8-sig" if encoding == "utf-8" else encoding, newline="")


def head(file: Path) -> tuple[bytes, bool]:
    """The first bytes of a file, enough for some lines, and whether they are all of it."""
    with file.open("rb") as source:
        start = source.read(HEAD)
        while start.count(b"\n") < FEW_LINES and len(start) < LONGEST_HEAD:
            if not (more := source.read(HEAD)):
                return start, True
            start += more
        return start, not source.read(1)


def last_line(file: Path) -> int:
    """Bytes of the last line of a file; only the end is looked at, and a longer line counts as that."""
    with file.open("rb") as source:
        source.seek(max(0, file.stat().st_size - 2 * LONG_LINE))
        complete = rest = 0  # of the last line that has an end, and of what follows it
        while piece := source.read(1 << 20):
            end = piece.rfind(b"\n")
            if end >= 0:
                before = piece.rfind(b"\n", 0, end)
                complete = rest + end if before < 0 else end - before
            rest = len(piece) - end - 1 if end >= 0 else rest + len(piece)
        return rest or complete


def wide_encoding(start: bytes) -> str:
    """UTF-16, by its mark or by the zeros of plain letters; empty if it is not."""
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    pairs = len(start) // 2
    if pairs >= 2 and start[1 : 2 * pairs : 2].count(0) > 0.7 * pairs and start[0 : 2 * pairs : 2].count(0) < 0.1 * pairs:
        return "utf-16-le"
    if pairs >= 2 and start[0 : 2 * pairs : 2].count(0) > 0.7 * pairs and start[1 : 2 * pairs : 2].count(0) < 0.1 * pairs:
        return "utf-16-be"
    return ""
