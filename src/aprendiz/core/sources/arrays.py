"""Rows of arrays in memory: dense, sparse, or a mixed table.

Blocks of a C-contiguous table are views of it. Rows in memory can also be taken in any order, which some learners need:
`in_memory(rows)` tells.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from aprendiz.core.rows import Array, Block, Rows, block_rows, read_only
from aprendiz.core.threads import num_threads

if TYPE_CHECKING:
    from typing_extensions import TypeIs  # mypy brings it along


def in_memory(rows: Rows) -> TypeIs[ArrayRows]:
    """Are the rows arrays in memory, that can be taken in any order?"""
    return isinstance(rows, ArrayRows)


class ArrayRows(Rows):
    """Rows of arrays in memory. `X` may also be a mixed table (core/columns.py), or a sparse matrix: its blocks are made
    dense one at a time, or, with `thin`, left sparse for a statistic that knows them."""

    def __init__(
        self,
        X: Any,
        y: Array | None = None,
        weight: Array | None = None,
        names: Sequence[str] | None = None,
        *,
        thin: bool = False,
    ):
        self.X, self.y, self.weight, self.names, self.thin = X, y, weight, names, thin
        self.count, self.columns = X.shape
        self.sparse = sparse.issparse(X)
        self.dense = not self.sparse
        if self.dense:
            self.size = block_rows(self.columns)
        else:
            self.size = block_rows(max(1, X.nnz // self.count) if thin else self.columns, least=16)
        self.views: dict[int, Block] = {}
        self.form: type | None = None  # the class of a sparse table that was given column by column
        self.kept_of: tuple[Array, int] | None = None  # if rows of weight 0 were left out: the others, and how many there were

    @cached_property
    def only(self) -> Block | None:  # type: ignore[override]
        """All rows as one block, if they are so few; made when it is asked for."""
        assert self.count is not None
        return self.block(0) if self.count <= self.size else None

    def target_shape(self) -> tuple[int, ...]:
        assert self.y is not None
        return tuple(self.y.shape[1:])

    def groups(self) -> Iterator[Iterable[Block]]:
        if self.only is not None:
            yield (self.only,)
            return
        assert self.count is not None
        blocks = -(-self.count // self.size)
        together = 2 ** max(0, int(math.log2(max(1, blocks / (8 * num_threads())))))  # about eight turns for each thread
        for first in range(0, blocks, together):
            yield map(self.block, range(first, min(first + together, blocks)))

    def apply_transform(self, transform: Callable[[Array], Array]) -> Array:
        """An array, at once."""
        return self.each(lambda block: transform(block.X))

    def compact(self) -> ArrayRows:
        """The same rows, C-contiguous as a whole."""
        loose = isinstance(self.X, np.ndarray) and not self.X.flags.c_contiguous
        return self.like(X=np.ascontiguousarray(self.X)) if loose else self

    def like(self, **changes: Any) -> ArrayRows:
        """The same rows with another X, y or weight."""
        same = {"X": self.X, "y": self.y, "weight": self.weight, "names": self.names, "thin": self.thin}
        rows = ArrayRows(**{**same, **changes})
        rows.labels, rows.noted, rows.width, rows.form = self.labels, self.noted, self.width, self.form
        rows.several = self.several
        return rows

    def block(self, number: int) -> Block:
        """A block by its number. Blocks that are mere views are made once."""
        if number not in self.views:
            block = self.make_block(number * self.size)
            if not (self.thin or (isinstance(self.X, np.ndarray) and self.X.flags.c_contiguous)):
                return block
            self.views[number] = block
        return self.views[number]

    def make_block(self, start: int) -> Block:
        rows = slice(start, start + self.size)
        if self.dense:
            X = self.X[rows]
        else:
            X = thin_slice(self.X, rows) if self.thin else self.X[rows].toarray()
        if isinstance(X, np.ndarray):
            X = read_only(X)
        y = None if self.y is None else read_only(self.y[rows])
        weight = None if self.weight is None else read_only(self.weight[rows])
        return Block(X, y, weight, start)


def thin_slice(X: Any, rows: slice) -> Any:
    """Some rows of a sparse matrix: views of its numbers, where it is stored by rows."""
    if X.format != "csr":
        return X[rows]
    starts = X.indptr[rows.start : rows.stop + 1]
    cells = slice(starts[0], starts[-1])
    some = type(X)((len(starts) - 1, X.shape[1]), dtype=X.dtype)
    # the numbers are known to be right: set like this, they are not checked again
    some.data, some.indices, some.indptr = X.data[cells], X.indices[cells], starts - starts[0]
    return some


def compress(X: Any) -> tuple[Array, Array, Array]:
    """A sparse matrix as the kernels take it: cells, columns and starts of the rows, numbers that are never negative."""
    return X.data, X.indices.view(f"u{X.indices.itemsize}"), X.indptr.view(f"u{X.indptr.itemsize}")
