"""Columns of dates as learners want them: numbers.

    days            since the first date among the rows of the fit: what drifts with time
    year            where there are several
    month           1 to 12, with sine and cosine of 2π·(month − 1)/12, so that December is near January
    weekday         0 (Monday) to 6, with sine and cosine of 2π·weekday/7
    hour            0 to 24 with its minutes, with sine and cosine of 2π·hour/24

Which parts vary is known from the schema (`date_parts`), the first date from the rows of the fit. Missing dates are
missing cells.

Cost: one look at each cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.cells import Column
from aprendiz.core.columns import Columns
from aprendiz.core.rows import Array

PERIODS = {"month": 12.0, "weekday": 7.0, "hour": 24.0}
DAY = 86_400e9  # nanoseconds


def date_parts(dates: Any) -> tuple[str, ...]:
    """The parts that vary among some dates."""
    known = dates.dropna().dt
    varies = {"year": known.year, "month": known.month, "weekday": known.day_of_week, "hour": known.hour}
    return ("days", *(name for name, values in varies.items() if values.nunique() > 1))


def dates_of(X: Any, name: Any) -> Any:
    """The cells of a column as moments. Numbers are days since 1970."""
    cells = X[name]
    if pd.api.types.is_datetime64_any_dtype(getattr(cells, "dtype", None)):
        return pd.Series(cells)
    numbers = pd.api.types.is_numeric_dtype(getattr(cells, "dtype", object))
    return pd.to_datetime(pd.Series(cells), errors="coerce", **({"unit": "D"} if numbers else {}))


def days_of(dates: Any) -> Array:
    """Days since 1970, NaN for a missing date."""
    moments = dates.to_numpy(dtype="datetime64[ns]")
    return np.where(np.isnat(moments), np.nan, moments.astype(np.int64) / DAY)


def numbers_of(dates: Any, parts: tuple[str, ...], first: float) -> Iterator[Array]:
    """The numbers of some dates, in the order of `names_of`."""
    for part in parts:
        if part == "days":
            yield days_of(dates) - first
            continue
        clock = dates.dt
        name = {"weekday": "day_of_week"}.get(part, part)
        values = clock.hour + clock.minute / 60 if part == "hour" else getattr(clock, name)
        numbers = values.to_numpy(dtype=float, na_value=np.nan)
        yield numbers
        if part in PERIODS:
            turn = 2 * np.pi * (numbers - (part == "month")) / PERIODS[part]
            yield np.sin(turn)
            yield np.cos(turn)


def names_of(column: Column) -> list[str]:
    """The names of the numbers of a column of dates."""
    cycles = {part: (part, f"{part} (sine)", f"{part} (cosine)") for part in PERIODS}
    return [f"{column.name}: {name}" for part in column.levels for name in cycles.get(part, (part,))]


class DateColumns(TransformerMixin, BaseEstimator):
    """A table with its dates as numbers; other columns stay as they are.

    Parameters
    ----------
    columns : Columns
        The schema of all columns.

    Attributes
    ----------
    first_ : dict of name to float
        The first date of each column of dates, in days since 1970; NaN if there is none.
    """

    first_: dict[Any, float]

    def __init__(self, columns: Columns):
        self.columns = columns

    def fit(self, X: Any, y: Any = None) -> Self:
        """The first date of each column of dates."""
        first = {}
        for column in self.columns:
            if column.kind == "date":
                days = days_of(dates_of(X, column.name))
                first[column.name] = float(np.nanmin(days)) if not np.isnan(days).all() else np.nan
        self.__dict__.update(first_=first, n_features_in_=len(self.columns))
        return self

    def transform(self, X: Any) -> Any:
        """A pandas frame."""
        check_is_fitted(self)
        cells: dict[Any, Any] = {}
        for column in self.columns:
            if column.kind == "date":
                dates = dates_of(X, column.name)
                numbers = numbers_of(dates, column.levels, self.first_[column.name])
                cells |= dict(zip(names_of(column), numbers, strict=True))
            else:
                cells[column.name] = X[column.name]
        return pd.DataFrame(cells, index=getattr(X, "index", None))

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        return np.array(without_dates(self.columns).names, dtype=object)


def without_dates(columns: Columns) -> Columns:
    """The schema of the table in which dates are numbers."""
    found = list[Column]()
    for column in columns:
        found += [Column(name, "numeric") for name in names_of(column)] if column.kind == "date" else [column]
    return Columns(tuple(found))
