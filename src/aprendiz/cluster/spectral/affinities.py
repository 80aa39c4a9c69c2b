"""The similarities that spectral clustering starts from: rows of a table, or given similarities or distances, as a graph.

    rbf                        exp(−γ‖x_i − x_j‖²)                                                               (1)
    nearest_neighbors          ½([j ∈ N_k(i)] + [i ∈ N_k(j)]),   i ∈ N_k(i)                                      (2)
    mutual_nearest_neighbors   [j ∈ N_k(i)]·[i ∈ N_k(j)]                                                         (3)
    epsilon                    [‖x_i − x_j‖ ≤ ε]                                                                 (4)

and the kernels of scikit-learn, a function of two rows, or the table itself.

Cost: (1) O(n²·d) time and 8n² bytes; (2) to (4) that of a search for neighbours.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.cluster.graph.checks import as_graph, refuse_cells, symmetric
from aprendiz.cluster.graph.similarity_graphs import epsilon_graph, gaussian_similarities
from aprendiz.core.rows import Array
from aprendiz.neighbors.search.precomputed import Precomputed
from aprendiz.neighbors.search.search import search_of
from aprendiz.neighbors.shared.k_nearest import refuse_more_than_rows

GIVEN = ("precomputed", "precomputed_nearest_neighbors")


def affinities(model: Any, X: Any) -> Any:
    """The checked, symmetric table of similarities, dense or CSR, that the parameters of a model ask for."""
    how = model.affinity
    if isinstance(how, str):
        if how == "rbf" and not sparse.issparse(X) and not model.kernel_params:
            return gaussian_similarities(X, float(model.gamma))
        if how in ("nearest_neighbors", "mutual_nearest_neighbors", "precomputed_nearest_neighbors"):
            return neighbour_table(X, how, int(model.n_neighbors))
        if how == "epsilon":
            return epsilon_graph(X.toarray() if sparse.issparse(X) else X, model.epsilon)
        if how == "precomputed":
            return as_graph(X, averaged=True) if sparse.issparse(X) else check_affinity(X.copy())
    return check_affinity(kernel_table(model, X))


def neighbour_table(X: Any, how: str, k: int) -> Any:
    """(2) or (3)."""
    n = X.shape[0]
    refuse_more_than_rows(k, n)
    search = Precomputed(X) if how == "precomputed_nearest_neighbors" else search_of(X)
    columns = search.nearest(X, k)[1]
    one_way = sparse.csr_array((np.ones(n * k), columns.ravel(), np.arange(0, n * k + 1, k)), shape=(n, n))
    both = one_way.minimum(one_way.T) if how == "mutual_nearest_neighbors" else (one_way + one_way.T) * 0.5
    return sparse.csr_array(both)


def kernel_table(model: Any, X: Any) -> Array:
    """A kernel of scikit-learn, or a function of two rows."""
    from sklearn.metrics.pairwise import pairwise_kernels

    parameters = dict(model.kernel_params or {})
    if not callable(model.affinity):
        parameters |= {"gamma": model.gamma, "degree": model.degree, "coef0": model.coef0}
    if isinstance(X, np.ndarray):
        X = X.copy()  # some kernels of scikit-learn do not read what cannot be written
    return np.asarray(pairwise_kernels(X, metric=model.affinity, filter_params=True, **parameters), dtype=np.float64)


def check_affinity(table: Array) -> Array:
    """A dense table of weights, made exactly symmetric where only rounding keeps it from it."""
    if table.shape[0] != table.shape[1]:
        raise ValueError(f"A table of similarities must be square, got the shape {table.shape}: give a row for each column.")
    refuse_cells(table)
    return table if np.array_equal(table, table.T) else np.asarray(symmetric(table, averaged=True))
