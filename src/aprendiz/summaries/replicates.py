"""Replicates: the same rows under many weights, summed up together.

A bootstrap replicate is the table with whole numbers for weights: how often each row was drawn. With W the B × n matrix of the
weights of B replicates, and t_i what row i adds to a record, the records of all replicates are one product,

    r_b = Σ_i W_bi t_i,     R = W T                                                                           (1)

so the rows are read once and not B times. What a row adds is the affair of the statistic: `Record.of` says what a block adds
under its own weights, its sibling `Record.of_each` what it adds under each of several. A statistic without a sibling is summed
for each replicate by itself.

A learner does not notice. It is given the rows of one replicate, `Replicates.rows(b)`, and asks for sums as always; the first
that it asks for is found for all replicates, and kept.

Cost: B·n multiplications for each number of a record. Memory: W, and the records.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from contextlib import closing
from typing import Any

import numpy as np

from aprendiz.core.blas import single_blas
from aprendiz.core.rows import Array, Block, Rows, fold
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.core.threads import ordered_map


class Replicates:
    """Some rows under B weights, and the sums that were asked for."""

    def __init__(self, rows: ArrayRows, weights: Array):
        self.source, self.weights = rows, weights
        self.sums: list[tuple[tuple[Any, ...], Any]] = []  # what was asked for, and the answers
        self.firsts: list[tuple[tuple[Any, ...], Any]] = []

    def rows(self, number: int) -> Rows:
        """The rows of one replicate."""
        return ReplicateRows(self, number)

    def sum(self, statistic: Callable[..., Any], parameters: tuple[Any, ...]) -> list[Any] | None:
        """(1): the records of all replicates; None for a statistic that has no sibling."""
        of_each = sibling(statistic)
        if of_each is None:
            return None
        return kept(self.sums, (statistic, *parameters), lambda: self.product(of_each, parameters))

    def product(self, of_each: Callable[..., list[Any]], parameters: tuple[Any, ...]) -> list[Any]:
        def part(group: Iterable[Block]) -> list[Any]:
            found = []
            for block in group:
                weights = self.weights[:, block.start : block.start + len(block)]
                found.append(of_each(*parameters, weights, block))
            return fold(found, add_each)

        results = closing(ordered_map(part, self.source.groups()))
        with single_blas(), np.errstate(over="ignore", invalid="ignore"), results as parts:
            return fold(parts, add_each)


class ReplicateRows(ArrayRows):
    """The rows of a replicate. Sums come from the product for all of them, where there is one; the first block is the same for
    all, so what is found in it is found once."""

    def __init__(self, replicates: Replicates, number: int):
        rows = replicates.source
        super().__init__(rows.X, rows.y, replicates.weights[number].astype(np.float64), rows.names, thin=rows.thin)
        self.labels, self.noted, self.width = rows.labels, rows.noted, rows.width
        self.replicates, self.number = replicates, number

    def sum(self, statistic: Callable[..., Any], *parameters: Any) -> Any:
        together = self.replicates.sum(statistic, parameters)
        return super().sum(statistic, *parameters) if together is None else together[self.number]

    def first(self, function: Callable[..., Any], *parameters: Any) -> Any:
        source = self.replicates.source
        asked = (function, *parameters)
        return kept(self.replicates.firsts, asked, lambda: source.first(function, *parameters))


def sibling(statistic: Callable[..., Any]) -> Callable[..., list[Any]] | None:
    """`Record.of_each` of `Record.of`. A record that says `of` anew must say `of_each` anew: another's would miss something."""
    record, name = getattr(statistic, "__self__", None), getattr(statistic, "__name__", "")
    if not isinstance(record, type):
        return None
    owner = next(one for one in record.__mro__ if name in vars(one))
    return getattr(record, f"{name}_each") if f"{name}_each" in vars(owner) else None


def kept(store: list[tuple[tuple[Any, ...], Any]], asked: tuple[Any, ...], find: Callable[[], Any]) -> Any:
    """The answer to what is asked, found if nobody has asked for it before."""
    for before, answer in store:
        if same(before, asked):
            return answer
    store.append((asked, find()))
    return store[-1][1]


def same(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Equal functions and parameters, arrays number by number."""
    return len(one) == len(other) and all(
        a is b or (np.array_equal(a, b) if isinstance(a, np.ndarray) or isinstance(b, np.ndarray) else a == b)
        for a, b in zip(one, other, strict=True)
    )


def add_each(some: list[Any], others: list[Any]) -> list[Any]:
    """Records added pair by pair."""
    return list(map(operator.add, some, others))
