"""Columns that know the target: a copy of it, a code for it, or something that is only known after it.

A column is suspected of a leak if it alone determines the target:

    classes     each of its values, or of the intervals between a few thresholds, belongs to one class, with at most one
                error per thousand of the rows that are not of the largest class
    quantities  |correlation| ≥ 0.9999

A perfect column may be a good one; the suspicion is for the owner of the data to judge. Tables of few rows are not judged:
there, columns that determine the target are found by chance.

Cost: a sort of at most 20 000 rows, taken at even distances, for each column.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from aprendiz.core.rows import Array
from aprendiz.lab.series import kind_of_series
from aprendiz.locale import _, format_fixed

SAMPLE, FEWEST_ROWS, SMALLER = 20_000, 20, 10  # rows at most, rows at least, rows outside the largest class at least
ERRORS, CORRELATION = 0.001, 0.9999
CODES = 50  # different numbers that may be codes


def leaks(features: Mapping[Any, Any], answer: Any, task: str) -> dict[Any, str]:
    """Why some columns determine the answer alone, by name. The answer has no missing cells."""
    if len(answer) < FEWEST_ROWS:
        return {}
    rows = np.unique(np.linspace(0, len(answer) - 1, min(SAMPLE, len(answer))).astype(int))
    judge = class_leak if task == "classification" else quantity_leak
    y = pd.factorize(answer.iloc[rows])[0] if task == "classification" else answer.iloc[rows].to_numpy(float)
    reasons = {name: judge(column.iloc[rows], y) for name, column in features.items()}
    return {name: reason for name, reason in reasons.items() if reason}


def quantity_leak(column: Any, y: Array) -> str:
    """Why a column determines a quantity; empty if it does not."""
    if kind_of_series(column) != "number":
        return ""
    x = column.to_numpy()
    both = np.isfinite(x) & np.isfinite(y)
    if both.sum() < max(FEWEST_ROWS, len(y) / 2) or np.ptp(x[both]) == 0 or np.ptp(y[both]) == 0:
        return ""
    r = float(np.corrcoef(x[both], y[both])[0, 1])
    if abs(r) < CORRELATION:
        return ""
    return _("its correlation with the target is {r}").format(r=format_fixed(r, 5))


def class_leak(column: Any, y: Array) -> str:
    """Why a column determines a class; empty if it does not."""
    numbers = kind_of_series(column) == "number"
    known = column.notna().to_numpy() if numbers else np.ones(len(y), bool)
    if known.sum() < max(FEWEST_ROWS, len(y) / 2):
        return ""
    x, y = column[known], y[known]
    codes = np.unique(x.to_numpy(), return_inverse=True)[1] if numbers else pd.factorize(x, use_na_sentinel=False)[0]
    classes, outside = int(y.max()) + 1, len(y) - int(np.bincount(y).max())
    if outside < SMALLER:
        return ""
    errors, majority = errors_by_value(codes, y, classes)
    distinct, allowed = len(majority), int(ERRORS * outside)
    if errors > allowed:
        return ""
    if distinct <= (min(CODES, len(y) / 10) if numbers else len(y) / 5):
        return _("each of its {distinct} values belongs to one class").format(distinct=distinct)
    changes = int(np.count_nonzero(np.diff(majority)))
    if numbers and changes <= classes - 1 + 2 * allowed:
        return _("thresholds on it separate the classes (errors: {errors})").format(errors=errors)
    return ""


def errors_by_value(codes: Array, y: Array, classes: int) -> tuple[int, Array]:
    """Rows that are not of the most frequent class of their value, and that class for each value, in the order of the codes."""
    pairs, counts = np.unique(codes.astype(np.int64) * classes + y, return_counts=True)
    values = pairs // classes
    order = np.lexsort((counts, values))
    last = np.flatnonzero(np.append(np.diff(values[order]), 1))  # the most frequent pair of each value
    best = order[last]
    return len(y) - int(counts[best].sum()), pairs[best] % classes
