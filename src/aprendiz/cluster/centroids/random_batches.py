"""Rows in random batches, and a few rows at random, for methods that do not look at all rows at once.

Every epoch draws an order of the rows and cuts it into batches. The order is that of linear/designs/visits.py: a table in
memory is shuffled as a whole, rows of files and of Dask within blocks of a few thousand.

Cost: O(n) for an order; memory for the rows of a batch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Self

import numpy as np

from aprendiz.cluster.centroids.nearest import nearest
from aprendiz.cluster.centroids.starts import random_rows
from aprendiz.core.random import hashes, uniforms
from aprendiz.core.rows import Array, Block, Rows, block_rows, reblock
from aprendiz.core.sources.arrays import ArrayRows, in_memory
from aprendiz.core.sums import Sums
from aprendiz.linear.designs.visits import exchange
from aprendiz.summaries.sample import Sample

ORDER = 2**32  # a stream of random numbers: the orders of the epochs
SMALLEST_SAMPLE = 1024  # rows of a sample from a file, at least


def batches(rows: Rows, size: int, seed: int, epoch: int) -> Iterator[tuple[int, bool, Callable[[], ArrayRows]]]:
    """The batches of an epoch: their numbers, whether it is the last one, and a function that gathers its rows."""
    pieces = with_last(piece for part in parts(rows, size) for piece in cut(part, size, seed, epoch))
    return ((number, last, piece) for number, (last, piece) in enumerate(pieces))


def parts(rows: Rows, size: int) -> Iterator[tuple[ArrayRows, int]]:
    """The table in memory, whole; other rows in blocks that hold a batch at least. With the number of the first row."""
    if in_memory(rows):
        yield rows, 0
        return
    pieces = ((block.X, None, block.weight) for block in rows.blocks())
    for block in reblock(pieces, max(size, block_rows(rows.columns))):
        yield ArrayRows(block.X, None, block.weight), block.start


def cut(part: tuple[ArrayRows, int], size: int, seed: int, epoch: int) -> Iterator[Callable[[], ArrayRows]]:
    """A part in random order, in pieces of nearly equal size."""
    table, start = part
    n = count_rows(table)
    order = np.arange(n)
    exchange(order, hashes(seed, ORDER + epoch, np.arange(start, start + n)))
    return (partial(take, table, some) for some in np.array_split(order, -(-n // size)))


def take(table: ArrayRows, chosen: Array) -> ArrayRows:
    """Some rows of a table, without their targets."""
    return ArrayRows(table.X[chosen], None, None if table.weight is None else table.weight[chosen])


def with_last(items: Iterator[Callable[[], ArrayRows]]) -> Iterator[tuple[bool, Callable[[], ArrayRows]]]:
    """Each item, and whether it is the last."""
    held = next(items, None)
    while held is not None:
        following = next(items, None)
        yield following is None, held
        held = following


def some_rows(rows: Rows, size: int, seed: int, stream: int) -> ArrayRows:
    """A few rows at random, in the order of the table; those of weight zero only where there are no others."""
    if not in_memory(rows):
        rows = Sample.drawn(rows, max(2 * size, SMALLEST_SAMPLE), seed + stream).rows()
    n = count_rows(rows)
    if size >= n:
        return rows
    race = uniforms(seed, stream, n)
    if rows.weight is not None:
        race = np.where(rows.weight > 0, race, 2.0)
    return take(rows, np.sort(np.argpartition(race, size)[:size]))


def far_rows(rows: Rows, centers: Array, count: int, seed: int, stream: int) -> Array:
    """Rows drawn as in k-means++, with chances w·D², D the distance to the nearest centre; fewer if all others are centres."""
    table = rows if in_memory(rows) else some_rows(rows, SMALLEST_SAMPLE, seed, stream)
    chances = table.each(weighed_squares, centers)
    count = min(count, int(np.count_nonzero(chances)))
    return random_rows(table.like(weight=chances), count, seed, stream) if count else centers[:0]


def weighed_squares(centers: Array, block: Block) -> Array:
    """w·D² of each row."""
    return nearest(centers, block)[1] * block.weights


@dataclass(frozen=True)
class Size(Sums):
    """The number of rows, and their weight."""

    rows: int
    weight: float

    @classmethod
    def of(cls, block: Block) -> Self:
        return cls(len(block), float(block.weights.sum()))


def count_rows(rows: Rows) -> int:
    """The number of rows, in a pass if need be."""
    return rows.sum(Size.of).rows if rows.count is None else rows.count
