"""The sums of the folds of a cross-validation, class by class, in one pass over the rows.

Each pair of fold and class is a class of its own, so the records of all folds are one sum; what the rows outside a fold give is
the sum of the other folds (summaries/folds.py). Folds are stratified: each class is spread evenly over them.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
from sklearn.model_selection import StratifiedKFold, check_cv

from aprendiz.bayes.gaussian.class_spread import ClassSpread
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import Spread
from aprendiz.summaries.folds import checked_splits, is_partition


def fold_numbers(cv: Any, y: Array, random_state: Any = None) -> Array:
    """The fold in which each row is tested, for a number of folds (shuffled if there is a `random_state`) or a splitter."""
    if isinstance(cv, (int, np.integer)) and not isinstance(cv, bool):
        largest = int(np.bincount(y).max())
        if not 2 <= cv <= largest:
            raise ValueError(
                f"cv={cv} stratified folds are not possible with n_samples={len(y)}, of which {largest} in the largest class: "
                "give fewer folds (at least 2), or more rows."
            )
        cv = StratifiedKFold(cv, shuffle=random_state is not None, random_state=random_state)
    splits = checked_splits(check_cv(cv, y, classifier=True).split(np.zeros((len(y), 1)), y), len(y))
    if not is_partition(splits, len(y)):
        raise ValueError(f"cv={cv!r} must test every row once and train on all the others: use KFold or StratifiedKFold.")
    number = np.empty(len(y), np.intp)
    for k, (_, test) in enumerate(splits):
        number[test] = k
    return number


def fold_spreads(rows: Rows, pivot: Array, fold: Array) -> list[ClassSpread]:
    """The record of each fold: `pivot` is classes × columns, `fold` the number of the fold of each row."""
    assert rows.labels is not None
    classes, folds = len(rows.labels), int(fold.max()) + 1
    found = rows.sum(of_pairs, np.arange(folds * classes), np.tile(pivot, (folds, 1)), fold)
    parts = [slice(k * classes, (k + 1) * classes) for k in range(folds)]
    return [ClassSpread(rows.labels, found.total[part], part_of(found.spread, part, pivot)) for part in parts]


def of_pairs(pairs: Array, pivot: Array, fold: Array, block: Block) -> ClassSpread:
    """The record of a block whose classes are pairs of fold and class."""
    classes = len(pairs) // (int(fold.max()) + 1)
    return ClassSpread.of(pairs, pivot, replace(block, y=fold[block.numbers] * classes + block.y))


def part_of(spread: Spread, part: slice, pivot: Array) -> Spread:
    """Some rows of a spread, around a pivot that all parts share."""
    cut = {field.name: getattr(spread, field.name)[part] for field in fields(spread)}
    return Spread(**{**cut, "pivot": pivot})
