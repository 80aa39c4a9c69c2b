"""The records of a CSV file one by one, with the line on which each begins.

Python's csv module is slow and exact. It reads the first lines for the sniffer, finds the line of a ragged row after DuckDB
has refused a file, reads tables of very many columns, and copies files that DuckDB does not take as they are (another
encoding, comments, mixed line ends, very long lines) into a plain one: UTF-8, commas, every cell in quotes.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path
from typing import Any

from aprendiz.lab.dialect import Dialect
from aprendiz.lab.opening import ReadingError, text
from aprendiz.locale import _

csv.field_size_limit(2**31 - 1)  # of 131 072 characters, too few for a cell of prose

FIRST_ROWS, FIRST_CELLS = 1000, 100_000  # how much of a file is looked at first

Record = tuple[int, list[str]]  # the line on which it begins, its cells


class TextLines:
    """Lines of text, counted, without comments."""

    def __init__(self, lines: Iterable[str], dialect: Dialect):
        self.lines, self.comment, self.number = iter(lines), dialect.comment, 0
        self.slash = re.compile(r"\\([\\" + re.escape(dialect.quote) + "])") if dialect.escape == "\\" else None
        self.quote = dialect.quote

    def __iter__(self) -> TextLines:
        return self

    def __next__(self) -> str:
        line = next(self.lines)
        self.number += 1
        while self.comment and line.startswith(self.comment):
            line = next(self.lines)
            self.number += 1
        return self.slash.sub(self.doubled, line) if self.slash else line

    def doubled(self, found: re.Match[str]) -> str:
        """A quote after a backslash as a doubled quote."""
        return 2 * self.quote if found[1] == self.quote else found[1]


def options(dialect: Dialect) -> dict[str, Any]:
    """The dialect in the words of Python's csv module."""
    quoting = {"quotechar": dialect.quote} if dialect.quote else {"quoting": csv.QUOTE_NONE}
    return {"delimiter": dialect.delimiter[0], "skipinitialspace": len(dialect.separator) > 1, **quoting}


def split(lines: Iterable[str], dialect: Dialect, *, strict: bool = False, loose: bool = False) -> Iterator[Record]:
    """Records of some lines, from the header on. Blank lines are no records; `loose` leaves out spaces after separators."""
    counted = TextLines(lines, dialect)
    for _line in islice(counted.lines, dialect.skip):
        counted.number += 1
    words = options(dialect) | ({"skipinitialspace": True} if loose else {})
    reader = csv.reader(counted, strict=strict, **words)
    while True:
        begin = counted.number + 1
        try:
            cells = next(reader, None)
        except csv.Error as error:
            raise csv.Error(begin) from error
        if cells is None:
            return
        if cells:
            yield begin, cells


def records(file: Path, dialect: Dialect, width: int) -> Iterator[Record]:
    """The rows of a file, each with as many cells as there are columns; a sentence about the first that has not."""
    begin = 0
    try:
        with text(file, dialect.encoding) as source:
            for number, (begin, cells) in enumerate(split(source, dialect, strict=True)):
                if number == 0 and dialect.header:
                    continue
                if len(cells) == width + 1 and cells[-1] == "":
                    cells.pop()  # a separator at the end of the line
                if len(cells) != width:
                    raise ReadingError(ragged(file, begin, cells, width, dialect))
                yield begin, cells
    except csv.Error as error:
        raise ReadingError(unclosed(file, error.args[0])) from error
    except UnicodeError as error:
        raise ReadingError(undecodable(file, begin + 1, dialect)) from error


def ragged(file: Path, line: int, cells: list[str], width: int, dialect: Dialect) -> str:
    start = dialect.delimiter.join(cells)[:60]
    return _(
        "{file}, line {line}: cells found: {found}, expected: {expected}, in the row that begins {start}. "
        "Correct the line, or give the separator of the file (separator=…)."
    ).format(file=file.name, line=line, found=len(cells), expected=width, start=repr(start))


def unclosed(file: Path, line: int) -> str:
    return _(
        "{file}, from line {line} on: a quote is opened and not closed, or followed by more than a separator. "
        "Correct the line, or read quotes as plain characters (quote='')."
    ).format(file=file.name, line=line)


def undecodable(file: Path, line: int, dialect: Dialect) -> str:
    return _("{file}, near line {line}: the text is not {encoding}. Give its encoding (encoding=…), perhaps 'cp1252'.").format(
        file=file.name, line=line, encoding=dialect.encoding
    )


# ---- the top of a file ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FileLayout:
    """The columns of a file: their names, those that were renamed (from what), and the first rows."""

    names: tuple[str, ...]
    renamed: tuple[tuple[str, str], ...]
    rows: list[list[str]]


def layout(file: Path, dialect: Dialect) -> FileLayout:
    """Names and first rows of a file."""
    found, cells = list[list[str]](), 0
    try:
        with text(file, dialect.encoding) as source:
            for _line, record in split(source, dialect):
                found.append(record)
                cells += len(record)
                if len(found) > FIRST_ROWS or (cells > FIRST_CELLS and len(found) > 2):
                    break
    except UnicodeError as error:
        raise ReadingError(undecodable(file, 1, dialect)) from error
    if not found:
        raise ReadingError(_("{file} has no rows after line {line}.").format(file=file.name, line=dialect.skip))
    if not dialect.header:
        names = [f"x{j + 1}" for j in range(len(found[0]))]
        return FileLayout(tuple(names), (), found)
    if len(found) == 1:
        raise ReadingError(
            _("{file} contains column names but no rows; if they are data, set header=False.").format(file=file.name)
        )
    heading = aligned(found[0], found[1:])
    return FileLayout(*unique([name.strip() for name in heading]), found[1:])


def aligned(heading: list[str], rows: list[list[str]]) -> list[str]:
    """Names for all cells of the rows: some programs do not name the first column, or end lines with a separator."""
    width = len(rows[0]) if rows else len(heading)
    if len(heading) == width + 1 and heading[-1] == "":
        return heading[:-1]
    if len(heading) == width - 1:
        return [*heading, ""] if all(row[-1] == "" for row in rows) else ["", *heading]
    return heading


def unique(names: list[str]) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Names that differ: a second `a` becomes `a_2`, an empty third name `column_3`. And which were changed."""
    given, result = set(names), dict[str, str]()  # new name to old one
    for j, name in enumerate(names):
        new = name or f"column_{j + 1}"
        if new in result or (not name and new in given):
            new = next(other for k in count(2) if (other := f"{new}_{k}") not in given and other not in result)
        result[new] = name
    return tuple(result), tuple((old, new) for new, old in result.items() if old != new)


# ---- a plain copy ----------------------------------------------------------------------------------------------------------


def copied(file: Path, dialect: Dialect, width: int, copy: Path) -> tuple[Dialect, int, int]:
    """A plain copy of a file: its dialect, the length of its longest line in bytes, and its rows."""
    longest = rows = 0
    with copy.open("w", encoding="utf-8", newline="") as target:
        writer = csv.writer(Measured(target), quoting=csv.QUOTE_ALL, lineterminator="\n")
        for _line, cells in records(file, dialect, width):
            longest, rows = max(longest, int(writer.writerow(cells))), rows + 1
    plain = replace(dialect, encoding="utf-8", separator=",", quote='"', escape='"', skip=0, comment="", header=False)
    return plain, longest, rows


class Measured:
    """A file whose `write` gives the number of bytes."""

    def __init__(self, target: Any):
        self.target = target

    def write(self, line: str) -> int:
        self.target.write(line)
        return len(line.encode())
