"""Degrees and Laplacians of a graph.

    d_i = Σ_j w_ij          D = diag(d)                                                                          (1)
    unnormalised   L     = D − W                                                                                 (2)
    symmetric      L_sym = I − D^(−½) W D^(−½)                                                                   (3)
    random walk    L_rw  = I − D⁻¹ W                                                                             (4)

    uᵀLu = ½ Σ_ij w_ij (u_i − u_j)²                                                                              (5)

By (5) all eigenvalues are at least 0. The number of zeros is that of connected components, and the indicators of the components
span their vectors (of L_sym, the indicators times √d). L_rw is not symmetric, but similar to L_sym:

    L_rw u = λu   ⇔   L_sym (D^½u) = λ (D^½u)   ⇔   Lu = λDu                                                     (6)

Cost: O(number of edges).
Reference: von Luxburg, "A tutorial on spectral clustering", Statistics and Computing 17, 2007.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

import numpy as np
from scipy import sparse

from aprendiz.cluster.graph.checks import as_graph
from aprendiz.cluster.graph.connections import refuse_isolated
from aprendiz.core.rows import Array

Kind = Literal["unnormalised", "symmetric", "random_walk"]


def degrees(W: Any) -> Array:
    """(1): the sum of the weights at each vertex, a loop counted once."""
    return np.asarray(as_graph(W).sum(axis=1))


def laplacian(W: Any, kind: Kind = "unnormalised") -> Any:
    """(2), (3) or (4).

    Parameters
    ----------
    W : table of shape (n, n), dense or sparse
        The weights.
    kind : {"unnormalised", "symmetric", "random_walk"}, default="unnormalised"
        The last two divide by degrees: a vertex without edges is refused.

    Returns
    -------
    L : CSR array of shape (n, n)

    Examples
    --------
    >>> path = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> laplacian(path).toarray()
    array([[ 1., -1.,  0.],
           [-1.,  2., -1.],
           [ 0., -1.,  1.]])
    >>> laplacian(path, "random_walk").toarray()
    array([[ 1. , -1. ,  0. ],
           [-0.5,  1. , -0.5],
           [ 0. , -1. ,  1. ]])
    """
    if kind not in get_args(Kind):
        raise ValueError(f"kind must be one of {', '.join(get_args(Kind))}; got {kind!r}.")
    graph = as_graph(W)
    degree = np.asarray(graph.sum(axis=1))
    if kind == "unnormalised":
        return sparse.csr_array(sparse.diags_array(degree) - graph)
    refuse_isolated(graph, f"the {kind} Laplacian divides by degrees")
    left, right = (1 / np.sqrt(degree),) * 2 if kind == "symmetric" else (1 / degree, np.ones_like(degree))
    scaled = sparse.diags_array(left) @ graph @ sparse.diags_array(right)
    return sparse.csr_array(sparse.eye_array(len(degree)) - scaled)
