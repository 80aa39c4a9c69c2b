"""Data frames of any library, seen through narwhals: pandas, polars, pyarrow."""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.core.whole_numbers import LARGEST, first_inexact, fits_double, refuse_inexact_cell
from aprendiz.core.word_codes import few_words

MANY_CELLS = 2**12  # of a column of text; for fewer, arrow is not worth its import
WIDE = ("Int64", "UInt64", "Int128", "UInt128", "Decimal")  # types of columns that may hold more digits than a double


def as_frame(X: Any) -> Any:
    """A narwhals view of a pandas, polars or pyarrow table, else None."""
    if isinstance(X, (np.ndarray, list, tuple)):
        return None
    import narwhals.stable.v2 as nw

    if nw.dependencies.is_pandas_dataframe(X) and (repeated := X.columns.duplicated()).any():
        raise ValueError(f"The column name {X.columns[repeated][0]!r} appears more than once in X: rename one of them.")
    frame = nw.from_native(X, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        raise TypeError(f"X is a lazy frame ({type(X).__module__.split('.')[0]}): call its collect() first.")
    return frame if isinstance(frame, nw.DataFrame) else None


def kinds_of_columns(frame: Any) -> set[str]:
    """The types of the columns in the words of their library, each once; none where it keeps no list of them."""
    listed = getattr(frame.to_native(), "dtypes", [])
    kinds = listed.tolist() if hasattr(listed, "tolist") else listed
    return set(map(str, dict(zip(map(id, kinds), kinds, strict=True)).values()))  # each is put into words once


def has_words(frame: Any) -> bool:
    """Is any column one of words? Columns of plain numbers need not be looked at one by one: there may be very many."""
    kinds = kinds_of_columns(frame)
    if kinds and all(kind.lower().startswith(("float", "int", "uint", "bool")) for kind in kinds):
        return False
    return any(is_of_words(column) for column in frame.iter_columns())


def holds_numbers(column: Any) -> bool:
    """Are the cells of a column numbers, or True and False?"""
    return bool(column.dtype.is_numeric() or str(column.dtype) == "Boolean")


def is_of_words(column: Any) -> bool:
    """Does a column hold words: text, categories, or objects of which one is text?"""
    kind = str(column.dtype)
    if kind == "Object":
        return any(isinstance(value, (str, bytes)) for value in column.to_list())
    return kind == "String" or kind.startswith(("Categorical", "Enum"))


def words_by_code(column: Any) -> tuple[Array, list[str]] | None:
    """A long column of text, or of categories that are text: codes, −1 where a cell is missing, and the words they stand for;
    None where arrow, which does this many times faster than Python, is not installed or does not know the column."""
    if len(column) < MANY_CELLS:
        return None
    try:
        cells = column.to_arrow()
        cells = cells.combine_chunks() if hasattr(cells, "combine_chunks") else cells
        if (few := few_words(cells)) is not None:
            return few
        coded = cells if hasattr(cells, "dictionary") else cells.dictionary_encode()
        codes, words = coded.indices.fill_null(-1).to_numpy(zero_copy_only=False), coded.dictionary.to_pylist()
    except (ModuleNotFoundError, TypeError, ValueError, AttributeError):
        return None
    return (codes, words) if all(isinstance(word, str) for word in words) else None


def as_floats(column: Any, start: int = 0) -> Array:
    """A column of numbers as float64, NaN where a cell is missing. A whole number that no double holds is refused with its row
    (counted from `start`)."""
    import narwhals.stable.v2 as nw

    nulls = column.null_count()
    if str(column.dtype).partition("(")[0] in WIDE and (nulls or column.dtype not in (nw.Int64, nw.UInt64)):
        refuse_inexact_values(column, start)
    if nulls:
        column = column.cast(nw.Float64)
    cells = np.asarray(column.to_numpy())
    if (place := first_inexact(cells)) is not None:
        refuse_inexact_cell(cells[place], start + place, repr(column.name))
    return cells.astype(np.float64, copy=False)


def refuse_inexact_values(column: Any, start: int) -> None:
    """Stop at the first whole number of a column that no double holds, be it among missing cells or decimals."""
    low, high = column.min(), column.max()
    if low is not None and not (low >= -LARGEST and high <= LARGEST):
        for row, value in enumerate(column.to_list(), start):
            if not fits_double(value):
                refuse_inexact_cell(value, row, repr(column.name))


def is_missing(value: Any) -> bool:
    """None, NaN, what pandas uses for them, and a masked cell."""
    if value is None or value is np.ma.masked or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float) and value != value
