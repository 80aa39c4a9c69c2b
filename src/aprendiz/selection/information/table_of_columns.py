"""Tables for the functions of mutual information: measured columns and columns of codes, told apart as in scikit-learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from aprendiz.core.columns import Mixed
from aprendiz.core.inputs import Target, open_rows
from aprendiz.core.learner import Learner
from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.selection.information.column_codes import whole_table


class NoSuchColumnError(ParameterError, IndexError):
    """A mask or a number of a column beyond the table."""


class Reader(Learner):
    """Reads any table, and learns nothing."""

    allows = frozenset({"missing", "categories", "sparse"})
    least_classes: ClassVar[int] = 1
    several_targets: ClassVar[bool] = False


@dataclass(frozen=True)
class TableOfColumns:
    """Measured columns, NaN where a cell is missing, and columns of codes, −1 where one is: each a row of its array. `measured`
    and `coded` are their places in the table, `y` the target and `labels` its classes, if it is one of classes."""

    numbers: Array
    codes: Array
    measured: Array
    coded: Array
    y: Array
    labels: Array | None

    @property
    def columns(self) -> int:
        return len(self.measured) + len(self.coded)


def read_columns(X: Any, y: Any, target: Target, discrete_features: Any) -> TableOfColumns:
    """A table with its target. `discrete_features` is "auto" (words, and sparse tables), one answer for all columns, a mask, or
    the numbers of columns."""
    return columns_of(open_rows(Reader(), X, y, target=target), discrete_features)


def columns_of(rows: Rows, discrete_features: Any) -> TableOfColumns:
    """The same of rows that are opened already."""
    table, y = whole_table(rows)[0], rows.y if in_memory(rows) else rows.each(lambda block: block.y)
    assert y is not None
    if y.ndim != 1:
        raise ValueError(f"y should be a 1d array, got an array of shape {y.shape} instead.")
    refuse_weights(rows)
    words = np.zeros(rows.columns, bool)
    if isinstance(table, Mixed):
        words[list(table.columns.coded)] = True
    discrete = mask_of(discrete_features, rows.columns, sparse.issparse(table)) | words
    if sparse.issparse(table) and not discrete.all():
        raise ValueError(
            "Sparse matrix `X` can't have continuous features: noise would fill the zeros. "
            "Give X.toarray(), or discrete_features=True."
        )
    measured, coded = np.flatnonzero(~discrete), np.flatnonzero(discrete)
    codes = np.empty((len(coded), len(y)), np.int32)
    for place, j in enumerate(coded):
        codes[place] = codes_of_column(table, int(j))
    numbers = table.numbers[:, [table.columns.numeric.index(j) for j in measured]] if isinstance(table, Mixed) else table
    if not len(measured):
        numbers = np.empty((len(y), 0))
    elif not isinstance(table, Mixed):
        numbers = numbers[:, measured] if len(coded) else numbers
    return TableOfColumns(
        np.ascontiguousarray(np.asarray(numbers).T, dtype=np.float64), codes, measured, coded, np.asarray(y), rows.labels
    )


def refuse_few_rows(table: TableOfColumns, n_neighbors: int) -> None:
    """Stop where a row has fewer neighbours than are asked for."""
    if len(table.measured) and n_neighbors >= len(table.y):
        raise ValueError(
            f"Expected n_neighbors < n_samples, but n_neighbors = {n_neighbors} and X has {len(table.y)} rows: ask for fewer."
        )


def refuse_weights(rows: Rows) -> None:
    """Weights that came with opened rows."""
    weighted = rows.weight is not None if in_memory(rows) else rows.first(lambda block: block.weight is not None)
    if weighted:
        raise ValueError("Mutual information counts rows as they are: open the rows without a column of weights.")


def mask_of(discrete_features: Any, columns: int, auto: bool) -> Array:
    """Which columns hold codes."""
    if isinstance(discrete_features, str):
        if discrete_features != "auto":
            raise ParameterError(
                f"discrete_features must be 'auto', True, False, a mask or numbers of columns, got {discrete_features!r}."
            )
        return np.full(columns, auto)
    if isinstance(discrete_features, (bool, np.bool_)):
        return np.full(columns, bool(discrete_features))
    given = np.asarray(discrete_features)
    if given.dtype == bool and given.shape == (columns,):
        return given
    mask = np.zeros(columns, bool)
    if given.ndim != 1 or given.dtype.kind not in "iu" or (given >= columns).any() or (given < -columns).any():
        raise NoSuchColumnError(
            f"discrete_features must be 'auto', True, False, a mask of {columns} entries or numbers of columns from 0 to "
            f"{columns - 1}, got {discrete_features!r}."
        )
    mask[given] = True
    return mask


def codes_of_column(table: Any, j: int) -> Array:
    """One column as codes 0, 1, …, in the order of its values."""
    if isinstance(table, Mixed) and j in table.columns.coded:
        return np.asarray(table.codes[:, table.columns.coded.index(j)])
    if isinstance(table, Mixed):
        x = table.numbers[:, table.columns.numeric.index(j)]
    else:
        x = table[:, [j]].toarray()[:, 0] if sparse.issparse(table) else table[:, j]
    known = np.isfinite(x)
    codes = np.full(len(x), -1)
    codes[known] = np.unique(x[known], return_inverse=True)[1]
    return codes
