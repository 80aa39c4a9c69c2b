"""What is known of a column by itself.

Numbers have quantiles, moments, a histogram and values far out; dates have a span, words have levels, lists have items.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from aprendiz.core.rows import Array
from aprendiz.lab.columns.lists import items_by_row
from aprendiz.lab.exploration.fences import fences
from aprendiz.lab.exploration.samples import ROWS_OF_COLUMNS, chosen_rows
from aprendiz.lab.facts import Facts, column_of
from aprendiz.lab.roles import Role
from aprendiz.lab.series import label_of

BARS = 24  # of a histogram
FEW_VALUES = 12  # whole numbers that get a bar each
LEVELS = 10  # that are listed
EXAMPLES = 5  # rows with a far value
LEVEL_LENGTH = 200  # characters of a level that are kept


def column_numbers(one: Facts, role: Role, series: Any, columns: int = 1) -> dict[str, Any]:
    """The entry of one of several columns in results.json."""
    found: dict[str, Any] = {
        "name": one.name,
        "kind": one.kind,
        "role": role.role,
        "reason": role.reason,
        "missing": one.missing,
        "distinct": one.distinct,
    }
    if not one.distinct:
        return found
    if one.kind == "number":
        return found | {"infinite": one.infinite} | of_numbers(series.to_numpy(), columns)
    if one.kind == "date":
        return found | of_dates(series)
    return found | (of_items(one, series) if one.kind == "list" else of_levels(one, series))


def of_numbers(column: Array, columns: int) -> dict[str, Any]:
    """Quantiles, moments, histogram, and values beyond the fences, of the finite cells."""
    finite = np.isfinite(column)
    values = np.sort(column[finite][chosen_rows(int(finite.sum()), ROWS_OF_COLUMNS)])
    if not len(values):
        return {}
    unit = float(max(abs(values[0]), abs(values[-1]))) or 1.0
    z = values / unit  # of which squares and differences are finite
    mean, sd = float(z.mean()), float(z.std(ddof=1)) if len(z) > 1 else 0.0
    limits = fences(z, columns)
    return {
        "mean": mean * unit,
        "sd": finite_or_none(sd * unit),
        "skewness": float((((z - mean) / sd) ** 3).mean()) if sd > 0 else None,
        "quantiles": [q * unit for q in np.quantile(z, [0.0, 0.25, 0.5, 0.75, 1.0]).tolist()],
        "zeros": int((column == 0).sum()),
        "whole": bool((values == np.floor(values)).all()),
        "histogram": histogram(values),
        "far_out": None if limits is None else far_out(column, limits[0] * unit, limits[1] * unit),
    }


def finite_or_none(value: float) -> float | None:
    return value if np.isfinite(value) else None


def histogram(values: Array) -> dict[str, Any]:
    """Counts between equidistant edges; of few different whole numbers, a bar for each."""
    low, high = float(values[0]), float(values[-1])
    if low == high:
        return {"edges": [low, high], "counts": [len(values)]}
    at = np.arange(BARS + 1) / BARS
    few = high / 2 - low / 2 < FEW_VALUES / 2 and bool((values == np.floor(values)).all())
    edges = np.arange(low - 0.5, high + 1) if few else low * (1 - at) + high * at
    edges[-1] = max(edges[-1], high)
    if not (edges[1:] > edges[:-1]).all():  # neighbouring doubles
        return {"edges": [low, high], "counts": [len(values)]}
    return {"edges": edges.tolist(), "counts": np.histogram(values, edges)[0].tolist()}


def far_out(column: Array, low: float, high: float) -> dict[str, Any]:
    """How many values lie beyond the fences, and the farthest of them with their rows, which are counted from 1."""
    rows = np.flatnonzero(np.isfinite(column) & ((column < low) | (column > high)))
    distance = np.maximum(low / 2 - column[rows] / 2, column[rows] / 2 - high / 2)
    order = rows[np.argsort(-distance, kind="stable")]
    values, counts = np.unique(column[rows], return_counts=True)
    commonest = int(counts.argmax()) if len(counts) else 0
    return {
        "low": low,
        "high": high,
        "count": len(rows),
        "farthest": [{"row": int(row) + 1, "value": float(column[row])} for row in order[:EXAMPLES]],
        "commonest": {"value": float(values[commonest]), "count": int(counts[commonest])} if len(counts) else None,
    }


def of_dates(series: Any) -> dict[str, Any]:
    """First and last day, and how the rows spread between them."""
    known = series.dropna()
    moments = np.sort(known.to_numpy().astype("datetime64[us]").astype(np.int64).astype(np.float64))
    counts = histogram(moments)["counts"]
    first, last = known.min(), known.max()
    return {"first": first.isoformat(), "last": last.isoformat(), "histogram": {"counts": counts}}


def of_levels(one: Facts, series: Any) -> dict[str, Any]:
    """The most frequent levels, and how much of the rows the others are."""
    counts = series.value_counts()
    shown = [{"level": label_of(level)[:LEVEL_LENGTH], "count": int(count)} for level, count in counts.head(LEVELS).items()]
    several = {} if isinstance(series.dtype, pd.CategoricalDtype) or one.kind == "boolean" else {"words": one.words}
    return {"levels": shown, "others": one.known - int(counts.head(LEVELS).sum()), **several}


def of_items(one: Facts, series: Any) -> dict[str, Any]:
    """The most frequent items of lists, and how many others there are."""
    table, _sizes, names = items_by_row(series, column_of(one))
    counts = np.asarray(table.sum(axis=0)).ravel().astype(int)
    order = np.argsort(-counts, kind="stable")[:LEVELS]
    shown = [{"level": names[k][:LEVEL_LENGTH], "count": int(counts[k])} for k in order.tolist()]
    return {"levels": shown, "others": int(counts.sum() - counts[order].sum())}
