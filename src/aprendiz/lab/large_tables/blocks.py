"""A file as blocks of typed rows, read again from the start at every pass.

A block holds, for each column that is asked for, the values in its type and the text of the cells that do not fit it. A kind of
files joins by a subclass of `TypedBlocks` (csv_blocks.py, parquet_blocks.py) and a line in formats/all_formats.py.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from aprendiz.lab.dialect import Dialect


@dataclass(frozen=True)
class TypedBlock:
    """Consecutive rows.

    Attributes
    ----------
    start, rows : int
        The number of the first row, counted from 0, and how many there are.
    values : dict of int to arrow array
        The cells of each column that was asked for, missing where they do not fit the type.
    misfits : dict of int to arrow array of text
        The text of the cells that do not fit; missing where they do. Columns of text have none.
    """

    start: int
    rows: int
    values: dict[int, Any]
    misfits: dict[int, Any]


class Consumer(Protocol):
    """What takes the blocks of a pass."""

    def add(self, block: TypedBlock) -> None: ...


AnyConsumer = TypeVar("AnyConsumer", bound=Consumer)


class TypedBlocks(ABC):
    """The blocks of a file.

    Attributes
    ----------
    file : Path
    names : tuple of str
        Of the columns.
    renamed : tuple of pairs of str
        Columns that got another name.
    dialect : Dialect
        How the file is read.
    expected_rows : float
        About how many rows there are, for progress.
    mixed : pair of int or None
        A line of UTF-8, and one that is not.
    cells_are_text : bool
        Whether every cell is written as text, in which numbers with a unit are looked for and misfits are told.
    """

    file: Path
    names: tuple[str, ...]
    renamed: tuple[tuple[str, str], ...]
    dialect: Dialect
    expected_rows: float
    mixed: tuple[int, int] | None = None
    cells_are_text = False

    @abstractmethod
    def first_kinds(self) -> dict[int, str]:
        """The types that are tried first."""

    @abstractmethod
    def blocks(self, wanted: Mapping[int, str]) -> Iterator[TypedBlock]:
        """The wanted columns in their types, block by block, in the order of the file."""

    @abstractmethod
    def misfit(self, column: int, kind: str, row: int, cell: str) -> str:
        """The sentence about a cell that is not of the type of its column."""

    def levels(self, column: int) -> tuple[tuple[str, ...], bool] | None:
        """The levels that the file declares for a column, and whether they have an order; known after a pass."""
        return None

    def pass_over(self, wanted: Mapping[int, str], begin: Callable[[], AnyConsumer]) -> AnyConsumer:
        """Give all blocks to a new consumer."""
        consumer = begin()
        for block in self.blocks(wanted):
            consumer.add(block)
        return consumer
