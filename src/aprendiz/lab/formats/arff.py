"""ARFF, the format of Weka: the columns are declared, then come the rows.

    % a comment
    @relation weather
    @attribute outlook {sunny, overcast, rainy}
    @attribute 'wind speed' numeric
    @attribute day date "yyyy-MM-dd"
    @data
    sunny, 12.5, 2024-05-01
    {1 3, 2 2024-05-02}                          a sparse row: what is not said is 0, or the first level

Nominal columns keep their levels in the declared order. `?` is a missing cell. Names, levels and cells that hold spaces,
commas or braces stand in quotes; a backslash stands before a quote inside them.

Reference: Witten, Frank & Hall, Data Mining, 3rd ed., section 2.4.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa

from aprendiz.lab.cells import EXACT, WHOLE, word_for
from aprendiz.lab.dialect import Dialect
from aprendiz.lab.formats.contents import Contents
from aprendiz.lab.formats.questions import Questions
from aprendiz.lab.opening import ReadingError, head, text
from aprendiz.lab.series import ARROW, categories, series
from aprendiz.lab.sniffing import ask_encoding, lines_of_two_encodings
from aprendiz.locale import _

QUOTED = r"""'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)\""""
VALUE = rf"(?:{QUOTED}|([^,'\"][^,]*?|))\s*(?=,|$)"
CELL, SPARSE = re.compile(r"\s*()" + VALUE), re.compile(r"\s*(\d+)\s+" + VALUE)
ATTRIBUTE = re.compile(rf"@attribute\s+(?:{QUOTED}|(\S+?))(?:\s+|(?=\{{))(.*)", re.IGNORECASE)
NUMBER = re.compile(r"[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?")
DATE = {"yyyy": "%Y", "yy": "%y", "MM": "%m", "dd": "%d", "HH": "%H", "mm": "%M", "ss": "%S", "SSS": "%f"}
USUAL_DATE = "yyyy-MM-dd'T'HH:mm:ss"
NUMBERS = ("numeric", "real", "integer")


@dataclass(frozen=True)
class Attribute:
    """A declared column: its type (as in cells.py), its levels if it has any, and the form of its dates."""

    name: str
    kind: str
    levels: tuple[str, ...] | None = None
    form: str = ""

    @property
    def first(self) -> Any:
        """What a sparse row means where it says nothing."""
        return 0.0 if self.kind == "number" else self.levels[0] if self.levels else None


def read_arff(file: Path, asked: Questions, folder: Path) -> Contents:
    """The columns of an ARFF file."""
    ask_encoding(file, head(file)[0], asked)
    asked.ask("missing", lambda: (("?",), ""))
    mixed = None if "encoding" in asked.given else lines_of_two_encodings(file, asked.dialect.encoding)
    return Contents(columns_of(file, asked.dialect), mixed=mixed)


def columns_of(file: Path, dialect: Dialect) -> dict[str, Any]:
    """The columns of a file of a known encoding."""
    try:
        with text(file, dialect.encoding) as source:
            lines = enumerate(source, start=1)
            attributes = declared(file, lines)
            rows = [row_of(file, number, line.strip(), attributes, dialect) for number, line in lines if says(line)]
    except UnicodeError as error:
        problem = _("{file} is not {encoding}: give its encoding (encoding=…).")
        raise ReadingError(problem.format(file=file.name, encoding=dialect.encoding)) from error
    if not rows:
        raise ReadingError(_("{file} declares columns but holds no rows.").format(file=file.name))
    columns = zip(*rows, strict=True)
    return {attribute.name: column(attribute, cells) for attribute, cells in zip(attributes, columns, strict=True)}


def says(line: str) -> bool:
    """Is the line neither blank nor a comment?"""
    return bool(line.strip()) and not line.lstrip().startswith("%")


# ---- the declarations ------------------------------------------------------------------------------------------------------


def declared(file: Path, lines: Iterator[tuple[int, str]]) -> list[Attribute]:
    """The attributes, up to the line @data."""
    found: dict[str, Attribute] = {}
    for number, line in lines:
        word = line.split()[0].lower() if says(line) else ""
        if word == "@data":
            break
        if word == "@attribute":
            one = attribute_of(file, number, line.strip())
            if one.name in found:
                raise ReadingError(refusal(file, number, one.name, _("the name appears twice; rename one of them")))
            found[one.name] = one
        elif word not in ("", "@relation"):
            raise ReadingError(refusal(file, number, line.strip(), _("@attribute or @data is expected here")))
    else:
        raise ReadingError(_("{file} has no line @data: the rows are missing.").format(file=file.name))
    if not found:
        raise ReadingError(_("{file} declares no columns: add lines @attribute.").format(file=file.name))
    return list(found.values())


def attribute_of(file: Path, number: int, line: str) -> Attribute:
    parts = ATTRIBUTE.fullmatch(line)
    if parts is None:
        raise ReadingError(refusal(file, number, line, _("write @attribute, a name and a type")))
    name, kind = plain(parts[1], parts[2], parts[3]), parts[4].strip()
    if kind.startswith("{") and kind.endswith("}"):
        levels = entries(CELL, kind[1:-1]) if kind[1:-1].strip() else None
        if levels is None:
            raise ReadingError(refusal(file, number, kind, _("give the levels, separated by commas")))
        return Attribute(name, "text", tuple(dict.fromkeys(plain(*level[1:]) for level in levels)))
    word, _space, form = kind.partition(" ")
    if word.lower() in NUMBERS:
        return Attribute(name, "number")
    if word.lower() == "string":
        return Attribute(name, "text")
    if word.lower() == "date":
        return Attribute(name, "date", form=python_date(form.strip().strip("\"'") or USUAL_DATE))
    raise ReadingError(refusal(file, number, kind, _("the type must be numeric, a list of levels, string or date")))


def python_date(form: str) -> str:
    """yyyy-MM-dd'T'HH:mm as %Y-%m-%dT%H:%M."""
    words = re.findall(r"'[^']*'|yyyy|yy|MM|dd|HH|mm|ss|SSS|.", form)
    return "".join(DATE.get(word, word.strip("'").replace("%", "%%")) for word in words)


# ---- the rows --------------------------------------------------------------------------------------------------------------


def row_of(file: Path, number: int, line: str, attributes: list[Attribute], dialect: Dialect) -> list[Any]:
    """The values of a row."""
    if line.startswith("{") and line.endswith("}"):
        return sparse_row(file, number, line, attributes, dialect)
    cells = entries(CELL, line) if "'" in line or '"' in line else [("", "", "", cell.strip()) for cell in line.split(",")]
    if cells is None:
        raise ReadingError(refusal(file, number, line, _("quotes do not match; correct the line")))
    if len(cells) != len(attributes):
        problem = _("cells found: {found}, expected: {expected}; correct the line")
        raise ReadingError(refusal(file, number, line, problem.format(found=len(cells), expected=len(attributes))))
    return [value_of(file, number, cell[1:], one, dialect) for cell, one in zip(cells, attributes, strict=True)]


def sparse_row(file: Path, number: int, line: str, attributes: list[Attribute], dialect: Dialect) -> list[Any]:
    """The values of a row that says only some of them."""
    said = entries(SPARSE, line[1:-1]) if line[1:-1].strip() else []
    if said is None:
        raise ReadingError(refusal(file, number, line, _("write pairs of column number and value, separated by commas")))
    values = [attribute.first for attribute in attributes]
    for j, *cell in said:
        if int(j) >= len(attributes):
            problem = _("there is no column {number}; they are counted from 0").format(number=j)
            raise ReadingError(refusal(file, number, line, problem))
        values[int(j)] = value_of(file, number, tuple(cell), attributes[int(j)], dialect)
    return values


def entries(pattern: re.Pattern[str], line: str) -> list[tuple[str, ...]] | None:
    """What stands between the commas of a line; None if something there does not fit the pattern."""
    found, at = list[tuple[str, ...]](), 0
    while one := pattern.match(line, at):
        found.append(tuple(part or "" for part in one.groups()))
        if one.end() == len(line):
            return found
        at = one.end() + 1  # after the comma
    return None


def plain(single: str | None, double: str | None, bare: str | None) -> str:
    """A cell without its quotes."""
    inside = single or double
    return re.sub(r"\\(.)", r"\1", inside) if inside else bare or ""


def value_of(file: Path, number: int, cell: tuple[str, ...], attribute: Attribute, dialect: Dialect) -> Any:
    """The value of a cell; None if it is missing."""
    if cell[2] in dialect.missing and not cell[0] and not cell[1]:
        return None
    word = plain(*cell)
    if attribute.kind == "number" and NUMBER.fullmatch(word):
        return number_of(file, number, word, attribute)
    try:
        if attribute.kind == "date":
            return datetime.strptime(word, attribute.form)
    except ValueError:
        pass
    if attribute.levels is None and attribute.kind != "text":
        problem = _("column {name}, expected: {kind}").format(name=repr(attribute.name), kind=word_for(attribute.kind))
        raise ReadingError(refusal(file, number, word, problem))
    if attribute.levels is not None and word not in attribute.levels:
        problem = _("it is not among the levels of column {name}; declare it or correct it").format(name=repr(attribute.name))
        raise ReadingError(refusal(file, number, word, problem))
    return word


def number_of(file: Path, number: int, word: str, attribute: Attribute) -> float:
    """A number, unless it is a whole one that a double would change."""
    value = float(word)
    if abs(value) > EXACT and re.fullmatch(WHOLE, word):
        problem = _(
            "a whole number of so many digits would be rounded; declare column {name} as string, or shorten its numbers"
        )
        raise ReadingError(refusal(file, number, word, problem.format(name=repr(attribute.name))))
    return value


def column(attribute: Attribute, cells: tuple[Any, ...]) -> Any:
    if attribute.levels is not None:
        return categories(cells, attribute.levels)
    return series(attribute.kind, pa.array(cells, ARROW[attribute.kind]))


def refusal(file: Path, number: int, found: str, problem: str) -> str:
    return _("{file}, line {line}: {found}: {problem}.").format(
        file=file.name, line=number, found=repr(found[:60]), problem=problem
    )
