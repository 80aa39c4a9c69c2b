"""Checks of values, weights and parameters: every error names the row or the parameter, and the remedy."""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.frames import is_missing
from aprendiz.core.rows import Array
from aprendiz.core.targets import as_target, plain


def as_given(x: Any) -> Array:
    """An array whose cells are what was given: NumPy would make words of all cells of a list that holds one."""
    return np.asarray(x, object) if isinstance(x, (list, tuple)) else as_target(x)


def numbers(x: Any) -> Array:
    """Numbers of any shape as float64; None is a missing one."""
    try:
        values = as_target(x)
    except ValueError:
        raise ValueError("x has rows of different lengths: give all rows the same columns.") from None
    if values.dtype.kind in "biuf":
        return values.astype(np.float64)
    values = as_given(x)
    result = np.empty(values.shape)
    for place, value in np.ndenumerate(values):
        if is_missing(value):
            result[place] = np.nan
        elif isinstance(value, (bool, int, float, np.number, np.bool_)):
            result[place] = value
        else:
            raise ValueError(f"x holds {plain(value)!r}{where(place)}: give numbers, or use Categorical for words.")
    return result


def where(place: tuple[int, ...]) -> str:
    """A place in x, in words."""
    if not place:
        return ""
    return f" in row {place[0]}" + (f", column {place[1]}" if len(place) > 1 else "")


def column(x: Any) -> Array:
    """One column of finite numbers; missing cells (NaN) may be among them."""
    values = np.atleast_1d(numbers(x))
    if values.ndim != 1:
        raise ValueError(f"x has shape {values.shape}: give one column of numbers, such as x[:, 0].")
    refuse_infinite(values)
    return values


def table(X: Any, columns: int | None = None) -> Array:
    """Rows of finite numbers; missing cells (NaN) may be among them."""
    values = numbers(X)
    if values.ndim != 2 or not values.shape[1]:
        raise ValueError(f"X has shape {values.shape}: give a table of rows and columns.")
    if columns is not None and values.shape[1] != columns:
        raise ValueError(f"X has {values.shape[1]} columns, the distribution has {columns}: give the same columns.")
    refuse_infinite(values)
    return values


def chosen_columns(columns: Array, count: int) -> Array:
    """Numbers of distinct columns out of so many."""
    wrong = [c for c in columns.tolist() if type(c) is not int or not 0 <= c < count]
    if wrong or not len(columns) or len(np.unique(columns)) < len(columns):
        what = repr(wrong[0]) if wrong else repr(columns.tolist())
        raise ValueError(f"{what} names no distinct columns: they are numbered 0 to {count - 1}.")
    return columns.astype(np.intp)


def refuse_infinite(values: Array) -> None:
    if np.isinf(values).any():
        place = tuple(int(i) for i in np.argwhere(np.isinf(values))[0])
        raise ValueError(f"x holds infinity{where(place)}: replace it or leave the row out.")


def row_weights(weights: Any, rows: int) -> Array | None:
    """One finite weight of at least 0 for each row, or None."""
    if weights is None:
        return None
    given = as_given(weights)
    for row, value in enumerate(given.ravel()) if given.dtype.kind not in "biuf" else ():
        if not isinstance(value, (bool, int, float, np.number)):
            raise ValueError(f"weights holds {plain(value)!r} in row {row}: weights are numbers of at least 0.")
    w = given.astype(np.float64)
    if w.shape != (rows,):
        raise ValueError(f"weights has shape {w.shape}, x has {rows} rows: give one weight for each row.")
    if (bad := ~(np.isfinite(w) & (w >= 0))).any():
        row = int(np.flatnonzero(bad)[0])
        raise ValueError(f"weights holds {w[row]} in row {row}: weights are finite and at least 0.")
    return w


def drop_missing(values: Array, w: Array | None) -> tuple[Array, Array | None]:
    """The cells that are not missing, with their weights."""
    there = ~np.isnan(values)
    return (values, w) if there.all() else (values[there], None if w is None else w[there])


def labels_of(x: Any, w: Array | None) -> tuple[Array, Array | None]:
    """Labels of one kind, words or numbers, without those that are missing."""
    values = np.atleast_1d(as_given(x))
    if values.ndim != 1:
        raise ValueError(f"x has shape {values.shape}: give one column of labels.")
    if values.dtype == object or values.dtype.kind == "f":
        there = np.array([not is_missing(value) for value in values], dtype=bool)
        values, w = values[there], None if w is None else w[there]
    if values.dtype == object and len(values):
        kinds = {"str" if isinstance(value, str) else "number" for value in values}
        if len(kinds) > 1:
            raise TypeError("x mixes words and numbers, which have no order: make the labels one type.")
        values = np.array(values.tolist())
    return values, w


def finite(owner: Any, *names: str) -> None:
    """Store the named parameters of a frozen record as finite floats."""
    for name in names:
        value = getattr(owner, name)
        if not isinstance(value, (int, float, np.number)) or not np.isfinite(value):
            raise ValueError(f"{name} = {value!r} of {type(owner).__name__} must be a finite number.")
        object.__setattr__(owner, name, float(value))


def positive(owner: Any, *names: str, zero: bool = False) -> None:
    """The same for numbers above 0, or at least 0."""
    finite(owner, *names)
    for name in names:
        value = getattr(owner, name)
        if value < 0 or (value == 0 and not zero):
            least = "at least 0" if zero else "above 0"
            raise ValueError(f"{name} = {value:g} of {type(owner).__name__} must be {least}.")


def frozen(owner: Any, name: str, dimensions: int) -> Array:
    """Store a parameter of a frozen record as a read-only array of finite floats."""
    try:
        value = np.array(getattr(owner, name), dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"{name} of {type(owner).__name__} must hold finite numbers, and no words.") from None
    if value.ndim != dimensions or not value.size or not np.isfinite(value).all():
        kind = "a vector" if dimensions == 1 else "a square matrix"
        raise ValueError(f"{name} of {type(owner).__name__} must be {kind} of finite numbers, its shape is {value.shape}.")
    value.flags.writeable = False
    object.__setattr__(owner, name, value)
    return value
