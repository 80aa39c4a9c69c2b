"""Exactly m rows at random, without repetition, in one pass and wherever the rows are.

Every row has a hash, a function of the seed and of its number (core/random.py). The sample is the m rows with the smallest
hashes, in their order: any m rows are as likely as any others, and

    smallest(A + B) = smallest(smallest(A) + smallest(B))                                                     (1)

so that records of parts add, and how the rows are cut does not show.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from aprendiz.core.random import hashes
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.sums import Sums


@dataclass(frozen=True)
class RowSample(Sums):
    """At most `size` rows: their hashes in ascending order, their numbers, and the rows."""

    size: int
    keys: Array
    numbers: Array
    X: Any

    @classmethod
    def of(cls, size: int, seed: int, block: Block) -> Self:
        keys = hashes(seed, 0, block.numbers)
        chosen = smallest(keys, size)
        return cls(size, keys[chosen], block.start + chosen, block.X[chosen])

    def __add__(self, other: Self) -> Self:
        keys = np.concatenate([self.keys, other.keys])
        chosen = smallest(keys, self.size)
        numbers, X = np.concatenate([self.numbers, other.numbers]), np.concatenate([self.X, other.X])
        return type(self)(self.size, keys[chosen], numbers[chosen], X[chosen])


def smallest(keys: Array, size: int) -> Array:
    """The places of the smallest keys, in the order of the keys."""
    some = np.argpartition(keys, size - 1)[:size] if len(keys) > size else np.arange(len(keys))
    return some[np.argsort(keys[some], kind="stable")]


def draw_rows(rows: Rows, size: int, seed: int) -> tuple[Array, Any]:
    """Numbers and rows of a sample; sparse rows stay sparse."""
    if not in_memory(rows):
        sample = rows.sum(RowSample.of, size, seed)
        return sample.numbers, sample.X
    assert rows.count is not None
    numbers = smallest(hashes(seed, 0, np.arange(rows.count)), size)
    return numbers, rows.X[numbers]
