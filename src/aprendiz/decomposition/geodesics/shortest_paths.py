"""The shortest paths of a graph, from every vertex to all others.

    d(s, s) = 0,     d(s, v) = min over edges uv of  d(s, u) + w_uv                                           (1)

Dijkstra: the vertex that is nearest to s among those not yet settled is settled, since no path over others can be shorter, and
its edges are tried. A heap tells which is the nearest; a vertex whose distance falls is pushed again, and what comes out late
is passed over. Each thread takes some of the sources. Sums run from the source outwards and are never less than their parts, so
(1) holds to the last bit, and the distances do not depend on the order in which edges are tried.

Cost: m log n for each of n sources, m edges. Memory: n².
Reference: Dijkstra, "A note on two problems in connexion with graphs", Numerische Mathematik 1, 1959.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.heap import pop, push
from aprendiz.core.rows import Array
from aprendiz.kernel.solvers.tiles import for_each, runs

SOURCES = 32  # that a thread takes at a time
TILE = 512  # rows and columns that are compared with their mirror image at a time


def shortest_paths(graph: Any) -> Array:
    """d(s, v) of (1) for all pairs, symmetric to the last bit: of the sums from both ends the smaller one. Infinite where there
    is no path. The graph is CSR and symmetric, with lengths of at least 0."""
    n = graph.shape[0]
    out = np.empty((n, n))
    starts, neighbours, lengths = graph.indptr.astype(np.int64), graph.indices.astype(np.int64), graph.data

    def work(run: slice) -> None:
        from_sources(starts, neighbours, lengths, run.start, run.stop, out[run])

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


@compiled(exact=True)
def from_sources(starts: Array, neighbours: Array, lengths: Array, first: int, last: int, out: Array) -> None:
    """(1) for the sources from first to last, a row of `out` for each."""
    room = len(neighbours) + 1
    keys, numbers = np.empty(room), np.empty(room, np.int64)
    for source in range(first, last):
        distance = out[source - first]
        distance[:] = np.inf
        distance[source] = 0.0
        keys[0], numbers[0] = 0.0, source
        length = int64(1)
        while length > 0:
            near = -keys[0]  # the largest of the negative ones
            u = pop(keys, numbers, length)
            length -= 1
            if near > distance[u]:
                continue
            for place in range(starts[u], starts[u + 1]):
                v, further = neighbours[place], near + lengths[place]
                if further < distance[v]:
                    distance[v] = further
                    push(keys, numbers, length, -further, v)
                    length += 1
