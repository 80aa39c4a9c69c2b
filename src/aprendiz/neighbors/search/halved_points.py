"""Points halved again and again, the frame of the trees: each node is split at the median of its longest side.

The tree is complete: node v has the children 2v + 1 and 2v + 2, and the leaves, of equal size up to one point, hold their
points by columns in slots of equal width. Queries are answered in the order of the leaves where they belong, which are then in
the cache.

Cost: O(n·log n·d) to build, the four subtrees below the second level side by side.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import Any

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.neighbors.search.metrics import NeighborMetric, metric_of
from aprendiz.neighbors.search.point_index import Found, Listed, in_order, side_by_side
from aprendiz.neighbors.search.tree_queries import TreeQueries, check_table


class HalvedPoints(TreeQueries):
    """What kd-tree and ball tree share; they differ in what they know of a node, and how they search with it."""

    block = 1024

    def __init__(
        self, X: Any, leaf_size: int = 40, metric: str | NeighborMetric = "euclidean", p: float = 2, **parameters: Any
    ):
        self.data = check_table(X, leaf_size)
        self.n, self.columns = self.data.shape
        self.metric = metric if isinstance(metric, NeighborMetric) else metric_of(self.data, metric, p, parameters)
        self.refuse_metric()
        self.build(np.array(self.metric.coordinates(self.data), dtype=np.float64, order="C"), leaf_size)

    def build(self, points: Array, leaf_size: int) -> None:
        """Two levels here, the four subtrees below them side by side."""
        n, d = points.shape
        levels = max(0, math.ceil(math.log2(n / leaf_size)))
        nodes, leaves = 2 ** (levels + 1) - 1, 2**levels
        self.box, self.first = np.empty((nodes, d, 2)), np.empty(nodes, np.int64)
        self.axis, self.cut = np.zeros(leaves, np.int64), np.zeros(leaves)
        places, starts, stops = np.arange(n), np.zeros(nodes, np.int64), np.full(nodes, n)
        tree = (points, places, starts, stops, self.box, self.axis, self.cut)
        grow(*tree, 0, 0, min(2, levels))
        if levels > 2:
            side_by_side(lambda root: grow(*tree, root, 2, levels), range(3, 7))
        width = 8 * -(-int((stops - starts)[leaves - 1 :].max()) // 8)
        self.table, self.labels = np.empty((leaves, d, width)), np.empty((leaves, width), np.int64)
        fill(points, places, starts, stops, self.table, self.labels, self.first)
        self.describe(points, starts, stops)

    def refuse_metric(self) -> None:
        """Stop where the tree cannot serve the metric."""

    def describe(self, points: Array, starts: Array, stops: Array) -> None:
        """Note more of the nodes than their boxes; node v holds points[starts[v]:stops[v]]."""

    @abstractmethod
    def find_best(self, Q: Array, order: Array, leaf: Array, skip: Array, sums: Array, indices: Array) -> None:
        """The k best of the queries `order`, whose leaves are `leaf`."""

    @abstractmethod
    def find_inside(self, Q: Array, limit: float) -> tuple[Array, Array, Array]:
        """All pairs with a sum of at most the limit: query, sum, point."""

    def nearest(self, Q: Any, k: int, skip: Array | None = None) -> Found:
        self.refuse_number(k, skip)
        self.refuse_columns(Q)
        queries = self.metric.coordinates(Q)
        m = len(queries)
        sums, indices, leaf = np.empty((m, k)), np.empty((m, k), np.int64), np.empty(m, np.int64)
        skipped = np.full(m, -1) if skip is None else skip
        side_by_side(lambda rows: leaves_of(queries[rows], self.axis, self.cut, leaf[rows]), self.slices(m))
        order = by_leaf(leaf, len(self.table))
        leaf = leaf[order]
        side_by_side(lambda rows: self.find_best(queries, order[rows], leaf[rows], skipped, sums, indices), self.slices(m))
        return self.metric.distances(sums, self.columns), indices

    def nearest_block(self, Q: Array, k: int, skip: Array | None) -> Found:
        return self.nearest(Q, k, skip)

    def within_block(self, Q: Array, radius: float) -> Listed:
        queries, limit = self.metric.coordinates(Q), self.metric.limit(radius, self.columns)
        counts, sums, indices = in_order(*self.find_inside(queries, limit), len(queries))
        return counts, self.metric.distances(sums, self.columns), indices


# ---- building --------------------------------------------------------------------------------------------------------


@compiled(exact=True)
def grow(
    points: Array, places: Array, starts: Array, stops: Array, box: Array, axis: Array, cut: Array, root: int, level: int,
    until: int,
) -> None:  # fmt: skip
    """The boxes of a node on some level and of those below it, down to another level, and the points in their order."""
    first = last = root
    while True:
        for node in range(first, last + 1):
            start, stop = starts[node], stops[node]
            enclose(points, start, stop, box[node])
            if level < until:
                middle, side = (start + stop) // 2, longest(box[node])
                cut[node], axis[node] = put_in_place(points, places, start, stop, middle, side), side
                starts[2 * node + 1], stops[2 * node + 1] = start, middle
                starts[2 * node + 2], stops[2 * node + 2] = middle, stop
        if level == until:
            return
        first, last, level = 2 * first + 1, 2 * last + 2, level + 1


@compiled(exact=True, inner=True)
def enclose(points: Array, start: int, stop: int, box: Array) -> None:
    """The smallest and the largest cell of each column."""
    for t in range(points.shape[1]):
        low = high = points[start, t]
        for i in range(start, stop):
            x = points[i, t]
            low = x if x < low else low
            high = x if x > high else high
        box[t, 0], box[t, 1] = low, high


@compiled(exact=True, inner=True)
def longest(box: Array) -> int:
    side, length = 0, -1.0
    for t in range(len(box)):
        if box[t, 1] - box[t, 0] > length:
            side, length = t, box[t, 1] - box[t, 0]
    return side


@compiled(exact=True, inner=True)
def put_in_place(points: Array, places: Array, start: int, stop: int, middle: int, side: int) -> float:
    """Order the points so that none before the middle exceeds the one there, along a side, and none after is below it."""
    low, high = start, stop - 1
    while low < high:
        a, b, c = points[low, side], points[(low + high) // 2, side], points[high, side]
        pivot = max(min(a, b), min(max(a, b), c))
        i, j = low, high
        while i <= j:
            while points[i, side] < pivot:
                i += 1
            while points[j, side] > pivot:
                j -= 1
            if i <= j:
                for t in range(points.shape[1]):
                    points[i, t], points[j, t] = points[j, t], points[i, t]
                places[i], places[j] = places[j], places[i]
                i, j = i + 1, j - 1
        if middle <= j:
            high = j
        elif middle >= i:
            low = i
        else:
            break
    return points[middle, side]


@compiled(exact=True)
def fill(points: Array, places: Array, starts: Array, stops: Array, table: Array, labels: Array, first: Array) -> None:
    """The points of each leaf by columns, infinity in the slots that are left; the lowest index in each node."""
    leaves, d, width = table.shape
    n = len(points)
    for leaf in range(leaves):
        node = leaf + leaves - 1
        start, size = starts[node], stops[node] - starts[node]
        first[node] = n
        for j in range(width):
            labels[leaf, j] = places[start + j] if j < size else n
            first[node] = min(first[node], labels[leaf, j])
            for t in range(d):
                table[leaf, t, j] = points[start + j, t] if j < size else np.inf
    for node in range(leaves - 2, -1, -1):
        first[node] = min(first[2 * node + 1], first[2 * node + 2])


# ---- the order of queries --------------------------------------------------------------------------------------------


@compiled(exact=True)
def leaves_of(Q: Array, axis: Array, cut: Array, leaf: Array) -> None:
    """The leaf where each query belongs."""
    for i in range(len(Q)):
        node, leaves = 0, len(cut)
        while node < leaves - 1:
            node = 2 * node + (1 if Q[i, axis[node]] < cut[node] else 2)
        leaf[i] = node + 1 - leaves


@compiled(exact=True)
def by_leaf(leaf: Array, leaves: int) -> Array:
    """The queries in the order of their leaves: a counting sort."""
    starts, order = np.zeros(leaves + 1, np.int64), np.empty(len(leaf), np.int64)
    for i in range(len(leaf)):
        starts[leaf[i] + 1] += 1
    for j in range(leaves):
        starts[j + 1] += starts[j]
    for i in range(len(leaf)):
        order[starts[leaf[i]]] = i
        starts[leaf[i]] += 1
    return order
