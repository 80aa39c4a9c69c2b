"""Rows that are held out to tell when to stop.

Of n rows a share is held out, of every class the same share (but one row at least stays to learn from). Which ones is a
function of the seed and the row number.

The fit stops when none of the last `n_iter_no_change` scores is above the one before them by more than `tol`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from copy import copy
from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np

from aprendiz.core.columns import Mixed
from aprendiz.core.inputs import open_rows
from aprendiz.core.parameters import ParameterError
from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array, Rows, read_only
from aprendiz.core.sources.arrays import in_memory

STREAM = 1  # of the random numbers that choose the rows

_given: ContextVar[tuple[Any, Any, Any] | None] = ContextVar("aprendiz_held_out", default=None)


@contextmanager
def given_rows(X: Any, y: Any, weight: Any) -> Iterator[None]:
    """Rows to be held out of the fits inside."""
    token = _given.set(None if X is None and y is None else (X, y, weight))
    try:
        yield
    finally:
        _given.reset(token)


def with_given_rows(learner: Any, rows: Rows) -> Rows:
    """The rows of a fit, and behind them those that were given to be held out; `held_out` is how many."""
    rows.held_out = 0  # type: ignore[attr-defined]
    if (given := _given.get()) is None:
        return rows
    X, y, weight = given
    if X is None or y is None:
        raise ValueError(
            "X_val is provided, but y_val was not provided." if y is None else "y_val is provided, but X_val was not provided."
        )
    if learner.early_stopping is False:
        raise ValueError(
            "X_val and y_val are passed to fit while at the same time early_stopping is False: set early_stopping to 'auto' "
            "or True."
        )
    judge = copy(learner)
    judge.__dict__.update({name: value for name, value in rows.noted.items() if value is not None or name == "columns_"})
    others = open_rows(judge, X, y, weight, target=learner.target, reset=False, among=rows.labels)
    if not (in_memory(rows) and in_memory(others)) or rows.sparse or others.sparse:
        raise ValueError("X_val needs dense tables in memory: leave it out, and give validation_fraction.")
    weights = None
    if rows.weight is not None or others.weight is not None:
        weights = np.concatenate([np.ones(one.X.shape[0]) if one.weight is None else one.weight for one in (rows, others)])
    both = rows.like(X=joined(rows.X, others.X), y=np.concatenate([rows.y, others.y]), weight=weights)
    both.held_out = others.X.shape[0]  # type: ignore[attr-defined]
    return both


def joined(a: Any, b: Any) -> Any:
    """One table on top of another."""
    if not isinstance(a, Mixed):
        return np.concatenate([a, b])
    parts = (read_only(np.concatenate(pair)) for pair in ((a.numbers, b.numbers), (a.codes, b.codes), (a.missing, b.missing)))
    numbers, codes, missing = parts
    return replace(a, numbers=numbers, codes=codes, missing=missing)


def held_out_rows(count: int, fraction: float, classes: Array | None, seed: int) -> tuple[Array, Array]:
    """The numbers of the rows to learn from, and of those that are held out."""
    share = fraction / count if isinstance(fraction, Integral) else float(fraction)
    if not 0 < share * count < count or count < 2:
        raise ParameterError(
            f"validation_fraction={fraction!r} of {count} rows leaves none to learn from, or none to hold out: give "
            "another one, or early_stopping=False."
        )
    chance, chosen = uniforms(seed, STREAM, count), np.zeros(count, bool)
    groups = [np.arange(count)] if classes is None else [np.flatnonzero(classes == k) for k in np.unique(classes)]
    for rows in groups:
        wanted = min(max(round(share * len(rows)), 1), len(rows) - 1)
        chosen[rows[np.argsort(chance[rows], kind="stable")[:wanted]]] = True
    if not chosen.any():
        raise ParameterError(
            "No class has two rows, so that none can be held out to tell when to stop: give early_stopping=False."
        )
    return np.flatnonzero(~chosen), np.flatnonzero(chosen)


def should_stop(scores: list[float], patience: int, tol: float) -> bool:
    """Is none of the last scores better than the one before them?"""
    if len(scores) <= patience:
        return False
    return not any(score > scores[-patience - 1] + tol for score in scores[-patience:])
