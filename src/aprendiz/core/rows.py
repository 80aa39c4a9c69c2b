"""Rows in blocks: what a learner sees of its data, wherever the data are.

    rows.sum(statistic, *parameters)     Σ over blocks of statistic(*parameters, block)                       (1)
    rows.each(function, *parameters)     the per-row results function(*parameters, block), one under the other
    rows.map(transform)                  rows whose X is transform(X): a fitted scaler feeding the next learner

A block is a few thousand consecutive rows, read-only and C-contiguous. Its size is a function of the number of columns
alone, so arrays and files share boundaries, and (1) is folded along a fixed binary tree over the block numbers:

    ((b₀ + b₁) + (b₂ + b₃)) + ((b₄ + b₅) + b₆)                                                               (2)

Therefore a sum has the same bits for any number of threads, any memory layout and any row groups of a Parquet file. A
worker may fold 2ᵏ neighbours before it hands anything over (large records then never pile up): that is a subtree of (2).

Memory: the blocks in flight (at most two for each thread) and one record for each level of the tree.
"""

from __future__ import annotations

import math
import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from aprendiz.core.engines.threads import num_threads, ordered_map, single_blas

if TYPE_CHECKING:
    from typing_extensions import TypeIs  # mypy brings it along

Array = NDArray[Any]
Record = TypeVar("Record")
Result = TypeVar("Result")


CELLS_OF_A_BLOCK = 2**19  # 4 MiB of float64
FEWEST_ROWS, MOST_ROWS = 2**10, 2**13  # of a block; read at each call, so that tests can have several blocks in a small table


def block_rows(columns: int, least: int | None = None) -> int:
    """Rows in a block: about 4 MiB of float64, a power of two between 1024 (or `least`) and 8192."""
    wanted = 2 ** round(math.log2(CELLS_OF_A_BLOCK / max(columns, 1)))
    return int(min(MOST_ROWS, max(FEWEST_ROWS if least is None else least, wanted)))


def fold(records: Iterable[Record], add: Callable[[Any, Any], Any] = operator.iadd) -> Record:
    """Add records along the tree (2): a binary counter whose digits are partial sums. The records are used up (a class may
    define `+=` to add in place) unless `add` is `operator.add`."""
    digits: list[Any] = []
    for number, record in enumerate(records):
        total: Any = record
        while number & 1:
            total, number = add(digits.pop(), total), number >> 1
        digits.append(total)
    total = digits.pop()
    while digits:
        total = add(digits.pop(), total)
    return total


def read_only(a: Array) -> Array:
    """The same numbers, C-contiguous and read-only: one layout for the kernels, and nobody's data can be changed."""
    a = np.ascontiguousarray(a).view()
    a.flags.writeable = False
    return a


ONES = read_only(np.ones(MOST_ROWS))


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive rows: features, targets and weights (None where there are none), and the number of the first row."""

    X: Array
    y: Any
    weight: Any
    start: int

    def __len__(self) -> int:
        return int(self.X.shape[0])

    @property
    def numbers(self) -> Array:
        """Row numbers, counted from the first row of the table."""
        return np.arange(self.start, self.start + len(self))

    @property
    def weights(self) -> Array:
        """The weights, ones where none were given."""
        if self.weight is not None:
            return self.weight
        n = len(self)
        return ONES[:n] if n <= len(ONES) else np.ones(n)

    def head(self, rows: int) -> Block:
        """The first rows of the block."""
        return Block(*self.take(slice(rows)), self.start)

    def take(self, chosen: Array | slice) -> tuple[Array, Array | None, Array | None]:
        """X, y and weight of the chosen rows."""
        return self.X[chosen], None if self.y is None else self.y[chosen], None if self.weight is None else self.weight[chosen]


class Rows(ABC):
    """A table as re-iterable groups of blocks. A source gives `groups`; everything else follows."""

    columns: int  # features of a row
    count: int | None  # rows, None where only a pass over them would tell
    names: Sequence[str] | None  # of the features, where the source has them
    labels: Array | None = None  # of the classes that y counts, where the target is one
    noted: dict[str, Any] = {}  # number and names of the columns, for the learner to keep when its fit succeeds
    complete: bool = True  # are missing cells refused already?
    only: Block | None = None  # all the rows, where they are one small block: nothing to hand over, nothing to fold

    @abstractmethod
    def groups(self) -> Iterator[Iterable[Block]]:
        """Runs of 2ᵏ consecutive blocks (the last may be shorter), each to be worked through by one thread."""

    def blocks(self) -> Iterator[Block]:
        """All blocks, in order."""
        return chain.from_iterable(self.groups())

    width: int = 0  # columns of the largest product, where that is more than the features (targets, classes)

    @property
    def work(self) -> float:
        """Multiplications of the largest product, of the size of XᵀX."""
        return math.inf if self.count is None else self.count * max(self.columns, self.width) ** 2

    def sum(self, statistic: Callable[..., Record], *parameters: Any) -> Record:
        """(1): a statistic that adds, summed over all rows."""
        if self.only is not None:
            with single_blas(self.work), np.errstate(over="ignore", invalid="ignore"):
                return statistic(*parameters, self.only)

        def part(group: Iterable[Block]) -> Record:
            with np.errstate(over="ignore", invalid="ignore"):  # what overflows is found in the sum
                return fold(statistic(*parameters, block) for block in group)

        quiet, results = np.errstate(over="ignore", invalid="ignore"), closing(ordered_map(part, self.groups()))
        with single_blas(self.work), quiet, results as parts:
            return fold(parts)

    def empty(self) -> bool:
        """Are there no rows at all?"""
        return self.count == 0 or next(self.blocks(), None) is None

    def target_shape(self) -> tuple[int, ...]:
        """The shape of a row's target: () for one number."""
        return self.first(lambda block: tuple(block.y.shape[1:]))

    def first(self, function: Callable[..., Result], *parameters: Any) -> Result:
        """`function(*parameters, block)` of the first block alone."""
        with single_blas(self.work):
            return function(*parameters, next(self.blocks()))

    def each(self, function: Callable[..., Array], *parameters: Any) -> Array:
        """Per-row results, one row of the answer for each row of the table; workers write them where they belong."""
        if self.only is not None or self.count is None:
            with single_blas(self.work):
                pieces = [function(*parameters, block) for block in self.blocks()]
                return pieces[0] if len(pieces) == 1 else np.concatenate(pieces)
        first = next(self.blocks()).head(1)
        model = function(*parameters, first)
        answer = np.empty((self.count, *model.shape[1:]), model.dtype)

        def part(group: Iterable[Block]) -> None:
            for block in group:
                answer[block.start : block.start + len(block)] = function(*parameters, block)

        with single_blas(self.work):
            for _ in ordered_map(part, self.groups()):
                pass
        return answer

    def map(self, transform: Callable[[Array], Array], names: Sequence[str] | None = None) -> Rows:
        """Rows whose features are `transform(X)`, computed block by block when they are asked for."""
        return ChangedRows(self, lambda block: replace(block, X=read_only(transform(block.X))), names)

    def with_missing(self) -> Rows:
        """The same rows, for a learner that knows what a missing cell means."""
        return self

    def changed(self, change: Callable[[Block], Block]) -> Rows:
        """Rows with other targets or weights and the same features."""
        return ChangedRows(self, change, self.names, self.columns)


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

    def compact(self) -> ArrayRows:
        """The same rows, C-contiguous as a whole: for learners that pass over them many times."""
        loose = isinstance(self.X, np.ndarray) and not self.X.flags.c_contiguous
        return self.like(X=np.ascontiguousarray(self.X)) if loose else self

    def like(self, **changes: Any) -> ArrayRows:
        """The same rows with another X, y or weight."""
        same = {"X": self.X, "y": self.y, "weight": self.weight, "names": self.names, "thin": self.thin}
        rows = ArrayRows(**{**same, **changes})
        rows.labels, rows.noted, rows.width = self.labels, self.noted, self.width
        return rows

    def block(self, number: int) -> Block:
        """A block by its number. Blocks that are mere views are made once."""
        if number not in self.views:
            block = self.made(number * self.size)
            if not (self.thin or (isinstance(self.X, np.ndarray) and self.X.flags.c_contiguous)):
                return block
            self.views[number] = block
        return self.views[number]

    def made(self, start: int) -> Block:
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


def compressed(X: Any) -> tuple[Array, Array, Array]:
    """A sparse matrix as the kernels take it: cells, columns and starts of the rows, numbers that are never negative."""
    return X.data, X.indices.view(f"u{X.indices.itemsize}"), X.indptr.view(f"u{X.indptr.itemsize}")


class ChangedRows(Rows):
    """Rows seen through a function of their blocks."""

    def __init__(
        self, source: Rows, change: Callable[[Block], Block], names: Sequence[str] | None = None, columns: int | None = None
    ):
        self.source, self.change, self.names, self.count = source, change, names, source.count
        self.labels, self.noted, self.complete, self.width = source.labels, source.noted, False, source.width
        self.only = None if source.only is None else change(source.only)
        self.columns = next(self.blocks()).X.shape[1] if columns is None else columns

    def groups(self) -> Iterator[Iterable[Block]]:
        return (map(self.change, group) for group in self.source.groups())


def reblocked(pieces: Iterable[tuple[Array, Any, Any]], size: int) -> Iterator[Block]:
    """Pieces (X, y, weight) of any length in, blocks of exactly `size` rows out (the last may be shorter)."""
    held: list[tuple[Array, Any, Any]] = []
    start = have = 0
    for piece in pieces:
        length, taken = len(piece[0]), 0
        while have + length - taken >= size:
            stop = taken + size - have
            held.append(cut(piece, taken, stop))
            yield joined(held, start)
            held, have, start, taken = [], 0, start + size, stop
        if taken < length:
            held.append(cut(piece, taken, length))
            have += length - taken
    if held:
        yield joined(held, start)


def cut(piece: tuple[Array, Any, Any], start: int, stop: int) -> tuple[Array, Any, Any]:
    X, y, weight = piece
    return X[start:stop], None if y is None else y[start:stop], None if weight is None else weight[start:stop]


def joined(pieces: list[tuple[Array, Any, Any]], start: int) -> Block:
    """One block from pieces of it."""

    def together(parts: tuple[Any, ...]) -> Any:
        return None if parts[0] is None else read_only(parts[0] if len(parts) == 1 else np.concatenate(parts))

    X, y, weight = (together(parts) for parts in zip(*pieces, strict=True))
    return Block(X, y, weight, start)


def in_memory(rows: Rows) -> TypeIs[ArrayRows]:
    """Are the rows arrays in memory, that can be taken in any order?"""
    return isinstance(rows, ArrayRows)
