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
from itertools import chain, islice
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from aprendiz.core.blas import single_blas
from aprendiz.core.html import MOST_ROWS as MOST_SHOWN
from aprendiz.core.html import Html, ShownAsHtml, more, sentence, title
from aprendiz.core.threads import ordered_map
from aprendiz.locale import _, format_whole, ngettext

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


class Rows(ShownAsHtml, ABC):
    """A table as re-iterable groups of blocks. A source gives `groups`; everything else follows."""

    columns: int  # features of a row
    count: int | None  # rows, None where only a pass over them would tell
    names: Sequence[str] | None  # of the features, where the source has them
    labels: Array | None = None  # of the classes that y counts, where the target is one
    several: list[Array] | None = None  # of the classes of several targets, whose indicators y holds (several_targets.py)
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
        with single_blas(self.work):  # a thread of BLAS that has worked goes on turning for a while, in the way of ours
            model = function(*parameters, next(self.blocks()).head(1))
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

    def apply_transform(self, transform: Callable[[Array], Array]) -> Any:
        """What a transformer gives for a table that was passed to it: here rows; a source may give what was passed."""
        return self.map(transform)

    def with_missing(self) -> Rows:
        """The same rows, for a learner that knows what a missing cell means."""
        return self

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {'' if self.count is None else f'{self.count:,} × '}{self.columns} columns>"

    def html_parts(self) -> Iterator[Html]:
        """How many rows and columns there are, and the names of the first columns."""
        yield title(_("Rows in blocks"), self.size_in_words())
        if self.names is not None and len(self.names):
            rest = [more(len(self.names) - MOST_SHOWN)] if len(self.names) > MOST_SHOWN else []
            yield sentence(", ".join([*map(str, self.names[:MOST_SHOWN]), *rest]))

    def size_in_words(self) -> str:
        """Rows and columns, as far as they are known."""
        columns = ngettext("{columns} column", "{columns} columns", self.columns).format(columns=format_whole(self.columns))
        if self.count is None:
            return _("{columns}; only a pass over the rows would tell their number").format(columns=columns)
        rows = ngettext("{rows} row", "{rows} rows", self.count).format(rows=format_whole(self.count))
        return f"{rows} × {columns}"

    def compact(self) -> Rows:
        """The same rows, for a learner that passes over them many times."""
        return self

    def changed(self, change: Callable[[Block], Block]) -> Rows:
        """Rows with other targets or weights and the same features."""
        return ChangedRows(self, change, self.names, self.columns)


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


def runs(blocks: Iterable[Block], length: int) -> Iterator[list[Block]]:
    """Runs of so many consecutive blocks; the last may be shorter."""
    blocks = iter(blocks)
    while run := list(islice(blocks, length)):
        yield run


def reblock(pieces: Iterable[tuple[Array, Any, Any]], size: int) -> Iterator[Block]:
    """Pieces (X, y, weight) of any length in, blocks of exactly `size` rows out (the last may be shorter)."""
    held: list[tuple[Array, Any, Any]] = []
    start = have = 0
    for piece in pieces:
        length, taken = len(piece[0]), 0
        while have + length - taken >= size:
            stop = taken + size - have
            held.append(cut(piece, taken, stop))
            yield join(held, start)
            held, have, start, taken = [], 0, start + size, stop
        if taken < length:
            held.append(cut(piece, taken, length))
            have += length - taken
    if held:
        yield join(held, start)


def cut(piece: tuple[Array, Any, Any], start: int, stop: int) -> tuple[Array, Any, Any]:
    X, y, weight = piece
    return X[start:stop], None if y is None else y[start:stop], None if weight is None else weight[start:stop]


def join(pieces: list[tuple[Array, Any, Any]], start: int) -> Block:
    """One block from pieces of it."""

    def together(parts: tuple[Any, ...]) -> Any:
        return None if parts[0] is None else read_only(parts[0] if len(parts) == 1 else np.concatenate(parts))

    X, y, weight = (together(parts) for parts in zip(*pieces, strict=True))
    return Block(X, y, weight, start)
