"""Columns that know the target: a copy of it, a code for it, or something that is only known after it.

A column is suspected of a leak if it alone determines the target:

    classes     each of its values, or of the intervals between a few thresholds, or whether its cells are missing, belongs to
                one class, with at most one error per thousand of the rows that are not of the largest class
    quantities  |correlation| ≥ 0.9999, of the numbers or of their ranks

A copy with some errors is suspected too, up to 3 % of those rows (of few rows, two errors up to 6 %) or from a correlation of
0.995 on, if it stands out: no other column comes near it. On the other hand, where another column without a suspicion separates
the classes too, or more than two and a third of all columns do, thresholds are no reason to suspect one: the classes are easy
to tell apart.

A perfect column may be a good one; the suspicion is for the owner of the data to judge. Tables of few rows are not judged:
there, columns that determine the target are found by chance.

Cost: a sort of at most 20 000 rows, taken at even distances, for each column.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nsmallest
from typing import Any

import numpy as np
from scipy.stats import rankdata

from aprendiz.core.rows import Array
from aprendiz.evaluation.leaks.table_columns import TableColumn
from aprendiz.evaluation.measures.answers import Task
from aprendiz.locale import _, format_fixed, percent

SAMPLE, FEWEST_ROWS, SMALLER = 20_000, 20, 10  # rows at most, rows at least, rows outside the largest class at least
ERRORS, CORRELATION = 0.001, 0.9999
SOME_ERRORS, SOME_CORRELATION = 0.03, 0.995  # of a copy with errors
FEW_ERRORS = 2  # rows, which in a small table are a larger share; up to twice as large
FAR_ERRORS, FAR_CORRELATION = 0.3, 0.9  # of all others, if it is to stand out
MANY = 2  # columns that separate the classes, beyond which they are easy to tell apart
EASY = 0.05  # errors of another column from which on classes are easy to tell apart
CODES = 50  # different numbers that may be codes
INTERVALS = 25  # of equal numbers of rows (at least ten), by which a number predicts a class


@dataclass(frozen=True)
class Suspicion:
    """What a column says of the target alone: why it is suspected (empty: it is not), whether by thresholds, and how far from
    a perfect prediction it is, with another reason for the case that no other column comes near."""

    reason: str
    thresholds: bool
    distance: float
    if_alone: str = ""


def columns_that_tell(columns: Sequence[TableColumn], y: Array, task: Task) -> dict[Any, str]:
    """Why some columns determine the target alone, by name. `y` holds classes, of any type, or numbers, none missing."""
    if len(y) < FEWEST_ROWS:
        return {}
    rows = np.unique(np.linspace(0, len(y) - 1, min(SAMPLE, len(y))).astype(int))
    by_class = task == "classification"
    y = np.unique(y[rows], return_inverse=True)[1] if by_class else y[rows].astype(np.float64)
    if by_class and len(y) - int(np.bincount(y).max()) < SMALLER:
        return {}
    judge = class_suspicion if by_class else quantity_suspicion
    judged = {column.name: judge(column.at(rows), y) for column in columns}
    far = FAR_ERRORS if by_class else 1.0 - FAR_CORRELATION
    easy = sum(one.thresholds for one in judged.values()) > max(MANY, len(judged) / 3)
    alone = not any(one.reason for one in judged.values())
    free = nsmallest(2, ((one.distance, place) for place, one in enumerate(judged.values()) if not one.reason))
    found = {}
    for place, (name, one) in enumerate(judged.items()):
        nearest = next((distance for distance, other in free if other != place), np.inf)
        if one.reason and not (one.thresholds and (easy or nearest <= EASY)):
            found[name] = one.reason
        elif one.if_alone and alone and far <= nearest < np.inf:  # there are other columns, none near
            found[name] = one.if_alone
    return found


# ---- quantities ------------------------------------------------------------------------------------------------------------


def quantity_suspicion(column: TableColumn, y: Array) -> Suspicion:
    """How far a column determines a quantity."""
    if column.kind != "number":
        return Suspicion("", False, 1.0)
    x = column.values
    both = np.isfinite(x) & np.isfinite(y)
    if both.sum() < max(FEWEST_ROWS, len(y) / 2) or np.ptp(x[both]) == 0 or np.ptp(y[both]) == 0:
        return Suspicion("", False, 1.0)
    r = float(np.corrcoef(x[both], y[both])[0, 1])
    ranks = float(np.corrcoef(rankdata(x[both]), rankdata(y[both]))[0, 1])
    largest = r if abs(r) >= abs(ranks) else ranks
    words = _("its correlation with the target is {r}") if largest == r else _("its rank correlation with the target is {r}")
    reason = words.format(r=format_fixed(largest, 5))
    size = abs(largest)
    return Suspicion(
        reason if size >= CORRELATION else "", False, 1.0 - size, reason if SOME_CORRELATION <= size < CORRELATION else ""
    )


# ---- classes ---------------------------------------------------------------------------------------------------------------


def class_suspicion(column: TableColumn, y: Array) -> Suspicion:
    """How far a column determines a class; of words, a missing cell is one more value."""
    numbers = column.kind == "number"
    known = column.known if numbers else np.ones(len(y), bool)
    absent = missing_suspicion(known, y) if numbers else None
    if absent is not None:
        return absent
    if known.sum() < max(FEWEST_ROWS, len(y) / 2):
        return Suspicion("", False, 1.0)
    codes, y = np.unique(column.values[known], return_inverse=True)[1], y[known]
    classes, outside = int(y.max()) + 1, len(y) - int(np.bincount(y).max())
    if outside < SMALLER:
        return Suspicion("", False, 1.0)
    errors, majority = errors_by_value(codes, y, classes)
    distinct, allowed = len(majority), int(ERRORS * outside)
    if distinct <= (min(CODES, len(y) / 10) if numbers else len(y) / 5):
        return suspicion_of_codes(distinct, errors, outside)
    if not numbers:
        return Suspicion("", False, 1.0)
    distance = errors_by_value(intervals(codes), y, classes)[0] / outside
    if errors <= allowed and int(np.count_nonzero(np.diff(majority))) <= classes - 1 + 2 * allowed:
        return Suspicion(_("thresholds on it separate the classes (errors: {errors})").format(errors=errors), True, distance)
    return Suspicion("", False, distance)


def suspicion_of_codes(distinct: int, errors: int, outside: int) -> Suspicion:
    """Of a column with few values, each of which predicts a class."""
    reason = _("each of its {distinct} values belongs to one class").format(distinct=distinct)
    if errors <= int(ERRORS * outside):
        return Suspicion(reason, False, errors / outside)
    if errors > max(SOME_ERRORS * outside, min(FEW_ERRORS, 2 * SOME_ERRORS * outside)):
        return Suspicion("", False, errors / outside)
    alone = _(
        "each of its {distinct} values belongs to one class, but for {share} of the rows outside the largest class, and no "
        "other column comes near"
    )
    return Suspicion("", False, errors / outside, alone.format(distinct=distinct, share=percent(errors / outside)))


def missing_suspicion(known: Array, y: Array) -> Suspicion | None:
    """Of a column of numbers, by whether its cells are missing: None if that says little."""
    if known.all():
        return None
    errors, majority = errors_by_value(known.astype(int), y, int(y.max()) + 1)
    outside = len(y) - int(np.bincount(y).max())
    if len(majority) < 2 or errors > int(ERRORS * outside):
        return None
    return Suspicion(_("whether its cells are missing tells the class"), False, errors / outside)


def intervals(codes: Array) -> Array:
    """Numbers in order as intervals with equal numbers of rows."""
    ranks = np.argsort(np.argsort(codes, kind="stable"), kind="stable")
    return ranks * max(2, min(INTERVALS, len(codes) // 10)) // len(codes)


def errors_by_value(codes: Array, y: Array, classes: int) -> tuple[int, Array]:
    """Rows that are not of the most frequent class of their value, and that class for each value, in the order of the codes."""
    pairs, counts = np.unique(codes.astype(np.int64) * classes + y, return_counts=True)
    values = pairs // classes
    order = np.lexsort((counts, values))
    last = np.flatnonzero(np.append(np.diff(values[order]), 1))  # the most frequent pair of each value
    best = order[last]
    return len(y) - int(counts[best].sum()), pairs[best] % classes
