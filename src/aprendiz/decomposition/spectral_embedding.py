"""Spectral embedding: rows joined by a graph of similarities are put near to each other.

    W from the rows (cluster/spectral/affinities.py):     ½([j ∈ N_k(i)] + [i ∈ N_k(j)]),  or  exp(−γ‖x_i − x_j‖²)       (1)
    minimise Σ_ij w_ij ‖y_i − y_j‖²                       (eigenmaps/laplacian_eigenmaps.py)                           (2)

Cost: that of the similarities and of a few eigenvectors. Memory: n² for the second kind of (1).
Reference: Belkin & Niyogi, "Laplacian eigenmaps for dimensionality reduction and data representation", Neural Computation 15,
2003.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Self

import numpy as np
from scipy import sparse
from sklearn.callback import with_callbacks

from aprendiz.cluster.graph.checks import as_graph
from aprendiz.cluster.graph.similarity_graphs import gaussian_similarities
from aprendiz.cluster.spectral.affinities import GIVEN, check_affinity, neighbour_table
from aprendiz.core.blas import single_blas
from aprendiz.core.callbacks import reporting
from aprendiz.core.learner import Learner
from aprendiz.core.parameters import Count, NonNegative, Seed
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array
from aprendiz.decomposition.eigenmaps.laplacian_eigenmaps import eigenmaps, without_first
from aprendiz.neighbors.shared.kept_rows import SAME, gather, refuse_extremes

Affinity = Literal["nearest_neighbors", "rbf", "precomputed", "precomputed_nearest_neighbors"]


class SpectralEmbedding(Learner):
    """Laplacian eigenmaps (drop-in for scikit-learn's).

    Rows of files and of Dask are gathered into memory: similarities are not a sum.

    Parameters
    ----------
    n_components : int, default=2
        Number of columns of the embedding.
    affinity : str or callable, default="nearest_neighbors"
        (1): "nearest_neighbors" or "rbf"; "precomputed" (X holds similarities), "precomputed_nearest_neighbors" (X holds
        distances), or a function that gives the table of similarities of a table of rows.
    gamma : float, optional
        γ of (1); 1/(number of columns) by default.
    random_state : int, RandomState or None
        The seed of the search for eigenvectors.
    eigen_solver, n_jobs
        No effect.
    eigen_tol : float or "auto", default="auto"
        Residual of the eigenvectors; 10⁻¹¹ by default.
    n_neighbors : int, optional
        Neighbours of a row, itself counted; a tenth of the rows by default.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The coordinates, the entry of largest size in each column positive.
    affinity_matrix_ : array or CSR array of shape (n_samples, n_samples)
        W.
    n_neighbors_ : int
        Neighbours of a row, where they are asked for.
    gamma_ : float
        γ, where it is asked for.
    eigenvalues_ : ndarray of shape (n_components,)
        λ_1, λ_2, …
    method_ : str
        How the eigenvectors were found (cluster/spectral/laplacian_eigen.py).
    certificate_ : Certificate
        How exact the eigenvectors are.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]]
    >>> Y = SpectralEmbedding(1, n_neighbors=2).fit_transform(X)
    >>> sorted(Y[:, 0].tolist()) in (Y[:, 0].tolist(), Y[::-1, 0].tolist())
    True
    """

    allows = frozenset({"sparse"})
    in_data_dtype = frozenset({"embedding_", "affinity_matrix_"})
    differences = {
        "affinity": 'another form: "nearest_neighbors" of sparse rows too, in scikit-learn "rbf"',
        "eigen_solver": "no effect: the method follows from the size and the shape of the graph",
        "eigen_tol": "another form: the residual of every eigenvector, for any method",
        "n_jobs": "no effect: threads are set for all of aprendiz by APRENDIZ_NUM_THREADS",
    }
    exceptions = {
        "memory": "the rows and their similarities are kept in memory: similarities are not a sum",
        "scaling": "similarities are in the units of the columns",
        "same answer": SAME,
    }

    def __init__(
        self,
        n_components: Count = 2,
        *,
        affinity: Affinity | Callable[..., Any] = "nearest_neighbors",
        gamma: NonNegative | None = None,
        random_state: Seed = None,
        eigen_solver: Literal["arpack", "lobpcg", "amg"] | None = None,
        eigen_tol: NonNegative | Literal["auto"] = "auto",
        n_neighbors: Count | None = None,
        n_jobs: int | None = None,
    ):
        self.n_components = n_components
        self.affinity = affinity
        self.gamma = gamma
        self.random_state = random_state
        self.eigen_solver = eigen_solver
        self.eigen_tol = eigen_tol
        self.n_neighbors = n_neighbors
        self.n_jobs = n_jobs

    @with_callbacks
    def fit(self, X: Any, y: Any = None) -> Self:
        """Find coordinates for the rows of X. Returns the learner itself."""
        rows = self.open(X)
        with reporting(self, X, y, None), single_blas():
            table = gather(rows, thin=True)[0]
            n = int(table.shape[0])
            if n <= self.n_components:
                raise ValueError(f"n_samples={n} should be > n_components={self.n_components}: use fewer components.")
            if isinstance(table, np.ndarray) and not self.is_given():
                refuse_extremes(table, rows.names)
            noted, W = self.similarities(table)
            seed = draw_seed(self.random_state)
            found = without_first(eigenmaps(W, self.n_components + 1, tolerance=self.eigen_tol, seed=seed))
            return self.settle({**rows.noted, **noted, "affinity_matrix_": W, **found})

    def fit_transform(self, X: Any, y: Any = None) -> Array:
        """Fit, and return the embedding."""
        return self.fit(X).embedding_

    def similarities(self, X: Any) -> tuple[dict[str, Any], Any]:
        """W of (1), symmetric, and the number that it was made with."""
        if callable(self.affinity):
            return {}, check_affinity(np.asarray(self.affinity(X), np.float64))
        if self.affinity == "precomputed":
            return {}, as_graph(X, averaged=True) if sparse.issparse(X) else check_affinity(X.copy())
        if self.affinity == "rbf":
            gamma = 1.0 / X.shape[1] if self.gamma is None else float(self.gamma)
            return {"gamma_": gamma}, gaussian_similarities(X.toarray() if sparse.issparse(X) else X, gamma)
        k = max(X.shape[0] // 10, 1) if self.n_neighbors is None else int(self.n_neighbors)
        return {"n_neighbors_": k}, neighbour_table(X, self.affinity, k)

    def is_given(self) -> bool:
        """Does X hold similarities or distances?"""
        return isinstance(self.affinity, str) and self.affinity in GIVEN

    def what_stays(self) -> dict[str, Any]:
        """Parameters; the numbers of another kind of similarity would say nothing."""
        return {name: value for name, value in vars(self).items() if name not in ("n_neighbors_", "gamma_")}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.is_given()
        return tags


def spectral_embedding(
    adjacency: Any,
    *,
    n_components: int = 8,
    eigen_solver: str | None = None,
    random_state: Any = None,
    eigen_tol: float | Literal["auto"] = "auto",
    norm_laplacian: bool = True,
    drop_first: bool = True,
) -> Array:
    """Coordinates of the vertices of a graph (drop-in for scikit-learn's).

    Parameters
    ----------
    adjacency : table or sparse graph of shape (n, n)
        Symmetric weights of at least 0.
    n_components : int, default=8
        Number of columns.
    norm_laplacian : bool, default=True
        Whether the Laplacian is normalised by the degrees.
    drop_first : bool, default=True
        Whether the first eigenvector, which is constant on a connected graph, is left out.
    random_state, eigen_tol
        As of `SpectralEmbedding`.
    eigen_solver
        No effect.

    Examples
    --------
    >>> path = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> abs(spectral_embedding(path, n_components=1)).round(4).ravel().tolist()
    [0.7071, 0.0, 0.7071]
    """
    W = as_graph(adjacency, averaged=True) if sparse.issparse(adjacency) else check_affinity(np.array(adjacency, np.float64))
    with single_blas():
        count = int(n_components) + bool(drop_first)
        found = eigenmaps(W, count, tolerance=eigen_tol, seed=draw_seed(random_state), normalised=norm_laplacian)
    return (without_first(found) if drop_first else found)["embedding_"]
