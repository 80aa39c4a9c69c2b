"""Brute force: the distance of every query to every point.

`DirectSearch`, for any metric with a code. The points stand by columns; a tile of them and one query give a row of sums, each
summed over the columns in their order (eight points at a time in the registers). Those below the k-th best so far enter a
heap of the k best.

`ScreenedSearch`, for sums of squares. Around a pivot inside the data, with z = x − pivot and r = q − pivot,

    ‖x − q‖² = (−2z, ‖z‖², 1)·(r, 1, ‖r‖²)                                                                    (1)

is one matrix product for a block of queries and a tile of points, in single precision. Its error is below

    (d + 6)·2⁻²⁴·(‖z‖ + ‖r‖)²                                                                                 (2)

(rounding of z and r: 2 units, of ‖z‖² and ‖r‖²: 1, of a sum of d + 2 terms: d + 2, of (3) itself: less than 1). A point whose
(1) exceeds the k-th best so far by more than (2) is not among the k best. The others, about k·ln(n/k) for each query, are
computed anew as

    Σ (x − q)²     in double precision, over the columns in their order                                        (3)

so that order, ties and distances are those of `DirectSearch` to the last bit, at any offset. Non-negative numbers compare
like their bits, and integers compare in one instruction for sixteen: the smallest of 128 products decides whether any of them
is looked at.

Cost: O(n·d) for each query; a copy of the points (in single precision for the screen). The product alone is 75 ms for 50 000
points, 5 000 queries and 30 columns at the 200 Gflop/s of two cores.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.heap import replace_root, sort
from aprendiz.core.rows import Array
from aprendiz.core.threads import scratch
from aprendiz.neighbors.search.metrics import ABSOLUTES, DIFFERENT, LARGEST, POWERS, SQUARES, NeighborMetric
from aprendiz.neighbors.search.point_index import Found, Listed, Search, in_order

TILE = 512  # points
GLANCE = 128  # products that are looked at together
UNIT = 2.0**-24  # rounding of a single
ABOVE = 1.0 + 4.0 * UNIT  # so that the single nearest to a product with it is not below the number
FAR = 1e15  # queries beyond this many times the size of the data are not screened: their squares might overflow


class DirectSearch(Search):
    """All distances of a metric with a code."""

    method = "brute"

    def __init__(self, X: Array, metric: NeighborMetric):
        self.n, self.columns = X.shape
        self.metric = metric
        self.table = np.ascontiguousarray(metric.coordinates(X).T, dtype=np.float64)

    def nearest_block(self, Q: Array, k: int, skip: Array | None) -> Found:
        queries = self.metric.coordinates(Q)
        sums, indices = np.full((len(queries), k), np.inf), np.full((len(queries), k), self.n, np.int64)
        skipped = np.full(len(queries), -1) if skip is None else skip
        best_of_all(self.table, queries, self.metric.code, self.metric.p, skipped, sums, indices, np.empty(TILE))
        return self.metric.distances(sums, self.columns), indices

    def within_block(self, Q: Array, radius: float) -> Listed:
        queries = self.metric.coordinates(Q)
        limit = self.metric.limit(radius, self.columns)
        counts = np.zeros(len(queries), np.int64)
        sums, indices = all_within(self.table, queries, self.metric.code, self.metric.p, limit, np.empty(TILE), counts)
        query = np.repeat(np.arange(len(queries)), counts)
        counts, sums, indices = in_order(query, sums, indices, len(queries))
        return counts, self.metric.distances(sums, self.columns), indices


class ScreenedSearch(Search):
    """All distances of a metric of squares: by a matrix product, and those that matter by differences."""

    method = "brute"
    block = 1024

    def __init__(self, X: Array, metric: NeighborMetric):
        self.n, self.columns = X.shape
        self.metric = metric
        self.points = metric.coordinates(X)
        self.pivot = np.median(self.points[:: max(1, self.n // 100)], axis=0).astype(np.float64)
        self.unit = float(2.0 ** -np.frexp(spread(self.points, self.pivot))[1])
        self.screen = np.empty((self.n, self.points.shape[1] + 2), np.float32)
        self.reach = np.zeros(-(-self.n // TILE))  # the largest ‖z‖ in each tile
        points_of_screen(self.points, self.pivot, self.unit, self.screen, self.reach, TILE)

    def nearest_block(self, Q: Array, k: int, skip: Array | None) -> Found:
        queries, probes, reach = self.probes(Q)
        sums, indices = np.full((len(Q), k), np.inf), np.full((len(Q), k), self.n, np.int64)
        skipped, seeds = np.full(len(Q), -1) if skip is None else skip, k + (skip is not None)
        for start, slack, products in self.tiles(probes, reach):
            cut = np.full(len(Q), np.inf, np.float32)
            if start == 0 and seeds <= products.shape[1]:
                seed(products, slack, cut, np.empty(seeds), np.empty(seeds, np.int64))
            survivors(products, cut, slack, self.unit**2, start, self.points, queries, skipped, sums, indices)
        sort_all(sums, indices)
        return self.metric.distances(sums, self.columns), indices

    def within_block(self, Q: Array, radius: float) -> Listed:
        queries, probes, reach = self.probes(Q)
        limit = self.metric.limit(radius, self.columns)
        found = [
            survivors_within(products, slack, self.unit**2, start, self.points, queries, limit)
            for start, slack, products in self.tiles(probes, reach)
        ]
        query, sums, indices = (np.concatenate(parts) for parts in zip(*found, strict=True))
        counts, sums, indices = in_order(query, sums, indices, len(queries))
        return counts, self.metric.distances(sums, self.columns), indices

    def probes(self, Q: Array) -> tuple[Array, Array, Array]:
        """The coordinates of the queries, their side of (1), and ‖r‖ (infinite where the screen is of no use)."""
        queries = self.metric.coordinates(Q)
        probes, reach = np.empty((len(Q), queries.shape[1] + 2), np.float32), np.empty(len(Q))
        queries_of_screen(queries, self.pivot, self.unit, probes, reach)
        return queries, probes, reach

    def tiles(self, probes: Array, reach: Array) -> Iterator[tuple[int, Array, Array]]:
        """The products (1) of each tile as bits, with its first point and (2) for each query."""
        room = scratch(1, len(probes) * TILE // 2 + 1).view(np.float32).ravel()
        for tile, start in enumerate(range(0, self.n, TILE)):
            points = self.screen[start : start + TILE]
            products = room[: len(probes) * len(points)].reshape(len(probes), len(points))
            np.dot(probes, points.T, out=products)
            slack = probes.shape[1] + 4
            yield start, slack * UNIT * (self.reach[tile] + reach) ** 2 + 1e-36, products.view(np.int32)


# ---- kernels ---------------------------------------------------------------------------------------------------------


@compiled(exact=True, inner=True)
def tile_sums(table: Array, start: int, stop: int, q: Array, code: int, p: float, out: Array) -> None:
    """out[j] = the sum between q and point start + j: the terms are added over the columns in their order."""
    size = stop - start
    for j in range(size):
        out[j] = 0.0
    for t in range(len(table)):
        x, u = table[t, start:stop], np.float64(q[t])
        if code == SQUARES:
            for j in range(size):
                out[j] += (x[j] - u) * (x[j] - u)
        elif code == ABSOLUTES:
            for j in range(size):
                out[j] += abs(x[j] - u)
        elif code == LARGEST:
            for j in range(size):
                out[j] = max(out[j], abs(x[j] - u))
        elif code == POWERS:
            for j in range(size):
                out[j] += abs(x[j] - u) ** p
        elif code == DIFFERENT:
            for j in range(size):
                out[j] += 1.0 if x[j] != u else 0.0


@compiled(exact=True)
def best_of_all(table: Array, Q: Array, code: int, p: float, skip: Array, sums: Array, indices: Array, out: Array) -> None:
    """The k smallest sums of each query, ascending, and their points."""
    n, tile = table.shape[1], len(out)
    for start in range(0, n, tile):
        stop = min(start + tile, n)
        for i in range(len(Q)):
            tile_sums(table, start, stop, Q[i], code, p, out)
            near, limit = 0, sums[i, 0]
            for j in range(stop - start):
                near += out[j] <= limit
            for j in range(stop - start if near else 0):  # mostly there are none
                if out[j] <= sums[i, 0] and start + j != skip[i]:
                    replace_root(sums[i], indices[i], len(sums[i]), out[j], start + j)
    for i in range(len(Q)):
        sort(sums[i], indices[i])


@compiled(exact=True)
def all_within(table: Array, Q: Array, code: int, p: float, limit: float, out: Array, counts: Array) -> tuple[Array, Array]:
    """All sums of at most the limit, query by query."""
    n, tile, used = table.shape[1], len(out), 0
    sums, indices = np.empty(1024), np.empty(1024, np.int64)
    for i in range(len(Q)):
        for start in range(0, n, tile):
            stop = min(start + tile, n)
            tile_sums(table, start, stop, Q[i], code, p, out)
            if used + tile > len(sums):
                sums, indices = np.concatenate((sums, np.empty_like(sums))), np.concatenate((indices, np.empty_like(indices)))
            for j in range(stop - start):
                if out[j] <= limit:
                    sums[used], indices[used] = out[j], start + j
                    used += 1
                    counts[i] += 1
    return sums[:used], indices[:used]


@compiled(exact=True)
def sort_all(sums: Array, indices: Array) -> None:
    for i in range(len(sums)):
        sort(sums[i], indices[i])


# ---- kernels of the screen -------------------------------------------------------------------------------------------


@compiled(exact=True)
def spread(X: Array, pivot: Array) -> float:
    """The largest |x − pivot|."""
    largest = 0.0
    for i in range(len(X)):
        for t in range(X.shape[1]):
            largest = max(largest, abs(X[i, t] - pivot[t]))
    return largest


@compiled(exact=True)
def points_of_screen(X: Array, pivot: Array, unit: float, out: Array, reach: Array, tile: int) -> None:
    """out[i] = (−2z, ‖z‖², 1)."""
    d = X.shape[1]
    for i in range(len(X)):
        total = 0.0
        for t in range(d):
            z = (X[i, t] - pivot[t]) * unit
            out[i, t] = -2.0 * z
            total += z * z
        out[i, d], out[i, d + 1] = total, 1.0
        reach[i // tile] = max(reach[i // tile], np.sqrt(total))


@compiled(exact=True)
def queries_of_screen(Q: Array, pivot: Array, unit: float, out: Array, reach: Array) -> None:
    """out[i] = (r, 1, ‖r‖²); zeros for what is too far away."""
    d = Q.shape[1]
    for i in range(len(Q)):
        total = 0.0
        for t in range(d):
            r = (Q[i, t] - pivot[t]) * unit
            out[i, t] = r
            total += r * r
        out[i, d], out[i, d + 1] = 1.0, total
        reach[i] = np.sqrt(total)
        if not reach[i] < FAR:
            out[i] = 0.0
            reach[i] = np.inf


@compiled(exact=True, inner=True)
def square(x: Array, q: Array) -> float:
    """(3)."""
    total = 0.0
    for t in range(len(x)):
        u = np.float64(x[t]) - np.float64(q[t])
        total += u * u
    return total


@compiled(exact=True, inner=True)
def smallest(bits: Array) -> int:
    low = bits[0]
    for j in range(len(bits)):
        low = min(low, bits[j])
    return low


@compiled(exact=True)
def seed(bits: Array, slack: Array, cut: Array, best: Array, indices: Array) -> None:
    """A first cut for each query: the k-th smallest product of a tile, with room for the errors of it and of another."""
    products = bits.view(np.float32)
    size = bits.shape[1]
    for i in range(len(bits)):
        best[:] = np.inf
        indices[:] = size
        for start in range(0, size, GLANCE):
            glance = products[i, start : start + GLANCE]
            for j in range(len(glance)):
                if glance[j] < best[0]:
                    replace_root(best, indices, len(best), np.float64(glance[j]), start + j)
        cut[i] = (max(best[0], 0.0) + 2.0 * slack[i]) * ABOVE


@compiled(exact=True)
def survivors(
    bits: Array, cut: Array, slack: Array, scale: float, start: int, X: Array, Q: Array, skip: Array, sums: Array,
    indices: Array,
) -> None:  # fmt: skip
    """The points of a tile whose product is not above the cut, computed by (3) and offered to the k best."""
    size, k = bits.shape[1], sums.shape[1]
    limit = cut.view(np.int32)
    for i in range(len(bits)):
        cut[i] = min(cut[i], (sums[i, 0] * scale + slack[i]) * ABOVE)
        for first in range(0, size, GLANCE):
            glance = bits[i, first : first + GLANCE]
            if smallest(glance) > limit[i]:
                continue
            for j in range(len(glance)):
                point = start + first + j
                if glance[j] > limit[i] or point == skip[i]:
                    continue
                total = square(X[point], Q[i])
                if total <= sums[i, 0]:
                    replace_root(sums[i], indices[i], k, total, point)
                    cut[i] = min(cut[i], (sums[i, 0] * scale + slack[i]) * ABOVE)


@compiled(exact=True)
def survivors_within(
    bits: Array, slack: Array, scale: float, start: int, X: Array, Q: Array, limit: float
) -> tuple[Array, Array, Array]:
    """The pairs of a tile with (3) of at most the limit: query, sum, point."""
    size, used, cut = bits.shape[1], 0, np.empty(1, np.float32)
    most = cut.view(np.int32)
    queries, sums, points = np.empty(size, np.int64), np.empty(size), np.empty(size, np.int64)
    for i in range(len(bits)):
        cut[0] = (limit * scale + slack[i]) * ABOVE
        if used + size > len(sums):
            queries, points = np.concatenate((queries, np.empty_like(queries))), np.concatenate((points, np.empty_like(points)))
            sums = np.concatenate((sums, np.empty_like(sums)))
        for first in range(0, size, GLANCE):
            glance = bits[i, first : first + GLANCE]
            if smallest(glance) > most[0]:
                continue
            for j in range(len(glance)):
                total = square(X[start + first + j], Q[i]) if glance[j] <= most[0] else np.inf
                if glance[j] <= most[0] and total <= limit:
                    queries[used], sums[used], points[used] = i, total, start + first + j
                    used += 1
    return queries[:used], sums[:used], points[:used]
