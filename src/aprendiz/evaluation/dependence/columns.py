"""A table with other values in some of its columns, whatever library it comes from; the table itself stays as it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from aprendiz.core.frames import as_frame
from aprendiz.core.rows import Array
from aprendiz.ensemble.importance.column_groups import place_of
from aprendiz.evaluation.folds.predictions import take


class Cell(NamedTuple):
    """A value for a whole column, and the first row that has it: words are taken from there, in the type of their column."""

    value: Any
    row: int | None = None


class TableColumns:
    """The columns of an array, a sparse matrix or a data frame, by number."""

    def __init__(self, X: Any) -> None:
        self.frame = as_frame(X)
        self.X: Any = X if self.frame is not None or sparse.issparse(X) else np.asarray(X)
        if len(self.X.shape) != 2:
            raise ValueError(f"Expected 2D array, X has shape {self.X.shape}: give a table with a row for each sample.")
        self.rows, count = self.X.shape
        self.names: tuple[Any, ...] = tuple(f"x{j}" for j in range(count)) if self.frame is None else tuple(self.frame.columns)

    def place(self, column: Any) -> int:
        """The number of a column that is given by name or number."""
        return place_of(column, self.names, "features")

    def values(self, j: int) -> Any:
        """A column: an array, or a series of narwhals."""
        if self.frame is not None:
            return self.frame[self.names[j]]
        return self.X[:, [j]].toarray().ravel() if sparse.issparse(self.X) else self.X[:, j]

    def taken(self, rows: Array) -> TableColumns:
        """Some of the rows."""
        return TableColumns(take(self.X, rows))

    def shuffled(self, chosen: Sequence[int], order: Array) -> Any:
        """The table with the rows of some columns in another order, the same in all of them."""
        if self.frame is not None:
            return self.frame.with_columns(*(self.frame[self.names[j]][order] for j in chosen)).to_native()
        return self.with_arrays({j: self.values(j)[order] for j in chosen})

    def replaced(self, cells: Mapping[int, Cell], source: TableColumns) -> Any:
        """The table with one value in all rows of some columns; `source` is the table whose rows the cells name."""
        if self.frame is not None:
            return self.frame.with_columns(*(source.constant(j, cell, self.rows) for j, cell in cells.items())).to_native()
        return self.with_arrays({j: np.full(self.rows, cell.value) for j, cell in cells.items()})

    def at(self, cells: Mapping[int, Sequence[Cell]]) -> Any:
        """A table with a row for each of as many cells of some columns; the other columns are those of the first row."""
        count = len(next(iter(cells.values())))
        first = self.taken(np.zeros(count, np.int64))
        if self.frame is None:
            return first.with_arrays({j: np.array([cell.value for cell in listed]) for j, listed in cells.items()})
        import narwhals.stable.v2 as nw

        changed = []
        for j, listed in cells.items():
            name = self.names[j]
            if listed[0].row is not None:
                changed.append(self.frame[name][np.array([cell.row for cell in listed])].alias(name))
            else:
                values = [float(cell.value) for cell in listed]
                changed.append(nw.new_series(name, values, nw.Float64, backend=self.frame.implementation))
        return first.frame.with_columns(*changed).to_native()

    def constant(self, j: int, cell: Cell, rows: int) -> Any:
        """A column of a data frame that holds one value."""
        if cell.row is not None:
            return self.frame[self.names[j]][np.full(rows, cell.row)]
        import narwhals.stable.v2 as nw

        return nw.lit(float(cell.value)).alias(self.names[j])

    def with_arrays(self, values: Mapping[int, Array]) -> Any:
        """An array, or a sparse matrix, with other columns; of a type that holds their values."""
        changed = self.X.tolil() if sparse.issparse(self.X) else self.X
        changed = changed.astype(np.result_type(changed.dtype, *(one.dtype for one in values.values())), copy=True)
        for j, column in values.items():
            changed[:, [j]] = column[:, None]
        return changed.tocsr() if sparse.issparse(changed) else changed
