"""The diffusion kernel of the nodes of a graph: how much of what starts at one node has come to the other after some time.

    K = e^(−βL),     L = D − A,     A the weights of the edges, D their sums on the diagonal                     (1)
    L = VΛVᵀ,     φ(node i) = row i of V·e^(−βΛ/2)                                                              (2)

Nodes are alike if many short ways lead from one to the other. Small β: only neighbours; large β: all that are connected.

Cost: O(nodes³) once, O(nodes) for an entry.
Reference: Kondor, Lafferty: Diffusion kernels on graphs, 2002.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy import sparse

from aprendiz.core.parameters import ArrayLike, Finite, ParameterError
from aprendiz.core.rows import Array
from aprendiz.kernel.gram.given_rows import column_of_objects
from aprendiz.kernel.gram.kernel_function import Kernel
from aprendiz.kernel.gram.points import Points, products
from aprendiz.kernel.gram.rounding import summation_error
from aprendiz.kernel.gram.symmetric import refuse_asymmetric


@dataclass(frozen=True)
class NodePoints(Points):
    """Some nodes, with φ of all of them."""

    every: Array | None = None


class Diffusion(Kernel):
    """K = exp(−βL) between nodes of a graph. Rows of X are numbers of nodes, 0, 1, …

    Parameters
    ----------
    beta : float, default=1.0
        β, the time that passes.
    adjacency : array or sparse matrix of shape (n_nodes, n_nodes), or None, default=None
        The weight of each edge, 0 where there is none; symmetric.
    edges : array of shape (n_edges, 2) or None, default=None
        The graph as pairs of nodes instead. Edges given several times count several times.

    Examples
    --------
    >>> Diffusion(1.0, edges=[[0, 1], [1, 2]])([0, 1, 2]).round(4)
    array([[0.5256, 0.3167, 0.1577],
           [0.3167, 0.3665, 0.3167],
           [0.1577, 0.3167, 0.5256]])
    """

    compares = "nodes"

    def __init__(
        self,
        beta: Finite = 1.0,
        *,
        adjacency: ArrayLike | sparse.sparray | sparse.spmatrix | None = None,
        edges: ArrayLike | None = None,
    ):
        self.beta = beta
        self.adjacency = adjacency
        self.edges = edges

    def on(self, X: Any) -> Self:
        super().on(X)
        weights_of(self.adjacency, self.edges)
        return self

    def table(self, X: Any) -> Any:
        return nodes_of(X)

    def points(self, X: Any, like: NodePoints | None = None) -> NodePoints:
        every = self.node_features() if like is None or like.every is None else like.every
        nodes = nodes_of(X)
        for row in np.flatnonzero((nodes < 0) | (nodes >= len(every)))[:1]:
            raise ValueError(
                f"Diffusion: row {row} names node {nodes[row]}, but the graph has the nodes 0 to {len(every) - 1}. "
                "Give the adjacency matrix of all nodes."
            )
        rows = np.ascontiguousarray(every[nodes])
        return NodePoints(rows, np.einsum("ij,ij->i", rows, rows), None, every)

    def node_features(self) -> Array:
        """φ of (2), for every node."""
        weights = weights_of(self.adjacency, self.edges)
        values, vectors = np.linalg.eigh(np.diag(weights.sum(axis=1)) - weights)
        return vectors * np.exp(-0.5 * self.beta * np.maximum(values, 0.0))

    def block(self, P: NodePoints, Q: NodePoints, out: Array | None = None) -> Array:
        return products(P, Q, out)

    def diagonal_of(self, P: NodePoints) -> Array:
        return P.squares.copy()

    def rounding(self, P: NodePoints, eps: float) -> float:
        """Of the inner products; φ is taken as it is."""
        return summation_error(P, eps)


def weights_of(adjacency: Any, edges: Any) -> Array:
    """A of (1)."""
    if (adjacency is None) == (edges is None):
        raise ParameterError("Diffusion: give the graph, either adjacency= or edges=.")
    if edges is not None:
        return weights_of_edges(edges)
    A = np.asarray(adjacency.toarray() if sparse.issparse(adjacency) else adjacency, np.float64)
    if A.ndim != 2 or A.shape[0] != A.shape[1]:
        raise ParameterError(f"Diffusion: the adjacency matrix must be square, got shape {A.shape}. Pairs of nodes are edges=.")
    for i, j in np.argwhere(~((A >= 0) & np.isfinite(A)))[:1]:
        raise ParameterError(f"Diffusion: the weight of edge ({i}, {j}) is {A[i, j]}; weights must be at least 0.")
    refuse_asymmetric(A, "the adjacency matrix")
    return (A + A.T) / 2.0


def weights_of_edges(edges: Any) -> Array:
    pairs = np.asarray(edges)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or pairs.dtype.kind not in "iu" or not len(pairs) or pairs.min() < 0:
        raise ParameterError(
            "Diffusion: edges must be pairs of numbers of nodes, such as [[0, 1], [1, 2]]. Weights go into adjacency=."
        )
    A = np.zeros((int(pairs.max()) + 1,) * 2)
    np.add.at(A, (pairs[:, 0], pairs[:, 1]), 1.0)
    np.add.at(A, (pairs[:, 1], pairs[:, 0]), 1.0)
    return A


def nodes_of(X: Any) -> Array:
    """The number of a node for each row, or a word about the first cell that is none."""
    X = X.toarray() if sparse.issparse(X) else X
    found = column_of_objects(X, "Diffusion compares nodes of a graph, one for each row")
    for row, value in enumerate(found):
        whole = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
        if not whole or value != np.floor(value):
            raise ValueError(f"Diffusion compares nodes of a graph, but row {row} holds {value!r}: give a whole number from 0.")
    return np.array(found, dtype=np.int64)
