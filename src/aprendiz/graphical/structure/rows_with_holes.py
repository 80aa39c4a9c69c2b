"""Distinct rows of a table whose cells may be missing: code 0 is a missing cell, and level l has the code l + 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from aprendiz.core.columns import Columns, Mixed
from aprendiz.core.rows import Array, Block
from aprendiz.graphical.counts.family_counts import whole_codes
from aprendiz.graphical.structure.distinct_rows import DistinctRows, merged, smallest_type


@dataclass(frozen=True)
class RowsWithHoles(DistinctRows):
    """Distinct rows; the codes, and `sizes`, are one more than those of the levels."""

    @classmethod
    def of(cls, names: Sequence[str] | None, learner: str, block: Block) -> Self:
        codes = whole_codes(block, names, learner) + 1
        schema = block.X.columns if isinstance(block.X, Mixed) else None
        names = names if schema is None else schema.names
        counted = codes if block.weight is None else codes[block.weights > 0]
        sizes = np.maximum(counted.max(axis=0, initial=0).astype(np.int64) + 1, 2)
        if schema is not None:
            sizes = np.maximum(sizes, [len(column.levels) + 1 for column in schema])
        small = codes.astype(smallest_type(sizes))
        return cls(*merged(small, block.weights), sizes, len(codes), None if names is None else tuple(names), schema)

    def under(self, schema: Columns) -> Self:
        """The same rows with the levels in the order of another schema."""
        assert self.schema is not None
        sizes = np.array([max(1, len(column.levels)) + 1 for column in schema])
        codes = np.empty(self.codes.shape, smallest_type(sizes))
        for j, (mine, theirs) in enumerate(zip(self.schema, schema, strict=True)):
            there = [0, *(1 + theirs.levels.index(level) for level in mine.levels)]
            codes[:, j] = np.array(there, codes.dtype)[self.codes[:, j]]
        return replace(self, codes=codes, sizes=sizes, schema=schema)

    @property
    def levels(self) -> Array:
        """The number of levels of each column."""
        return self.sizes - 1

    @cached_property
    def by_column(self) -> Array:
        """The codes of the levels, −1 where a cell is missing, a row of this array for each column of the table."""
        found = self.codes.T.astype(np.min_scalar_type(-int(self.sizes.max(initial=1))), order="C")
        found -= 1
        return found
