"""Columns of arrow as arrays: features, targets and weights, checked cell by cell.

What is missing, infinite, no number, or a whole number that a double would round is named by file, column, row and value.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.core.whole_numbers import LARGEST, first_inexact, fits_double, in_words, refuse_inexact

WHOLE = r"\s*[+-]?[0-9]+\s*"
SHORT = 15  # signs of a number that any double holds


def numbers(column: Any, name: str, file: str, start: int, missing_is_fine: bool = False) -> Array:
    """A column of arrow's as float64; a cell that is missing (if that is not fine), infinite or no number is named."""
    types = arrow("types")
    kind = column.type
    if not (types.is_integer(kind) or types.is_floating(kind) or types.is_boolean(kind) or types.is_decimal(kind)):
        value = next((v for v in column.to_pylist() if v is not None), None)
        raise ValueError(
            f"{file}: column {name!r} holds {kind}, not numbers (row {start}: {value!r}); encode it or choose other columns."
        )
    if types.is_integer(kind) and (place := first_inexact(whole := column.fill_null(0).to_numpy())) is not None:
        refuse_inexact(f"{file}: column {name!r} holds the whole number {whole[place]} in row {start + place}", whole[place])
    result = np.asarray(column.cast(arrow("lib").float64()).to_numpy(zero_copy_only=False), dtype=np.float64)
    if types.is_decimal(kind) and largest_size(result) >= LARGEST:
        refuse_rounded(column, name, file, start)
    if np.isfinite(result.sum()):
        return result
    good = ~np.isinf(result) if missing_is_fine else np.isfinite(result)
    if not good.all():
        row = int(np.flatnonzero(~good)[0])
        shown = "a missing cell (NaN)" if np.isnan(result[row]) else "an infinite cell (inf)"
        raise ValueError(f"{file}: {shown} in column {name!r}, row {start + row}; impute it or leave the row out.")
    return result


def values(column: Any, name: str, file: str, start: int) -> Array:
    """A target as arrow holds it: numbers, or words."""
    if column.null_count:
        row = next(i for i, v in enumerate(column.to_pylist()) if v is None)
        raise ValueError(f"{file}: the target {name!r} is missing in row {start + row}; leave the row out.")
    if arrow("types").is_decimal(column.type):
        return numbers(column, name, file, start)
    result = column.to_numpy(zero_copy_only=False)
    if result.dtype.kind == "f" and (bad := ~np.isfinite(result)).any():
        row = int(np.flatnonzero(bad)[0])
        raise ValueError(f"{file}: the target {name!r} is {result[row]} in row {start + row}; leave the row out.")
    return result.astype(str) if result.dtype == object else result


def whole_if_possible(column: Any, name: str, file: str, start: int) -> Any:
    """Text as whole numbers; as numbers if some are no whole ones."""
    lib, text = arrow("lib"), arrow("compute").utf8_trim_whitespace(column)
    for kind in (lib.int64(), lib.float64()):
        try:
            return text.cast(kind)
        except lib.ArrowInvalid:
            continue
    row, value = next((row, value) for row, value in enumerate(text.to_pylist()) if value is not None and not is_number(value))
    raise ValueError(
        f"{file}: column {name!r}: row {start + row}: {value!r} is no number; correct the cell or leave the row out."
    )


def refuse_rounded(column: Any, name: str, file: str, start: int) -> None:
    """Stop at the first whole number of a column of text or of decimals that no double holds."""
    whole = re.compile(WHOLE)
    for row, value in enumerate(column.to_pylist()):
        if isinstance(value, str):
            value = int(value) if len(value) > SHORT and whole.fullmatch(value) else None
        if value is not None and not fits_double(value):
            refuse_inexact(f"{file}: column {name!r} holds the whole number {in_words(int(value))} in row {start + row}", value)


def largest_size(values: Array) -> float:
    """The largest size of a known number, 0 if there is none."""
    return float(max(np.fmax.reduce(values, initial=0.0), -np.fmin.reduce(values, initial=0.0)))


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def arrow(module: str) -> Any:
    """A module of pyarrow, which comes with the extra `lab`."""
    try:
        from importlib import import_module

        return import_module(f"pyarrow.{module}")
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError('Reading files needs pyarrow: pip install "aprendiz[lab]".') from error
