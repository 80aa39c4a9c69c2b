"""Sums of the other folds: what a fit to all rows but those of one fold needs, without a pass of its own.

    others_k = (r₀ + … + r_{k−1}) + (r_{k+1} + … + r_m)                                                       (1)

Splits that a user gives are pairs of row numbers (or masks), training rows and test rows: `checked_splits`.

The records before a fold are added from the left, those after it from the right. Subtracting the fold from the total would be
one addition less, and would lose the digits of everybody else to an outlier in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Any

import numpy as np

from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array


def refuse_cv(name: str, cv: Any) -> None:
    """What cannot be folds, before any work."""
    number = isinstance(cv, Integral) and not isinstance(cv, (bool, np.bool_))
    if isinstance(cv, (str, bytes)) or not ((number and cv >= 2) or hasattr(cv, "split") or np.iterable(cv)):
        raise ParameterError(f"cv of {name} must be a whole number of at least 2, a splitter or pairs of rows, got {cv!r}.")


def checked_splits(splits: Iterable[Any], count: int, weight: Array | None = None) -> list[tuple[Array, Array]]:
    """Pairs of training and test rows by their numbers, each with a row of positive weight; whatever else is refused with the
    number of the fold."""
    found = []
    for number, split in enumerate(splits):
        if not (isinstance(split, (tuple, list, np.ndarray)) and len(split) == 2):
            raise ValueError(f"Fold {number} of cv is {split!r}: give a pair, the numbers of training rows and of test rows.")
        train, test = (row_numbers(rows, count, number) for rows in split)
        if not (len(train) and len(test)):
            raise ValueError(f"Fold {number} of cv has {len(train)} training rows and {len(test)} test rows: give it both.")
        if weight is not None:
            refuse_weightless(number, weight[train].any(), weight[test].any())
        found.append((train, test))
    if not found:
        raise ValueError("cv holds no folds: give at least one pair of training rows and test rows.")
    return found


def refuse_weightless(fold: int, training: Any, test: Any) -> None:
    """A fold whose training rows, or test rows, have no weight."""
    for weight, what in ((training, "training"), (test, "test")):
        if not weight:
            raise ValueError(f"Fold {fold} of cv: all its {what} rows have weight 0. Give fewer folds, or other ones.")


def row_numbers(chosen: Any, count: int, fold: int) -> Array:
    """Rows of a fold by number, which may be given as a mask."""
    rows = np.asarray(chosen)
    if rows.dtype == bool and rows.shape == (count,):
        return np.flatnonzero(rows)
    if rows.ndim != 1 or not (rows.dtype.kind in "iu" or not rows.size):
        raise ValueError(
            f"Fold {fold} of cv holds {rows.dtype} of shape {rows.shape}: give the numbers of rows, or a mask of all."
        )
    if (outside := (rows < 0) | (rows >= count)).any():
        raise ValueError(f"Fold {fold} of cv holds the row {rows[outside][0]}: give rows that exist, from 0 to {count - 1}.")
    return rows.astype(np.intp, copy=False)


def splits_among(splits: Sequence[tuple[Array, Array]], kept: Array, count: int) -> list[tuple[Array, Array]]:
    """The same splits where only some of `count` rows are kept, and counted anew."""
    new = np.full(count, -1)
    new[kept] = np.arange(len(kept))
    return [(new[train][new[train] >= 0], new[test][new[test] >= 0]) for train, test in splits]


def is_partition(splits: Sequence[tuple[Array, Array]], count: int) -> bool:
    """Is every row tested once, and trained on whenever it is not tested?"""
    return all(each_once(parts, count) for parts in ([test for _, test in splits], *splits))


def each_once(parts: Sequence[Array], count: int) -> bool:
    """Is every row in these parts, and once?"""
    return sum(map(len, parts)) == count and bool(np.bincount(np.concatenate(parts), minlength=count).all())


def sums_of_others(records: Sequence[Any]) -> list[Any]:
    """(1) for each of at least two records."""
    after: list[Any] = [None]
    for record in reversed(records[1:]):
        after.append(record if after[-1] is None else record + after[-1])
    found, before = [], None
    for record, rest in zip(records, reversed(after), strict=True):
        found.append(before if rest is None else rest if before is None else before + rest)
        before = record if before is None else before + record
    return found
