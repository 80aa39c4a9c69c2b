"""Cells of a workbook or of JSON, judged as those of a CSV file: they are written into a plain one, which is read.

So a column has the same type in any of these files: by all of its cells, with the same missing cells, units and notes. Numbers
are written with all of their digits, dates as 2024-05-01. Times of day and durations become hours. Numbers and dates that the
file stores as text are read as what they say, which a note tells.
"""

from __future__ import annotations

import csv
import datetime as dt
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from aprendiz.lab.cells import CellFormat
from aprendiz.lab.formats.contents import Contents
from aprendiz.lab.formats.delimited import typed_columns
from aprendiz.lab.formats.questions import Questions
from aprendiz.lab.sniffing import ROWS, missing_of, order_of_days, signs_of
from aprendiz.locale import _, format_whole, ngettext

Row = tuple[int, Sequence[Any]]  # the line of the file, and the cells


@dataclass(frozen=True)
class StoredAsText:
    """A column of numbers, some of which the file stores as text."""

    name: str
    cells: int

    def sentence(self) -> str:
        return ngettext(
            "column {name}: {count} cell is a number stored as text; it was read as a number",
            "column {name}: {count} cells are numbers stored as text; they were read as numbers",
            self.cells,
        ).format(name=repr(self.name), count=format_whole(self.cells))


@dataclass(frozen=True)
class TimesAsHours:
    """A column of times of day or of durations."""

    name: str

    def sentence(self) -> str:
        return _("column {name} holds times; they were read as hours (10:30 is 10.5)").format(name=repr(self.name))


def read_copy(file: Path, asked: Questions, folder: Path, names: Sequence[str], rows: Callable[[], Iterable[Row]]) -> Contents:
    """The columns of a table, given by its names and its rows; `rows` is called twice."""
    ask_about_cells([cells for _line, cells in islice(rows(), ROWS)], asked)
    copy = folder / "copy" / file.name
    copy.parent.mkdir()
    seen = CellsSeen(len(names), asked.dialect.cells)
    lines = array("q")
    with copy.open("w", encoding="utf-8", newline="") as target:
        writer = csv.writer(target, quoting=csv.QUOTE_ALL, lineterminator="\n")
        writer.writerow(names)
        for line, cells in rows():
            writer.writerow(seen.written(cells))
            lines.append(line)
    plain = replace(asked.dialect, kind="csv", encoding="utf-8", separator=",", skip=0, header=True)
    contents = typed_columns(copy, plain, folder, lines)
    return replace(contents, remarks=[*contents.remarks, *seen.remarks(contents)])


def ask_about_cells(rows: Sequence[Sequence[Any]], asked: Questions) -> None:
    """How text says numbers, dates and gaps."""
    columns = list(zip(*rows, strict=True))
    texts = [some for column in columns if (some := [cell for cell in column if isinstance(cell, str) and cell])]
    for field, at in (("decimal", 0), ("thousands", 1)):
        asked.ask(field, signs_of, texts, asked.dialect, asked.given, at)
    asked.ask("day_first", order_of_days, texts)
    decimal = asked.dialect.decimal
    asked.ask("missing", missing_of, [[cell_text(cell, decimal) for cell in column] for column in columns], asked.dialect.cells)


def cell_text(cell: Any, decimal: str) -> str:
    """A cell as a CSV file has it."""
    if isinstance(cell, str):
        return cell
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return repr(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell).replace(".", decimal)
    if isinstance(cell, dt.datetime):
        return cell.isoformat(" ", "milliseconds" if cell.microsecond else "seconds")
    if isinstance(cell, (dt.time, dt.timedelta)):
        return repr(hours_of(cell)).replace(".", decimal)
    return str(cell)  # whole numbers, dates


def hours_of(time: dt.time | dt.timedelta) -> float:
    """A time of day, or a duration, in hours."""
    if isinstance(time, dt.timedelta):
        return time.total_seconds() / 3600
    return time.hour + time.minute / 60 + (time.second + time.microsecond / 1e6) / 3600


class CellsSeen:
    """The cells of a table on their way into the copy: what should be said of them afterwards is counted."""

    def __init__(self, width: int, cells: CellFormat):
        self.format, self.numbers, self.times = cells, [0] * width, [False] * width

    def written(self, cells: Sequence[Any]) -> Iterator[str]:
        """A row as text."""
        decimal, number = self.format.decimal, self.format.number
        for j, cell in enumerate(cells):
            if isinstance(cell, str):
                if cell and number(cell) is not None:
                    self.numbers[j] += 1
            elif isinstance(cell, (dt.time, dt.timedelta)):
                self.times[j] = True
            yield cell_text(cell, decimal)

    def remarks(self, contents: Contents) -> Iterator[StoredAsText | TimesAsHours]:
        """What should be said of the columns."""
        for j, (name, values) in enumerate(contents.columns.items()):
            if self.numbers[j] and getattr(values, "dtype", None) == np.float64:
                yield StoredAsText(name, self.numbers[j])
            if self.times[j]:
                yield TimesAsHours(name)
