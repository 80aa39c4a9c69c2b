"""Distances that are no plain sum over columns: brute force over all pairs.

    canberra      Σ |δ| / (|x| + |q|)            braycurtis     Σ |δ| / Σ |x + q|
    correlation   1 − correlation of x and q     nan_euclidean  √(d/m·Σ δ²) over the m columns that both rows have   (1)

and between rows of True and False (numbers other than 0), from the columns in which a = both, b = one of them is True:

    jaccard  b/(a + b)        dice  b/(2a + b)        russellrao  1 − a/d         sokalsneath  2b/(a + 2b)
    rogerstanimoto  2b/(d + b)        sokalmichener  2b/(d + b)         yule, see scipy.spatial.distance              (2)

Some of them break the triangle inequality, so trees would not be exact. Rows without a column in common (m = 0) are infinitely
far apart.

Cost: O(n·d) for each query.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

from aprendiz.core.rows import Array
from aprendiz.neighbors.search.all_distances import AllDistances

OF_TRUTH = ("jaccard", "dice", "russellrao", "rogerstanimoto", "sokalmichener", "sokalsneath", "yule")
WITH_GAPS = "nan_euclidean"
OF_PAIRS = ("canberra", "braycurtis", "correlation", WITH_GAPS, *OF_TRUTH)
ROOM = 2**22  # cells of a block of queries


class PairSearch(AllDistances):
    """All distances of a metric of (1) or (2)."""

    def __init__(self, X: Array, name: str, parameters: Mapping[str, Any] | None = None):
        if given := dict(parameters or {}):
            raise ValueError(f"metric_params: the metric {name!r} has no parameter {next(iter(given))!r}.")
        self.n, self.columns = X.shape
        self.name, self.points = name, as_truth(X) if name in OF_TRUTH else np.asarray(X, np.float64)
        self.block = int(np.clip(ROOM // max(1, self.n), 1, 256))

    def distances(self, Q: Array) -> Array:
        if self.name == WITH_GAPS:
            return gap_distances(np.asarray(Q, np.float64), self.points)
        if self.name in OF_TRUTH:
            return between_truths(as_truth(Q), self.points, self.name)
        with np.errstate(invalid="ignore"):
            found: Array = cdist(np.asarray(Q, np.float64), self.points, self.name)
        if self.name == "correlation" and (bad := np.argwhere(np.isnan(found))).size:
            raise ValueError(
                f"correlation: query {bad[0][0]} or row {bad[0][1]} has the same number in all columns, so no correlation. "
                "Leave such rows out, or use another metric."
            )
        return np.nan_to_num(found, nan=0.0, posinf=np.inf) if self.name != "correlation" else found


def as_truth(X: Any) -> Array:
    return np.asarray(X) != 0


def between_truths(Q: Array, points: Array, name: str) -> Array:
    """(2), by products of zeros and ones, which count."""
    a, b = Q.astype(np.float64), points.astype(np.float64)
    both, d = a @ b.T, a.shape[1]
    first, second = a.sum(axis=1)[:, None] - both, b.sum(axis=1)[None, :] - both
    apart = first + second
    parts = {
        "jaccard": (apart, both + apart),
        "dice": (apart, 2.0 * both + apart),
        "russellrao": (d - both, np.full_like(both, d)),
        "rogerstanimoto": (2.0 * apart, d + apart),
        "sokalmichener": (2.0 * apart, d + apart),
        "sokalsneath": (2.0 * apart, both + 2.0 * apart),
        "yule": (2.0 * first * second, both * (d - both - apart) + first * second),
    }
    above, below = parts[name]
    return np.divide(above, below, out=np.zeros_like(above), where=above > 0)


def gap_distances(Q: Array, points: Array) -> Array:
    """nan_euclidean of (1), by differences."""
    found = np.empty((len(Q), len(points)))
    for i, q in enumerate(Q):
        apart = points - q
        here = ~np.isnan(apart)
        common = here.sum(axis=1)
        squares = np.where(here, apart, 0.0) ** 2
        with np.errstate(divide="ignore", invalid="ignore"):
            found[i] = np.where(common > 0, np.sqrt(squares.sum(axis=1) * len(q) / common), np.inf)
    return found
