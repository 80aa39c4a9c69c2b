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

from typing import NamedTuple

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.heap import replace_root, sort
from aprendiz.core.rows import Array
from aprendiz.neighbors.search.halved_points import HalvedPoints
from aprendiz.neighbors.search.metrics import ABSOLUTES, DIFFERENT, LARGEST, POWERS, SQUARES

MARGIN = 1e-12  # of (1), relative to its two distances


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
    metric : str, default="euclidean"
        Any metric of metrics.py but "gower".
    p : float, default=2
        The power of "minkowski".
    **parameters
        Other parameters of the metric, such as w, V and VI.

    Attributes
    ----------
    data : ndarray of shape (n, columns)
        The points.
    """

    method = "ball_tree"

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


@compiled(exact=True, inner=True)
def distance(x: Array, q: Array, code: int, p: float) -> float:
    """The distance itself, not its sum (for Hamming, the number of columns that differ: that is a metric too)."""
    total = 0.0
    for t in range(len(q)):
        u = abs(x[t] - q[t])
        if code == SQUARES:
            total += u * u
        elif code == ABSOLUTES:
            total += u
        elif code == LARGEST:
            total = max(total, u)
        elif code == POWERS:
            total += u**p
        else:
            total += 1.0 if u != 0.0 else 0.0
    if code == SQUARES:
        return np.sqrt(total)
    return total ** (1.0 / p) if code == POWERS else total


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
def bound(centres: Array, radii: Array, node: int, q: Array, code: int, p: float) -> float:
    """(1), as a sum."""
    away = distance(centres[node], q, code, p)
    least = max(away - radii[node] - MARGIN * (away + radii[node]), 0.0)
    if code == SQUARES:
        return least * least
    return least**p if code == POWERS else least


@compiled(exact=True, inner=True)
def leaf_sums(table: Array, leaf: int, q: Array, code: int, p: float, out: Array) -> None:
    """The sums between q and the points of a leaf."""
    width = len(out)
    for j in range(width):
        out[j] = 0.0
    for t in range(len(q)):
        x, u = table[leaf, t], q[t]
        if code == SQUARES:
            for j in range(width):
                out[j] += (x[j] - u) * (x[j] - u)
        elif code == ABSOLUTES:
            for j in range(width):
                out[j] += abs(x[j] - u)
        elif code == LARGEST:
            for j in range(width):
                out[j] = max(out[j], abs(x[j] - u))
        elif code == POWERS:
            for j in range(width):
                out[j] += abs(x[j] - u) ** p
        else:
            for j in range(width):
                out[j] += 1.0 if x[j] != u else 0.0


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
            stack[0], bounds[0], depth = other, bound(centres, radii, other, q, code, p), 1
            while depth > 0:
                depth -= 1
                here = stack[depth]
                if bounds[depth] > mine[0] or (bounds[depth] == mine[0] and first[here] > top[0]):
                    continue
                if here >= leaves - 1:
                    look(table, labels, here + 1 - leaves, q, code, p, skip[i], out, mine, top)
                    continue
                left, right = 2 * here + 1, 2 * here + 2
                a, b = bound(centres, radii, left, q, code, p), bound(centres, radii, right, q, code, p)
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
            if bound(centres, radii, here, q, code, p) > limit:
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
