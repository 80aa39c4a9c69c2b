"""Data frames of whichever library is installed: pandas, else polars, else pyarrow.

None of them is needed by the library itself, so they are imported when a frame is asked for. Columns of words become
categories: `category` in pandas, `Categorical` in polars (`Enum` if the levels have an order), dictionaries in pyarrow.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from numpy.typing import NDArray

Columns = Mapping[str, NDArray[Any]]
Levels = Mapping[str, tuple[str, ...]]


def data_frame(columns: Columns, levels: Levels, ordered: Collection[str]) -> Any:
    """A frame with these columns; those with levels are categories, ordered ones if named in `ordered`."""
    for library, build in (("pandas", pandas_frame), ("polars", polars_frame), ("pyarrow", arrow_table)):
        if find_spec(library):
            return build(import_module(library), columns, levels, ordered)
    raise ModuleNotFoundError("A frame needs pandas, polars or pyarrow: install one of them, for example `pip install pandas`.")


def pandas_frame(pandas: Any, columns: Columns, levels: Levels, ordered: Collection[str]) -> Any:
    """A DataFrame of pandas."""

    def series(name: str, values: NDArray[Any]) -> Any:
        return pandas.Categorical(values, categories=levels[name], ordered=name in ordered) if name in levels else values

    return pandas.DataFrame({name: series(name, values) for name, values in columns.items()})


def polars_frame(polars: Any, columns: Columns, levels: Levels, ordered: Collection[str]) -> Any:
    """A DataFrame of polars."""

    def kind(name: str) -> Any:
        if name in ordered:
            return polars.Enum(levels[name])
        return polars.Categorical() if name in levels else polars.Float64()

    return polars.DataFrame([polars.Series(name, values.tolist(), dtype=kind(name)) for name, values in columns.items()])


def arrow_table(arrow: Any, columns: Columns, levels: Levels, ordered: Collection[str]) -> Any:
    """A Table of pyarrow."""

    def series(name: str, values: NDArray[Any]) -> Any:
        if name not in levels:
            return arrow.array(values)
        codes = arrow.array([levels[name].index(word) for word in values], arrow.int8())
        return arrow.DictionaryArray.from_arrays(codes, list(levels[name]), ordered=name in ordered)

    return arrow.table({name: series(name, values) for name, values in columns.items()})
