"""Rows one at a time, in an order drawn anew for each epoch: what stochastic methods see of their data.

    epoch     every row visited once
    order     for i = n − 1, …, 1: exchange the entries i and ⌊u_i·(i + 1)⌋  (Fisher and Yates)                (1)

u_i is a function of the seed, the epoch and the number of the row (core/random.py), so that a fit which was interrupted goes on
with the same bits. A table in memory is shuffled as a whole. Rows of files and of Dask are read block by block and shuffled
within their block, a few thousand rows; a file that is sorted by its target should be shuffled before.

Cost: O(n) an epoch.
Reference: Knuth, "The art of computer programming", volume 2, section 3.4.2.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy import sparse

from aprendiz.compilation.compiled import compiled
from aprendiz.core.random import hashes
from aprendiz.core.rows import Array, Block, Rows, block_rows, read_only, reblock
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.sums import Sums


def parts(rows: Rows) -> Iterator[Block]:
    """The table in memory, whole (be it sparse); other rows in blocks of a size that depends on the columns alone."""
    if in_memory(rows) and (rows.dense or rows.thin):
        y, weight = rows.y, rows.weight
        X = read_only(rows.X) if rows.dense else rows.X
        yield Block(X, None if y is None else read_only(y), None if weight is None else read_only(weight), 0)
    else:
        yield from reblock(((block.X, block.y, block.weight) for block in rows.blocks()), block_rows(rows.columns))


def visiting_order(part: Block, seed: int, epoch: int, shuffle: bool = True) -> Array:
    """(1) for the rows of a part, or the order in which they stand."""
    order = np.arange(len(part))
    if shuffle:
        exchange(order, hashes(seed, epoch, part.numbers))
    return order


@compiled
def exchange(order: Array, drawn: Array) -> None:
    """(1), with 32 of the 64 bits drawn for each entry."""
    for i in range(len(order) - 1, 0, -1):
        j = ((drawn[i] >> np.uint64(32)) * np.uint64(i + 1)) >> np.uint64(32)
        order[i], order[j] = order[j], order[i]


@dataclass(frozen=True)
class Reach(Sums):
    """Weight of the rows, Σ ω‖x‖², and the largest ‖x‖² of a row that counts."""

    weight: float
    energy: float
    square: float

    @classmethod
    def of(cls, block: Block) -> Self:
        X: Any = block.X
        cells = X.power(2) if sparse.issparse(X) else np.square(X, dtype=np.float64)
        squares, weights = np.asarray(cells.sum(axis=1)).ravel(), block.weights
        return cls(float(weights.sum()), float(weights @ squares), float(squares.max(initial=0.0, where=weights > 0)))

    def __add__(self, other: Self) -> Self:
        return type(self)(self.weight + other.weight, self.energy + other.energy, max(self.square, other.square))


def sides(codes: Array, plane: int, planes: int) -> Array:
    """+1 for the rows of a plane's own class (of two classes, the second), −1 for the others."""
    return np.where(codes == (1 if planes == 1 else plane), 1.0, -1.0)


def plane_sides(plane: int, planes: int, block: Block) -> Array:
    """The same for the rows of a block."""
    return sides(block.y, plane, planes)
