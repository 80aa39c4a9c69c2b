"""Some rows of each class and some columns of a table, evenly spaced: enough to see the shape of its columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.inputs import is_read_in_blocks
from aprendiz.core.rows import Array
from aprendiz.evaluation.description.opened_table import open_table

MOST_ROWS = 2000  # of each class
MOST_COLUMNS = 100


@dataclass(frozen=True)
class Sample:
    """Cells of columns of numbers, their names, the codes of the classes of the rows, and the labels."""

    table: Array
    names: tuple[str, ...]
    codes: Array
    labels: tuple[Any, ...]


def sample_of(X: Any, y: Any) -> Sample:
    """Every k-th row of each class, and every k-th column."""
    if is_read_in_blocks(X):
        raise TypeError("The shape of columns is looked at in memory: give some of the rows.")
    opened = open_table(as_table(X), y, classes=True)
    columns = spaced(np.arange(len(opened.numbers)), MOST_COLUMNS)
    codes = (
        np.zeros(opened.rows.count or 0, np.int64) if y is None else opened.rows.each(lambda block: np.array(block.y[:, -1]))
    )
    parts = [spaced(np.flatnonzero(codes == k), MOST_ROWS) for k in range(max(codes.max(initial=0) + 1, 1))]
    rows = np.sort(np.concatenate(parts))
    table = opened.rows.each(lambda block: np.array(block.X[:, columns], dtype=np.float64))[rows]
    labels = (None,) if y is None else opened.levels[-1]
    return Sample(table, tuple(opened.numbers[j] for j in columns), codes[rows], labels)


def as_table(X: Any) -> Any:
    """One column as a table of one; tables as they are."""
    if hasattr(X, "columns") or sparse.issparse(X):
        return X
    return np.asarray(X)[:, None] if np.ndim(X) == 1 else X


def spaced(numbers: Array, most: int) -> Array:
    """At most so many of some numbers, evenly spaced."""
    return numbers if len(numbers) <= most else numbers[np.linspace(0, len(numbers) - 1, most).astype(np.intp)]
