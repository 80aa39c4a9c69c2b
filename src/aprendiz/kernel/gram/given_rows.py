"""Rows that a user passes to a kernel itself: a table of numbers, checked cell by cell, or one column of anything."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.frames import as_frame
from aprendiz.core.tables import array_table, first_bad_cell, frame_table, refuse_cell, sparse_table


def table_of_numbers(X: Any) -> Any:
    """An array or a CSR matrix of finite numbers."""
    names = None
    if sparse.issparse(X):
        table = sparse_table(X, "a kernel", allowed=True)
    elif (frame := as_frame(X)) is not None:
        names, table = frame_table(frame)
    else:
        table = array_table(X)
    if bad := first_bad_cell(table, missing_is_fine=False):
        refuse_cell(*bad, names)
    return table


def column_of_objects(X: Any, what: str) -> list[Any]:
    """The cells of a list, of a vector or of a table of one column."""
    if isinstance(X, str | bytes):
        raise ValueError(f"{what}, got the text {X[:60]!r}: give a list of strings.")
    values = np.asarray(X.to_numpy() if hasattr(X, "to_numpy") else X, dtype=object)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise ValueError(f"{what}, got a table of shape {values.shape}: give a list, or one column.")
    return values.tolist()
