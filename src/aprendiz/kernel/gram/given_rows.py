"""Rows that a user passes to a kernel itself: a table of numbers, checked cell by cell."""

from __future__ import annotations

from typing import Any

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
