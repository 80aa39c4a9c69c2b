"""The values of a column at which a model is asked: all of a few, else places at equal distances between two quantiles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.stats.mstats import mquantiles

from aprendiz.core.frames import as_floats, is_missing
from aprendiz.core.rows import Array
from aprendiz.core.targets import plain
from aprendiz.evaluation.dependence.columns import Cell


def is_number(column: Any) -> bool:
    """Does a column hold numbers (and not True and False)?"""
    if isinstance(column, np.ndarray):
        return column.dtype.kind in "iuf"
    return bool(column.dtype.is_numeric())


def grid_of(column: Any, name: Any, resolution: int, percentiles: tuple[float, float]) -> list[Cell]:
    """The values for a column of a table."""
    if is_number(column):
        known = column if isinstance(column, np.ndarray) else as_floats(column, 0)
        return [Cell(value) for value in places(known[np.isfinite(known)], name, resolution, percentiles)]
    first: dict[Any, int] = {}
    counts: dict[Any, int] = {}
    for row, value in enumerate(column.tolist() if isinstance(column, np.ndarray) else column.to_list()):
        if not is_missing(value):
            first.setdefault(value, row)
            counts[value] = counts.get(value, 0) + 1
    if not first:
        raise ValueError(f"Column {name!r} is missing in every row: choose another one.")
    frequent = sorted(first, key=lambda value: -counts[value])[:resolution]
    return [Cell(value, first[value]) for value in sorted(frequent, key=lambda value: (str(type(value)), value))]


def places(known: Array, name: Any, resolution: int, percentiles: tuple[float, float]) -> Array:
    """All values if they are fewer than the resolution, else places at equal distances."""
    if not len(known):
        raise ValueError(f"Column {name!r} is missing in every row: choose another one.")
    distinct = np.unique(known)
    if len(distinct) < resolution:
        return distinct.astype(np.float64)
    low, high = mquantiles(known, prob=percentiles)
    if np.isclose(low, high):
        raise ValueError(
            f"The percentiles {percentiles} of column {name!r} are both {plain(low)}: choose others, such as (0, 1), "
            "or give custom_values."
        )
    return np.linspace(low, high, resolution)


def given_cells(values: Sequence[Any], column: Any, name: Any) -> list[Cell]:
    """Values that were asked for; words must occur in the column."""
    listed = list(np.asarray(values).tolist() if isinstance(values, np.ndarray) else values)
    if not listed:
        raise ValueError(f"custom_values has no values for column {name!r}: give at least one.")
    if is_number(column):
        return [Cell(float(value)) for value in listed]
    there = column.tolist() if isinstance(column, np.ndarray) else column.to_list()
    for value in listed:
        if value not in there:
            raise ValueError(f"custom_values: {value!r} does not occur in column {name!r}: give values that do.")
    return [Cell(value, there.index(value)) for value in listed]
