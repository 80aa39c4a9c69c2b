"""Are some numbers the shortest distances of a graph? An answer that needs no second search.

    d(s, s) = 0,     d(s, v) ≤ d(s, u) + w_uv  for every edge:                no number is too large              (1)
    every v ≠ s has an edge with  d(s, v) = d(s, u) + w_uv,  d(s, u) < d(s, v):     there is a path so long       (2)

By (1) d(s, v) is at most the length of any path, and by (2), followed backwards, it is the length of one. Edges of no length
lead to no smaller number: vertices that hang together by them count as one in (2).

Cost: as many additions as there are pairs of a source and an edge.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.cluster.graph.connections import parts
from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.kernel.solvers.tiles import for_each, runs

SOURCES = 32  # that a thread takes at a time
NO_LENGTH = 1e-14  # of the largest distance


def path_error(graph: Any, D: Array) -> float:
    """Upper bound on |D_sv − d(s, v)| over all pairs, beside the largest distance: (1) and (2) are off by so much at each edge,
    and a path has at most n of them."""
    n, largest = len(D), float(D.max(initial=0.0))
    if largest == 0.0:
        return 0.0 if not graph.data.any() else np.inf
    if not np.isfinite(largest) or D.diagonal().any():
        return np.inf
    short = sparse.csr_array((graph.data <= NO_LENGTH * largest, graph.indices, graph.indptr), shape=graph.shape, copy=True)
    short.eliminate_zeros()
    together = parts(short)
    cut = runs(0, n, SOURCES)
    off = np.empty(len(cut))

    def work(number: int) -> None:
        run, edges = cut[number], (graph.indptr.astype(np.int64), graph.indices.astype(np.int64), graph.data)
        off[number] = worst(*edges, together, D[run], run.start)

    for_each(work, range(len(cut)))
    return float(n * (off.max() / largest + NO_LENGTH + np.finfo(float).eps))


@compiled(exact=True)
def worst(starts: Array, neighbours: Array, lengths: Array, together: Array, D: Array, first: int) -> float:
    """How far (1) and (2) are missed at most, for some of the sources."""
    missed, n = 0.0, len(starts) - 1
    gap = np.empty(n)
    for row in range(len(D)):
        distance, source = D[row], first + row
        gap[:] = np.inf
        gap[together[source]] = 0.0
        for u in range(n):
            for place in range(starts[u], starts[u + 1]):
                v = neighbours[place]
                over = distance[u] + lengths[place]
                missed = max(missed, distance[v] - over)
                if distance[u] < distance[v] and together[u] != together[v]:
                    gap[together[v]] = min(gap[together[v]], abs(over - distance[v]))
        for v in range(n):
            missed = max(missed, gap[together[v]])
    return missed
