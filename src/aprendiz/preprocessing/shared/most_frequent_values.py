"""The most frequent value of each column: the one with most weight, the smallest of several.

A column in memory is sorted, and its longest run of equal values is the answer. Of rows that come in blocks, the distinct
values and their weights are kept, and two such tallies add.

Cost: O(n·d·log n); memory for a column, or for the distinct values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.sums import Sums
from aprendiz.core.threads import ordered_map


@dataclass(frozen=True)
class Tally(Sums):
    """The distinct known values of each column, in order, and their weight."""

    values: tuple[Array, ...]
    weight: tuple[Array, ...]

    @classmethod
    def of(cls, block: Block) -> Self:
        found = [distinct(column, block.weight) for column in block.X.T]
        return cls(tuple(values for values, _ in found), tuple(weight for _, weight in found))

    def __add__(self, other: Self) -> Self:
        pairs = zip(zip(self.values, self.weight, strict=True), zip(other.values, other.weight, strict=True), strict=True)
        found = [sum_weights(np.concatenate([v, u]), np.concatenate([a, b])) for (v, a), (u, b) in pairs]
        return type(self)(tuple(values for values, _ in found), tuple(weight for _, weight in found))


def distinct(column: Array, weight: Array | None) -> tuple[Array, Array]:
    """The distinct known values of a column, in order, and their weight."""
    known = ~np.isnan(column)
    if weight is None:
        values, counts = np.unique(column[known], return_counts=True)
        return values, counts.astype(np.float64)
    known &= weight > 0
    return sum_weights(column[known], weight[known])


def sum_weights(values: Array, weight: Array) -> tuple[Array, Array]:
    """The distinct values, in order, each with the sum of its weights."""
    order = np.argsort(values, kind="stable")
    values, weight = values[order], weight[order]
    if not len(values):
        return values, weight
    first = np.flatnonzero(np.append(True, values[1:] != values[:-1]))
    return values[first], np.add.reduceat(weight, first)


def mode(column: Array, weight: Array | None) -> float:
    """The most frequent known value of a column in memory."""
    if weight is not None:
        return heaviest(*distinct(column, weight))
    known = column[~np.isnan(column)]
    known.sort()
    return float(longest_run(known)) if len(known) else np.nan


@compiled
def longest_run(values: Array) -> float:
    """The value that stands most often in a sorted vector, the first of several."""
    best, most, run = values[0], 0, 0
    for i in range(len(values)):
        run = run + 1 if i and values[i] == values[i - 1] else 1
        if run > most:
            best, most = values[i], run
    return best


def heaviest(values: Array, weight: Array) -> float:
    """The value with most weight, the smallest of several; NaN where there is none."""
    return float(values[np.argmax(weight)]) if len(values) else np.nan


def most_frequent(rows: Rows) -> Array:
    """Of each column; those in memory as a whole, others from a tally."""
    if in_memory(rows) and rows.dense:
        return np.array(list(ordered_map(lambda column: mode(column, rows.weight), rows.X.T)))
    tally = rows.sum(Tally.of)
    return np.array([heaviest(*pair) for pair in zip(tally.values, tally.weight, strict=True)])
