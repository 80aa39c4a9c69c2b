"""A table with columns that were added, written as it was read: the same separator, decimal sign and encoding.

Cells that a spreadsheet would run get an apostrophe.
"""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Sequence
from typing import IO, Any

import pandas as pd

from aprendiz.lab.dialect import Dialect
from aprendiz.lab.formulas import neutral
from aprendiz.lab.reading import Table

RUN = 50_000  # rows that are written at a time


def free(name: str, taken: set[str]) -> str:
    """A name that no column has, remembered as taken."""
    found, number = name, 2
    while found in taken:
        found, number = f"{name} {number}", number + 1
    taken.add(found)
    return found


def to_csv(table: Table, columns: dict[str, Any], dialect: Dialect, *, header: bool = True) -> str:
    """The table and the new columns as CSV, some rows at a time; without names, if they stand above already."""
    file = io.StringIO()
    whole_table = {**{str(name): table.frame[name] for name in table.frame.columns}, **columns}
    if header:
        write(file, [[str(neutral(name)) for name in whole_table]], dialect)
    for start in range(0, table.rows, RUN):
        run = [cells(values[start : start + RUN], dialect.decimal) for values in whole_table.values()]
        write(file, list(zip(*run, strict=True)), dialect)
    return file.getvalue()


def write(file: Any, lines: Sequence[Sequence[str]], dialect: Dialect) -> None:
    """Lines of cells. A carriage return needs quotes too, which the writer does not know."""
    separator = dialect.separator.rstrip(" ") if dialect.kind == "csv" else ""
    odd = any("\r" in cell for line in lines for cell in line)
    writer = csv.writer(
        file, delimiter=separator or ",", lineterminator="\n", quoting=csv.QUOTE_ALL if odd else csv.QUOTE_MINIMAL
    )
    writer.writerows(lines)


def cells(values: Any, decimal: str) -> list[str]:
    """A column as text."""
    return [cell(value, decimal) for value in (values.tolist() if hasattr(values, "tolist") else values)]


def cell(value: Any, decimal: str) -> str:
    """A value as a cell: missing is empty, whole numbers have no decimals, formulas are not run."""
    if value is None or value is pd.NA or value != value:
        return ""
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value).replace(".", decimal)
    if isinstance(value, (bool, int)):
        return str(value).lower()
    if hasattr(value, "isoformat"):
        return str(value).removesuffix(" 00:00:00")
    return str(neutral(str(value)))


class CsvTables:
    """Tables one below the other as CSV, written to a stream of bytes, in the encoding that the first one needs."""

    def __init__(self, stream: IO[bytes]):
        self.stream: IO[bytes] = stream
        self.encoder: codecs.IncrementalEncoder | None = None

    def add(self, table: Table, columns: dict[str, Any]) -> None:
        """The next rows, with the columns that are added to them."""
        text = to_csv(table, columns, table.dialect, header=self.encoder is None)
        if self.encoder is None:
            self.encoder = codecs.getincrementalencoder(encoding_for(text, table.dialect))()
        self.stream.write(self.encoder.encode(text))

    def close(self) -> None:
        """Nothing stands behind the last row."""


class ParquetTables:
    """Tables one below the other in a Parquet file, each a group of rows. Categories are dictionaries."""

    def __init__(self, stream: IO[bytes]):
        self.stream = stream
        self.writer: Any = None

    def add(self, table: Table, columns: dict[str, Any]) -> None:
        """The next rows, with the columns that are added to them."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        whole = pa.Table.from_pandas(table.frame.assign(**columns), preserve_index=False)
        if self.writer is None:
            self.writer = pq.ParquetWriter(self.stream, whole.schema)
        self.writer.write_table(whole.cast(self.writer.schema))

    def close(self) -> None:
        """Write the directory of the file."""
        if self.writer is not None:
            self.writer.close()


def encoding_for(text: str, dialect: Dialect) -> str:
    """The encoding of the table, or UTF-8 if that lacks a letter."""
    try:
        text.encode(dialect.encoding)
    except UnicodeEncodeError:
        return "utf-8"
    return dialect.encoding


def encode(text: str, dialect: Dialect) -> bytes:
    """In the encoding of the table, or in UTF-8 if that lacks a letter."""
    return text.encode(encoding_for(text, dialect))
