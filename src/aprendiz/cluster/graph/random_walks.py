"""The walk on a graph: from a vertex to one of its neighbours, as likely as the weight of the edge.

    P = D⁻¹W          π_i = d_i / vol(V),   πP = π                                                               (1)

π is where the walk is found after a long time if the graph is connected (or π is not unique) and not bipartite (or the walk
changes sides for ever). NCut of two groups is the chance that the stationary walk changes them (cut_costs.py):

    P(Ā|A) = W(A, Ā) / vol(A)                                                                                    (2)

Cost: O(number of edges).
Reference: Meila & Shi, "A random walks view of spectral segmentation", AISTATS 2001.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.cluster.graph.checks import as_graph
from aprendiz.cluster.graph.connections import has_two_colours, parts, refuse_isolated
from aprendiz.core.rows import Array


@dataclass(frozen=True)
class RandomWalk:
    """P and π of (1).

    Attributes
    ----------
    transition : CSR array of shape (n, n)
        P: the chance to go from row to column.
    stationary : ndarray of shape (n,)
        π.
    """

    transition: Any
    stationary: Array


def walk(W: Any) -> RandomWalk:
    """The walk on a graph; warns if it is not connected, or bipartite.

    Examples
    --------
    >>> found = walk([[0, 3, 1], [3, 0, 2], [1, 2, 0]])
    >>> found.stationary.round(4)
    array([0.3333, 0.4167, 0.25  ])
    >>> found.transition.toarray()[0]
    array([0.  , 0.75, 0.25])
    """
    graph = as_graph(W)
    refuse_isolated(graph, "a walk must be able to leave every vertex")
    degree = np.asarray(graph.sum(axis=1))
    part = parts(graph)
    if (count := int(part.max()) + 1) > 1:
        said = f"The graph has {count} connected components: the walk stays in its own, and π is one of many at rest."
        warnings.warn(said, UserWarning, stacklevel=2)
    if has_two_colours(graph, part):
        said = "A component of the graph is bipartite: the walk changes sides at every step and does not come to rest at π."
        warnings.warn(said, UserWarning, stacklevel=2)
    return RandomWalk(sparse.csr_array(sparse.diags_array(1 / degree) @ graph), degree / degree.sum())


random_walk = walk  # the same in full
