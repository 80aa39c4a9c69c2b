"""Where the table of a sheet is: lines above it, one header row or several, merged cells, totals and footnotes below.

    Patients of 2024                                      above the table: left out
              Blood           Urine                       two header rows: Blood Na, Blood K, Urine Na
    patient   Na      K       Na
    P1        140     4.2     98
    Total     140     4.2     98                          a sum of the cells above it: left out
    Source: ward 3                                        a footnote: left out

The table begins with the first row in which nearly as many cells are filled as in most rows. A merged cell stands for all the
cells that it covers. A last row is a total if it is called so and each of its numbers is the sum or the mean of those above.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from aprendiz.lab.sniffing import ROWS
from aprendiz.locale import _, format_whole, ngettext

Grid = list[list[Any]]
Range = tuple[tuple[int, int], tuple[int, int]]

NEARLY, MOST_HEADERS = 0.7, 4  # share of the usual cells that a header has; rows of it
TOTAL = re.compile(r"(grand |sub)?total(es)?( general)?|sum(me|a)?|mean|average|avg\.?|media|promedio|subtotal", re.IGNORECASE)
FOOTNOTE = re.compile(r"(source|notes?|fuentes?|notas?|nb|n\.b\.)\b.*|[*†‡¹²³].*", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True)
class SheetRemark:
    """What should be said of a sheet."""

    say: Callable[[], str]

    def sentence(self) -> str:
        return self.say()


def spread(grid: Grid, merged: Sequence[Range]) -> int:
    """Fill the cells that merged ones cover; how many merged cells stand for several rows or columns of filled cells."""
    count = 0
    for (top, left), (bottom, right) in merged:
        if top < len(grid) and left < len(grid[top]) and grid[top][left] not in ("", None):
            count += 1
            for row in range(top, min(bottom + 1, len(grid))):
                for column in range(left, min(right + 1, len(grid[row]))):
                    grid[row][column] = grid[top][left]
    return count


def filled(row: Sequence[Any]) -> int:
    """Cells that are not empty."""
    return sum(cell not in ("", None) for cell in row)


def usual_width(grid: Grid) -> int:
    """How many cells most rows fill."""
    counts = [count for row in grid[: 5 * ROWS] if (count := filled(row))]
    return math.ceil(median(counts)) if counts else 0


def beginning(raw: Grid, merged: Sequence[Range]) -> int:
    """The first row of the table, as the sheet has it before merged cells are filled."""
    width = usual_width(raw)
    across = {top for (top, left), (bottom, right) in merged if right > left}
    for number, row in enumerate(raw):
        count = filled(row)
        if count >= max(1, NEARLY * width):
            return number
        below = raw[number + 1 : number + 2]
        if number in across and count > 1 and below and is_words(row) and filled(below[0]) >= NEARLY * width:
            return number
    return 0


def header_rows(raw: Grid, start: int, merged: Sequence[Range]) -> int:
    """How many rows the header has: those over which a cell stretches across columns stand above another."""
    count = 1
    while (
        count < MOST_HEADERS
        and start + count + 1 < len(raw)
        and any(top == start + count - 1 and right > left for (top, left), (_bottom, right) in merged)
        and is_words(raw[start + count])
    ):
        count += 1
    return count


def is_words(row: Sequence[Any]) -> bool:
    """Are all cells that are filled text?"""
    return filled(row) > 0 and all(isinstance(cell, str) for cell in row if cell not in ("", None))


def joined_names(rows: Grid, texts: Callable[[Any], str]) -> list[str]:
    """The names of the columns: what stands above each other, without repetitions."""
    columns = zip(*rows, strict=True)
    return [
        " ".join(dict.fromkeys(" ".join(texts(cell).split()) for cell in column if texts(cell).strip())) for column in columns
    ]


# ---- below the table -----------------------------------------------------------------------------------------------------


def last_row(grid: Grid, start: int) -> tuple[int, list[SheetRemark]]:
    """Where the table ends, and what was left out below it."""
    end, remarks, width = len(grid), list[SheetRemark](), usual_width(grid)
    while end > start + 1:
        row = grid[end - 1]
        if not filled(row):
            end -= 1
        elif filled(row) == 1 and width > 2 and FOOTNOTE.fullmatch(first_text(row)):
            remarks.append(left_out(end, first_text(row), "footnote"))
            end -= 1
        elif TOTAL.fullmatch(first_text(row).strip(" :")) and (why := total_of(row, grid[start : end - 1])):
            remarks.append(left_out(end, first_text(row), why))
            end -= 1
        else:
            break
    return end, remarks


def left_out(line: int, begins: str, why: str) -> SheetRemark:
    """A row below the table."""
    start = repr(begins[:40])

    def words() -> str:
        known = {
            "footnote": _("it is a footnote"),
            "sums": _("its numbers are the sums of those above"),
            "means": _("its numbers are the means of those above"),
        }
        return _("row {line}, which begins {start}, was left out: {why}").format(
            line=format_whole(line), start=start, why=known[why]
        )

    return SheetRemark(words)


def first_text(row: Sequence[Any]) -> str:
    """The first cell of a row that is filled, if it is text."""
    first = next((cell for cell in row if cell not in ("", None)), "")
    return first if isinstance(first, str) else ""


def total_of(row: Sequence[Any], above: Grid) -> str:
    """Whether each number of a row is the sum of those above it, or the mean; empty if it is neither."""
    numbers = [(j, cell) for j, cell in enumerate(row) if is_number(cell)]
    columns = {j: [other[j] for other in above if is_number(other[j])] for j, _cell in numbers}
    if not numbers or not all(len(columns[j]) > 1 for j, _cell in numbers):
        return ""
    sums = {j: math.fsum(columns[j]) for j, _cell in numbers}
    if all(math.isclose(sums[j], cell, rel_tol=1e-6, abs_tol=1e-9) for j, cell in numbers):
        return "sums"
    if all(math.isclose(sums[j] / len(columns[j]), cell, rel_tol=1e-6, abs_tol=1e-9) for j, cell in numbers):
        return "means"
    return ""


def is_number(cell: Any) -> bool:
    return isinstance(cell, (int, float)) and not isinstance(cell, (bool, dt.timedelta))


def merged_remark(count: int) -> SheetRemark:
    """Merged cells in the rows."""
    return SheetRemark(
        lambda: ngettext(
            "{count} merged cell stands for all the cells that it covers",
            "{count} merged cells stand for all the cells that they cover",
            count,
        ).format(count=format_whole(count))
    )
