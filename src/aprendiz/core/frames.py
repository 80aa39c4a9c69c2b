"""Data frames of any library, seen through narwhals: pandas, polars, pyarrow."""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.rows import Array


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


def holds_numbers(column: Any) -> bool:
    """Are the cells of a column numbers, or True and False?"""
    return bool(column.dtype.is_numeric() or str(column.dtype) == "Boolean")


def is_of_words(column: Any) -> bool:
    """Does a column hold words: text, categories, or objects of which one is text?"""
    kind = str(column.dtype)
    if kind == "Object":
        return any(isinstance(value, (str, bytes)) for value in column.to_list())
    return kind == "String" or kind.startswith(("Categorical", "Enum"))


def as_floats(column: Any) -> Array:
    """A column of numbers as float64, NaN where a cell is missing."""
    import narwhals.stable.v2 as nw

    if column.null_count():
        column = column.cast(nw.Float64)
    return np.asarray(column.to_numpy(), dtype=np.float64)


def is_missing(value: Any) -> bool:
    """None, NaN, and what pandas uses for them."""
    return value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float) and value != value)
