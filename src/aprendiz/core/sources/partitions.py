"""What is done to a partition of a Dask collection, where it lies: it is read, checked, cut into blocks and summed.

Functions of a partition get what all partitions share, then its number, the number of its first row, its length, and its X,
target and weight.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any

import numpy as np

from aprendiz.core.blas import single_blas
from aprendiz.core.containers import without_mask
from aprendiz.core.frames import as_frame
from aprendiz.core.rows import Array, Block, block_rows, fold, read_only
from aprendiz.core.tables import array_table, first_bad_cell, frame_table, refuse_cell
from aprendiz.core.targets import labels_in_order, numbers, same_length, weights_of_rows

CHANGING = "persist() the collection, or write it to Parquet first."


@dataclass(frozen=True)
class Reading:
    """How a partition becomes blocks: its columns, whether cells may be missing, and what is done to each block."""

    columns: int
    names: tuple[Any, ...] | None = None
    labels: bool = False  # whether targets are classes, or numbers
    missing_is_fine: bool = False
    changes: tuple[Callable[[Block], Block], ...] = ()
    renamed: bool = False
    seal: tuple[int, str] | None = None  # number and digest of a partition, to notice data that change

    def blocks(self, number: int, start: int, length: int, X: Any, y: Any, weight: Any) -> Iterator[Block]:
        table = self.table(number, start, X)
        if len(table) != length:
            raise ValueError(f"Partition {number} had {length} rows before and has {len(table)} now: {CHANGING}")
        if self.seal is not None and self.seal[0] == number and self.seal[1] != digest(table):
            raise ValueError(f"Partition {number} holds other numbers each time it is computed: {CHANGING}")
        target = None if y is None else self.target(y, start, length)
        weights = None if weight is None else weights_of_rows(weight, length, start)
        size = block_rows(self.columns)
        for at in range(0, length, size):
            cut = slice(at, at + size)
            rows = (read_only(table[cut]), None if target is None else read_only(target[cut]))
            block = Block(*rows, None if weights is None else read_only(weights[cut]), start + at)
            for change in self.changes:
                block = change(block)
            yield block

    def table(self, number: int, start: int, X: Any) -> Array:
        """A partition as a float array with the right columns and no bad cell."""
        if (frame := as_frame(X)) is not None:
            names, table = frame_table(frame, start)
            if tuple(names) != self.names:
                raise ValueError(f"Partition {number} has the columns {names}, the collection {list(self.names or ())}.")
        else:
            X = without_mask(X)
            plain_floats = isinstance(X, np.ndarray) and X.dtype in (np.float64, np.float32)
            table = X if plain_floats else array_table(X, start)
        if table.ndim != 2:
            raise ValueError(f"Partition {number} has {table.ndim} dimensions: give rows and columns.")
        if table.shape[1] != self.columns:
            raise ValueError(f"Partition {number} has {table.shape[1]} columns, the collection {self.columns}.")
        if len(table) and (bad := first_bad_cell(table, missing_is_fine=self.missing_is_fine)):
            refuse_cell(start + bad[0], bad[1], bad[2], self.names)
        return table

    def target(self, y: Any, start: int, length: int) -> Array:
        """Labels or numbers, one for each row of a partition."""
        if not self.labels:
            return numbers(y, length, start)
        target = labels_in_order(y, start)
        same_length("y", len(target), length)
        return np.array(target.tolist()) if target.dtype == object else target


def part_sum(common: tuple[Any, ...], number: int, start: int, length: int, *part: Any) -> Any:
    """The record of one partition; None if it is empty."""
    reading, statistic, parameters = common
    blocks = reading.blocks(number, start, length, *part)
    with single_blas(length * reading.columns**2), np.errstate(over="ignore", invalid="ignore"):
        return fold(statistic(*parameters, block) for block in blocks) if length else next(blocks, None)


def add_records(records: Sequence[Any]) -> Any:
    """The sum of up to `FAN_IN` records. They belong to the scheduler and are not changed."""
    there = [record for record in records if record is not None]
    return fold(there, operator.add) if there else None


def part_each(common: tuple[Any, ...], number: int, start: int, length: int, *part: Any) -> Any:
    """The per-row results of one partition; None if it is empty."""
    reading, function, parameters = common
    with single_blas():
        pieces = [function(*parameters, block) for block in reading.blocks(number, start, length, *part)]
    return np.concatenate(pieces) if pieces else None


def part_first(common: tuple[Any, ...], number: int, start: int, length: int, *part: Any) -> Any:
    reading, function, parameters = common
    with single_blas():
        return function(*parameters, next(reading.blocks(number, start, length, *part)))


def part_blocks(reading: Reading, number: int, start: int, length: int, *part: Any) -> list[Block]:
    return list(reading.blocks(number, start, length, *part))


def seal(common: tuple[Any, ...], number: int, start: int, length: int, *part: Any) -> tuple[int, str]:
    """The digest by which a partition is known again. Bad cells are left for the pass that will name them."""
    reading = replace(common[0], missing_is_fine=True)
    return number, digest(reading.table(number, start, part[0]))


def digest(table: Array) -> str:
    """Of the first row, the last row and the shape."""
    ends = np.ascontiguousarray(table[[0, -1]])
    return blake2b(f"{table.shape} {table.dtype}".encode() + ends.tobytes(), digest_size=12).hexdigest()
