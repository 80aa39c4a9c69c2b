"""The kd-tree: boxes within boxes.

    bound(q, box) = the sum of the metric between q and the nearest place of the box                          (1)

A query looks into the leaf where it belongs, then, from there upwards, into every other box whose (1) does not exceed its k-th
best so far; the distance to the cut alone dismisses most of them. The boxes are those of the points in them, not of the cuts:
they are smaller. (1) is computed by the same operations in the same order as a sum, and rounding keeps order, so (1) never
exceeds the sum of a point inside, to the last bit (powers other than 1, 2 and ∞ have a margin). At equality the lowest index
in the box decides.

Cost: O(n·log n) to build; about O(k + log n) for a query in few columns. In many columns most boxes are near, and brute force
is faster (search.py).
Reference: Friedman, Bentley and Finkel, "An algorithm for finding best matches in logarithmic expected time", 1977.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.heap import replace_root, sort
from aprendiz.core.rows import Array
from aprendiz.neighbors.search.halved_points import HalvedPoints
from aprendiz.neighbors.search.metrics import DIFFERENT
from aprendiz.neighbors.search.node_bounds import box_bound, leaf_sums, term


class BoxNodes(NamedTuple):
    """A kd-tree: the points of each leaf by columns and their labels; of each node its box, the side at which it is cut and
    where, and its lowest label."""

    table: Array
    labels: Array
    box: Array
    axis: Array
    cut: Array
    first: Array


class KDTree(HalvedPoints):
    """A kd-tree over points, with the query methods of scikit-learn's.

    Parameters
    ----------
    X : array of shape (n, columns)
    leaf_size : int, default=40
        Maximum number of points in a leaf; it does not affect the results.
    metric : str or DistanceMetric, default="minkowski"
        Any metric of metrics.py but "hamming".
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

    method = "kd_tree"
    valid_metrics = ["euclidean", "l2", "minkowski", "p", "manhattan", "cityblock", "l1", "chebyshev", "infinity"]

    def refuse_metric(self) -> None:
        if self.metric.code == DIFFERENT:
            raise ValueError("A kd-tree has no boxes for the metric 'hamming': use a BallTree.")

    def find_best(self, Q: Array, order: Array, leaf: Array, skip: Array, sums: Array, indices: Array) -> None:
        tree = BoxNodes(self.table, self.labels, self.box, self.axis, self.cut, self.first)
        best(tree, self.metric.code, self.metric.p, Q, order, leaf, skip, sums, indices)

    def find_inside(self, Q: Array, limit: float) -> tuple[Array, Array, Array]:
        found: tuple[Array, Array, Array] = all_inside(
            self.table, self.labels, self.box, self.metric.code, self.metric.p, Q, limit
        )
        return found


# ---- searching -------------------------------------------------------------------------------------------------------


@compiled(exact=True, inner=True)
def look(
    table: Array, labels: Array, leaf: int, q: Array, code: int, p: float, skip: int, out: Array, sums: Array, indices: Array
) -> None:
    """Offer the points of a leaf to the k best."""
    leaf_sums(table, leaf, q, code, p, out)
    for j in range(len(out)):
        if out[j] <= sums[0] and labels[leaf, j] != skip:
            replace_root(sums, indices, len(sums), out[j], labels[leaf, j])


@compiled(exact=True)
def best(
    tree: BoxNodes, code: int, p: float, Q: Array, order: Array, leaf: Array, skip: Array, sums: Array, indices: Array
) -> None:
    """The k smallest sums of some queries, ascending, and their points."""
    table, labels, box, axis, cut, first = tree
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
            if term(q[axis[node]] - cut[node], code, p) > mine[0]:
                continue
            stack[0], bounds[0], depth = other, box_bound(box, other, q, code, p), 1
            while depth > 0:
                depth -= 1
                here = stack[depth]
                if bounds[depth] > mine[0] or (bounds[depth] == mine[0] and first[here] > top[0]):
                    continue
                while here < leaves - 1:
                    gap = q[axis[here]] - cut[here]
                    farther = 2 * here + (2 if gap < 0.0 else 1)
                    if term(gap, code, p) <= mine[0]:
                        stack[depth], bounds[depth] = farther, box_bound(box, farther, q, code, p)
                        depth += 1
                    here = 2 * here + (1 if gap < 0.0 else 2)
                look(table, labels, here + 1 - leaves, q, code, p, skip[i], out, mine, top)
        sort(mine, top)
        for j in range(len(mine)):
            sums[i, j], indices[i, j] = mine[j], top[j]


@compiled(exact=True)
def all_inside(
    table: Array, labels: Array, box: Array, code: int, p: float, Q: Array, limit: float
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
            if box_bound(box, here, q, code, p) > limit:
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
