"""A grid over two columns of a table, as rows that a model can be asked about.

x, y      `steps` places along each of the two columns, from the smallest to the largest value and a little beyond
others    every other column at its median, or at its most frequent word
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.frames import as_floats, as_frame, holds_numbers
from aprendiz.core.rows import Array

STEPS = 201  # places along each column
BEYOND = 0.06  # of the range, on each side


@dataclass(frozen=True)
class PlaneGrid:
    """Two columns of a table: their names, their values in the rows, the places of the grid, and the rows of the grid."""

    names: tuple[str, str]
    points: Array
    x: Array
    y: Array
    rows: Any
    others: int  # columns that are held at their medians

    @classmethod
    def of(cls, X: Any, columns: Sequence[Any] | None, steps: int) -> PlaneGrid:
        frame = as_frame(X)
        names, table = (None, dense(X)) if frame is None else (list(frame.columns), None)
        width = len(names) if names is not None else table.shape[1]  # type: ignore[union-attr]  # names or a table
        pair = find_columns(columns, names, width)
        values = [table[:, j] if table is not None else numbers_of(frame[names[j]]) for j in pair]  # type: ignore[index]  # likewise
        x, y = (places(value, steps) for value in values)
        across, up = (grid.ravel() for grid in np.meshgrid(x, y))
        if table is not None:
            rows = np.tile(medians(table), (len(across), 1))
            rows[:, pair[0]], rows[:, pair[1]] = across, up
        else:
            rows = make_frame(frame, {names[pair[0]]: across, names[pair[1]]: up})  # type: ignore[index]  # likewise
        shown = (names[pair[0]], names[pair[1]]) if names is not None else (f"x{pair[0]}", f"x{pair[1]}")
        return cls(shown, np.column_stack(values), x, y, rows, width - 2)

    def on_grid(self, values: Array) -> Array:
        """One value for each row of the grid, as a table: y upwards, x across."""
        return np.asarray(values).reshape(len(self.y), len(self.x), *np.shape(values)[1:])

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """Left, right, lower and upper border of the cells."""
        half_x, half_y = (self.x[1] - self.x[0]) / 2, (self.y[1] - self.y[0]) / 2
        return self.x[0] - half_x, self.x[-1] + half_x, self.y[0] - half_y, self.y[-1] + half_y


def dense(X: Any) -> Array:
    """An array of numbers with two columns at least."""
    try:
        table = np.asarray(X.toarray() if sparse.issparse(X) else X, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError("X holds cells that are not numbers: give a data frame, or leave these columns out.") from error
    if table.ndim != 2 or table.shape[1] < 2 or not len(table):
        raise ValueError(f"X has shape {table.shape}: a plane needs at least 1 row and 2 columns.")
    return table


def find_columns(columns: Sequence[Any] | None, names: list[str] | None, width: int) -> tuple[int, int]:
    """The numbers of two columns that are given by name or number, by default the first two."""
    if width < 2:
        raise ValueError(f"X has {width} column: a plane needs two.")
    pair = (0, 1) if columns is None else tuple(columns)
    if len(pair) != 2 or pair[0] == pair[1]:
        raise ValueError(f"columns = {columns!r} must be two different columns, such as (0, 1).")
    found = []
    for column in pair:
        if names is not None and column in names:
            column = names.index(column)
        if not isinstance(column, (int, np.integer)) or not 0 <= column < width:
            known = f"0 to {width - 1}" if names is None else ", ".join(map(repr, names[:20]))
            raise ValueError(f"columns names {column!r}, which is not a column of X ({known}).")
        found.append(int(column))
    return found[0], found[1]


def numbers_of(column: Any) -> Array:
    if not holds_numbers(column):
        raise ValueError(f"Column {column.name!r} of X holds no numbers: choose two columns of numbers with columns=(…, …).")
    return as_floats(column)


def places(values: Array, steps: int) -> Array:
    """Along the known values of a column and a little beyond."""
    known = values[np.isfinite(values)]
    if not len(known):
        raise ValueError("A column of the plane has no known value: choose another with columns=(…, …).")
    low, high = float(known.min()), float(known.max())
    margin = BEYOND * (high - low) if high > low else max(1.0, 0.01 * abs(low))
    return np.linspace(low - margin, high + margin, steps)


def medians(table: Array) -> Array:
    """Of the known cells of each column; 0 where there is none."""
    known = [column[np.isfinite(column)] for column in table.T]
    return np.array([np.median(column) if len(column) else 0.0 for column in known])


def make_frame(frame: Any, two: dict[str, Array]) -> Any:
    """A frame of the same kind with the grid in two columns, the others at their medians or most frequent words."""
    import narwhals.stable.v2 as nw

    count = len(next(iter(two.values())))
    wide = frame[np.zeros(count, dtype=np.intp)]
    changed: list[Any] = []
    for column in frame.iter_columns():
        name = column.name
        if name in two:
            changed.append(nw.new_series(name, two[name], nw.Float64, backend=frame.implementation))
        elif holds_numbers(column):
            middle = float(medians(as_floats(column)[:, None])[0])
            changed.append(nw.new_series(name, np.full(count, middle), nw.Float64, backend=frame.implementation))
        else:
            changed.append(nw.lit(column.drop_nulls().mode().sort()[0]).cast(column.dtype).alias(name))
    return wide.with_columns(*changed).to_native()
