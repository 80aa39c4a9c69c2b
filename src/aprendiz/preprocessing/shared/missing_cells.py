"""Missing cells of a column that may hold words: which they are, and the column with other values in their place."""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.cells import Cells
from aprendiz.core.frames import is_missing
from aprendiz.core.rows import Array


def gap(column: Cells) -> Array:
    """Which cells of a column are missing."""
    if column.are_numbers:
        return np.isnan(column.values)
    return np.fromiter((value is None for value in column.values), bool, len(column))


def without(column: Cells, hide: Any) -> Array:
    """The cells of a column, missing where they hold a certain value."""
    nothing = np.nan if column.are_numbers else None
    return np.array([nothing if value == hide else value for value in column.values], column.values.dtype)


def refuse_gaps(missing: Array, name: Any, hide: Any) -> None:
    """Cells without a value, where another value stands for a missing cell."""
    if missing.any():
        raise ValueError(
            f"Input X contains NaN: row {int(np.argmax(missing))}, column {name!r}, but missing_values is {hide!r}. "
            "Mark all missing cells in one way."
        )


def refuse_other_kind(column: Cells, value: Any) -> None:
    """A column that held numbers in the fit and holds words now, or the other way round."""
    known = ~gap(column)
    if known.any() and not is_missing(value) and column.are_numbers == isinstance(value, str):
        kinds = ("words", "numbers") if isinstance(value, str) else ("numbers", "words")
        row = int(np.flatnonzero(known)[0])
        found = column.values[row]
        raise ValueError(
            f"Column {column.name!r} held {kinds[0]} in the fit and holds {kinds[1]} now ({found!r} in row {row})."
        )


def filled_words(column: Cells, value: Any) -> Array:
    return np.where(gap(column), objects_of([value]), column.values.astype(object))


def objects_of(values: Any) -> Array:
    array = np.empty(len(values), object)
    array[:] = list(values)
    return array
