"""Points halved again and again, the frame of the trees: each node is split at the median of its longest side.

The tree is complete: node v has the children 2v + 1 and 2v + 2, and the leaves, of equal size up to one point, hold their
points by columns in slots of equal width. Queries are answered in the order of the leaves where they belong, which are then in
the cache.

Cost: O(n·log n·d) to build, the four subtrees below the second level side by side.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from functools import cached_property
from typing import Any

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.neighbors.search.all_distances import AllDistances
from aprendiz.neighbors.search.distance_objects import metric_and_parameters
from aprendiz.neighbors.search.kernel_sums import heights, kernel_sums, numbers_within
from aprendiz.neighbors.search.metrics import ABSOLUTES, LARGEST, SQUARES, NeighborMetric, metric_of
from aprendiz.neighbors.search.pair_search import OF_PAIRS
from aprendiz.neighbors.search.point_index import Found, Listed, in_order, side_by_side
from aprendiz.neighbors.search.tree_queries import TreeQueries, check_table

NODE = [("idx_start", np.int64), ("idx_end", np.int64), ("is_leaf", np.int64), ("radius", np.float64)]


class HalvedPoints(TreeQueries):
    """What kd-tree and ball tree share; they differ in what they know of a node, and how they search with it."""

    block = 1024
    pairs: AllDistances | None = None  # of a metric that the tree has no nodes for: brute force
    differences = {
        "get_n_calls": "no effect: distances are not counted, for that would slow the search; always 0",
        "get_tree_stats": "no effect: nodes are not counted, for that would slow the search; always zeros",
        "idx_array": "another form: the tree is complete, and its leaves are equal up to one point",
    }
    valid_metrics: list[str]

    def __init__(
        self,
        X: Any,
        leaf_size: int = 40,
        metric: Any = "minkowski",
        p: float | None = None,
        *,
        sample_weight: Any = None,
        **parameters: Any,
    ):
        self.data = check_table(X, leaf_size)
        self.n, self.columns = self.data.shape
        self.sample_weight = None if sample_weight is None else check_weights(sample_weight, self.n)
        name, given = metric_and_parameters(metric, parameters if p is None else {"p": p, **parameters})
        self.metric_and_parameters = name, dict(given)
        if callable(name) or name in OF_PAIRS:
            self.pairs = self.all_pairs(name, given)
            return
        self.metric = name if isinstance(name, NeighborMetric) else metric_of(self.data, name, given.pop("p", 2), given)
        if self.metric.p < 1:
            raise ValueError(
                f"p must be greater or equal to one for a {self.method}, got {self.metric.p:g}: below it the triangle "
                "inequality fails. Use algorithm='brute' or 'auto' of NearestNeighbors."
            )
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

    def all_pairs(self, metric: Any, parameters: dict[str, Any]) -> AllDistances:
        """Brute force for a metric that has no balls."""
        raise ValueError(f"A kd-tree has no boxes for the metric {metric!r}: use a BallTree.")

    @property
    def nodes(self) -> tuple[Array | None, Array | None, Array | None]:
        """What is known of where the points of a node are: boxes, or centres and radii."""
        return self.box, None, None

    def describe(self, points: Array, starts: Array, stops: Array) -> None:
        """Note more of the nodes than their boxes; node v holds points[starts[v]:stops[v]]."""

    @abstractmethod
    def find_best(self, Q: Array, order: Array, leaf: Array, skip: Array, sums: Array, indices: Array) -> None:
        """The k best of the queries `order`, whose leaves are `leaf`."""

    @abstractmethod
    def find_inside(self, Q: Array, limit: float) -> tuple[Array, Array, Array]:
        """All pairs with a sum of at most the limit: query, sum, point."""

    def nearest(self, Q: Any, k: int, skip: Array | None = None) -> Found:
        if self.pairs is not None:
            return self.pairs.nearest(Q, k, skip)
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
        if self.pairs is not None:
            return self.pairs.within_block(Q, radius)
        queries, limit = self.metric.coordinates(Q), self.metric.limit(radius, self.columns)
        counts, sums, indices = in_order(*self.find_inside(queries, limit), len(queries))
        return counts, self.metric.distances(sums, self.columns), indices

    # ---- sums over all points ------------------------------------------------------------------------------------------

    def kernel_sums(self, Q: Array, h: float, kernel: int, shifts: Array, atol: Array, rtol: float) -> Array:
        if (pairs := self.pairs) is not None:
            each = np.ones(self.n) if self.sample_weight is None else self.sample_weight
            return np.concatenate(
                self.in_blocks(Q, lambda Q, rows: heights(pairs.distances(Q) / h, kernel, shifts[rows]) @ each)
            )
        queries, (scale, root), out = self.metric.coordinates(Q), self.metric.distance_of_sum(self.columns), np.empty(len(Q))
        weights, heavy = self.weights
        code, p, nodes = self.metric.code, self.metric.p, (self.table, weights, heavy, *self.nodes)

        def work(rows: slice) -> None:
            here = (shifts[rows], atol[rows], rtol, out[rows])
            kernel_sums(*nodes, code, p, scale / h, root, queries[rows], kernel, *here)

        side_by_side(work, self.slices(len(Q)))
        return out

    def numbers_within(self, Q: Array, radii: Array) -> Array:
        if (pairs := self.pairs) is not None:
            return np.concatenate(self.in_blocks(Q, lambda Q, rows: (pairs.distances(Q)[:, :, None] <= radii).sum(axis=1)))
        limits = np.array([self.metric.limit(float(r), self.columns) for r in radii])
        queries, found = self.metric.coordinates(Q), np.empty((len(Q), len(radii)), np.int64)
        stops = self.node_data
        sizes = stops["idx_end"] - stops["idx_start"]
        code, p = self.metric.code, self.metric.p
        side_by_side(
            lambda rows: numbers_within(self.table, sizes, *self.nodes, code, p, queries[rows], limits, found[rows]),
            self.slices(len(Q)),
        )
        return found

    @cached_property
    def weights(self) -> tuple[Array, Array]:
        """The weights of the points in each leaf, 0 for slots that are left, and of each node."""
        known = np.append(np.ones(self.n) if self.sample_weight is None else self.sample_weight, 0.0)[self.labels]
        heavy = np.zeros(2 * len(known) - 1)
        heavy[len(known) - 1 :] = known.sum(axis=1)
        for node in range(len(known) - 2, -1, -1):
            heavy[node] = heavy[2 * node + 1] + heavy[2 * node + 2]
        return known, heavy

    @property
    def sum_weight(self) -> float:
        """The weight of all points."""
        return float(self.n if self.sample_weight is None else self.sample_weight.sum())

    # ---- the tree as scikit-learn shows it -----------------------------------------------------------------------------

    @property
    def idx_array(self) -> Array:
        """The points, leaf after leaf."""
        return self.labels[self.labels < self.n]

    @property
    def node_data(self) -> Array:
        """Of each node: the slice of `idx_array`, whether it is a leaf, and a radius that holds its points."""
        leaves = len(self.table)
        found = np.zeros(2 * leaves - 1, dtype=NODE)
        found["idx_end"][leaves - 1 :] = np.cumsum((self.labels < self.n).sum(axis=1))
        found["idx_start"][leaves:] = found["idx_end"][leaves - 1 : -1]
        for node in range(leaves - 2, -1, -1):
            found["idx_start"][node] = found["idx_start"][2 * node + 1]
            found["idx_end"][node] = found["idx_end"][2 * node + 2]
        found["is_leaf"][leaves - 1 :] = 1
        found["radius"] = self.node_radii()
        return found

    def node_radii(self) -> Array:
        """Half the diagonals of the boxes, in the metric."""
        half = 0.5 * (self.box[:, :, 1] - self.box[:, :, 0])
        power = {SQUARES: 2.0, ABSOLUTES: 1.0, LARGEST: np.inf}.get(self.metric.code, self.metric.p)
        return np.asarray(np.linalg.norm(half, ord=power, axis=1))

    @property
    def node_bounds(self) -> Array:
        """The boxes, (2, nodes, columns)."""
        return np.ascontiguousarray(np.moveaxis(self.box, 2, 0))

    def get_arrays(self) -> tuple[Array, Array, Array, Array]:
        """data, idx_array, node_data and node_bounds."""
        return self.data, self.idx_array, self.node_data, self.node_bounds

    def get_tree_stats(self) -> tuple[int, int, int]:
        """Always zeros: nodes are not counted."""
        return 0, 0, 0

    def get_n_calls(self) -> int:
        """Always 0: distances are not counted."""
        return 0

    def reset_n_calls(self) -> None:
        """No effect."""


def check_weights(weights: Any, n: int) -> Array:
    """A positive weight for each point."""
    found = np.asarray(weights, np.float64)
    if found.shape != (n,):
        raise ValueError(f"sample_weight must have one number for each of the {n} points, got shape {found.shape}.")
    if (bad := np.flatnonzero(~((found > 0) & (found < np.inf)))).size:
        raise ValueError(f"sample_weight is {found[bad[0]]:g} for point {bad[0]}: give a finite number above 0.")
    return found


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
