"""JSON: one record to a line (JSON lines), records one after the other, or a list of them.

    {"name": "Ana", "home": {"city": "Ávila"}, "marks": [7, 9]}       name, home.city, marks

An object inside a record gives a column for each of its values, with a dot between the names. A list is kept as its JSON text.
A record may lack what others have: the cell is missing. Columns stand in the order in which they first appear.

Cost: two passes, the first for the names of the columns.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from aprendiz.lab.formats.contents import Contents
from aprendiz.lab.formats.plain_copy import Row, read_copy
from aprendiz.lab.formats.questions import Questions
from aprendiz.lab.opening import ReadingError, head, refuse_large, text
from aprendiz.lab.records import undecodable
from aprendiz.lab.sniffing import ask_encoding
from aprendiz.locale import _

SPACES = re.compile(r"\s*")

Record = tuple[int, dict[str, Any]]  # the line on which it begins, its values by the names of columns


def read_json(file: Path, asked: Questions, folder: Path) -> Contents:
    """The columns of a file of records."""
    refuse_large(file, file.stat().st_size)
    encoding = ask_encoding(file, head(file)[0], asked)
    try:
        names = names_of(file, encoding)
        return read_copy(file, asked, folder, names, lambda: rows_of(file, encoding, names))
    except UnicodeError as error:
        raise ReadingError(undecodable(file, 1, asked.dialect)) from error
    except RecursionError as error:
        raise ReadingError(_("{file} nests objects too deeply: export a flat table.").format(file=file.name)) from error


def names_of(file: Path, encoding: str) -> list[str]:
    """The columns of all records."""
    names, count = dict[str, None](), 0
    for line, record in records_of(file, encoding):
        names.update(dict.fromkeys(flat(file, line, record)))
        count += 1
    if not count or not names:
        raise ReadingError(_("{file} holds no records.").format(file=file.name))
    if count == 1 and is_wrapped(record):
        words = _(
            "{file} is one JSON object around a table, not a list of records: write [{{…}}, {{…}}], or a record to each line "
            "(from pandas: orient='records')."
        )
        raise ReadingError(words.format(file=file.name))
    return list(names)


def is_wrapped(record: dict[str, Any]) -> bool:
    """Does an object hold records, or columns?"""
    inside = [value for value in record.values() if isinstance(value, (dict, list))]
    return len(inside) == len(record) or any(
        isinstance(value, list) and value and isinstance(value[0], dict) for value in inside
    )


def rows_of(file: Path, encoding: str, names: list[str]) -> Iterator[Row]:
    """The cells of all records."""
    for line, record in records_of(file, encoding):
        values = flat(file, line, record)
        yield line, [values.get(name) for name in names]


def flat(file: Path, line: int, record: dict[str, Any]) -> dict[str, Any]:
    """A record without objects inside."""
    if not any(isinstance(value, (dict, list)) for value in record.values()):
        return record
    found = dict[str, Any]()
    for name, value in inner_values(record):
        if name in found:
            words = _("{file}, line {line}: two values have the name {name}: rename one of them.")
            raise ReadingError(words.format(file=file.name, line=line, name=repr(name)))
        found[name] = json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value
    return found


def inner_values(record: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The values of a record and of the objects inside, with the way to them."""
    for name, value in record.items():
        if isinstance(value, dict):
            yield from ((f"{name}.{inner}", one) for inner, one in inner_values(value))
        else:
            yield name, value


# ---- the text --------------------------------------------------------------------------------------------------------------


class DoubleNameError(ValueError):
    """An object in which a name stands twice."""


def values_by_name(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, none of whose values is lost."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _value in pairs]
        raise DoubleNameError(next(name for name in names if names.count(name) > 1))
    return found


DECODER = json.JSONDecoder(object_pairs_hook=values_by_name)


def records_of(file: Path, encoding: str) -> Iterator[Record]:
    """The records of a file, each with its line."""
    with text(file, encoding) as source:
        first = next((line for line in source if line.strip()), "")
    try:
        in_lines = isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        in_lines = False
    with text(file, encoding) as source:
        if in_lines:
            yield from (
                (number, record_at(file, number, line.rstrip())) for number, line in enumerate(source, 1) if line.strip()
            )
        else:
            yield from records_in(file, source.read())


def record_at(file: Path, line: int, content: str) -> dict[str, Any]:
    """The record that is a line."""
    found, end = value_at(file, line, content, len(content) - len(content.lstrip()))
    end, _line = place_after(content, end)
    if end < len(content):
        raise ReadingError(broken(file, line, end + 1))
    return as_record(file, line, found)


def records_in(file: Path, content: str) -> Iterator[Record]:
    """The records of a list, or of objects one after the other."""
    at, line = place_after(content, 0)
    in_list = content.startswith("[", at)
    at, line, first = at + in_list, line, True
    while True:
        at, line = place_after(content, at, line)
        if at == len(content) or (in_list and content[at] == "]"):
            break
        if in_list and not first:
            if content[at] != ",":
                raise ReadingError(broken(file, line, column_of(content, at)))
            at, line = place_after(content, at + 1, line)
        found, end = value_at(file, line, content, at)
        yield line, as_record(file, line, found)
        line, at, first = line + content.count("\n", at, end), end, False
    if in_list and (at == len(content) or content[at + 1 :].strip()):
        raise ReadingError(broken(file, line, column_of(content, at)))


def place_after(content: str, at: int, line: int = 1) -> tuple[int, int]:
    """The next sign that is no space, and its line."""
    end = SPACES.match(content, at).end()  # type: ignore[union-attr]
    return end, line + content.count("\n", at, end)


def value_at(file: Path, line: int, content: str, at: int) -> tuple[Any, int]:
    """The value that begins at a place of a line, and where it ends."""
    try:
        return DECODER.raw_decode(content, at)
    except DoubleNameError as error:
        words = _("{file}, line {line}: two values have the name {name}: rename one of them.")
        raise ReadingError(words.format(file=file.name, line=line, name=repr(str(error)))) from error
    except json.JSONDecodeError as error:
        later = content.count("\n", at, error.pos)
        raise ReadingError(broken(file, line + later, column_of(content, error.pos))) from error
    except ValueError as error:  # a number of thousands of digits
        raise ReadingError(broken(file, line, column_of(content, at))) from error


def column_of(content: str, at: int) -> int:
    return at - content.rfind("\n", 0, at)


def as_record(file: Path, line: int, found: Any) -> dict[str, Any]:
    """A value that is a record."""
    if not isinstance(found, dict):
        words = _('{file}, line {line}: a record such as {{"name": 1}} is expected, found: {value}.')
        raise ReadingError(words.format(file=file.name, line=line, value=repr(found)[:60]))
    return found


def broken(file: Path, line: int, character: int) -> str:
    return _("{file}, line {line}, character {character}: this is not JSON. Correct the line.").format(
        file=file.name, line=line, character=character
    )
