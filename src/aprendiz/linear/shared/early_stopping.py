"""Rows set aside, on which a fit that goes epoch by epoch is scored while it learns from the others.

Of the n_k rows of class k (of all rows, where y holds numbers) about f·n_k are set aside: the rows are put in an order drawn
for each row (core/random.py), and with r = 0, 1, … their places in it

    row r of n_k is set aside  ⟺  r + ½ < f·n_k                                                                (1)

so that every class keeps its share. The draw is a function of the seed and of the number of the row: a fit that was interrupted
goes on with the same rows.

    score of a plane     share of the weight on its right side,  or  R² = 1 − Σ ω(y − t)² / Σ ω(y − ȳ)²        (2)

Cost: the rows are copied once; an epoch costs one more product for each row set aside.
Reference: Prechelt, "Early stopping – but when?", Neural networks: tricks of the trade, 1998.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.core.random import hashes
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import ArrayRows, in_memory

ASIDE = -1  # the stream of (1); those of the epochs are their numbers


class TrainingRows(ArrayRows):
    """The rows to learn from, beside those that were set aside."""

    held: ArrayRows


def split_rows(rows: Rows, seed: int, fraction: float) -> TrainingRows:
    """The rows to learn from, with those of (1) set aside."""
    if not in_memory(rows):
        raise ValueError(
            "early_stopping=True sets some rows aside, which needs a table in memory: use early_stopping=False, by which tol "
            "watches the objective, or a callback that watches rows of its own."
        )
    assert rows.y is not None
    codes = rows.y if rows.labels is not None else np.zeros(len(rows.y), np.int64)
    aside = chosen_rows(codes, hashes(seed, ASIDE, np.arange(len(codes))), fraction)
    if not aside.any():
        raise ValueError(
            f"validation_fraction={fraction!r} of {len(codes)} rows sets none aside: raise it, give more rows, or use "
            "early_stopping=False."
        )
    if len(np.unique(codes[~aside])) < len(np.unique(codes)):
        raise ValueError(
            f"validation_fraction={fraction!r} of {len(codes)} rows leaves none to learn from (or none of some class): lower "
            "it, give more rows, or use early_stopping=False."
        )
    held = rows_where(rows, aside, ArrayRows)
    if held.weight is not None and not held.weight.any():
        raise ValueError(
            "The sample weights for validation set are all zero: no row that was set aside counts. Use another random_state."
        )
    training: Any = rows_where(rows, ~aside, TrainingRows)
    training.held = held
    return training


def chosen_rows(codes: Array, drawn: Array, fraction: float) -> Array:
    """(1): whether each row is set aside."""
    order, sizes = np.lexsort((drawn, codes)), np.bincount(codes)
    owner = codes[order]
    place = np.arange(len(codes)) - (np.cumsum(sizes) - sizes)[owner]
    aside = np.zeros(len(codes), bool)
    aside[order] = place + 0.5 < fraction * sizes[owner]
    return aside


def rows_where(rows: ArrayRows, kept: Array, form: type[ArrayRows]) -> ArrayRows:
    """Some of the rows."""
    weight = None if rows.weight is None else rows.weight[kept]
    some = form(rows.X[kept], None if rows.y is None else rows.y[kept], weight, rows.names, thin=rows.thin)
    some.labels, some.noted, some.width, some.form = rows.labels, rows.noted, rows.width, rows.form
    some.several = rows.several
    return some


def plane_values(planes: Array, rows: ArrayRows) -> Array:
    """t of each row and plane."""
    return rows.each(lambda block: block.X @ planes[:, 1:].T + planes[:, 0])


def accuracies(right: Array, weight: Array | None) -> Array:
    """(2) of each plane, from whether it has each row on its right side."""
    return np.asarray(np.average(right, axis=0, weights=weight))


def determination(T: Array, Y: Array, weight: Array | None) -> Array:
    """(2) of each plane: R²."""
    w = np.ones(len(Y)) if weight is None else weight
    spread, rest = w @ (Y - np.average(Y, axis=0, weights=w)) ** 2, w @ (Y - T) ** 2
    return np.where(spread > 0, 1.0 - rest / np.where(spread > 0, spread, 1.0), np.where(rest > 0, 0.0, 1.0))
