"""Bags: the rows that a member of an ensemble learns from, as how many times each row is in it.

    bootstrap     b rows drawn one after the other, each with probability w_i / Σw; a row may come again
    pasting       b different rows; the next is drawn with probability w_i / Σ of those not yet drawn

A bag is a function of the seed and the number of the member (core/random.py), so that it need not be kept: who wants to know
which rows a member never saw draws its bag again. With b = n and equal weights a row is in no place of a bootstrap bag with
probability

    (1 − 1/n)ⁿ  →  1/e = 0.368                                                                                (1)

Reference: Efraimidis & Spirakis, "Weighted random sampling with a reservoir", Information Processing Letters 97, 2006.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import Any

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.hashing import uniform
from aprendiz.core.parameters import ParameterError
from aprendiz.core.random import hash_one, stream_key, uniforms
from aprendiz.core.rows import Array

ROWS, COLUMNS, GROWTH = range(1, 4)  # purposes of random numbers; a member has a stream for each
STREAMS = 8


def stream(member: int, purpose: int) -> int:
    """The stream of random numbers of a member for a purpose."""
    return STREAMS * member + purpose


def member_seed(seed: int, member: int) -> int:
    """The `random_state` of a member."""
    return hash_one(seed, stream(member, GROWTH)) >> 33


@dataclass(frozen=True)
class Bags:
    """How bags are drawn from n rows.

    Attributes
    ----------
    seed, count : int
    size : int
        Rows of a bag, each as often as it is drawn.
    replace : bool
        Whether a row may come again.
    weight : ndarray of shape (n,), optional
        The larger, the more probable.
    there : ndarray of n row numbers, optional
        Which rows of the table these are, where others have no weight.
    given : int
        How many rows the table has.
    """

    seed: int
    count: int
    size: int
    replace: bool
    weight: Array | None
    there: Array | None
    given: int

    @cached_property
    def heaps(self) -> Array:
        """The weights up to each row, as parts of their sum."""
        assert self.weight is not None
        total = np.cumsum(self.weight)
        return total / total[-1]

    def counts(self, member: int) -> Array:
        """How many times each row is in the bag of a member."""
        numbers, found = stream(member, ROWS), np.zeros(self.count)
        if self.replace and self.weight is None:
            throw(stream_key(self.seed, numbers), self.size, found)
        elif self.replace:
            drawn = np.searchsorted(self.heaps, uniforms(self.seed, numbers, self.size), side="right")
            np.add.at(found, np.minimum(drawn, self.last), 1.0)
        else:
            found[self.choose(uniforms(self.seed, numbers, self.count))] = 1.0
        return found

    @cached_property
    def last(self) -> int:
        """The last row that can be drawn."""
        assert self.weight is not None
        return int(np.flatnonzero(self.weight)[-1])

    def choose(self, u: Array) -> Array:
        """The rows of the largest u^(1/w)."""
        with np.errstate(divide="ignore"):
            keys = u if self.weight is None else np.where(self.weight > 0, np.log(u) / self.weight, -np.inf)
        return np.argpartition(-keys, self.size - 1)[: self.size]

    def draw(self, member: int) -> Array:
        """The rows of the table in the bag of a member, as often as they are in it."""
        rows = np.repeat(np.arange(self.count), self.counts(member).astype(np.int64))
        return rows if self.there is None else self.there[rows]

    def left_out(self, member: int) -> Array:
        """The rows of the table that count, but are not in the bag of a member."""
        rows = np.flatnonzero(self.counts(member) == 0)
        return rows if self.there is None else self.there[rows]

    def spread(self, of_rows: Array) -> Array:
        """Numbers of the rows that count, NaN for the others of the table."""
        if self.there is None:
            return of_rows
        full = np.full((self.given, *of_rows.shape[1:]), np.nan)
        full[self.there] = of_rows
        return full


def uneven(weight: Array | None) -> Array | None:
    """The weights, unless they are all the same."""
    return None if weight is None or (weight == weight[0]).all() else weight


def bag_size(max_samples: Any, weight: Array | None, count: int) -> int:
    """Rows of a bag: all, a number, or a share of the rows (of their weight, where they have some)."""
    if max_samples is None:
        return count
    if isinstance(max_samples, Integral):
        return int(max_samples)
    total = count if weight is None else float(weight.sum())
    size = max(int(max_samples * total), 1)
    if size < max(10, count ** (1 / 3)):
        warnings.warn(
            f"max_samples={max_samples} of a weight of {total:g} makes bags of {size} rows, which is little: give max_samples "
            "as a whole number.",
            stacklevel=2,
        )
    return size


def refuse_bag(size: int, replace: bool, weight: Array | None, count: int) -> None:
    """A bag without repetitions that cannot be filled."""
    there = count if weight is None else int((weight > 0).sum())
    if not replace and size > there:
        raise ParameterError(
            f"max_samples asks for {size} different rows, but there are {there} (with weight): take fewer, or bootstrap=True."
        )


def some_columns(seed: int, member: int, columns: int, wanted: int, replace: bool) -> Array | None:
    """The columns that a member sees, in their order; None for all."""
    if wanted == columns and not replace:
        return None
    u = uniforms(seed, stream(member, COLUMNS), max(columns, wanted))
    return np.sort((u[:wanted] * columns).astype(np.int64) if replace else np.argsort(u[:columns], kind="stable")[:wanted])


@compiled
def throw(key: np.uint64, size: int, found: Array) -> None:
    """Draw rows, all with the same probability."""
    n = len(found)
    for i in range(size):
        found[int64(uniform(key + np.uint64(i)) * n)] += 1.0
