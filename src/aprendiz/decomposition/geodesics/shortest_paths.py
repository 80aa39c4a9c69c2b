"""The shortest paths of a graph, from every vertex to all others.

    d(s, s) = 0,     d(s, v) = min over edges uv of  d(s, u) + w_uv                                           (1)

Vertices that a path has reached lie in buckets, by their distance. The nearest bucket is emptied first: the edges of a vertex
are tried, and a vertex whose distance falls goes to the bucket of its new distance. That may be the one which is being
emptied; then it comes out again. In the end no edge leads to a smaller number. Buckets are half as wide as a mean edge is long:
few vertices come out twice, and few buckets are empty. No edge reaches further than all of them, so that they are used in
a circle. Each thread takes some of the sources. Sums run from the source outwards and are never less than their parts, so (1)
holds to the last bit, and the distances depend neither on the buckets nor on the order in which edges are tried.

Cost: about 2m for each of n sources, m edges. Memory: n².
References: Dial, "Algorithm 360: Shortest-path forest with topological ordering", Communications of the ACM 12, 1969; Meyer &
Sanders, "Δ-stepping: a parallelizable shortest path algorithm", Journal of Algorithms 49, 2003.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array
from aprendiz.kernel.solvers.tiles import for_each, runs

SOURCES = 32  # that a thread takes at a time
MOST_BUCKETS = 2**10
TILE = 512  # rows and columns that are compared with their mirror image at a time


def shortest_paths(graph: Any) -> Array:
    """d(s, v) of (1) for all pairs, symmetric to the last bit: of the sums from both ends the smaller one. Infinite where there
    is no path. The graph is CSR and symmetric, with lengths of at least 0."""
    n = graph.shape[0]
    out = np.empty((n, n))
    starts, neighbours, lengths = graph.indptr.astype(np.int64), graph.indices.astype(np.int32), graph.data
    width, buckets = bucket_width(lengths)

    def work(run: slice) -> None:
        from_sources(starts, neighbours, lengths, width, buckets, run.start, run.stop, out[run])

    for_each(work, runs(0, n, SOURCES))
    mirror(out)
    return out


def mirror(D: Array) -> None:
    """The smaller one of D_ij and D_ji in the place of both."""
    cut = runs(0, len(D), TILE)

    def work(pair: tuple[slice, slice]) -> None:
        rows, columns = pair
        smaller = np.minimum(D[rows, columns], D[columns, rows].T)
        D[rows, columns] = smaller
        D[columns, rows] = smaller.T

    for_each(work, [(rows, columns) for number, rows in enumerate(cut) for columns in cut[number:]])


def bucket_width(lengths: Array) -> tuple[float, int]:
    """How wide a bucket is, and how many there are, a power of two: more than the longest edge covers."""
    longest = float(lengths.max(initial=0.0)) or 1.0
    mean = longest * float((lengths / longest).sum()) / max(len(lengths), 1)
    width = max(0.5 * mean, longest / (MOST_BUCKETS - 4), 1e-300)
    return width, 2 ** int(longest / width + 3).bit_length()


@compiled(exact=True)
def from_sources(
    starts: Array, neighbours: Array, lengths: Array, width: float, buckets: int, first: int, last: int, out: Array
) -> None:
    """(1) for the sources from first to last, a row of `out` for each. A bucket is a list in both directions; −1 is nobody, and
    nowhere."""
    n, mask, scale = len(starts) - 1, buckets - 1, 1.0 / width
    head, where = np.full(buckets, -1, np.int32), np.full(n, -1, np.int32)
    after, before = np.full(n, -1, np.int32), np.full(n, -1, np.int32)
    for source in range(first, last):
        distance = out[source - first]
        distance[:] = np.inf
        distance[source] = 0.0
        head[0], where[source] = source, 0
        after[source], before[source] = -1, -1
        waiting, nearest = int64(1), int64(0)
        while waiting > 0:
            u = head[nearest & mask]
            if u < 0:
                nearest += 1
                continue
            follower = after[u]
            head[nearest & mask] = follower
            if follower >= 0:
                before[follower] = -1
            where[u] = -1
            waiting -= 1
            near = distance[u]
            for place in range(starts[u], starts[u + 1]):
                v, further = neighbours[place], near + lengths[place]
                if further < distance[v]:
                    distance[v] = further
                    bucket = int64(further * scale) & mask
                    if where[v] != bucket:
                        waiting += move(head, where, after, before, v, bucket)


@compiled(exact=True, inner=True)
def move(head: Array, where: Array, after: Array, before: Array, v: int, bucket: int) -> int:
    """A vertex leaves its bucket, if it is in one, and goes to the head of another; 1 if it was in none."""
    old = where[v]
    if old >= 0:
        if before[v] >= 0:
            after[before[v]] = after[v]
        else:
            head[old] = after[v]
        if after[v] >= 0:
            before[after[v]] = before[v]
    after[v], before[v] = head[bucket], -1
    if head[bucket] >= 0:
        before[head[bucket]] = v
    head[bucket] = v
    where[v] = bucket
    return 1 if old < 0 else 0
