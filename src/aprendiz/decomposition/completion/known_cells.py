"""The known cells of a table, by rows and by columns, in units in which squares neither overflow nor vanish.

A cell is known if it is no NaN; of a sparse table, if it is stored: a stored zero is a known zero. The other files work with

    z_ij = (a_ij/2ᵉ − m_j)/s_j − r_i                                                                          (1)

with an even power e that brings the largest cell near 1, and, where they are asked for, the mean m_j and the spread s_j of the
known cells of a column, and the mean r_i of what is left of a row.

Cost and memory: O(known cells).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple, Self

import numpy as np
from scipy import sparse

from aprendiz.core.rows import Array, Block, Rows, read_only
from aprendiz.core.sources.arrays import ArrayRows

Biases = Literal["columns", "both"]


class Cells(NamedTuple):
    """Known cells line by line: those of line i stand at starts[i] … starts[i + 1], each with its place in the line."""

    starts: Array
    places: Array
    values: Array

    @property
    def counts(self) -> Array:
        """How many each line has."""
        return np.diff(self.starts.astype(np.int64))

    @property
    def lines(self) -> Array:
        """The line of each cell."""
        return np.repeat(np.arange(len(self.starts) - 1), self.counts)

    def sums(self, of_cells: Array) -> Array:
        """A number for each cell, summed line by line."""
        return np.bincount(self.lines, of_cells, minlength=len(self.starts) - 1)

    def means(self, of_cells: Array) -> Array:
        """The mean of each line around its first cell; 0 for a line without cells."""
        counts = self.counts
        first = np.zeros(len(counts))
        first[counts > 0] = of_cells[self.starts[:-1][counts > 0].astype(np.int64)]
        return first + self.sums(of_cells - first[self.lines]) / np.maximum(counts, 1)


def cells_of(X: Any) -> Cells:
    """The known cells of a table, row by row."""
    if sparse.issparse(X):
        known = ~np.isnan(X.data)
        if known.all():
            starts, places, values = X.indptr, X.indices, X.data  # shared: nothing is written into them
        else:
            starts = np.concatenate([[0], np.cumsum(known)])[X.indptr]
            places, values = X.indices[known], X.data[known]
    else:
        known = ~np.isnan(X)
        starts = np.concatenate([[0], np.cumsum(known.sum(axis=1))])
        places, values = np.nonzero(known)[1], X[known]
    return Cells(starts.astype(np.uint64), unsigned(places), values.astype(np.float64, copy=False))


def unsigned(places: Array) -> Array:
    """Places as kernels take them, shared where they can be."""
    return places.view(np.uint32) if places.dtype == np.int32 else places.astype(np.uint32)


@dataclass(frozen=True)
class Units:
    """e, m and s of (1), whether rows have a mean of their own, and the power of two that z is in units of: e, or 0 where s are
    spreads."""

    power: int
    unit: int
    means: Array
    scales: Array
    of_rows: bool

    @classmethod
    def of(cls, cells: Cells, columns: int, biases: Biases | None, scale: bool) -> Self:
        """Those of a table."""
        largest = float(max(cells.values.max(initial=0.0), -cells.values.min(initial=0.0)))
        power = 2 * (int(np.frexp(largest)[1]) // 2)
        means, scales = np.zeros(columns), np.ones(columns)
        if biases is not None or scale:
            by_columns = transposed(cells._replace(values=np.ldexp(cells.values, -power)), columns)
            centres = by_columns.means(by_columns.values)
            if biases is not None:
                means = centres
            if scale:
                away = by_columns.values - centres[by_columns.lines]
                spread = np.sqrt(by_columns.sums(away**2) / np.maximum(by_columns.counts, 1))
                scales = np.where(spread > 0, spread, 1.0)
        return cls(power, 0 if scale else power, means, scales, biases == "both")

    def reduce(self, cells: Cells) -> tuple[Cells, Array]:
        """(1) and r; the same arithmetic for training rows and new ones."""
        values = np.ldexp(cells.values, -self.power)
        if self.means.any():
            values -= self.means[cells.places]
        if (self.scales != 1.0).any():
            values /= self.scales[cells.places]
        cells = cells._replace(values=values)
        if not self.of_rows:
            return cells, np.zeros(len(cells.starts) - 1)
        of_rows = cells.means(values)
        return cells._replace(values=values - of_rows[cells.lines]), of_rows

    def restore(self, reduced: Array, columns: Any = slice(None)) -> Array:
        """Cells of (1), in these columns, in the units of the table."""
        with np.errstate(over="ignore"):
            return np.ldexp(reduced * self.scales[columns] + self.means[columns], self.power)


def transposed(cells: Cells, columns: int) -> Cells:
    """The same cells column by column, those of a column in the order of their rows."""
    table = sparse.csr_array((len(cells.starts) - 1, columns))
    table.data, table.indices, table.indptr = cells.values, cells.places.view(np.int32), index_starts(cells.starts)
    turned = table.tocsc()
    return Cells(turned.indptr.astype(np.uint64), unsigned(turned.indices), turned.data)


def index_starts(starts: Array) -> Array:
    """Starts in the type of the places, where that can hold them."""
    return starts.astype(np.int32 if int(starts[-1]) < 2**31 else np.int64)


@dataclass(frozen=True)
class KnownCells:
    """(1) both ways, and r."""

    by_rows: Cells
    by_columns: Cells
    row_means: Array

    @classmethod
    def of(cls, cells: Cells, units: Units) -> Self:
        reduced, of_rows = units.reduce(cells)
        return cls(reduced, transposed(reduced, len(units.means)), of_rows)

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.by_rows.starts) - 1, len(self.by_columns.starts) - 1


class HoledRows(ArrayRows):
    """Rows in memory whose unknown cells are NaN, of a sparse table too."""

    def __init__(self, X: Any, rows: Rows):
        super().__init__(X, None, None, rows.names)
        self.noted = rows.noted

    def make_block(self, start: int) -> Block:
        if self.dense:
            return super().make_block(start)
        return Block(read_only(holed(self.X[start : start + self.size])), None, None, start)


class CompletionRows(HoledRows):
    """Rows in memory, with their known cells."""

    def __init__(self, X: Any, rows: Rows, biases: Biases | None, scale: bool):
        super().__init__(X, rows)
        self.biases, self.scale = biases, scale

    def compact(self) -> ArrayRows:
        return self

    def has_known_cells(self) -> bool:
        values = self.X.data if sparse.issparse(self.X) else self.X
        return bool(values.size) and not bool(np.isnan(values).all())

    @cached_property
    def units(self) -> Units:
        return Units.of(cells_of(self.X), self.columns, self.biases, self.scale)

    @cached_property
    def cells(self) -> KnownCells:
        return KnownCells.of(cells_of(self.X), self.units)


def holed(table: Any) -> Array:
    """A sparse table as an array with NaN where nothing is stored."""
    found = np.full(table.shape, np.nan, table.dtype)
    found[np.repeat(np.arange(table.shape[0]), np.diff(table.indptr)), table.indices] = table.data
    return found
