"""What a new workbook (.xlsx) says of its sheets in XML, before its cells are read: how far they reach, which cells hold
errors, and which formulas have no stored value.

A few bytes can put a cell into the last row and column, and the reader would make room for all cells before it; errors and
formulas without values come out of it as empty cells. One pass over the text of the sheet tells all three.

Cost: about the time that unpacking takes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from zipfile import ZipFile

PIECE = 1 << 22
CELL = re.compile(rb'<(?:\w+:)?c\s[^<>]*?\br="([A-Z]{1,3})([0-9]{1,7})"')
ERROR = re.compile(rb'<(?:\w+:)?c\s[^<>]*?\bt="e"[^<>]*>(?:<(?:\w+:)?f[^<>]*?(?:/>|>[^<]*</(?:\w+:)?f>))?<(?:\w+:)?v>([^<]*)<')
NO_VALUE = re.compile(rb"</(?:\w+:)?f>\s*(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v></(?:\w+:)?v>)?\s*</(?:\w+:)?c>")
SHEET = re.compile(rb"<(?:\w+:)?sheet\s([^<>]*)>")
RELATION = re.compile(rb"<(?:\w+:)?Relationship\s([^<>]*)>")
ATTRIBUTE = re.compile(rb'([\w:]+)="([^"]*)"')


@dataclass(frozen=True)
class SheetText:
    """What the XML of a sheet tells.

    Attributes
    ----------
    rows, columns : int
        How far its cells reach.
    errors : tuple of str, int
        The errors that occur, and the number of cells that hold one.
    formulas : int
        Cells with a formula and no value.
    """

    rows: int
    columns: int
    errors: tuple[str, ...]
    error_cells: int
    formulas: int


def sheet_text(file: Path, name: str) -> SheetText | None:
    """What the XML of a sheet tells; None for other kinds of workbooks."""
    with ZipFile(file) as archive:
        inside = part_of_sheet(archive, name) if "xl/workbook.xml" in archive.namelist() else None
        if inside is None:
            return None
        rows = columns = formulas = cells = 0
        errors = dict[str, None]()
        for piece in pieces(archive, inside):
            found = CELL.findall(piece)
            rows = max([rows, *(int(row) for _letters, row in found)])
            columns = max([columns, *map(number_of, {letters for letters, _row in found})])
            wrong = ERROR.findall(piece)
            errors |= dict.fromkeys(one.decode(errors="replace") for one in wrong)
            cells += len(wrong)
            formulas += len(NO_VALUE.findall(piece))
        return SheetText(rows, columns, tuple(errors), cells, formulas)


def part_of_sheet(archive: ZipFile, name: str) -> str | None:
    """The file of the archive that holds a sheet."""
    sheets = [attributes(found) for found in SHEET.findall(archive.read("xl/workbook.xml"))]
    identity = next(
        (value for one in sheets for key, value in one.items() if key.endswith(":id") and one.get("name") == name), None
    )
    relations = [attributes(found) for found in RELATION.findall(archive.read("xl/_rels/workbook.xml.rels"))]
    target = next((one["Target"] for one in relations if one.get("Id") == identity), None)
    if target is None:
        return None
    inside = target.removeprefix("/") if target.startswith("/") else f"xl/{target}"
    return inside if inside in archive.namelist() else None


def attributes(element: bytes) -> dict[str, str]:
    """The attributes of an element, without escapes."""
    return {key.decode(): unescape(value.decode("utf-8", "replace")) for key, value in ATTRIBUTE.findall(element)}


def pieces(archive: ZipFile, inside: str) -> Iterator[bytes]:
    """The text of a sheet in pieces, each of which ends where a row does."""
    rest = b""
    with archive.open(inside) as source:
        while piece := source.read(PIECE):
            rest += piece
            end = rest.rfind(b"row>") + 4
            if end > 3:
                yield rest[:end]
                rest = rest[end:]
    yield rest


def number_of(letters: bytes) -> int:
    """A is 1, Z 26, AA 27."""
    number = 0
    for letter in letters:
        number = 26 * number + letter - 64
    return number
