"""A table as centred columns of norm 1, some columns of the table as several of them.

    number      x, and where that says more of the target, its fold: the square of the centred rank           (1)
    words       zeros and ones for each level but the first

The fold is large at both ends of a column and small in its middle: with it a test of lines sees a U, or classes that differ in
their spread. A missing cell is the mean of its column. Columns that do not vary are zeros.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from aprendiz.core.columns import Mixed
from aprendiz.core.rows import Array


@dataclass(frozen=True, eq=False)
class Blocks:
    """`lines` has a column for each column of the table (zeros for words of several levels), `wide` the blocks of those that
    need more than one."""

    lines: Array
    wide: dict[int, Array]

    @property
    def rows(self) -> int:
        return len(self.lines)

    @property
    def columns(self) -> int:
        return int(self.lines.shape[1])

    def block(self, j: int) -> Array:
        """All columns that stand for column j."""
        return self.wide[j] if j in self.wide else self.lines[:, [j]]

    def bent(self, which: Array) -> Blocks:
        """The same with the folds of some columns beside them."""
        both = {int(j): np.column_stack([self.lines[:, j], folds(self.lines[:, [j]])]) for j in which}
        return Blocks(self.lines, {**self.wide, **both})


def blocks_of(table: Any) -> Blocks:
    """The blocks of checked rows: an array, or numbers and words."""
    if not isinstance(table, Mixed):
        return Blocks(of_norm_1(table), {})
    lines, wide = np.zeros(table.shape), {}
    lines[:, list(table.columns.numeric)] = of_norm_1(table.numbers)
    for place, j in enumerate(table.columns.coded):
        codes = np.asarray(table.codes[:, place])
        signs = (codes[:, None] == np.unique(codes[codes >= 0])[None, 1:]).astype(np.float64)
        signs[codes < 0] = np.nan
        if signs.shape[1] == 1:
            lines[:, [j]] = of_norm_1(signs)
        elif signs.shape[1] > 1:
            wide[int(j)] = of_norm_1(signs)
    return Blocks(lines, wide)


def of_norm_1(X: Array) -> Array:
    """Columns around their means, of norm 1; those that do not vary as zeros. Scaled first, so that no square overflows."""
    Z = np.array(X, dtype=np.float64, order="F")
    known = ~np.isnan(Z)
    first = np.take_along_axis(Z, known.argmax(axis=0)[None], axis=0) if len(Z) else np.zeros((1, Z.shape[1]))
    some = known.any(axis=0)
    pivot = np.where(some, first[0], 0.0)
    widest = np.where(known, np.abs(Z), 0.0).max(axis=0, initial=0.0)
    power = -np.frexp(widest)[1]
    Z = np.ldexp(Z, power) - np.ldexp(pivot, power)  # exact units
    apart = np.where(known, np.abs(Z), 0.0).max(axis=0, initial=0.0)
    Z /= np.where(apart > 0.0, apart, 1.0)
    count = np.maximum(known.sum(axis=0), 1)
    Z -= np.where(known, Z, 0.0).sum(axis=0) / count
    Z[~known] = 0.0
    Z[:, apart == 0.0] = 0.0
    norms = np.sqrt(np.einsum("ij,ij->j", Z, Z))
    return np.asarray(Z / np.where(norms > 0.0, norms, 1.0))


def folds(lines: Array) -> Array:
    """(1) of each column; equal cells have one rank, the mean of theirs."""
    order = np.argsort(lines, axis=0, kind="stable")
    ordered = np.take_along_axis(lines, order, axis=0)
    n, d = lines.shape
    new = np.ones((n, d), bool)
    new[1:] = ordered[1:] > ordered[:-1]
    places = np.arange(n)[:, None]
    first = np.maximum.accumulate(np.where(new, places, 0), axis=0)
    ends = np.ones((n, d), bool)
    ends[:-1] = new[1:]
    last = np.minimum.accumulate(np.where(ends, places, n)[::-1], axis=0)[::-1]
    ranks = np.empty((n, d))
    np.put_along_axis(ranks, order, 0.5 * (first + last), axis=0)
    return of_norm_1((ranks - 0.5 * (n - 1)) ** 2)
