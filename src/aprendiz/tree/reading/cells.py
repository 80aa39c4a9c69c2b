"""One row of cells as the numbers that splits compare.

number     itself
level      its number among the levels of the column
missing    NaN, and so is a level not seen in the fit
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np

from aprendiz.core.frames import as_frame, is_missing
from aprendiz.core.targets import plain
from aprendiz.tree.reading.labelled_tree import Labelled

NAN = float("nan")


def cells_of_row(labelled: Labelled, row: Any) -> list[Any]:
    """The cells of one row in the order of the columns.

    Parameters
    ----------
    labelled : Labelled
    row : dict of column to cell, sequence of cells, row of a data frame, or table with one row
        Columns that a dict does not name are missing.
    """
    frame = as_frame(row)
    if frame is not None or np.ndim(row) == 2:
        if len(row if frame is None else frame) != 1:
            raise ValueError(f"One row is needed, got {len(row if frame is None else frame)}: pass them one by one.")
        row = list(row[0]) if frame is None else dict(zip(frame.columns, frame.row(0), strict=True))
    if not isinstance(row, Mapping) and not hasattr(row, "to_dict"):
        return [plain(cell) for cell in row]
    named = dict(row)
    if strange := [name for name in named if name not in labelled.names]:
        known = ", ".join(map(repr, labelled.names[:20]))
        raise ValueError(f"The row has a cell {strange[0]!r}, which is not a column of the tree: use {known}.")
    return [plain(named.get(name)) for name in labelled.names]


def encode(labelled: Labelled, cells: Sequence[Any]) -> list[float]:
    """The row as numbers (see above)."""
    if isinstance(cells, str) or len(cells) != len(labelled.names):
        raise ValueError(f"The row has {len(cells)} cells, but the tree has {len(labelled.names)} columns: give one for each.")
    return [encoded_cell(labelled, j, plain(cell)) for j, cell in enumerate(cells)]


def encoded_cell(labelled: Labelled, column: int, cell: Any) -> float:
    if is_missing(cell):
        return NAN
    levels = labelled.levels(column)
    if levels:
        return float(levels.index(cell)) if cell in levels else NAN
    if not isinstance(cell, Real):
        raise ValueError(
            f"Column {labelled.names[column]!r} holds {cell!r}: a number is needed there, or None if it is missing."
        )
    return float(cell)
