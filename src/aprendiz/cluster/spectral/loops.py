"""A graph without its loops: the similarity of a vertex to itself counts for nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.cluster.graph.connections import parts
from aprendiz.core.rows import Array
from aprendiz.neighbors.search.point_index import side_by_side


@contextmanager
def without_loops(W: Any) -> Iterator[Any]:
    """The graph without its diagonal; that of a dense one is put back at the end. To subtract it from sums instead would cost
    small similarities their digits."""
    if sparse.issparse(W):
        bare = W.copy()
        bare.setdiag(0.0)
        bare.eliminate_zeros()
        yield bare
        return
    loops = W.diagonal().copy()
    np.fill_diagonal(W, 0.0)
    try:
        yield W
    finally:
        np.fill_diagonal(W, loops)


def degrees_and_parts(W: Any) -> tuple[Array, Array]:
    """The degree of each vertex, loops not counted, and its connected component."""
    if sparse.issparse(W):
        return np.asarray(W.sum(axis=1)), parts(W)
    degree = np.concatenate(side_by_side(lambda i: W[i : i + 256].sum(axis=1), range(0, len(W), 256)))
    whole = np.count_nonzero(W[0]) == len(W) - 1  # the first vertex is joined to every other
    return degree, np.zeros(len(W), np.int64) if whole else parts(sparse.csr_array(W))
