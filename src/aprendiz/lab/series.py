"""Columns as pandas keeps them: float64, bool, datetime64, and for words either categories or plain text.

Words are categories if they come again: at most 20 of them, or at most half as many as cells (and no more than 10 000).
Categories are sorted, unless the file declares their order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from aprendiz.evaluation.leaks.table_columns import ColumnKind, TableColumn
from aprendiz.lab.cells import EXACT

FEW_LEVELS, MOST_LEVELS = 20, 10_000  # levels that are categories in any table, and never more than

ARROW = {"number": pa.float64(), "boolean": pa.bool_(), "date": pa.timestamp("us"), "text": pa.string()}


def series(kind: str, values: Any) -> Any:
    """An arrow column of a type as a column of pandas."""
    if kind == "number":
        return values.to_numpy(zero_copy_only=False) if isinstance(values, pa.Array) else values.to_numpy()
    if kind == "boolean" and values.null_count:
        return pd.array(values.to_pylist(), dtype="boolean")
    if kind == "text":
        return words(values)
    return values.to_pandas()


def words(values: Any) -> Any:
    """Text as sorted categories if it comes again, else as text."""
    coded = values.dictionary_encode()
    coded = coded.combine_chunks() if isinstance(coded, pa.ChunkedArray) else coded
    levels, cells = coded.dictionary.to_pylist(), len(coded) - coded.null_count
    if len(levels) > max(FEW_LEVELS, min(cells / 2, MOST_LEVELS)):
        return values.to_pandas()
    order = sorted(range(len(levels)), key=levels.__getitem__)
    ranks = np.empty(len(levels) + 1, np.int64)
    ranks[order], ranks[-1] = np.arange(len(levels)), -1  # a missing cell has the code −1, the last
    codes = ranks[coded.indices.fill_null(-1).to_numpy()]
    return pd.Categorical.from_codes(codes, categories=[levels[i] for i in order])


def categories(cells: Sequence[Any], levels: Sequence[str], ordered: bool = False) -> Any:
    """Words whose levels are declared, in that order."""
    return pd.Categorical(cells, categories=list(levels), ordered=ordered)


def kind_of_series(column: Any) -> ColumnKind:
    """The type of a column of pandas, in the words of cells.py."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return "text"
    if pd.api.types.is_bool_dtype(column.dtype):
        return "boolean"
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        return "date"
    return "number" if pd.api.types.is_float_dtype(column.dtype) else "text"


def as_table_column(column: Any) -> TableColumn:
    """A column of pandas as the search for leaks takes it."""
    kind = kind_of_series(column)
    if kind == "number":
        return TableColumn(column.name, kind, column.to_numpy())
    declared = isinstance(column.dtype, pd.CategoricalDtype)
    codes = column.cat.codes.to_numpy() if declared else pd.factorize(column, sort=True)[0]
    return TableColumn(column.name, kind, codes.astype(np.int64), bool(declared and column.cat.ordered))


def as_table_columns(frame: Any) -> list[TableColumn]:
    """The columns of a frame of pandas; the numbers are taken out together, for there may be thousands."""
    numbers = [place for place, kind in enumerate(frame.dtypes) if kind == np.float64]
    values = iter(np.ascontiguousarray(frame.iloc[:, numbers].to_numpy().T))
    known = {place: TableColumn(frame.columns[place], "number", next(values)) for place in numbers}
    return [known[place] if place in known else as_table_column(frame.iloc[:, place]) for place in range(frame.shape[1])]


def exact(values: Any) -> bool:
    """Are all whole numbers of an arrow column doubles?"""
    import pyarrow.compute as pc

    limits = pc.min_max(values).as_py()
    return limits["min"] is None or (limits["min"] >= -EXACT and limits["max"] <= EXACT)


def label_of(value: Any) -> str:
    """A class as text: 1, not 1.0; true, not True."""
    if isinstance(value, (bool, np.bool_)):
        return str(value).lower()
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
