"""How much of a large table the slow parts of an exploration look at: rows chosen at random, the same in every run."""

from __future__ import annotations

import numpy as np

from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array

ROWS_OF_COLUMNS = 1_000_000  # whose quantiles are found
ROWS_OF_PAIRS = 10_000  # of which pairs of columns are computed
MULTIPLICATIONS = 5e9  # of all pairs of columns


def chosen_rows(rows: int, most: int) -> Array:
    """The numbers of at most so many rows, ascending."""
    return np.arange(rows) if rows <= most else np.sort(np.argsort(uniforms(0, 0, rows))[:most])


def rows_of_pairs(rows: int, columns: int) -> int:
    """How many rows the pairs of so many columns are computed from."""
    affordable = int(MULTIPLICATIONS / max(1, columns) ** 2)
    return min(rows, ROWS_OF_PAIRS, max(100, affordable))
