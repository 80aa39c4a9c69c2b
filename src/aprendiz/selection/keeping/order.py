"""The order of columns by their scores: the largest first, of equal ones the first, and last those without a score."""

from __future__ import annotations

import numpy as np

from aprendiz.core.rows import Array


def best_first(scores: Array, less: Array | None = None) -> Array:
    """The columns in order. Of columns of one score, the one with the larger `less` comes first, where that is given."""
    keys = [np.where(np.isnan(score), np.inf, -score) for score in (scores, less) if score is not None]
    return rising(keys[0]) if len(keys) == 1 else np.lexsort(keys[::-1])


def refuse_unscored(learner: str, keep: int, scores: Array) -> None:
    """Stop where more columns are asked for than have a score."""
    known = int((~np.isnan(scores)).sum())
    if keep > known:
        raise ValueError(
            f"keep={keep} of {learner}, but {known} of the {len(scores)} columns have a score: the others are constant, or "
            f"missing in all rows. Keep at most {known}."
        )


def rising(values: Array) -> Array:
    """The places of some numbers in their order, of equal ones the first in front: as a stable sort has them, which takes four
    times as long and is asked only where there are equal ones."""
    order = np.argsort(values)
    ordered = values[order]
    return np.argsort(values, kind="stable") if (ordered[1:] == ordered[:-1]).any() else order


def ranks(scores: Array, less: Array | None = None, order: Array | None = None) -> Array:
    """The place of each column, 1 for the best; equal columns share the first of their places. `order` is that of
    `best_first`, if it is known."""
    order = best_first(scores, less) if order is None else order
    parts = [np.where(np.isnan(score), -np.inf, score)[order] for score in (scores, less) if score is not None]
    new = np.ones(len(order), bool)
    new[1:] = np.any([part[1:] != part[:-1] for part in parts], axis=0)
    places = np.empty(len(order), np.int64)
    places[order] = np.maximum.accumulate(np.where(new, np.arange(1, len(order) + 1), 0))
    return places
