"""Complete rows: those with a missing cell are left out, and it is said which.

    kept = {i : no cell x_ij is missing, nor y_i}                                                             (1)

R's `na.omit`. The rows that are left are a fair sample of all rows only if cells are missing at random; where many rows would
go, `SimpleImputer` fills the cells instead, and `GaussianMixture`, naive Bayes and trees take missing cells as they are. Rows
can be left out of what is learned from, never of what must be predicted.

Cost: O(n·d).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.containers import refuse_iterator, without_mask
from aprendiz.core.frames import as_frame, is_missing
from aprendiz.core.inputs import is_read_in_blocks
from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array
from aprendiz.core.targets import same_length
from aprendiz.preprocessing.shared.some_rows import as_series, chosen

LISTED = 10  # rows that are named


@dataclass(frozen=True, eq=False)
class CompleteRows:
    """The rows without missing cells; printed, which rows were dropped and why.

    Attributes
    ----------
    X, y, sample_weight
        What was given, without the dropped rows, in the same form.
    kept, dropped : ndarray of int
        The numbers of the rows.
    missing : dict of column to int
        How many of the rows miss the cell of each column that was looked at, where any does.
    missing_targets : int
        How many of the rows have no target.
    """

    X: Any
    y: Any
    sample_weight: Any
    kept: Array
    dropped: Array
    missing: dict[Any, int]
    missing_targets: int

    def __str__(self) -> str:
        rows = len(self.kept) + len(self.dropped)
        if not len(self.dropped):
            return f"All {rows} rows are complete."
        shown = ", ".join(map(str, self.dropped[:LISTED])) + (", …" if len(self.dropped) > LISTED else "")
        causes = [f"{name!r} {count}" for name, count in self.missing.items()]
        causes += [f"target {self.missing_targets}"] if self.missing_targets else []
        return f"{len(self.dropped)} of {rows} rows dropped: {shown}. Missing cells: {', '.join(causes)}."


def drop_missing(
    X: Any,
    y: Any = None,
    sample_weight: Any = None,
    *,
    columns: Sequence[Any] | None = None,
    missing_values: Any = np.nan,
) -> CompleteRows:
    """Leave out the rows with a missing cell or target, as R's `na.omit` does.

    Parameters
    ----------
    X : array, sparse matrix, list of rows or data frame
        A table in memory, which is not changed.
    y : array-like of shape (n_samples,) or (n_samples, n_targets), optional
    sample_weight : array-like of shape (n_samples,), optional
    columns : sequence of names or numbers, optional
        The columns whose cells must be known; by default, all.
    missing_values : number, str, NaN, None or pandas.NA, default=NaN
        What stands for a missing cell of X, beside NaN, None and the like.

    Returns
    -------
    CompleteRows

    Examples
    --------
    >>> found = drop_missing([[1.0, 2.0], [np.nan, 3.0], [4.0, 5.0]], ["a", "b", None])
    >>> print(found)
    2 of 3 rows dropped: 1, 2. Missing cells: 0 1, target 1.
    >>> found.X, found.y
    ([[1.0, 2.0]], ['a'])
    """
    if is_read_in_blocks(X):
        raise TypeError(
            "drop_missing needs a table in memory, got rows that are read in blocks: "
            "read the file with pandas, or fill the cells with SimpleImputer."
        )
    refuse_iterator("X", X)
    if not (np.isscalar(missing_values) or is_missing(missing_values)):
        raise ParameterError(f"missing_values of drop_missing must be a number, a word or None, got {missing_values!r}.")
    gaps, names = gaps_of(X, missing_values)
    places = range(len(names)) if columns is None else [place_of(column, names) for column in columns]
    no_target = np.zeros(len(gaps), bool) if y is None else missing_targets(y, len(gaps))
    if sample_weight is not None:
        same_length("sample_weight", len(np.asarray(sample_weight)), len(gaps))
    incomplete = gaps[:, list(places)].any(axis=1) | no_target
    kept, counts = np.flatnonzero(~incomplete), gaps.sum(axis=0)
    if not len(kept) and len(gaps):
        worst = max(places, key=lambda j: counts[j], default=0)
        raise ValueError(
            f"None of the {len(gaps)} rows is complete; column {names[worst]!r} lacks {counts[worst]} cells: "
            "leave such columns out, or fill the cells with SimpleImputer."
        )
    return CompleteRows(
        chosen(X, kept),
        chosen(y, kept),
        chosen(sample_weight, kept),
        kept,
        np.flatnonzero(incomplete),
        {names[j]: int(counts[j]) for j in places if counts[j]},
        int(no_target.sum()),
    )


def gaps_of(X: Any, hide: Any) -> tuple[Array, list[Any]]:
    """Which cells are missing, rows × columns, and the names of the columns."""
    if sparse.issparse(X):
        found = np.zeros(X.shape, bool)
        cells = X.tocoo()
        missing = missing_cells(cells.data, hide)
        found[cells.row[missing], cells.col[missing]] = True
        return found, list(range(X.shape[1]))
    if (frame := as_frame(X)) is not None:
        parts = [missing_in_series(series, hide) for series in frame.iter_columns()]
        return np.column_stack(parts) if parts else np.zeros((len(frame), 0), bool), list(frame.columns)
    table = as_table(X)
    return missing_cells(table, hide), list(range(table.shape[1]))


def as_table(X: Any) -> Array:
    """Rows and columns as an array; lists keep their cells as they are."""
    table = without_mask(X) if isinstance(X, np.ndarray) else np.array(X, dtype=object)
    if table.ndim == 1 and table.dtype.kind == "O" and all(isinstance(row, (list, tuple, np.ndarray)) for row in table):
        raise ValueError("X holds rows of unequal lengths: give as many cells in each.")
    if table.ndim != 2:
        raise ValueError(f"Expected 2D array, a table of rows and columns, got an array of shape {table.shape} instead.")
    return np.asarray(table)


def missing_cells(cells: Array, hide: Any) -> Array:
    """Which cells are NaN, None and the like, or hold what stands for it."""
    if cells.dtype.kind in "fc":
        found = np.isnan(cells)
    elif cells.dtype.kind == "O":
        found = np.fromiter(map(is_missing, cells.ravel()), bool, cells.size).reshape(cells.shape)
    else:
        found = np.zeros(cells.shape, bool)
    if is_missing(hide) or (cells.dtype.kind != "O" and isinstance(hide, str) != (cells.dtype.kind in "US")):
        return found
    if cells.dtype.kind != "O":
        return np.asarray(found | (cells == hide))
    same = (not gone and bool(cell == hide) for cell, gone in zip(cells.ravel(), found.ravel(), strict=True))
    return np.asarray(found | np.fromiter(same, bool, cells.size).reshape(cells.shape))


def missing_in_series(series: Any, hide: Any) -> Array:
    """Which cells of a column of a data frame are missing."""
    found = np.asarray(series.is_null().to_numpy(), dtype=bool)
    if series.dtype.is_float():
        found = found | np.asarray(series.is_nan().fill_null(False).to_numpy(), dtype=bool)
    if not is_missing(hide):
        found = found | np.fromiter((not is_missing(cell) and cell == hide for cell in series.to_list()), bool, len(found))
    return found


def missing_targets(y: Any, rows: int) -> Array:
    """Which rows have no target."""
    if not isinstance(y, np.ndarray) and as_series(y) is None:
        refuse_iterator("y", y)
        y = np.array(y, dtype=object)
    values = as_series(y)
    found = missing_cells(without_mask(y), np.nan) if values is None else frame_gaps(values)
    same_length("y", len(found), rows)
    return found if found.ndim == 1 else np.asarray(found.any(axis=1))


def frame_gaps(values: Any) -> Array:
    """Which cells of a series or of a frame are missing."""
    if not hasattr(values, "iter_columns"):
        return missing_in_series(values, np.nan)
    return np.column_stack([missing_in_series(series, np.nan) for series in values.iter_columns()])


def place_of(column: Any, names: list[Any]) -> int:
    """The place of a column that is called by its name or its number."""
    if column in names:
        return names.index(column)
    whole = isinstance(column, (int, np.integer)) and not isinstance(column, bool)
    if whole and 0 <= column < len(names):
        return int(column)
    shown = ", ".join(map(repr, names[:LISTED])) + (", …" if len(names) > LISTED else "")
    raise ParameterError(f"columns of drop_missing names {column!r}, which X does not have: its columns are {shown}.")
