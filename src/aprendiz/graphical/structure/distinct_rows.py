"""The rows of a table of codes, each that occurs once, with its weight: what every score of a graph can be computed from.

    { (x, Σ w over the rows equal to x) }                                                                     (1)

Rows of weight zero are left out. (1) adds, so files and Dask are read once, block by block, and what is kept is as small as
their cells allow: a byte for each where columns have up to 256 levels, and a row for each different one. Once blocks have
hardly any rows in common, they are put one under the other without being compared.

Cost: O(n·d); memory O(different rows · d).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.columns import Columns, Mixed
from aprendiz.core.rows import Array, Block
from aprendiz.core.sums import Sums
from aprendiz.graphical.counts.family_counts import whole_codes

MOSTLY_DIFFERENT = 0.75  # share of different rows from which blocks are not compared
FACTOR = np.uint64(0x9E3779B97F4A7C15)  # odd: products of different numbers differ
LARGEST_WHOLE = 2.0**53  # sums up to it are exact


@dataclass(frozen=True)
class DistinctRows(Sums):
    """(1): `codes` has a row for each, `weights` its weight; `sizes` is the number of levels of each column, `rows` how many
    rows were seen."""

    codes: Array
    weights: Array
    sizes: Array
    rows: int
    names: tuple[Any, ...] | None = None
    schema: Columns | None = None  # whose levels the codes are, where the columns hold words

    @classmethod
    def of(cls, names: Sequence[str] | None, learner: str, block: Block) -> Self:
        codes = whole_codes(block, names, learner)
        schema = block.X.columns if isinstance(block.X, Mixed) else None
        names = names if schema is None else schema.names
        refuse_missing(codes, block.start, names)
        counted = codes if block.weight is None else codes[block.weights > 0]
        sizes = counted.max(axis=0, initial=0).astype(np.int64) + 1
        if schema is not None:
            sizes = np.maximum(sizes, [len(column.levels) for column in schema])
        small = codes.astype(smallest_type(sizes))
        return cls(*merged(small, block.weights), sizes, len(codes), None if names is None else tuple(names), schema)

    def __add__(self, other: Self) -> Self:
        sizes = np.maximum(self.sizes, other.sizes)
        codes = np.concatenate([self.codes, other.codes]).astype(smallest_type(sizes), copy=False)
        weights, rows = np.concatenate([self.weights, other.weights]), self.rows + other.rows
        if len(codes) < MOSTLY_DIFFERENT * rows:
            codes, weights = merged(codes, weights)
        return type(self)(codes, weights, sizes, rows, self.names, self.schema)

    @cached_property
    def weight(self) -> float:
        """Total weight n."""
        return float(self.weights.sum())

    @property
    def columns(self) -> int:
        return len(self.sizes)

    @property
    def finite(self) -> bool:
        """Do the weights add to a number?"""
        return bool(np.isfinite(self.weight))

    @cached_property
    def whole(self) -> bool:
        """Are all weights whole numbers whose sums are exact?"""
        return bool(self.weight < LARGEST_WHOLE and (self.weights == np.floor(self.weights)).all())

    @cached_property
    def by_column(self) -> Array:
        """The codes, a row of this array for each column of the table."""
        return np.ascontiguousarray(self.codes.T)

    @cached_property
    def counts(self) -> Array:
        """The weights, as whole numbers where they are."""
        return self.weights.astype(np.int64) if self.whole else self.weights


def refuse_missing(codes: Array, start: int, names: Sequence[Any] | None) -> None:
    """Stop at a missing cell: families would be compared on different rows."""
    if len(where := np.argwhere(codes < 0)):
        row, column = (int(i) for i in where[0])
        name = column if names is None else repr(names[column])
        raise ValueError(
            f"Input X has a missing cell in row {start + row}, column {name}: scores compare families on the same rows. "
            "Impute it, give missing cells a level of their own, or leave the row out."
        )


def smallest_type(sizes: Array) -> Any:
    """The smallest type of whole numbers that holds the codes."""
    return np.uint8 if sizes.max(initial=0) <= 2**8 else np.uint16 if sizes.max() <= 2**16 else np.int32


def merged(codes: Array, weights: Array) -> tuple[Array, Array]:
    """Each different row of positive weight once, in the order in which they first appear, with its weight."""
    room = 1 << (2 * len(codes) + 1).bit_length()
    first, total = np.empty(len(codes), np.int64), np.empty(len(codes))
    count = merge_equal_rows(codes, weights, np.full(room, -1, np.int64), first, total)
    return codes[first[:count]], total[:count].copy()


@compiled
def merge_equal_rows(codes: Array, w: Array, table: Array, first: Array, total: Array) -> int:
    """Number the different rows, by a hash table with room for twice as many: where each is first seen, and its weight."""
    n, d = codes.shape
    mask, count = len(table) - 1, int64(0)
    for i in range(n):
        if w[i] <= 0.0:
            continue
        key = np.uint64(0)
        for j in range(d):
            key = (key ^ np.uint64(codes[i, j])) * FACTOR
            key ^= key >> np.uint64(29)
        slot = int64(key >> np.uint64(8)) & mask
        while table[slot] >= 0:
            same, at = True, first[table[slot]]
            for j in range(d):
                if codes[at, j] != codes[i, j]:
                    same = False
                    break
            if same:
                total[table[slot]] += w[i]
                break
            slot = (slot + 1) & mask
        if table[slot] < 0:
            table[slot], first[count], total[count] = count, i, w[i]
            count += 1
    return count
