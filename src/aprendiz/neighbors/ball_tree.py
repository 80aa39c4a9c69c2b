"""The ball tree: balls within balls, for any metric.

A node is a centre c and a radius r that reaches all its points. By the triangle inequality

    d(q, x) ≥ d(q, c) − r     for every point x of the ball                                                    (1)

and a ball whose (1) exceeds the k-th best so far is not opened; (1) has a margin for the rounding of both distances. The centre
is the mean of the points, or one of them where means mean nothing (Hamming).

Cost: O(n·log n·d) to build. A query opens fewer nodes than in a kd-tree where the rows fill a surface of few dimensions in a
space of many columns.
Reference: Omohundro, "Five balltree construction algorithms", 1989.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.heap import replace_root, sort
from aprendiz.core.rows import Array
from aprendiz.neighbors.search.all_distances import AllDistances
from aprendiz.neighbors.search.function_search import FunctionSearch
from aprendiz.neighbors.search.halved_points import HalvedPoints
from aprendiz.neighbors.search.metrics import DIFFERENT
from aprendiz.neighbors.search.node_bounds import ball_bound, distance, leaf_sums
from aprendiz.neighbors.search.pair_search import PairSearch


class BallNodes(NamedTuple):
    """A ball tree: the points of each leaf by columns and their labels; of each node its ball, and its lowest label."""

    table: Array
    labels: Array
    centres: Array
    radii: Array
    first: Array


class BallTree(HalvedPoints):
    """A ball tree over points, with the query methods of scikit-learn's.

    Parameters
    ----------
    X : array of shape (n, columns)
    leaf_size : int, default=40
        Maximum number of points in a leaf; it does not affect the results.
    metric : str, callable or DistanceMetric, default="minkowski"
        Any metric of metrics.py; those of pair_search.py and functions of two rows are searched by brute force.
    p : float, default=2
        The power of "minkowski".
    sample_weight : array of shape (n,), optional
        Weights of the points, for `kernel_density`.
    **parameters
        Other parameters of the metric, such as w, V and VI.

    Attributes
    ----------
    data : ndarray of shape (n, columns)
        The points.
    """

    method = "ball_tree"
    valid_metrics = [
        "euclidean", "l2", "minkowski", "p", "manhattan", "cityblock", "l1", "chebyshev", "infinity", "seuclidean",
        "mahalanobis", "hamming", "canberra", "braycurtis", "jaccard", "dice", "rogerstanimoto", "russellrao", "sokalmichener",
        "sokalsneath", "haversine", "pyfunc",
    ]  # fmt: skip

    def all_pairs(self, metric: Any, parameters: dict[str, Any]) -> AllDistances:
        kind = FunctionSearch if callable(metric) else PairSearch
        return kind(self.data, metric, parameters)

    @property
    def nodes(self) -> tuple[Array | None, Array | None, Array | None]:
        return None, self.centres, self.radii

    def node_radii(self) -> Array:
        return self.radii

    @property
    def node_bounds(self) -> Array:
        """The centres, (1, nodes, columns)."""
        return self.centres[None]

    def describe(self, points: Array, starts: Array, stops: Array) -> None:
        self.centres, self.radii = np.empty((len(starts), points.shape[1])), np.empty(len(starts))
        balls(points, starts, stops, self.metric.code, self.metric.p, self.centres, self.radii)

    def find_best(self, Q: Array, order: Array, leaf: Array, skip: Array, sums: Array, indices: Array) -> None:
        tree = BallNodes(self.table, self.labels, self.centres, self.radii, self.first)
        best(tree, self.metric.code, self.metric.p, Q, order, leaf, skip, sums, indices)

    def find_inside(self, Q: Array, limit: float) -> tuple[Array, Array, Array]:
        tree = (self.table, self.labels, self.centres, self.radii)
        found: tuple[Array, Array, Array] = all_inside(*tree, self.metric.code, self.metric.p, Q, limit)
        return found


# ---- building --------------------------------------------------------------------------------------------------------


@compiled(exact=True)
def balls(points: Array, starts: Array, stops: Array, code: int, p: float, centres: Array, radii: Array) -> None:
    """Centre and radius of every node."""
    for node in range(len(radii)):
        start, stop = starts[node], stops[node]
        centre = centres[node]
        middle = (start + stop) // 2
        for t in range(len(centre)):
            centre[t] = 0.0
            for i in range(start, stop):
                centre[t] += (points[i, t] - points[middle, t]) / (stop - start)
            centre[t] = points[middle, t] + (centre[t] if code != DIFFERENT else 0.0)
        radii[node] = 0.0
        for i in range(start, stop):
            radii[node] = max(radii[node], distance(points[i], centre, code, p))


# ---- searching -------------------------------------------------------------------------------------------------------


@compiled(exact=True, inner=True)
def look(
    table: Array, labels: Array, leaf: int, q: Array, code: int, p: float, skip: int, out: Array, sums: Array, indices: Array
) -> None:
    """Offer the points of a leaf to the k best."""
    leaf_sums(table, leaf, q, code, p, out)
    for j in range(len(out)):
        if out[j] <= sums[0] and labels[leaf, j] != skip and table[leaf, 0, j] < np.inf:
            replace_root(sums, indices, len(sums), out[j], labels[leaf, j])


@compiled(exact=True)
def best(
    tree: BallNodes, code: int, p: float, Q: Array, order: Array, leaf: Array, skip: Array, sums: Array, indices: Array
) -> None:
    """The k smallest sums of some queries, ascending, and their points."""
    table, labels, centres, radii, first = tree
    leaves, d, width = table.shape
    out, stack, bounds = np.empty(width), np.empty(64, np.int64), np.empty(64)
    queries, mine, top = np.empty((len(order), d)), np.empty(sums.shape[1]), np.empty(sums.shape[1], np.int64)
    for row in range(len(order)):  # a block of queries together: one by one, each would wait for the memory
        for t in range(d):
            queries[row, t] = Q[order[row], t]
    for row in range(len(order)):
        i, q = order[row], queries[row]
        for j in range(len(mine)):
            mine[j], top[j] = np.inf, np.iinfo(np.int64).max
        look(table, labels, leaf[row], q, code, p, skip[i], out, mine, top)
        node = leaf[row] + leaves - 1
        while node > 0:
            other, node = ((node - 1) ^ 1) + 1, (node - 1) // 2
            stack[0], bounds[0], depth = other, ball_bound(centres, radii, other, q, code, p), 1
            while depth > 0:
                depth -= 1
                here = stack[depth]
                if bounds[depth] > mine[0] or (bounds[depth] == mine[0] and first[here] > top[0]):
                    continue
                if here >= leaves - 1:
                    look(table, labels, here + 1 - leaves, q, code, p, skip[i], out, mine, top)
                    continue
                left, right = 2 * here + 1, 2 * here + 2
                a, b = ball_bound(centres, radii, left, q, code, p), ball_bound(centres, radii, right, q, code, p)
                if a < b:  # the nearer one is looked at first
                    left, right, a, b = right, left, b, a
                stack[depth], bounds[depth], stack[depth + 1], bounds[depth + 1] = left, a, right, b
                depth += 2
        sort(mine, top)
        for j in range(len(mine)):
            sums[i, j], indices[i, j] = mine[j], top[j]


@compiled(exact=True)
def all_inside(
    table: Array, labels: Array, centres: Array, radii: Array, code: int, p: float, Q: Array, limit: float
) -> tuple[Array, Array, Array]:
    """All sums of at most the limit: query, sum, point."""
    leaves, _, width = table.shape
    used, out, stack = 0, np.empty(width), np.empty(64, np.int64)
    queries, sums, points = np.empty(1024, np.int64), np.empty(1024), np.empty(1024, np.int64)
    for i in range(len(Q)):
        q = Q[i].astype(np.float64)
        stack[0], depth = 0, 1
        while depth > 0:
            depth -= 1
            here = stack[depth]
            if ball_bound(centres, radii, here, q, code, p) > limit:
                continue
            if here < leaves - 1:
                stack[depth], stack[depth + 1] = 2 * here + 2, 2 * here + 1
                depth += 2
                continue
            if used + width > len(sums):
                queries, sums = np.concatenate((queries, np.empty_like(queries))), np.concatenate((sums, np.empty_like(sums)))
                points = np.concatenate((points, np.empty_like(points)))
            leaf = here + 1 - leaves
            leaf_sums(table, leaf, q, code, p, out)
            for j in range(width):
                if out[j] <= limit and table[leaf, 0, j] < np.inf:
                    queries[used], sums[used], points[used] = i, out[j], labels[leaf, j]
                    used += 1
    return queries[:used], sums[:used], points[:used]
