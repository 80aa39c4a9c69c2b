"""X as a table of numbers: NumPy, lists, sparse matrices and data frames, checked cell by cell.

A cell that is no number, and a cell that is infinite (or missing, where that is not fine), is named by row, column, value and
remedy. `start` is the number of the first row, where the table is a part of a larger one.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.validation import check_array

from aprendiz.core.containers import refuse_iterator, without_mask
from aprendiz.core.frames import as_floats, holds_numbers, is_missing, kinds_of_columns
from aprendiz.core.rows import Array, Block, block_rows
from aprendiz.core.threads import ordered_map
from aprendiz.core.whole_numbers import LARGEST, first_inexact, fits_double, refuse_inexact_cell, refuse_inexact_cells


def first_bad_cell(table: Any, *, missing_is_fine: bool) -> tuple[int, int, float] | None:
    """The first cell that is infinite, or missing where that is not fine: (row, column, value)."""
    stored = table.data if sparse.issparse(table) else table

    def suspicious(part: Array) -> bool:
        with np.errstate(over="ignore", invalid="ignore"):
            return not np.isfinite(part.sum())  # a sum of finite numbers may overflow: that is settled below

    length = len(stored)
    if stored.size == 0:
        return None
    size = length if stored.size < 2**17 else block_rows(stored.size // length)
    parts = (stored[start : start + size] for start in range(0, length, size))
    if not any(ordered_map(suspicious, parts)):
        return None
    bad = np.isinf(stored) if missing_is_fine else ~np.isfinite(stored)
    if not bad.any():
        return None
    if stored is table:
        row, column = (int(i) for i in np.argwhere(bad)[0])
    else:
        entry = int(np.flatnonzero(bad)[0])
        row, column = int(np.searchsorted(table.indptr, entry, side="right")) - 1, int(table.indices[entry])
    return row, column, float(table[row, column])


def refuse_cell(row: int, column: int, value: float, names: Sequence[str] | None) -> None:
    where = f"row {row}, column {column if names is None else repr(names[column])}"
    if np.isnan(value):
        raise ValueError(f"Input X contains NaN: {where}. Impute it (SimpleImputer) or leave the row out.")
    raise ValueError(f"Input X contains infinity ({value}): {where}. Replace it or leave the row out.")


def refuse_bad_block(block: Block) -> Block:
    """Blocks that an earlier step of a pipeline made may still miss cells."""
    if bad := first_bad_cell(block.X, missing_is_fine=False):
        refuse_cell(block.start + bad[0], bad[1], bad[2], None)
    return block


def array_table(X: Any, start: int = 0) -> Array:
    """Lists, arrays of other types, anything that NumPy can read."""
    refuse_iterator("X", X)
    X = without_mask(X)
    seen = np.asarray(X, dtype=object) if isinstance(X, (list, tuple)) else np.asarray(X)
    if seen.dtype.kind == "c":
        raise ValueError("Complex data not supported: give real and imaginary parts as columns of their own.")
    if seen.dtype.kind in "mM":
        first = f"{seen.ravel()[0]} in row 0, column 0" if seen.size else "none yet"
        raise ValueError(f"Input X holds dates or durations ({first}): give numbers, such as days since a reference date.")
    if (seen.ndim == 0 and seen.dtype.kind in "OUS") or seen.dtype.kind == "V":
        refuse_no_table(X, seen)
    if seen.ndim == 1 and seen.dtype == object and len(seen):
        refuse_unequal_rows(seen)
    if seen.ndim == 2 and seen.dtype.kind in "OUS":
        return numbers_of_objects(seen, start)
    if seen.ndim == 2:
        refuse_inexact_cells(seen, start)
    checked: Array = check_array(
        X, dtype=[np.float64, np.float32], ensure_all_finite=False, ensure_min_samples=0, ensure_min_features=0
    )
    return checked


def refuse_no_table(X: Any, seen: Array) -> None:
    """A word, a set, a function, an array of records."""
    if seen.dtype.kind == "V":
        raise ValueError("Expected 2D array, X holds records: give their fields as columns, or make a data frame of them.")
    what = (
        f"the text {str(X)[:80]!r}" if seen.dtype.kind in "US" or isinstance(X, (str, bytes)) else f"of type {type(X).__name__}"
    )
    raise ValueError(
        f"Expected 2D array, X is {what}: give an array, a data frame or a list of rows. "
        "A file is opened with aprendiz.rows(path)."
    )


def refuse_unequal_rows(rows: Array) -> None:
    lengths = [len(row) if isinstance(row, (list, tuple, np.ndarray)) else -1 for row in rows]
    if -1 not in lengths and len(set(lengths)) > 1:
        row = next(i for i, length in enumerate(lengths) if length != lengths[0])
        raise ValueError(f"In X, row {row} has {lengths[row]} cells, row 0 has {lengths[0]}: all rows need the same columns.")


def numbers_of_objects(table: Array, start: int = 0) -> Array:
    """A table of Python objects as numbers, or a word about the first cell that is none."""
    result = np.empty(table.shape)
    for (row, column), value in np.ndenumerate(table):
        result[row, column] = number_of_object(value, start + row, column)
    return result


def number_of_object(value: Any, row: int, column: Any, kind: str = "") -> float:
    """A cell as a number; None is a missing one."""
    where = f"row {row}, column {column if isinstance(column, int) else repr(column)}{kind}"
    if is_missing(value):
        return float("nan")
    if isinstance(value, (str, bytes)):
        raise ValueError(
            f"Input X holds the text {str(value)!r} in {where}: numbers are needed. "
            "Encode the column (OneHotEncoder) or leave it out."
        )
    if isinstance(value, (complex, np.complexfloating)):
        raise ValueError(f"Complex data not supported: {value!r} in {where}. Give its parts as columns of their own.")
    if not isinstance(value, (bool, int, float, Real, np.number, np.bool_, Decimal)):
        raise TypeError(
            f"Input X holds {value!r} in {where}: the argument must be free of strings and objects, every cell a number. "
            "Encode the column or leave it out."
        )
    try:
        number = float(value)
    except OverflowError:
        raise ValueError(f"Input X holds a number too large for a double in {where}: scale the column.") from None
    if abs(number) >= LARGEST and not fits_double(value):
        refuse_inexact_cell(value, row, column if isinstance(column, int) else repr(column))
    return number


def sparse_table(X: Any, name: str, allowed: bool) -> Any:
    """A CSR matrix in canonical form: entries of a row in the order of their columns, one for each cell, several of one cell
    added. What was passed is never changed; where it has this form, its arrays are shared."""
    if not allowed:
        raise TypeError(f"Sparse data was passed to {name}, which needs dense data: use X.toarray().")
    if np.issubdtype(X.dtype, np.complexfloating):
        raise ValueError("Complex data not supported: give real and imaginary parts as columns of their own.")
    if X.dtype.kind in "iu":
        refuse_inexact_entries(X)
    if X.dtype.kind != "b" and X.dtype not in (np.float64, np.float32):
        X = X.astype(np.float64)  # before entries are added: the sum of two bytes may be none
    table = X.tocsr()
    refuse_entries_outside(table)
    if not table.has_canonical_format:
        table = table.copy()
        table.sum_duplicates()
    return table.astype(np.float64) if X.dtype.kind == "b" else table


def refuse_entries_outside(table: Any) -> None:
    """Stop at entries that lie outside of the table, or at rows that overlap: compiled code trusts these numbers."""
    columns, starts, entries = table.indices, table.indptr, len(table.data)
    good = len(starts) == table.shape[0] + 1 and starts[0] == 0 and starts[-1] <= min(entries, len(columns))
    good = good and bool((starts[1:] >= starts[:-1]).all())
    used = columns[: starts[-1]] if good else columns
    if not good or (len(used) and (used.max() >= table.shape[1] or used.min() < 0)):
        raise ValueError("Input X is a sparse matrix with wrong indices: make it again from rows, columns and values.")


def refuse_inexact_entries(X: Any) -> None:
    entries = X.tocoo()
    if (place := first_inexact(entries.data)) is not None:
        refuse_inexact_cell(entries.data[place], int(entries.row[place]), int(entries.col[place]))


def frame_table(frame: Any, start: int = 0, *, whole: bool = False) -> tuple[list[str], Array]:
    """Column by column, so that a column that cannot be read is named. Where all hold whole numbers, these may stay `whole`."""
    names = list(frame.columns)
    native = frame.to_native()
    kinds = kinds_of_columns(frame) if hasattr(native, "to_numpy") else set()
    if kinds == {"float64"} or (whole and kinds in ({"int64"}, {"int32"})):  # nothing can be wrong with floats
        return names, np.asarray(native.to_numpy())
    series = list(frame.iter_columns())
    dtype = np.float32 if series and all(str(s.dtype) == "Float32" for s in series) else np.float64
    table = np.empty((len(frame), len(names)), dtype=dtype)
    for j, (name, column) in enumerate(zip(names, series, strict=True)):
        if holds_numbers(column):
            table[:, j] = as_floats(column, start)
        else:
            kind = f" ({column.dtype})"
            table[:, j] = [number_of_object(value, row, name, kind) for row, value in enumerate(column.to_list(), start)]
    return names, table
