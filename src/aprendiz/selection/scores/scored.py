"""What a score of columns says: a statistic for each column, how probable so much of it is in a column of no use, and how far
rounding may have moved it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy.special import fdtrc

from aprendiz.core.rows import MOST_ROWS, Array
from aprendiz.core.threads import ordered_map

EPS = float(np.finfo(float).eps)
TAILS_AT_ONCE = 2**12  # of columns, on a thread: each takes some 0.15 µs


class Scored(NamedTuple):
    """A score and a p-value for each column, NaN where a column allows no statement (all cells missing, or all equal), and a
    bound of the error of each score, where one is known."""

    scores: Array
    pvalues: Array | None
    rounding: Array | None = None


def refuse_vanished(vanished: Array, names: Any) -> None:
    """Stop at a column whose squares are too small for a double: its score would say nothing."""
    if vanished.any():
        column = int(np.flatnonzero(vanished)[0])
        name = column if names is None else repr(names[column])
        raise ValueError(f"Input X holds values too small to be squared: column {name} has no variance. Scale the column.")


def tails_of_f(free: Array | float, rest: Array, F: Array) -> Array:
    """P(F′ ≥ F) of F distributions with `free` and `rest` degrees of freedom, of some columns on each thread."""
    free, found = np.broadcast_to(free, F.shape), np.empty(F.shape)

    def fill(low: int) -> None:
        part = slice(low, low + TAILS_AT_ONCE)
        found[part] = fdtrc(free[part], rest[part], F[part])

    for _ in ordered_map(fill, range(0, len(F), TAILS_AT_ONCE)):
        pass
    return found


def rounding_of_sums(terms: Array) -> Array:
    """How far a sum of so many terms of one sign may be off, relative to itself: blocks hold only so many of them, and blocks
    are added in pairs."""
    return EPS * (16.0 + np.minimum(terms, MOST_ROWS) / 2.0)


def share_lost(first: Array, weight: Array, scatter: Array) -> Array:
    """(Σ w z)²/Σ w, which is taken from Σ w z², in scatters."""
    taken = np.divide(first**2, weight, out=np.zeros_like(first), where=weight > 0)
    return np.divide(taken, scatter, out=np.zeros_like(first), where=scatter > 0)
