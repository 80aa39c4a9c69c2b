"""The bins of cells: how many cuts lie below each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array

MISSING = -1


def bin_codes(X: Array, cuts: Sequence[Array]) -> Array:
    """The number of the bin of each cell, −1 where it is missing; a cell up to a cut is on its left."""
    codes, ends = np.empty(X.shape, np.int32), np.cumsum([0, *map(len, cuts)])
    count_cuts(X, np.concatenate([*cuts, np.empty(0)]), ends, codes)
    return codes


@compiled
def count_cuts(X: Array, cuts: Array, ends: Array, codes: Array) -> None:
    """Count the cuts below each cell, by halving."""
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            x, low, high = X[i, j], ends[j], ends[j + 1]
            while low < high:
                middle = (low + high) // 2
                if cuts[middle] < x:
                    low = middle + 1
                else:
                    high = middle
            codes[i, j] = low - ends[j] if x == x else -1
