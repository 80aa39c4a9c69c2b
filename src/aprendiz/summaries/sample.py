"""A random sample of the rows, in one pass, for any split of them.

Row i stays while the last `level` bits of its hash (core/random.py) are zero; the level rises as soon as more than twice the
wanted number of rows is held. Which rows stay is thus a property of the rows and the seed, and two samples add:

    level(A + B) ≥ max(level A, level B),     rows(A + B) = those of A and B whose hash ends in that many zeros      (1)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from aprendiz.core.random import hashes
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sources.arrays import ArrayRows, in_memory
from aprendiz.core.sums import Sums


@dataclass(frozen=True)
class Sample(Sums):
    """At most 2·`size` rows at random, and seldom much fewer than `size` (all of them if they are few)."""

    size: int
    level: int
    keys: Array
    X: Any
    y: Any
    weight: Any

    @classmethod
    def drawn(cls, rows: Rows, size: int, seed: int) -> Self:
        """A sample of the rows. Where their number is known, no block keeps many more than will stay."""
        surely = 0 if rows.count is None else max(0, int(np.log2(max(rows.count / (2 * size), 1.0))) - 1)
        return rows.sum(cls.of, size, seed, surely)

    @classmethod
    def of(cls, size: int, seed: int, level: int, block: Block) -> Self:
        keys = hashes(seed, 0, block.numbers)
        level = cls.lowest_level(size, level, keys)
        chosen = np.flatnonzero(keys & np.uint64(2**level - 1) == 0)
        return cls(size, level, keys[chosen], *block.take(chosen))

    def __add__(self, other: Self) -> Self:
        keys = np.concatenate([self.keys, other.keys])
        level = self.lowest_level(self.size, max(self.level, other.level), keys)
        chosen = np.flatnonzero(keys & np.uint64(2**level - 1) == 0)
        X, y, weight = (
            None if a is None or b is None else np.concatenate([a, b])[chosen]
            for a, b in ((self.X, other.X), (self.y, other.y), (self.weight, other.weight))
        )
        return type(self)(self.size, level, keys[chosen], X, y, weight)

    @staticmethod
    def lowest_level(size: int, level: int, keys: Array) -> int:
        while np.count_nonzero(keys & np.uint64(2**level - 1) == 0) > 2 * size:
            level += 1
        return level

    def rows(self) -> ArrayRows:
        """The sample as rows in memory."""
        return ArrayRows(self.X, self.y, self.weight)


def sampled_rows(rows: Rows, size: int, seed: int) -> ArrayRows:
    """The rows themselves, in memory, if there are at most 2·`size`; else a sample of them. Where they lie does not matter."""
    if not in_memory(rows):
        return Sample.drawn(rows, size, seed).rows()
    assert rows.count is not None
    if rows.count <= 2 * size:
        return rows
    keys = hashes(seed, 0, np.arange(rows.count))
    chosen = np.flatnonzero(keys & np.uint64(2 ** Sample.lowest_level(size, 0, keys) - 1) == 0)
    y, weight = (None if part is None else part[chosen] for part in (rows.y, rows.weight))
    return rows.like(X=rows.X[chosen], y=y, weight=weight)
