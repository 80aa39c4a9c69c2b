"""What it costs to cut a graph into groups of vertices.

    W(A, B) = Σ_{i∈A, j∈B} w_ij          vol(A) = Σ_{i∈A} d_i          Ā = all vertices but those of A

    Cut      = ½ Σ_i W(A_i, Ā_i)                 the weight of the edges cut, each once                          (1)
    RatioCut =   Σ_i W(A_i, Ā_i) / |A_i|                                                                         (2)
    NCut     =   Σ_i W(A_i, Ā_i) / vol(A_i)                                                                      (3)

Some texts define (2) and (3) with a factor ½. Without it they are traces, with the columns of H the indicators of the groups
divided by √|A_i|, or by √vol(A_i),

    RatioCut = Tr HᵀLH   with HᵀH = I,          NCut = Tr HᵀLH   with HᵀDH = I,                                  (4)

and NCut of two groups is the chance P(Ā|A) + P(A|Ā) that the stationary walk changes sides. So (2) and (3) are the default, and
`half=True` gives the others. Over all H that satisfy (4), the smallest trace is the sum of the k smallest eigenvalues: no
partition costs less (spectral_clustering.py).

Cost: O(number of edges).
Reference: Shi & Malik, "Normalized cuts and image segmentation", IEEE Trans. PAMI 22, 2000.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from aprendiz.cluster.graph.checks import as_graph, as_labels
from aprendiz.core.rows import Array


def cut(W: Any, labels: Any) -> float:
    """(1) of the groups given by a label for each vertex.

    Examples
    --------
    >>> cut([[0, 3, 1], [3, 0, 0], [1, 0, 0]], [0, 0, 1])
    1.0
    """
    return float(leaving(W, labels)[0].sum()) / 2


def ratio_cut(W: Any, labels: Any, *, half: bool = False) -> float:
    """(2), or half of it.

    Examples
    --------
    >>> ratio_cut([[0, 3, 1], [3, 0, 0], [1, 0, 0]], [0, 0, 1])
    1.5
    """
    away, size, _ = leaving(W, labels)
    return float((away / size).sum()) * (0.5 if half else 1.0)


def ncut(W: Any, labels: Any, *, half: bool = False) -> float:
    """(3), or half of it. A group whose vertices have no edges is refused: it has no volume.

    Examples
    --------
    >>> round(ncut([[0, 3, 1], [3, 0, 0], [1, 0, 0]], [0, 0, 1]), 4)
    1.1429
    """
    away, _, volume = leaving(W, labels)
    if (volume == 0).any():
        name = np.unique(np.asarray(labels))[np.argmax(volume == 0)]
        raise ValueError(f"No vertex of group {name} has an edge, so NCut would divide by 0: give it vertices with edges.")
    return float((away / volume).sum()) * (0.5 if half else 1.0)


def leaving(W: Any, labels: Any) -> tuple[Array, Array, Array]:
    """W(A_i, Ā_i), |A_i| and vol(A_i) of each group."""
    graph = as_graph(W)
    groups, count = as_labels(labels, graph.shape[0])
    rows = np.repeat(groups, np.diff(graph.indptr))
    away = np.bincount(rows, np.where(rows != groups[graph.indices], graph.data, 0.0), minlength=count)
    volume = np.bincount(rows, graph.data, minlength=count)
    return away, np.bincount(groups, minlength=count), volume
