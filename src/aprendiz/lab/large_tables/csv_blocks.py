"""CSV as blocks: DuckDB parses and judges the cells in parallel and hands them over piece by piece, in the order of the file.

Memory: the buffers of DuckDB, which are bounded, and the blocks in flight. Files that DuckDB does not take as they are get a
plain copy on the disk (scan.py); tables of very many columns are read by Python.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

from aprendiz.lab.first_types import guess
from aprendiz.lab.formats.delimited import as_text
from aprendiz.lab.formats.questions import Questions
from aprendiz.lab.large_tables.blocks import AnyConsumer, TypedBlock, TypedBlocks
from aprendiz.lab.large_tables.memory_plan import TableSize
from aprendiz.lab.opening import ReadingError, head
from aprendiz.lab.records import layout
from aprendiz.lab.scan import WIDE, FilePasses, Typed, block_of, blocks_of, connected, misfit, query, refuse_too_many_columns
from aprendiz.lab.sniffing import sniff
from aprendiz.locale import _, number

MEMORY = "400MB"  # of DuckDB
BLOCK_CELLS, FEWEST_ROWS = 2**20, 2048  # of a block
ROOM = 2.0  # times the size of a file that its plain copy may have


Piece = tuple[int, dict[int, Any], dict[int, Any]]  # rows, values, misfits


class CsvBlocks(TypedBlocks):
    """The blocks of a text file.

    Parameters
    ----------
    file : Path
    asked : Questions
        About the dialect; asked here.
    folder : Path
        For files that are needed on the way.
    """

    cells_are_text = True

    def __init__(self, file: Path, asked: Questions, folder: Path):
        self.mixed = sniff(file, asked)
        self.file, self.dialect = file, asked.dialect
        self.top = layout(file, self.dialect)
        self.names, self.renamed = self.top.names, self.top.renamed
        refuse_too_many_columns(file, len(self.names))
        self.expected_rows = size_of_csv(file).rows
        self.passes = Passes(file, as_text(self.dialect), len(self.names), folder)

    def first_kinds(self) -> dict[int, str]:
        given = dict(as_text(self.dialect).types)
        return {j: given.get(name) or guess(j, self.top, self.dialect.cells) for j, name in enumerate(self.names)}

    def blocks(self, wanted: Mapping[int, str]) -> Iterator[TypedBlock]:
        return self.passes.blocks(wanted)

    def pass_over(self, wanted: Mapping[int, str], begin: Callable[[], AnyConsumer]) -> AnyConsumer:
        """A pass; if DuckDB refuses the file, one over a plain copy, whose making names the line that is wrong."""
        try:
            return super().pass_over(wanted, begin)
        except duckdb.Error as error:
            if self.passes.file != self.file:
                raise ReadingError(
                    _("{file} cannot be read: {error}.").format(file=self.file.name, error=str(error).splitlines()[0])
                ) from error
        self.passes.copy()
        return super().pass_over(wanted, begin)

    def misfit(self, column: int, kind: str, row: int, cell: str) -> str:
        return misfit(self.file, self.dialect, self.names, column, Typed(kind, None, 1, row))


class Passes(FilePasses):
    """Passes over a file that give blocks."""

    def copy(self) -> None:
        """A plain copy, if there is room for it."""
        free, wanted = shutil.disk_usage(self.folder).free, ROOM * self.original.stat().st_size
        if wanted > free:
            raise ReadingError(
                _(
                    "{file} needs a copy of {size} GB on the disk, and {free} GB are free in {folder}: save it as plain UTF-8, "
                    "or set TMPDIR to a folder with more room."
                ).format(
                    file=self.original.name, size=number(wanted / 1e9, 3), free=number(free / 1e9, 3), folder=self.folder.parent
                )
            )
        super().copy()

    def blocks(self, wanted: Mapping[int, str]) -> Iterator[TypedBlock]:
        pieces = self.by_records(wanted) if self.width > WIDE else self.by_stream(wanted)
        start = 0
        for rows, values, misfits in pieces:
            yield TypedBlock(start, rows, values, misfits)
            start += rows
        self.refuse_lost_rows(start)

    def by_stream(self, wanted: Mapping[int, str]) -> Iterator[Piece]:
        """By DuckDB. The reader is closed before its connection, also where a pass is left early."""
        with connected(self.folder, MEMORY) as connection:
            text = query(self.file, self.dialect, self.width, wanted, self.longest, judged_with_text)
            size = max(FEWEST_ROWS, BLOCK_CELLS // max(1, len(wanted)))
            with connection.sql(text).to_arrow_reader(size) as reader:
                while (batch := next_batch(reader)) is not None:
                    values = {j: batch.column(f"v{j}") for j in wanted}
                    misfits = {j: batch.column(f"u{j}") for j, kind in wanted.items() if kind != "text"}
                    yield batch.num_rows, values, misfits

    def by_records(self, wanted: Mapping[int, str]) -> Iterator[Piece]:
        """By Python, for tables of very many columns."""
        with connected(self.folder, MEMORY) as connection:
            for rows in blocks_of(self.file, self.dialect, self.width):
                found = block_of(rows, self.dialect.cells, wanted, connection)
                values = {j: one[0] for j, one in found.items()}
                yield len(rows), values, {j: texts(rows, j, one[1]) for j, one in found.items() if one[1] is not None}


def judged_with_text(cells: Any, kind: str, column: str, j: int) -> str:
    """The values v of a column of text in a type and, unless that is text too, the text u of the cells that do not fit."""
    values = f"{cells.sql(kind, column)} AS v{j}"
    unfit = f"CASE WHEN v{j} IS NULL AND {cells.sql_present(column)} THEN {column} END"
    return values if kind == "text" else f"{values}, {unfit} AS u{j}"


def next_batch(reader: Any) -> Any:
    """The next piece, None at the end; what goes wrong in DuckDB comes as an error of arrow."""
    try:
        return next(reader, None)
    except (OSError, pa.ArrowException) as error:
        raise duckdb.Error(str(error)) from error


def texts(rows: list[list[str]], j: int, unfit: Any) -> Any:
    """The text of the cells that do not fit; missing where they do."""
    found: list[str | None] = [None] * len(rows)
    for row in np.flatnonzero(unfit.fill_null(False).to_numpy(zero_copy_only=False)).tolist():
        found[row] = rows[row][j]
    return pa.array(found, pa.string())


def size_of_csv(file: Path) -> TableSize:
    """About the size of the table of a text file: a cell takes about as many bytes in memory as in the text."""
    size, lines = float(file.stat().st_size), head(file)[0].splitlines(keepends=True)[:-1]
    return TableSize(size, size * len(lines) / sum(map(len, lines)) if lines else 1.0)
