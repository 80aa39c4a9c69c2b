"""Parquet: the columns are typed already. Whole numbers become doubles, or text where a double would change them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import types

from aprendiz.lab.cells import word_for
from aprendiz.lab.dialect import Dialect
from aprendiz.lab.formats.contents import Contents
from aprendiz.lab.formats.questions import Questions
from aprendiz.lab.opening import ReadingError, refuse_large
from aprendiz.lab.records import unique
from aprendiz.lab.series import ARROW, categories, exact, series
from aprendiz.locale import _


def read_parquet(file: Path, asked: Questions, folder: Path) -> Contents:
    """The columns of a Parquet file."""
    asked.ask("missing", lambda: ((), ""))
    try:
        directory = pq.read_metadata(file)
        refuse_large(file, 8 * directory.num_rows * directory.num_columns)
        table = pq.read_table(file, page_checksum_verification=True)
    except (OSError, pa.ArrowException) as error:
        raise damaged(file) from error
    if not table.num_columns or not table.num_rows:
        raise ReadingError(_("{file} holds no rows.").format(file=file.name))
    dialect = asked.dialect
    given, (names, renamed) = dict(dialect.types), unique(list(table.column_names))
    columns = zip(names, table.columns, strict=True)
    return Contents({name: column(file, name, values, given.get(name), dialect) for name, values in columns}, renamed)


def damaged(file: Path) -> ReadingError:
    return ReadingError(_("{file} is not a complete Parquet file: create it again.").format(file=file.name))


def column(file: Path, name: str, values: Any, wanted: str | None, dialect: Dialect) -> Any:
    """A column as pandas keeps it."""
    if is_declared(values.type) and wanted in (None, "text"):
        coded = values.unify_dictionaries()
        levels = coded.chunk(0).dictionary.to_pylist()
        return categories(coded.to_pylist(), levels, ordered=values.type.ordered)
    if types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    kind = kind_of(values)
    if kind is None:
        raise refuse_type(file, name, values.type)
    if wanted is not None and wanted != kind:
        return series(wanted, retyped(file, name, values.cast(pa.string()), wanted, dialect))
    values = values.cast(ARROW[kind], safe=False) if kind != "text" else values.cast(pa.string())
    return series(kind, gaps(values, dialect) if kind == "text" else values)


def refuse_type(file: Path, name: str, kind: Any) -> ReadingError:
    return ReadingError(
        _("{file}: column {name} holds {type}: change it to numbers, dates or text, or remove it.").format(
            file=file.name, name=repr(name), type=kind
        )
    )


def is_declared(kind: Any) -> bool:
    """Does the file declare the levels of a column of this type?"""
    return types.is_dictionary(kind) and types.is_string(kind.value_type)


def kind_of(values: Any) -> str | None:
    """The type of a column, as in cells.py; None if a table cannot hold it."""
    whole = types.is_integer(values.type) or (types.is_decimal(values.type) and values.type.scale <= 0)
    return "text" if whole and not exact(values) else kind_of_type(values.type)


def kind_of_type(kind: Any) -> str | None:
    """The type of the columns of a type of arrow."""
    if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind) or types.is_null(kind):
        return "number"
    if types.is_boolean(kind):
        return "boolean"
    if types.is_timestamp(kind) or types.is_date(kind):
        return "date"
    return "text" if types.is_string(kind) or types.is_large_string(kind) else None


def gaps(values: Any, dialect: Dialect) -> Any:
    """Text without the tokens of missing cells, of which Parquet has none unless they are given."""
    if not dialect.missing:
        return values
    return pc.if_else(pc.is_in(values, pa.array(dialect.missing, pa.string())), pa.scalar(None, pa.string()), values)


def retyped(file: Path, name: str, values: Any, wanted: str, dialect: Dialect) -> Any:
    """Cells of text in another type, as a CSV file would have them."""
    cells, judge = dialect.cells, dialect.cells.judge(wanted)
    known = [None if cell is None or cells.is_missing(cell) else cell for cell in values.to_pylist()]
    found = [None if cell is None else judge(cell) for cell in known]
    for row, (cell, value) in enumerate(zip(known, found, strict=True)):
        if cell is not None and value is None:
            raise ReadingError(wrong_cell(file, name, wanted, row, cell))
    return pa.array(found, ARROW[wanted])


def wrong_cell(file: Path, name: str, wanted: str, row: int, cell: str) -> str:
    return _("{file}, row {row}: column {name} holds {cell}, expected: {kind}. Correct the cell.").format(
        file=file.name, row=row, name=repr(name), cell=repr(cell[:60]), kind=word_for(wanted)
    )
