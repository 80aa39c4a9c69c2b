"""A table as a list of columns, each numbers or codes, whatever library it comes from: what the search for leaks looks at."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Self

import numpy as np
from scipy import sparse

from aprendiz.core.cells import cells_of
from aprendiz.core.columns import encoded
from aprendiz.core.frames import as_frame
from aprendiz.core.rows import Array

ColumnKind = Literal["number", "boolean", "text", "date"]


@dataclass(frozen=True, eq=False)
class TableColumn:
    """A column.

    Attributes
    ----------
    name : str or int
    kind : "number", "boolean", "text" or "date"
    values : ndarray
        Numbers, NaN where a cell is missing; or codes of the values, −1 where a cell is missing.
    ordered : bool
        Whether the order of the codes means something.
    """

    name: Any
    kind: ColumnKind
    values: Array
    ordered: bool = False

    @property
    def known(self) -> Array:
        """Which cells are there."""
        return ~np.isnan(self.values) if self.kind == "number" else self.values >= 0

    @cached_property
    def codes(self) -> Array:
        """The number of the value of each row, in the order of the values; −1 where a cell is missing."""
        if self.kind != "number":
            return self.values
        found = np.full(len(self.values), -1)
        found[self.known] = np.unique(self.values[self.known], return_inverse=True)[1]
        return found

    @property
    def distinct(self) -> int:
        if self.kind == "number":
            return int(self.codes.max(initial=-1)) + 1
        return len(np.unique(self.codes[self.known]))

    @property
    def whole(self) -> bool:
        """Whether it holds whole numbers only."""
        known = self.values[self.known]
        return self.kind == "number" and bool(np.all(known == np.floor(known)))

    @property
    def numbers_rows(self) -> bool:
        """Does it count the rows: 0, 1, 2, … or 1, 2, 3, …?"""
        return (
            self.kind == "number"
            and len(self.values) > 2
            and self.values[0] in (0.0, 1.0)
            and bool(np.all(np.diff(self.values) == 1))
        )

    def at(self, rows: Array) -> Self:
        """The column of some rows."""
        return type(self)(self.name, self.kind, self.values[rows], self.ordered)


def columns_of(X: Any) -> list[TableColumn]:
    """The columns of an array or a data frame; none of a sparse matrix, whose columns are too many to look at one by one."""
    if sparse.issparse(X):
        return []
    if as_frame(X) is None:
        X = np.asarray(X)
        if X.ndim != 2:
            return []
        if X.dtype.kind in "fiub":
            return [TableColumn(j, "number", column) for j, column in enumerate(X.T.astype(np.float64))]
    if (numbers := columns_of_numbers(X)) is not None:
        return numbers
    found = []
    for cells in cells_of(X):
        column = cells.column(None, None)
        values = encoded((cells, column))[0]
        kind: ColumnKind = "number" if column.kind == "numeric" else "text"
        found.append(TableColumn(column.name, kind, values, column.kind == "ordinal"))
    return found


def columns_of_numbers(X: Any) -> list[TableColumn] | None:
    """The columns of a pandas frame of floats, each with more than two values (two may stand for yes and no), all in one look;
    None if there are others. Of wide tables, one by one takes a hundred times as long."""
    if not hasattr(X, "to_numpy") or not hasattr(X, "dtypes") or any(kind != np.float64 for kind in X.dtypes.unique()):
        return None
    table = np.asarray(X)
    with np.errstate(all="ignore"):
        third = (table > np.fmin.reduce(table, axis=0)) & (table < np.fmax.reduce(table, axis=0))
    if not third.any(axis=0).all():
        return None
    return [TableColumn(name, "number", column) for name, column in zip(X.columns, np.ascontiguousarray(table.T), strict=True)]
