"""One row, however it is written: a dict of cells, a sequence of cells, a row of a data frame, or a table with one row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from aprendiz.core.frames import as_frame
from aprendiz.core.targets import plain


def cells_of_row(row: Any, names: Sequence[Any] | None) -> list[Any]:
    """The cells of a row, in the order of the columns; None where a dict has none. `names` are those of the columns, if they
    have names."""
    if (frame := as_frame(row)) is not None:
        refuse_other_number(len(frame))
        cells = dict(zip(frame.columns, frame.row(0), strict=True))
        return cells_by_name(cells, names)
    if isinstance(row, Mapping) or hasattr(row, "to_dict"):
        return cells_by_name(dict(row), names)
    if np.ndim(row) == 2:
        refuse_other_number(len(row))
        row = row[0]
    cells_in_order = [plain(cell) for cell in row]
    if names is not None and len(cells_in_order) != len(names):
        raise ValueError(
            f"The row has {len(cells_in_order)} cells, but the fit had {len(names)} columns: give a cell for each."
        )
    return cells_in_order


def cells_by_name(cells: Mapping[Any, Any], names: Sequence[Any] | None) -> list[Any]:
    if names is None:
        raise ValueError("The columns of the fit have no names: pass the cells of the row in their order.")
    if strange := [name for name in cells if name not in names]:
        raise ValueError(
            f"The row has a cell {strange[0]!r}, which is not a column of the fit: use {', '.join(map(repr, names))}."
        )
    return [plain(cells.get(name)) for name in names]


def refuse_other_number(rows: int) -> None:
    if rows != 1:
        raise ValueError(f"explain needs one row, got {rows}: pass them one by one.")


def table_of_row(row: Any, names: Sequence[Any] | None) -> Any:
    """A row as a table with the columns of the fit: a frame, if these have names."""
    cells = cells_of_row(row, names)
    if names is None:
        return [cells]
    import pandas as pd

    return pd.DataFrame([cells], columns=list(names))
