"""What is done to a partition of a Dask collection, where it lies: it is read, checked, cut into blocks and summed.

Functions of a partition get what all partitions share, then its place, and its X, target and weight.

A partition is known again by its seal: a digest of its ends, the first and the last row of X, and one of its bits, the sums of
all cells of X, targets and weights, one for each run of 64 rows. The first is compared before anything is summed; the second
goes along with the blocks, while they are in the cache (record 0034). The first pass that sums brings the seals of all
partitions back; later passes compare, where the partition lies.
"""

from __future__ import annotations

import operator
from collections import deque
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

RUN = 64  # rows whose bits are added
CHANGING = "persist() the collection, or write it to Parquet first."


@dataclass(frozen=True)
class Place:
    """A partition among the others: its number, the number of its first row, its length, and its seal if it is known."""

    number: int
    start: int
    length: int
    seal: bytes | None = None


@dataclass(frozen=True)
class Sealed:
    """A result, and the seals of the partitions it comes from, by their numbers."""

    result: Any
    seals: dict[int, bytes]

    def __add__(self, other: Sealed) -> Sealed:
        return Sealed(self.result + other.result, {**self.seals, **other.seals})


@dataclass(frozen=True)
class Reading:
    """How a partition becomes blocks: its columns, whether cells may be missing, and what is done to each block."""

    columns: int
    names: tuple[Any, ...] | None = None
    labels: bool = False  # whether targets are classes, or numbers
    missing_is_fine: bool = False
    changes: tuple[Callable[[Block], Block], ...] = ()
    renamed: bool = False

    def blocks(self, place: Place, X: Any, y: Any, weight: Any, seals: dict[int, bytes] | None = None) -> Iterator[Block]:
        """The blocks of a partition; its seal is added to `seals` if it is not known yet."""
        number, start, length = place.number, place.start, place.length
        table = self.table(number, start, X)
        if len(table) != length:
            raise ValueError(f"Partition {number} had {length} rows before and has {len(table)} now: {CHANGING}")
        ends = seal_of_ends(table) if length else b""
        if place.seal is not None and not place.seal.startswith(ends):
            refuse_change(number)
        target = None if y is None else self.target(y, start, length)
        weights = None if weight is None else weights_of_rows(weight, length, start)
        size, bits = block_rows(self.columns), blake2b(digest_size=12)
        for at in range(0, length, size):
            cut = slice(at, at + size)
            y_here, w_here = (None if one is None else read_only(one[cut]) for one in (target, weights))
            block = Block(read_only(table[cut]), y_here, w_here, start + at)
            for part in (block.X, y_here, w_here):
                bits.update(b"" if part is None else bits_of_runs(part).tobytes())
            for change in self.changes:
                block = change(block)
            yield block
        seal = ends + bits.digest()
        if place.seal is not None and place.seal != seal:
            refuse_change(number)
        if place.seal is None and seals is not None and length:
            seals[number] = seal

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


def part_sum(common: tuple[Any, ...], place: Place, *part: Any) -> Sealed | None:
    """The record of one partition; None if it is empty."""
    reading, statistic, parameters = common
    seals: dict[int, bytes] = {}
    blocks = reading.blocks(place, *part, seals)
    if not place.length:
        return next(blocks, None)
    with single_blas(place.length * reading.columns**2), np.errstate(over="ignore", invalid="ignore"):
        return Sealed(fold(statistic(*parameters, block) for block in blocks), seals)


def add_records(records: Sequence[Any]) -> Any:
    """The sum of up to `FAN_IN` records. They belong to the scheduler and are not changed."""
    there = [record for record in records if record is not None]
    return fold(there, operator.add) if there else None


def part_each(common: tuple[Any, ...], place: Place, *part: Any) -> Sealed | None:
    """The per-row results of one partition; None if it is empty."""
    reading, function, parameters = common
    seals: dict[int, bytes] = {}
    with single_blas():
        pieces = [function(*parameters, block) for block in reading.blocks(place, *part, seals)]
    return Sealed(np.concatenate(pieces), seals) if pieces else None


def part_table(common: tuple[Any, ...], place: Place, *part: Any) -> Any:
    """The per-row results alone, for a Dask array."""
    found = part_each(common, place, *part)
    return None if found is None else found.result


def part_first(common: tuple[Any, ...], place: Place, *part: Any) -> Any:
    reading, function, parameters = common
    with single_blas():
        return function(*parameters, next(reading.blocks(place, *part)))


def part_blocks(reading: Reading, place: Place, *part: Any) -> list[Block]:
    return list(reading.blocks(place, *part))


def part_seal(common: tuple[Any, ...], place: Place, *part: Any) -> bytes:
    """The seal of a partition. Bad cells are left for the pass that will name them."""
    reading, seals = replace(common[0], missing_is_fine=True, changes=()), dict[int, bytes]()
    deque(reading.blocks(place, *part, seals), maxlen=0)
    return seals[place.number]


def seal_of_ends(table: Array) -> bytes:
    """A digest of the first row, the last row and the shape."""
    ends = np.ascontiguousarray(table[[0, -1]])
    return blake2b(f"{table.shape} {table.dtype}".encode() + ends.tobytes(), digest_size=12).digest()


def refuse_change(number: int) -> None:
    raise ValueError(f"Partition {number} holds other numbers each time it is computed: {CHANGING}")


def bits_of_runs(values: Array) -> Array:
    """Σ of the cells of each run of rows modulo 2⁶⁴, their bits read as whole numbers; the same however they lie in memory."""
    if values.dtype.kind in "US":
        unit = 4 if values.dtype.kind == "U" else 1
        bits = np.ascontiguousarray(values).view(f"u{unit}").reshape(len(values), -1)
    else:
        bits = values.view(f"u{values.itemsize}").reshape(len(values), -1)
    if bits.strides[0] < bits.strides[1]:  # columns lie together
        return np.asarray(np.add.reduceat(bits, np.arange(0, len(bits), RUN), axis=0, dtype=np.uint64).sum(axis=1))
    bits, whole = np.ascontiguousarray(bits), len(bits) // RUN * RUN
    runs = bits[:whole].reshape(whole // RUN, RUN * bits.shape[1]).sum(axis=1, dtype=np.uint64)
    return np.append(runs, bits[whole:].sum(dtype=np.uint64)) if whole < len(bits) else np.asarray(runs)
