"""Parquet as blocks: groups of rows, read column by column through small buffers, so that no group is held as a whole.

The types are those of the file. A column of whole numbers that are too large for doubles does not fit its type, and is read
again as text, as `read_parquet` does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import types

from aprendiz.lab.cells import EXACT
from aprendiz.lab.formats.parquet import damaged, gaps, is_declared, kind_of_type, refuse_type, wrong_cell
from aprendiz.lab.formats.questions import Questions
from aprendiz.lab.large_tables.blocks import TypedBlock, TypedBlocks
from aprendiz.lab.large_tables.memory_plan import TableSize
from aprendiz.lab.opening import ReadingError
from aprendiz.lab.records import unique
from aprendiz.lab.series import ARROW
from aprendiz.locale import _

BUFFER = 1 << 20  # bytes that arrow reads ahead, for each column
BLOCK_CELLS, FEWEST_ROWS = 2**20, 2048  # of a block


class ParquetBlocks(TypedBlocks):
    """The blocks of a Parquet file.

    Parameters
    ----------
    file : Path
    asked : Questions
        About the dialect; asked here.
    folder : Path
        Not needed.
    """

    def __init__(self, file: Path, asked: Questions, folder: Path):
        asked.ask("missing", lambda: ((), ""))
        self.file, self.dialect = file, asked.dialect
        with self.opened() as parquet:
            self.schema, self.expected_rows = parquet.schema_arrow, float(parquet.metadata.num_rows)
        if not len(self.schema) or not self.expected_rows:
            raise ReadingError(_("{file} holds no rows.").format(file=file.name))
        self.names, self.renamed = unique(list(self.schema.names))
        self.declared: dict[int, dict[str, None]] = {}  # levels, in the order in which they come

    def opened(self) -> Any:
        try:
            return pq.ParquetFile(self.file, pre_buffer=False, buffer_size=BUFFER, page_checksum_verification=True)
        except (OSError, pa.ArrowException) as error:
            raise damaged(self.file) from error

    def first_kinds(self) -> dict[int, str]:
        given = dict(self.dialect.types)
        return {j: given.get(name) or self.own_kind(j) for j, name in enumerate(self.names)}

    def own_kind(self, j: int) -> str:
        """The type that the file gives to a column."""
        kind = self.schema.field(j).type
        found = kind_of_type(kind.value_type if types.is_dictionary(kind) else kind)
        if found is None:
            raise refuse_type(self.file, self.names[j], kind)
        return found

    def blocks(self, wanted: Mapping[int, str]) -> Iterator[TypedBlock]:
        places = sorted(wanted)
        names = [self.schema.names[j] for j in places]
        several = len(set(self.schema.names)) < len(self.schema.names)  # then all columns are read
        size, start = max(FEWEST_ROWS, BLOCK_CELLS // max(1, len(wanted))), 0
        with self.opened() as parquet:
            batches = parquet.iter_batches(size, columns=None if several else names, use_threads=True)
            while (batch := self.next_batch(batches)) is not None:
                order = list(batch.schema.names)
                found = {j: batch.column(j if several else order.index(self.schema.names[j])) for j in places}
                judged = {j: self.judge(j, cells, wanted[j]) for j, cells in found.items()}
                misfits = {j: one[1] for j, one in judged.items() if one[1] is not None}
                yield TypedBlock(start, batch.num_rows, {j: one[0] for j, one in judged.items()}, misfits)
                start += batch.num_rows

    def next_batch(self, batches: Any) -> Any:
        try:
            return next(batches, None)
        except (OSError, pa.ArrowException) as error:
            raise damaged(self.file) from error

    def judge(self, j: int, cells: Any, wanted: str) -> tuple[Any, Any]:
        """The cells of a column in a type, and the text of those that do not fit."""
        if is_declared(cells.type) and wanted == "text":
            self.declared.setdefault(j, {}).update(dict.fromkeys(cells.dictionary.to_pylist()))
            return cells.cast(pa.string()), None
        if types.is_dictionary(cells.type):
            cells = cells.cast(cells.type.value_type)
        own = kind_of_type(cells.type)
        if wanted == "text":
            return gaps(cells.cast(pa.string()), self.dialect), None
        if wanted != own:
            return self.retyped(cells.cast(pa.string()), wanted)
        values = cells.cast(ARROW[wanted], safe=False)
        if not (types.is_integer(cells.type) or types.is_decimal(cells.type)):
            return values, None
        large = pc.greater(pc.abs(values), EXACT)
        if not pc.any(large).as_py() or (types.is_decimal(cells.type) and cells.type.scale > 0):
            return values, None
        nothing, text = pa.scalar(None, pa.string()), cells.cast(pa.string())
        return pc.if_else(large, pa.scalar(None, values.type), values), pc.if_else(large, text, nothing)

    def retyped(self, text: Any, wanted: str) -> tuple[Any, Any]:
        """Cells of text in another type, as a CSV file would have them."""
        cells, judge = self.dialect.cells, self.dialect.cells.judge(wanted)
        known = [None if cell is None or cells.is_missing(cell) else cell for cell in text.to_pylist()]
        found = [None if cell is None else judge(cell) for cell in known]
        odd = [cell if value is None else None for cell, value in zip(known, found, strict=True)]
        return pa.array(found, ARROW[wanted]), pa.array(odd, pa.string())

    def misfit(self, column: int, kind: str, row: int, cell: str) -> str:
        return wrong_cell(self.file, self.names[column], kind, row, cell)

    def levels(self, column: int) -> tuple[tuple[str, ...], bool] | None:
        kind = self.schema.field(column).type
        return (tuple(self.declared[column]), kind.ordered) if column in self.declared else None


def size_of_parquet(file: Path) -> TableSize:
    """The size of the table of a Parquet file: eight bytes for a cell, or what the file says it unpacks to."""
    try:
        about = pq.read_metadata(file)
    except (OSError, pa.ArrowException) as error:
        raise damaged(file) from error
    unpacked = sum(about.row_group(number).total_byte_size for number in range(about.num_row_groups))
    return TableSize(max(8.0 * about.num_rows * about.num_columns, float(unpacked)), float(about.num_rows))
