"""The door of the laboratory: a file that can be a table is opened, anything else is refused in a sentence.

A file is known by its first bytes, not by its name: `PAR1` begins Parquet, `@relation` an ARFF file, 1F 8B whatever gzip has
packed; a workbook, a picture or a web page has its own opening, and is named in the refusal. All other text is CSV.

A few megabytes of gzip or Parquet can declare more than a machine can hold. That is said before a table of that size is built:
of Parquet by its directory (rows × columns × 8 bytes), of gzip as soon as a pass unpacks more than is allowed.
"""

from __future__ import annotations

import difflib
import gzip
import io
import os
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import IO, cast

from aprendiz.lab.memory import free_memory
from aprendiz.locale import _, number

HEAD = 1 << 18  # bytes that are looked at first
LONGEST_HEAD = 1 << 24  # bytes that are looked at if the lines are very long
FEW_LINES = 10
LONG_LINE = 2_000_000  # bytes that DuckDB takes for a line, unless it is told
NEVER_TOO_MANY = 2**28  # bytes of a table, however little memory there is
ARFF = re.compile(rb"(\s*(%[^\n]*)?\n)*\s*@relation\b", re.IGNORECASE)

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
                "default, a third of the free memory). If you trust the file, allow more: max_bytes=…, or --max-size."
            ).format(
                file=file.name,
                packed=number(file.stat().st_size / 1e6, 3),
                size=number(size / 1e9, 3),
                limit=number(limit / 1e9, 3),
            )
        )


class CountedGzip(gzip.GzipFile):
    """A gzip file that is not unpacked beyond the limit."""

    def read(self, size: int | None = -1) -> bytes:
        found = super().read(size)
        refuse_large(Path(self.name), self.tell())
        return found

    def read1(self, size: int = -1) -> bytes:
        found = super().read1(size)
        refuse_large(Path(self.name), self.tell())
        return found


def packed(file: Path) -> bool:
    """Is it a gzip file?"""
    with file.open("rb") as opened:
        return opened.read(2) == b"\x1f\x8b"


def opened(file: Path) -> IO[bytes]:
    """The bytes of a file, unpacked."""
    return cast(IO[bytes], CountedGzip(file, "rb")) if packed(file) else file.open("rb")


@contextmanager
def unpacking(file: Path) -> Iterator[None]:
    """Say which file is damaged, if gzip finds that it is."""
    try:
        yield
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ReadingError(_("{file} is a damaged gzip file: create it again.").format(file=file)) from error


def text(file: Path, encoding: str) -> IO[str]:
    """The characters of a file, with its own line ends. A byte-order mark is not a character."""
    return io.TextIOWrapper(opened(file), encoding="utf-8-sig" if encoding == "utf-8" else encoding, newline="")


def head(file: Path) -> tuple[bytes, bool]:
    """The first bytes of a file, enough for some lines, and whether they are all of it."""
    with unpacking(file), opened(file) as source:
        start = source.read(HEAD)
        while start.count(b"\n") < FEW_LINES and len(start) < LONGEST_HEAD:
            if not (more := source.read(HEAD)):
                return start, True
            start += more
        return start, not source.read(1)


def last_line(file: Path) -> int:
    """Bytes of the last line of a file; of a plain one only the end is looked at, and a longer line counts as that."""
    with unpacking(file), opened(file) as source:
        if not packed(file):
            source.seek(max(0, file.stat().st_size - 2 * LONG_LINE))
        complete = rest = 0  # of the last line that has an end, and of what follows it
        while piece := source.read(1 << 20):
            end = piece.rfind(b"\n")
            if end >= 0:
                before = piece.rfind(b"\n", 0, end)
                complete = rest + end if before < 0 else end - before
            rest = len(piece) - end - 1 if end >= 0 else rest + len(piece)
        return rest or complete


def kind(file: Path, start: bytes) -> str:
    """`csv`, `parquet` or `arff`, by the first bytes; a refusal for what is no table."""
    if start.startswith(b"PAR1"):
        if packed(file):
            raise ReadingError(_("{file} is a Parquet file compressed with gzip: decompress it first.").format(file=file))
        return "parquet"
    if not start.strip(b"\xef\xbb\xbf\xff\xfe\0 \t\r\n"):
        raise ReadingError(_("{file} is empty: there is nothing to read.").format(file=file))
    for opening, (what, remedy) in strangers().items():
        if start.lstrip(b"\xef\xbb\xbf \t\r\n").lower().startswith(opening):
            raise ReadingError(_("{file} is {what}, not a table: {remedy}.").format(file=file, what=what, remedy=remedy))
    if is_binary(start):
        raise ReadingError(_("{file} is not text: give a CSV, ARFF or Parquet file.").format(file=file))
    return "arff" if ARFF.match(start.removeprefix(b"\xef\xbb\xbf")) else "csv"


def strangers() -> dict[bytes, tuple[str, str]]:
    """How files that are no tables begin (in small letters), what they are, and what to do with them."""
    save, unpack, export = _("save the sheet as CSV"), _("decompress it first"), _("export a table from it as CSV")
    return {
        b"pk\x03\x04": (_("a workbook or a ZIP archive"), _("save the sheet as CSV, or extract the archive")),
        b"\xd0\xcf\x11\xe0": (_("an old workbook"), save),
        b"bzh91ay": (_("a bzip2 archive"), unpack),
        b"\xfd7zxz": (_("an xz archive"), unpack),
        b"7z\xbc\xaf": (_("a 7z archive"), unpack),
        b"%pdf": (_("a PDF document"), export),
        b"\x89png": (_("a picture"), export),
        b"\xff\xd8\xff": (_("a picture"), export),
        b"sqlite format 3": (_("a database"), export),
        b"\x89hdf": (_("an HDF5 file"), export),
        b"<!doctype": (_("a web page"), _("download the table itself")),
        b"<html": (_("a web page"), _("download the table itself")),
        b"<?xml": (_("an XML document"), export),
        b'{"': (_("a JSON document"), export),
        b"[{": (_("a JSON document"), export),
    }


def is_binary(start: bytes) -> bool:
    """Very many zero bytes that are not UTF-16, or control characters among bytes that are not UTF-8."""
    if wide_encoding(start):
        return False
    control = sum(start.count(byte) for byte in (*range(9), *range(14, 27), *range(28, 32)))
    return start.count(0) > 0.3 * len(start) or (control > 0.03 * len(start) and not is_utf8(start))


def is_utf8(start: bytes) -> bool:
    """Are the bytes UTF-8, but for a character that the end may have cut?"""
    try:
        start.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.end >= len(start) - 3 and error.reason == "unexpected end of data"
    return True


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
