"""Rows of the Gram matrix that are kept for the next time, as many as the memory allows.

A row is computed when a block of variables needs it, many at a time, and stays until its place is wanted: then the rows that
have not been used for longest go. Rows are added to the gradient from here as well, so a step costs no kernel at all.

The end of their memory can be lent to something else for a while: rows that stood there are forgotten.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.core.threads import ordered_map
from aprendiz.kernel.gram.gram_products import gram_products

PART, SPAN = 256, 1024  # rows and columns of a tile, which stays in the cache of the processor
ADDED = 4096  # columns that a thread adds at a time
LENT = 1.5  # times n²: the most that is ever lent, for which there is memory beside the rows if they all have room


class KernelRows:
    """K between some of the points and all of them, with the diagonal that is given. Memory: that of `places` rows."""

    def __init__(self, kernel: Any, points: Any, diagonal: Array, places: int):
        n = len(points)
        self.kernel, self.points, self.diagonal = kernel, points, diagonal
        self.memory = np.empty(min(places * n, n * n + int(LENT * n * n)), points.dtype)
        self.rows = self.rows_within(len(self.memory))
        self.place = np.full(n, -1, np.int64)  # of each row, or −1
        self.owner = np.full(len(self.rows), -1, np.int64)
        self.used = np.zeros(len(self.rows), np.int64)  # when a place was last asked for
        self.clock = 0

    def rows_within(self, cells: int) -> Array:
        """As many rows as so many cells of the memory hold."""
        n = len(self.points)
        places = min(n, cells // n)
        return self.memory[: places * n].reshape(places, n)

    def lend(self, cells: int, wanted: Array) -> Array:
        """The end of the memory, and what has no rows anyway. Of the wanted variables, as many rows stay as there is room for,
        the first ones first."""
        cells = max(cells, len(self.memory) - self.rows.size)
        self.rows = self.rows_within(len(self.memory) - cells)
        stay = wanted[: len(self.rows)]
        late = stay[self.place[stay] >= len(self.rows)]
        free = np.flatnonzero(~np.isin(self.owner[: len(self.rows)], stay))[: len(late)]
        self.place[self.owner[free][self.owner[free] >= 0]] = -1
        for variable, at in zip(late.tolist(), free.tolist(), strict=True):
            self.rows[at] = self.rows_within(len(self.memory))[self.place[variable]]
        self.owner[free], self.place[late], self.used[free] = late, free, self.clock
        self.place[self.place >= len(self.rows)] = -1
        self.owner, self.used = self.owner[: len(self.rows)].copy(), self.used[: len(self.rows)].copy()
        return self.memory[len(self.memory) - cells :]

    def take_back(self) -> None:
        """All of the memory is for rows again."""
        before, self.rows = len(self.rows), self.rows_within(len(self.memory))
        more = len(self.rows) - before
        self.owner = np.concatenate([self.owner, np.full(more, -1, np.int64)])
        self.used = np.concatenate([self.used, np.zeros(more, np.int64)])

    def places_of(self, chosen: Array) -> Array:
        """Where the rows of some variables are; those that are missing are computed."""
        self.clock += 1
        found = self.place[chosen]
        self.used[found[found >= 0]] = self.clock
        missing = chosen[found < 0]
        if len(missing):
            free = np.sort(np.argpartition(self.used, len(missing) - 1)[: len(missing)])
            leaving = self.owner[free]
            self.place[leaving[leaving >= 0]] = -1
            self.compute(missing, free)
            self.owner[free], self.place[missing], self.used[free] = missing, free, self.clock
        return self.place[chosen]

    def compute(self, missing: Array, places: Array) -> None:
        """The rows of some variables, by spans of columns on all threads."""
        n = len(self.points)
        parts = [slice(at, min(at + PART, len(missing))) for at in range(0, len(missing), PART)]
        some = [(self.points.take(missing[part]), places[part]) for part in parts]

        def fill(start: int) -> None:
            columns = self.points.take(slice(start, min(start + SPAN, n)))
            tile = np.empty((PART, len(columns)), self.rows.dtype)
            for points, where in some:
                write_rows(self.rows, where, start, self.kernel.block(points, columns, tile[: len(points)]))

        for _ in ordered_map(fill, range(0, n, SPAN)):
            pass
        self.rows[places, missing] = self.diagonal[missing]

    def block(self, some: Array, others: Array) -> Array:
        """K between some variables and others, computed now."""
        found = self.kernel.block(self.points.take(some), self.points.take(others))
        at, of = np.nonzero(some[:, None] == others)
        found[at, of] = self.diagonal[some[at]]
        return found

    def add_computed(self, chosen: Array, delta: Array, g: Array) -> None:
        """As `add`, for rows that are not here: they are computed, and not kept."""
        if len(chosen):
            points = self.points.take(chosen)
            g += gram_products(self.kernel, self.points, points, delta)
            g[chosen] += delta * (self.diagonal[chosen] - self.kernel.diagonal_of(points))

    def add(self, chosen: Array, delta: Array, g: Array) -> None:
        """g ← g + Σ δ_j·K_j, by spans of columns on all threads."""
        places, step = self.place[chosen], delta.astype(self.rows.dtype)

        def add_span(start: int) -> None:
            add_rows(self.rows, places, step, g, start, min(start + ADDED, len(g)))

        for _ in ordered_map(add_span, range(0, len(g), ADDED)):
            pass


@compiled
def write_rows(rows: Array, places: Array, start: int, tile: Array) -> None:
    """A tile to the rows at some places, from a column on."""
    for t in range(len(places)):
        row = rows[places[t]]
        for j in range(tile.shape[1]):
            row[start + j] = tile[t, j]


@compiled
def add_rows(rows: Array, places: Array, delta: Array, g: Array, start: int, stop: int) -> None:
    """g ← g + Σ δ_j·K_j of some columns, four rows at a time."""
    count = len(places)
    whole = count - count % 4
    for t in range(0, whole, 4):
        a, b, c, d = rows[places[t]], rows[places[t + 1]], rows[places[t + 2]], rows[places[t + 3]]
        for j in range(start, stop):
            g[j] += delta[t] * a[j] + delta[t + 1] * b[j] + delta[t + 2] * c[j] + delta[t + 3] * d[j]
    for t in range(whole, count):
        last = rows[places[t]]
        for j in range(start, stop):
            g[j] += delta[t] * last[j]
