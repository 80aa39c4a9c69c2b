"""Many tests of independence on the same rows: a ⊥ b | S for pairs and sets by place.

Each test counts the rows in the cells of its columns, strata first, and compares the counts with what independence expects
(dependence.py). A row counts for a test if it knows all cells of it. Tests are done side by side; none depends on another.

Cost: O(n·(|S| + 2)) and the cells of a test; tests with more cells than rows number the strata that occur instead, in
O(n log n).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array
from aprendiz.core.threads import ordered_map
from aprendiz.graphical.structure.dependence import DF, dependence, p_values
from aprendiz.graphical.structure.rows_with_holes import RowsWithHoles
from aprendiz.graphical.structure.strata import stratified

TOGETHER = 64  # tests that a thread takes at a time
MOST_CELLS = 2**16  # of a test whose cells are all counted, or four for each row
CELLS_TOGETHER = 2**20  # of the strata of a larger test that are counted at a time


@dataclass(frozen=True, eq=False)
class PairTests:
    """The rows, and which statistic decides. `of` is a row for each test: the places of S, then a and b."""

    rows: RowsWithHoles
    statistic: int  # G2 or X2 of dependence.py
    adjust_df: bool

    def p_values(self, tests: Array) -> Array:
        """The p value of each test."""
        sizes = self.rows.levels[tests]
        cells = np.prod(sizes.astype(float), axis=1)
        wide = cells > max(MOST_CELLS, 4 * len(self.rows.weights))
        found = np.empty((len(tests), 3))
        parts = np.split(np.flatnonzero(~wide), range(TOGETHER, int((~wide).sum()), TOGETHER))
        for part, numbers in zip(parts, ordered_map(lambda part: self.counted(tests[part]), parts), strict=True):
            found[part] = numbers
        some = np.flatnonzero(wide)
        for number, numbers in zip(some, ordered_map(lambda number: self.numbered(tests[number]), some), strict=True):
            found[number] = numbers
        df = (
            found[:, DF]
            if self.adjust_df
            else np.prod(sizes[:, :-2].astype(float), axis=1) * (sizes[:, -2:] - 1.0).prod(axis=1)
        )
        return p_values(found[:, self.statistic], df)

    def counted(self, tests: Array) -> Array:
        """Both statistics and the adjusted degrees of freedom of some tests of few cells."""
        sizes = self.rows.levels
        most = int(np.prod(sizes[tests], axis=1).max(initial=0))
        found, cell = np.empty((len(tests), 3)), np.empty(len(self.rows.weights), np.int32)
        compare_pairs(self.rows.by_column, self.rows.weights, sizes, tests, cell, np.empty(most), found)
        return found

    def numbered(self, test: Array) -> Array:
        """The same of a test with more cells than rows."""
        sizes, total, numbers = self.rows.levels[test], np.zeros(3), np.empty(3)
        together = max(1, CELLS_TOGETHER // int(sizes[-2] * sizes[-1]))
        for table, _strata in stratified(self.rows.by_column[test], self.rows.weights, sizes, together):
            dependence(table, numbers)
            total += numbers
        return total


@compiled
def compare_pairs(codes: Array, w: Array, sizes: Array, tests: Array, cell: Array, table: Array, found: Array) -> None:
    """Count the rows in the cells of each test, and compare the counts with independence."""
    for t in range(len(tests)):
        cells = int64(1)
        cell[:] = 0
        for v in tests[t]:
            column, size = codes[v], sizes[v]
            cells *= size
            for i in range(len(cell)):
                cell[i] = -1 if cell[i] < 0 or column[i] < 0 else cell[i] * size + column[i]
        counts = table[:cells]
        counts[:] = 0.0
        for i in range(len(cell)):
            if cell[i] >= 0:
                counts[cell[i]] += w[i]
        a, b = sizes[tests[t, -2]], sizes[tests[t, -1]]
        dependence(counts.reshape((cells // (a * b), a, b)), found[t])
