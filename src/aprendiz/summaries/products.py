"""Products of wide matrices by several threads, in runs of columns that are the same for any number of them."""

from __future__ import annotations

from contextlib import closing

import numpy as np

from aprendiz.core.rows import Array, fold
from aprendiz.core.threads import ordered_map

WIDTH = 1024  # columns of a run


def products_of_rows(Z: Array) -> Array:
    """Z Zᵀ, added up over runs of columns by several threads."""
    if Z.shape[1] <= WIDTH:
        return np.asarray(Z @ Z.T)
    runs = (Z[:, start : start + WIDTH] for start in range(0, Z.shape[1], WIDTH))
    with closing(ordered_map(lambda part: part @ part.T, runs)) as parts:
        return fold(parts)


def times_columns(A: Array, Z: Array) -> Array:
    """A Z, runs of columns at a time by several threads."""
    if Z.shape[1] <= WIDTH:
        return np.asarray(A @ Z)
    runs = (Z[:, start : start + WIDTH] for start in range(0, Z.shape[1], WIDTH))
    return np.concatenate(list(ordered_map(lambda part: A @ part, runs)), axis=1)
