"""Which search: brute force, kd-tree or ball tree, by the number of rows and columns and the metric.

    rows < 500, or Hamming      brute force                      (and Minkowski's sum with p < 1, which is no metric)
    columns ≤ 8                 kd-tree                                                                         (1)
    else                        brute force

Milliseconds for 1 000 queries among 20 000 rows, k = 5, two threads: independent normal columns / columns that are functions of
three hidden ones.

    columns           2          4          6          8          12         16
    brute force    16 / 13    15 / 15    18 / 17    27 / 18    29 / 23    22 / 21
    kd-tree         1 / 1      1 / 2      7 / 2     20 / 2     74 / 2    134 / 2
    ball tree       4 / 2     23 / 5     58 / 6    142 / 6    196 / 7    198 / 8

Manhattan distances in 8, 10, 12 independent columns: brute force 45, 57, 68, kd-tree 54, 112, 229. Hamming, 8 columns of four
values: brute force 32, ball tree 135. (A shared machine, the best of two or three runs: the order counts, not the digits.)

Boxes around the points are never worse than balls here, so the ball tree is for those who ask for it. What does not show in
the number of columns, how many dimensions the rows really fill, decides in between: `algorithm="kd_tree"` is worth a try there.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.columns import Mixed
from aprendiz.core.rows import Array
from aprendiz.neighbors import BallTree, KDTree
from aprendiz.neighbors.search.brute_search import DirectSearch, ScreenedSearch, spread
from aprendiz.neighbors.search.distance_objects import metric_and_parameters
from aprendiz.neighbors.search.function_search import FunctionSearch
from aprendiz.neighbors.search.gower import GowerSearch
from aprendiz.neighbors.search.metrics import DIFFERENT, SQUARES, NeighborMetric, canonical_name, metric_of
from aprendiz.neighbors.search.pair_search import OF_PAIRS, PairSearch
from aprendiz.neighbors.search.point_index import Search
from aprendiz.neighbors.search.sparse_search import SparseSearch

ALGORITHMS = ("auto", "brute", "kd_tree", "ball_tree")
SMALL = 500  # rows below which there is nothing to gain from a tree
COLUMNS_OF_BOXES = 8  # the most columns for a kd-tree


def search_of(
    X: Any,
    *,
    metric: Any = "minkowski",
    p: float = 2,
    metric_params: Mapping[str, Any] | None = None,
    algorithm: str = "auto",
    leaf_size: int = 30,
) -> Search:
    """An index over the rows of X: an array, a CSR matrix (Euclidean, cosine) or a mixed table (Gower)."""
    metric, metric_params = metric_and_parameters(metric, metric_params)
    if "p" in metric_params and not callable(metric):
        p = metric_params.pop("p")
    if algorithm not in ALGORITHMS:
        raise ValueError(f"algorithm must be one of {', '.join(ALGORITHMS)}; got {algorithm!r}.")
    if callable(metric):
        return because(FunctionSearch(X, metric, metric_params), "each distance is a call of the user's function")
    if metric == "gower":
        return because(GowerSearch(X), "Gower's distance has no tree")
    if isinstance(metric, str) and metric in OF_PAIRS and not isinstance(X, Mixed):
        if algorithm == "kd_tree":
            raise ValueError(f"A kd-tree has no boxes for the metric {metric!r}: use algorithm='auto'.")
        dense = X.toarray() if sparse.issparse(X) else X
        return because(PairSearch(dense, metric, metric_params), f"the metric {metric!r} has no tree")
    if isinstance(X, Mixed):
        raise ValueError(f"A table with words has no metric {metric!r}: use metric='gower', or encode the words as numbers.")
    canonical_name(metric, OF_PAIRS)
    if sparse.issparse(X):
        return because(SparseSearch(X, sparse_metric(X, metric, p, metric_params)), "sparse rows")
    chosen = metric_of(X, metric, p, metric_params)
    method = by_size(len(X), X.shape[1], chosen) if algorithm == "auto" else algorithm
    index = build_search(X, chosen, method, leaf_size)
    return because(
        index, f"{count_text(X.shape[1], 'column')}, {count_text(len(X), 'row')}" if algorithm == "auto" else "as asked for"
    )


def by_size(n: int, d: int, metric: NeighborMetric) -> str:
    """The rule (1)."""
    if n < SMALL or metric.code == DIFFERENT or metric.p < 1:
        return "brute"
    return "kd_tree" if d <= COLUMNS_OF_BOXES else "brute"


def build_search(X: Array, metric: NeighborMetric, method: str, leaf_size: int) -> Search:
    if method == "kd_tree":
        return KDTree(X, leaf_size, metric)
    if method == "ball_tree":
        return BallTree(X, leaf_size, metric)
    return ScreenedSearch(X, metric) if metric.code == SQUARES and worth_a_screen(X, metric) else DirectSearch(X, metric)


def worth_a_screen(X: Array, metric: NeighborMetric) -> bool:
    """Enough rows and columns, and numbers whose squares are neither infinite nor zero."""
    if X.size < 2**12 or X.shape[1] < 4:
        return False
    size = spread(metric.coordinates(X), np.asarray(metric.coordinates(X[:1])[0], np.float64))
    return bool(1e-140 < size < 1e140)


def sparse_metric(X: Any, metric: str, p: float, parameters: Mapping[str, Any] | None) -> NeighborMetric:
    chosen = metric_of(X, metric, p, parameters) if canonical_name(metric) not in ("seuclidean", "mahalanobis") else None
    if chosen is None or chosen.code != SQUARES or chosen.factor is not None:
        raise ValueError(
            f"Sparse rows have no metric {metric!r} here: use 'euclidean' or 'cosine', or make X dense (X.toarray())."
        )
    return chosen


def because(index: Search, reason: str) -> Search:
    index.reason = f"{index.method}: {reason}"
    return index


def count_text(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}".replace(",", " ")
