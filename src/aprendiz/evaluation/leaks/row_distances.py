"""Distances of rows in the columns of a table, without those that are only another name of some codes.

Each column becomes numbers of like size: numbers are clipped to their 5 % and 95 % quantiles and standardised to z, words of at
most 20 levels become zeros and ones. The squared distance of two rows without the columns L is

    D_ab = Σ_j (z_aj − z_bj)² − Σ_{j∈L} (z_aj − z_bj)²                                                            (1)

In a table of few rows the first sum is made once, whatever is left out later: there may be thousands of columns to ask about.

Cost: O(n² d) once and O(m² |L|) for each question about m rows, up to `FEW_ROWS` rows; O(m² d) for each question beyond.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.evaluation.leaks.table_columns import TableColumn
from aprendiz.linear.designs.class_scatter import squared_distances
from aprendiz.summaries.quantiles import quantiles_of_array

FEW_ROWS = 1500  # rows of which all distances are kept, and from which the size of a column is taken
LEVELS = 20  # most levels of words that are looked at
TAILS = np.array([0.05, 0.5, 0.95])
PAIRS = 4  # neighbours in the order of the codes, of one code and of two, that tell most columns from another name of them


class RowDistances:
    """The squared distances of the rows of a table."""

    def __init__(self, columns: Sequence[TableColumn], rows: int):
        places = [one for one in columns if not one.numbers_rows]
        self.numbers = [one for one in places if one.kind == "number"]
        self.words = [one for one in places if one.kind in ("text", "boolean") and one.values.max(initial=-1) < LEVELS]
        self.rows = rows

    @property
    def width(self) -> int:
        return len(self.numbers) + len(self.words)

    def without_names_of(self, codes: Array, some: Array) -> Array | None:
        """The distances of some rows, without the columns that are another name of the codes of these rows; None if no other
        column is left."""
        if self.rows > FEW_ROWS:
            cells = self.cells(some)
            left = ~names_of(cells, codes)[self.owner]
            return distances_in(self.places(cells)[:, left]) if left.any() else None
        cells, at = self.all_cells, np.ix_(some, some)
        gone = names_of(cells[some], codes)[self.owner]
        if gone.all():
            return None
        if not gone.any():
            return self.all_distances[at]
        return np.maximum(self.all_distances[at] - distances_in(self.all_places[np.ix_(some, gone)]), 0.0)

    def cells(self, some: Array) -> Array:
        """The cells of some rows as they are, all columns side by side; −∞ where one is missing."""
        found = np.empty((len(some), self.width))
        for j, one in enumerate((*self.numbers, *self.words)):
            found[:, j] = one.values[some]
        return np.nan_to_num(found, copy=False, nan=-np.inf, posinf=np.inf, neginf=-np.inf)

    def places(self, cells: Array) -> Array:
        """z of cells."""
        low, middle, high, mean, scale = self.sizes
        kept = scale > 0.0
        x = cells[:, : len(self.numbers)][:, kept]
        x = np.clip(np.where(np.isfinite(x), x, middle[kept]), low[kept], high[kept])
        x -= mean[kept]
        x /= scale[kept]
        words = [cells[:, [len(self.numbers) + j]] == levels for j, levels in enumerate(self.levels)]
        return np.hstack([x, *words])

    @cached_property
    def sizes(self) -> tuple[Array, Array, Array, Array, Array]:
        """Of each column of numbers: the three quantiles, and the mean and standard deviation within them; 0 if constant."""
        x = self.all_cells[:, : len(self.numbers)] if self.rows <= FEW_ROWS else self.cells(self.drawn)[:, : len(self.numbers)]
        x = np.where(np.isfinite(x), x, np.nan)
        low, middle, high = np.nan_to_num(quantiles_of_array(x, None, TAILS))
        x = np.clip(np.where(np.isnan(x), middle, x), low, high)
        return low, middle, high, x.mean(axis=0), np.where(high > low, x.std(axis=0), 0.0)

    @cached_property
    def levels(self) -> list[Array]:
        """The levels of each column of words that have a column of zeros and ones: all but the first."""
        return [np.unique(one.values)[1:].astype(np.float64) for one in self.words]

    @cached_property
    def owner(self) -> Array:
        """The column of the table that each column of `places` comes from."""
        numbers = np.flatnonzero(self.sizes[-1] > 0.0)
        words = np.repeat(len(self.numbers) + np.arange(len(self.words)), [len(levels) for levels in self.levels])
        return np.concatenate([numbers, words.astype(np.intp)])

    @cached_property
    def drawn(self) -> Array:
        return np.sort(np.random.default_rng(0).choice(self.rows, FEW_ROWS, replace=False))

    @cached_property
    def all_cells(self) -> Array:
        return self.cells(np.arange(self.rows))

    @cached_property
    def all_places(self) -> Array:
        return self.places(self.all_cells)

    @cached_property
    def all_distances(self) -> Array:
        return distances_in(self.all_places)


def distances_in(places: Array) -> Array:
    """Squared distances between all rows."""
    return squared_distances(places @ places.T)


def names_of(cells: Array, codes: Array) -> Array:
    """Which columns tell the same rows apart as the codes do."""
    order = np.argsort(codes, kind="stable")
    alike = codes[order[1:]] == codes[order[:-1]]
    pairs = np.concatenate([np.flatnonzero(alike)[:PAIRS], np.flatnonzero(~alike)[:PAIRS]])
    agree = (cells[order[pairs + 1]] == cells[order[pairs]]) == alike[pairs, None]
    found = np.zeros(cells.shape[1], bool)
    for j in np.flatnonzero(agree.all(axis=0)):
        found[j] = same_partition(np.unique(cells[:, j], return_inverse=True)[1], codes)
    return found


def same_partition(a: Array, b: Array) -> bool:
    """Do two codes tell the same rows apart?"""
    pairs = len(np.unique(a.astype(np.int64) * (b.max() + 1) + b))
    return pairs == len(np.unique(a)) == len(np.unique(b))
