"""The sums of the folds of a cross-validation, and what they say of a fit: no row is looked at twice.

The sums of the rows outside a fold are those of the other folds, added (summaries/folds.py). The squared error in the fold is a
quadratic form of the fold's own sums,

    Σ ω (y − b − xᵀw)² = S_yy − 2wᵀS_xy + wᵀS_xx w + W·(ȳ − b − x̄ᵀw)²                                         (1)

so k folds and m penalties cost one pass over the rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from sklearn.model_selection import KFold, check_cv

from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sources.arrays import ArrayRows, in_memory
from aprendiz.core.sums import Sums
from aprendiz.summaries.folds import checked_splits, is_partition, refuse_weightless, sums_of_others
from aprendiz.summaries.moments import Moments, augment, count_rows


def squared_errors(test: Moments, W: Array, b: Array) -> Array:
    """(1) for each target and penalty."""
    d, S = test.columns, test.scatter
    bias = test.mean[d:, None] - b - np.tensordot(test.mean[:d], W, 1)
    bent = np.einsum("dta,dta->ta", W, np.tensordot(S[:d, :d], W, 1))
    along = np.einsum("dt,dta->ta", S[:d, d:], W)
    within = np.diagonal(S)[d:, None] - 2.0 * along + bent
    return np.maximum(within, 0.0) + float(test.weight) * bias**2


def split_sums(
    rows: Rows, pivot: Array, cv: Any, *, with_rows: bool = True
) -> Iterator[tuple[Moments, Moments, ArrayRows | None, bool]]:
    """For each split, the sums of its training rows, of its test rows, the test rows if they are in memory (and wanted), and
    whether both sums together are those of all rows."""
    if not in_memory(rows) or (not with_rows and isinstance(cv, (int, np.integer))):
        own = by_number(rows, pivot, cv)
        yield from ((train, test, None, True) for train, test in zip(sums_of_others(own), own, strict=True))
        return
    assert rows.y is not None
    table, count = rows.X, len(rows.y)
    if isinstance(cv, (int, np.integer)):
        refuse_folds(cv, count)
    splits = checked_splits(check_cv(cv, rows.y).split(np.empty((count, 1)), rows.y), count, rows.weight)
    parts = [rows.like(**take_rows(table, rows, test)) for _, test in splits]
    own = [part.sum(Moments.joint, pivot) for part in parts]
    if is_partition(splits, count):
        yield from ((train, *rest, True) for train, *rest in zip(sums_of_others(own), own, parts, strict=True))
        return
    for (train, _), test, part in zip(splits, own, parts, strict=True):
        yield rows.like(**take_rows(table, rows, train)).sum(Moments.joint, pivot), test, part, False


def take_rows(table: Any, rows: ArrayRows, numbers: Array) -> dict[str, Any]:
    """Some rows of a table; a view where they follow each other."""
    if len(numbers) and numbers[-1] - numbers[0] == len(numbers) - 1 and (np.diff(numbers) == 1).all():
        numbers = slice(int(numbers[0]), int(numbers[-1]) + 1)  # type: ignore[assignment]  # takes rows as an array does
    weight = None if rows.weight is None else rows.weight[numbers]
    return {"X": table[numbers], "y": None if rows.y is None else rows.y[numbers], "weight": weight}


def by_number(rows: Rows, pivot: Array, cv: Any) -> list[Moments]:
    """The sums of k runs of consecutive rows, in one pass: the folds of scikit-learn's KFold(k)."""
    if isinstance(cv, KFold) and not cv.shuffle:
        cv = cv.n_splits
    if not isinstance(cv, (int, np.integer)):
        raise TypeError(f"Rows that are not in memory can be split by a number of folds only, got cv={cv!r}.")
    count = rows.count if rows.count is not None else rows.sum(RowCount.of).rows
    refuse_folds(cv, count)
    sizes = np.full(cv, count // cv) + (np.arange(cv) < count % cv)
    found = rows.sum(moments_by_run, pivot, np.cumsum(sizes))
    weights = found.gram[:, 0, 0]
    for fold, weight in enumerate(weights):
        refuse_weightless(fold, np.delete(weights, fold).any(), weight)
    return [replace(found, gram=gram, rows=int(size)) for gram, size in zip(found.gram, sizes, strict=True)]


def refuse_folds(cv: Any, count: int) -> None:
    if not 2 <= cv <= count:
        raise ValueError(f"cv={cv} folds are not possible with n_samples={count}: give fewer folds (at least 2), or more rows.")


def moments_by_run(pivot: Array, ends: Array, block: Block) -> Moments:
    """Moments of the rows of each run, the runs given by their ends."""
    Z = augment(pivot, block.X, block.y, block.weight)
    run = np.searchsorted(ends, block.numbers, side="right")
    gram = np.zeros((len(ends), Z.shape[1], Z.shape[1]))
    for k in np.unique(run):
        gram[k] = (part := Z[run == k]).T @ part
    return Moments(gram, pivot, block.y.shape[1:], count_rows(block))


@dataclass(frozen=True)
class RowCount(Sums):
    """How many rows there are."""

    rows: int

    @classmethod
    def of(cls, block: Block) -> Self:
        return cls(len(block))
