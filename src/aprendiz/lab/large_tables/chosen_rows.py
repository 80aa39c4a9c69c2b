"""A random sample of the rows of a file, of a size that is known before the number of rows is.

    key of row i      u = hash(seed, i), or hash(seed, group of i): the rows of a group stay or go together
    the sample        the rows with the smallest keys, as many as are wanted                                     (1)

Each set of rows of that size is equally likely. Which rows they are follows from the seed and the row numbers: not from the
blocks, the threads or the memory. While rows come, those that can still belong to (1) are kept: whenever there are more than
twice as many as are wanted, the ones with the largest keys go.

Cost: a hash of each row; memory twice the sample.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from aprendiz.core.random import hashes, mix, stream_key
from aprendiz.core.rows import Array
from aprendiz.lab.large_tables.blocks import TypedBlock
from aprendiz.lab.large_tables.distinct_values import hashes_of_words

STREAM = 0x5A4D  # of the random numbers, for this purpose alone
LARGEST = np.uint64(2**64 - 1)


@dataclass(frozen=True)
class SampledRows:
    """Which rows of a file a table holds.

    Attributes
    ----------
    numbers : ndarray of int
        The numbers of the rows in the file, counted from 0, ascending.
    rows : int
        Of the file.
    most, seed : int
        How many rows were wanted at most, and the seed of the choice.
    groups : str or None
        The column whose groups were kept whole.
    levels : mapping of columns to mappings of levels to int
        How many rows of the file have each level of a column, where these are few.
    """

    numbers: Array
    rows: int
    most: int
    seed: int
    groups: str | None = None
    levels: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def summary(self) -> dict[str, Any]:
        """What results.json says of it."""
        return {"of": self.rows, "most": self.most, "seed": self.seed, "groups": self.groups}


class ChosenRows:
    """The rows of (1), collected block by block.

    Parameters
    ----------
    most : int
        Rows that are wanted.
    seed : int
    group : int, optional
        The column whose groups stay whole.
    """

    def __init__(self, most: int, seed: int, group: int | None = None):
        self.most, self.seed, self.group = most, seed, group
        self.limit = LARGEST  # rows with larger keys are not among the smallest any more
        self.parts: list[tuple[Array, Array, dict[int, Any]]] = []  # keys, numbers, columns
        self.held = 0

    def add(self, block: TypedBlock) -> None:
        """Keep the rows of a block that may belong to the sample."""
        numbers = np.arange(block.start, block.start + block.rows)
        keys = self.keys(block, numbers)
        chosen = np.flatnonzero(keys <= self.limit)
        if len(chosen):
            self.parts.append((keys[chosen], numbers[chosen], take(block.values, chosen)))
            self.held += len(chosen)
        if self.held > 2 * self.most:
            self.reduce()

    def keys(self, block: TypedBlock, numbers: Array) -> Array:
        """The random number of each row, or of its group; a row without a group is one of its own."""
        own = hashes(self.seed, STREAM, numbers)
        if self.group is None:
            return own
        cells = block.values[self.group].cast(pa.string())
        if self.group in block.misfits:
            cells = pc.coalesce(cells, block.misfits[self.group])
        known = pc.is_valid(cells).to_numpy(zero_copy_only=False)
        groups = mix(stream_key(self.seed, STREAM) ^ hashes_of_words(cells.fill_null("")))
        return np.where(known, groups, own)

    def reduce(self) -> None:
        """Keep the wanted rows, of one group all or none."""
        if self.held <= self.most:
            return
        keys = np.concatenate([keys for keys, _numbers, _columns in self.parts])
        last = np.partition(keys, self.most)[self.most]  # the smallest key that is one too many
        self.limit = np.uint64(int(last) - 1) if last else np.uint64(0)
        parts, self.parts, self.held = self.parts, [], 0
        for some, numbers, columns in parts:
            stay = np.flatnonzero(some <= self.limit)
            if len(stay):
                self.parts.append((some[stay], numbers[stay], take(columns, stay)))
                self.held += len(stay)

    def finish(self) -> Array:
        """The numbers of the rows of the sample, when all have come."""
        self.reduce()
        return np.concatenate([numbers for _keys, numbers, _columns in self.parts] or [np.zeros(0, np.int64)])

    def column(self, j: int, kind: Any) -> Any:
        """The cells of a column in the rows of the sample."""
        return pa.chunked_array([columns[j] for _keys, _numbers, columns in self.parts], kind)


class GivenRows:
    """Columns of rows whose numbers are known, collected block by block."""

    def __init__(self, numbers: Array):
        self.numbers, self.parts = numbers, list[Mapping[int, Any]]()

    def add(self, block: TypedBlock) -> None:
        """Take what a block has of them."""
        first, last = np.searchsorted(self.numbers, (block.start, block.start + block.rows))
        if last > first:
            self.parts.append(take(block.values, self.numbers[first:last] - block.start))

    def column(self, j: int, kind: Any) -> Any:
        return pa.chunked_array([columns[j] for columns in self.parts], kind)


def take(columns: Mapping[int, Any], places: Array) -> dict[int, Any]:
    """Some rows of some columns."""
    chosen = pa.array(places)
    return {j: values.take(chosen) for j, values in columns.items()}
