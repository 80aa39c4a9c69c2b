"""All rows of a file as numbers on the disk: what many passes of a fit read instead of the text.

    numbers as they are     dates as days since 1970     levels as their numbers in the schema, −1 for a missing cell
    the target as a number, or as the number of its class

Rows without a target, and of classes that are not wanted, are left out. A pass reads block after block and holds nothing else;
the blocks have the sizes that a table in memory has, so sums have the same tree (core/rows.py).

Cost: one pass over the file; eight bytes for each cell on the disk.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from aprendiz.core.cells import Column
from aprendiz.core.columns import Columns
from aprendiz.core.rows import Array, Block, Rows, block_rows, read_only, runs
from aprendiz.lab.columns.quantities import read_again
from aprendiz.lab.large_tables.blocks import TypedBlock, TypedBlocks
from aprendiz.lab.series import label_of
from aprendiz.locale import _

TOGETHER = 2  # blocks handed to a worker at a time
DAY = 86_400e6  # microseconds


class NotStreamedError(Exception):
    """Why a fit to all rows of a file is not possible."""


@dataclass(frozen=True)
class SpooledTarget:
    """The column to predict, and its classes; None for numbers."""

    name: str
    labels: Array | None


class SpooledRows(Rows):
    """Rows of numbers in a file.

    Parameters
    ----------
    path : Path
    names : list of str
        Of the features.
    count : int
        Rows.
    labels : ndarray or None
        The classes that the last column counts.
    """

    complete = False  # missing cells are there

    def __init__(self, path: Path, names: Sequence[str], count: int, classes: Array | None):
        self.path, self.names, self.columns, self.count, self.classes = path, list(names), len(names), count, classes

    def groups(self) -> Iterator[Iterable[Block]]:
        return runs(self.each_block(block_rows(self.columns)), TOGETHER)

    def each_block(self, size: int) -> Iterator[Block]:
        """The blocks, one after the other."""
        assert self.count is not None
        with self.path.open("rb") as file:
            for start in range(0, self.count, size):
                rows = min(size, self.count - start)
                cells = np.fromfile(file, np.float64, rows * (self.columns + 1)).reshape(rows, -1)
                y = cells[:, -1]
                y = y.copy() if self.classes is None else self.classes[y.astype(np.int64)]
                yield Block(read_only(cells[:, :-1]), read_only(y), None, start)


def spool(source: TypedBlocks, columns: Columns, target: SpooledTarget, folder: Path) -> SpooledRows:
    """Write the rows of a file as numbers."""
    writer = NumberWriter(source, columns, target)
    refuse_full_disk(folder, 8.0 * source.expected_rows * (len(columns) + 1))
    path, count = folder / "rows.f64", 0
    with path.open("wb") as file:
        for block in source.blocks(writer.wanted):
            cells = writer.numbers(block)
            count += len(cells)
            cells.tofile(file)
    return SpooledRows(path, [str(name) for name in columns.names], count, target.labels)


def refuse_full_disk(folder: Path, wanted: float) -> None:
    """Stop where there is no room for the rows."""
    if wanted > 0.9 * shutil.disk_usage(folder).free:
        raise NotStreamedError(_("there is no room on the disk for all rows as numbers"))


class NumberWriter:
    """Blocks of a file as arrays of numbers.

    Parameters
    ----------
    source : TypedBlocks
    columns : Columns
        The schema of the features.
    target : SpooledTarget
    """

    def __init__(self, source: TypedBlocks, columns: Columns, target: SpooledTarget):
        self.target, dialect = target, source.dialect
        places = {name: j for j, name in enumerate(source.names)}
        kinds, units = dict(dialect.types), dict(dialect.units)
        self.features = [(places[str(column.name)], column) for column in columns]
        self.place = places[target.name]
        used = [self.place, *(j for j, _column in self.features)]
        self.units = {j: units[source.names[j]] for j in used if source.cells_are_text and source.names[j] in units}
        self.wanted = {j: "text" if j in self.units else kinds.get(source.names[j], "text") for j in used}
        self.codes: dict[Any, int] = {} if target.labels is None else {str(one): k for k, one in enumerate(target.labels)}

    def numbers(self, block: TypedBlock) -> Array:
        """The rows of a block whose target is known and wanted, the target in the last column."""
        values = dict(block.values)
        for j, signs in self.units.items():
            values[j] = read_again("", values[j], *signs)[0]
        y = self.targets(values[self.place])
        kept = np.flatnonzero(~np.isnan(y))
        table = np.empty((len(kept), len(self.features) + 1))
        for place, (j, column) in enumerate(self.features):
            table[:, place] = cells_as_numbers(values[j], column)[kept]
        table[:, -1] = y[kept]
        return table

    def targets(self, cells: Any) -> Array:
        """Numbers, or the numbers of the classes; NaN where there is none."""
        if self.target.labels is None:
            return cells.to_numpy(zero_copy_only=False).astype(np.float64)
        coded = cells.dictionary_encode()
        codes = [np.nan if one is None else self.codes.get(label_of(one), np.nan) for one in coded.dictionary.to_pylist()]
        cells_in_codes = coded.indices.fill_null(len(codes)).to_numpy(zero_copy_only=False)
        return np.array([*codes, np.nan], np.float64)[cells_in_codes]


def cells_as_numbers(cells: Any, column: Column) -> Array:
    """The cells of a feature."""
    if column.kind == "numeric":
        return cells.to_numpy(zero_copy_only=False)
    if column.kind == "date":
        moments = cells.cast(pa.timestamp("us")).cast(pa.int64())
        return pc.divide(moments.cast(pa.float64(), safe=False), DAY).to_numpy(zero_copy_only=False)
    if column.levels == (0, 1) and pa.types.is_floating(cells.type):
        return np.nan_to_num(cells.to_numpy(zero_copy_only=False), nan=-1.0)
    levels = pa.array([*column.levels], cells.type)
    return pc.index_in(cells, levels, skip_nulls=True).fill_null(-1).to_numpy(zero_copy_only=False).astype(np.float64)
