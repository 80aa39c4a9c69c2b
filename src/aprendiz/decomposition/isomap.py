"""Isomap: points whose distances are those along the surface that the rows lie on.

    graph         each row and its nearest neighbours (geodesics/neighbor_graph.py)                                (1)
    geodesics     D_ij = the length of the shortest path from row i to row j (geodesics/shortest_paths.py)         (2)
    embedding     classical scaling of D: B = −½ JD²J = V diag(λ) Vᵀ,     T = V_k diag(λ_1, …, λ_k)^½               (3)

(3) is what kernel principal components give of the kernel −½D². If the surface can be unrolled without stretching, and has no
holes, distances along it are those of points in a plane, and (3) finds that plane. New rows are joined to the graph by their
neighbours, and projected:

    D(x, v) = min over the neighbours u of x of ‖x − u‖ + D_uv,     t_k(x) = Σ_i v_ik/√λ_k · B(x, i)               (4)

Cost: a search; about n·m for (2), m edges; some tens of products with B for (3). Memory: n².
Reference: Tenenbaum, de Silva & Langford, "A global geometric framework for nonlinear dimensionality reduction", Science 290,
2000.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin
from sklearn.callback import with_callbacks

from aprendiz.cluster.medoids.dissimilarities import Dissimilarities
from aprendiz.core.blas import single_blas
from aprendiz.core.callbacks import reporting
from aprendiz.core.certificate import Certificate
from aprendiz.core.learner import Transformer
from aprendiz.core.parameters import Count, NonNegative, ParameterError, Positive
from aprendiz.core.pictures import Picture, display
from aprendiz.core.precision import certificate_in_single, in_dtype_of
from aprendiz.core.rows import Array, Rows
from aprendiz.decomposition.dissimilarities.inner_products import evidence, half_squares, reconstruction_error
from aprendiz.decomposition.geodesics.evidence import path_error
from aprendiz.decomposition.geodesics.neighbor_graph import neighbor_graph
from aprendiz.decomposition.geodesics.new_rows import distances_over_neighbours
from aprendiz.decomposition.geodesics.shortest_paths import shortest_paths
from aprendiz.decomposition.geodesics.stored_paths import PATHS
from aprendiz.kernel import KernelPCA
from aprendiz.kernel.shared.kept_rows import answer_rows
from aprendiz.neighbors import NearestNeighbors
from aprendiz.neighbors.search.distance_objects import rows_of_index
from aprendiz.neighbors.shared.kept_rows import SAME, AllowedByMetric, gather

SMALL_ERROR = 1e-9  # of a distance, beside the largest


class Isomap(ClassNamePrefixFeaturesOutMixin, Transformer):
    """Isometric mapping (drop-in for scikit-learn's).

    Parameters
    ----------
    n_neighbors : int or None, default=5
        Neighbours of a row; None with a radius.
    radius : float, optional
        Join rows up to this distance instead.
    n_components : int, default=2
        Number of columns of the embedding.
    eigen_solver : {"auto", "arpack", "dense"}, default="auto"
        "dense" for LAPACK; with the others the method follows from the size.
    tol : float, default=0
        Residual of an eigenvector beside the largest eigenvalue; 0 for 10⁻¹³.
    max_iter : int, optional
        Steps of block Lanczos; 200 by default.
    path_method, n_jobs
        No effect.
    neighbors_algorithm : {"auto", "brute", "kd_tree", "ball_tree"}, default="auto"
        Search algorithm; all of them find the same neighbours.
    metric, p, metric_params : default="minkowski", 2, None
        The distance, as of `NearestNeighbors`; "precomputed" for a table of distances, or a sparse graph of them.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        T of (3).
    kernel_pca_ : KernelPCA
        The fit (3), of −½D².
    nbrs_ : NearestNeighbors
        The rows and their index.
    dist_matrix_ : ndarray of shape (n_samples, n_samples)
        D, symmetric to the last bit.
    graph_ : CSR array of shape (n_samples, n_samples)
        The edges that D is measured along, in both directions.
    n_connected_components_ : int
        How many parts the graph of neighbours had before they were joined.
    certificate_ : Certificate
        That D are the shortest distances of the graph, and that the embedding is made of the largest eigenpairs of B; the share
        of negative eigenvalues, and how far distances in the embedding are from D. Computed on access, from all eigenvalues.

    Examples
    --------
    >>> import numpy as np
    >>> angle = np.linspace(0, 5, 40)
    >>> spiral = np.column_stack([angle * np.cos(angle), angle * np.sin(angle)])
    >>> T = Isomap(n_neighbors=2, n_components=1).fit_transform(spiral)
    >>> bool((np.diff(T[:, 0]) > 0).all() or (np.diff(T[:, 0]) < 0).all())
    True
    """

    stored_check = PATHS
    allows = AllowedByMetric("sparse")
    in_data_dtype = frozenset({"embedding_"})
    not_iterative = "block Lanczos is a matter of some tens of products; `max_iter` bounds them"
    differences = {
        "eigen_solver": "another form: dense is LAPACK; with the others the method follows from the size, and is as exact",
        "tol": "another form: the residual of an eigenvector beside the largest eigenvalue",
        "max_iter": "another form: steps of block Lanczos",
        "path_method": "no effect: a search with buckets finds the same paths, and is the faster one on graphs of neighbours",
        "n_jobs": "no effect: threads are set for all of aprendiz by APRENDIZ_NUM_THREADS",
        "metric": "another form: a table of distances that is not symmetric, or not 0 between a row and itself, is refused",
        "dist_matrix_": "another form: float64 for float32 data too",
    }
    exceptions = {
        "memory": "the rows and the distances of all pairs are kept in memory: they are not a sum",
        "scaling": "the embedding has the units of the columns",
        "same answer": SAME,
    }

    def __init__(
        self,
        *,
        n_neighbors: Count | None = 5,
        radius: NonNegative | None = None,
        n_components: Count = 2,
        eigen_solver: Literal["auto", "arpack", "dense"] = "auto",
        tol: NonNegative = 0,
        max_iter: Count | None = None,
        path_method: Literal["auto", "FW", "D"] = "auto",
        neighbors_algorithm: Literal["auto", "brute", "kd_tree", "ball_tree"] = "auto",
        n_jobs: int | None = None,
        metric: str | Callable[..., Any] = "minkowski",
        p: Positive = 2,
        metric_params: dict[str, Any] | None = None,
    ):
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.n_components = n_components
        self.eigen_solver = eigen_solver
        self.tol = tol
        self.max_iter = max_iter
        self.path_method = path_method
        self.neighbors_algorithm = neighbors_algorithm
        self.n_jobs = n_jobs
        self.metric = metric
        self.p = p
        self.metric_params = metric_params

    @with_callbacks
    def fit(self, X: Any, y: Any = None) -> Self:
        """Find points for the rows of X, which may also be a fitted `NearestNeighbors` or a tree of rows. Returns the learner
        itself."""
        known = rows_of_index(X)
        rows = self.open(X if known is None else known[0])
        with reporting(self, X, y, None), single_blas():
            table = gather(rows, thin=True)[0] if known is None else X
            return self.settle({**rows.noted, **self.learned(table)})

    def fit_transform(self, X: Any, y: Any = None) -> Array:
        """Fit, and return the embedding."""
        return self.fit(X).embedding_

    def learned(self, X: Any) -> dict[str, Any]:
        """The fitted attributes."""
        neighbors = self.neighbors().fit(X)
        if self.metric == "precomputed" and isinstance(X, np.ndarray):
            Dissimilarities.of(X, "precomputed")  # refuses what is no distance
        if self.n_components > neighbors.n_samples_fit_:
            n = neighbors.n_samples_fit_
            raise ValueError(f"n_samples={n} should be >= n_components={self.n_components}: use fewer components.")
        graph, count = neighbor_graph(neighbors, by_radius=self.n_neighbors is None)  # (1)
        D = shortest_paths(graph)  # (2)
        solver = "dense" if self.eigen_solver == "dense" else "auto"
        scaling = KernelPCA(
            self.n_components, kernel="precomputed", eigen_solver=solver, tol=self.tol, max_iter=self.max_iter, random_state=0
        ).set_output(transform="default")
        return {
            "embedding_": scaling.fit_transform(half_squares(D)),  # (3)
            "kernel_pca_": scaling,
            "nbrs_": neighbors,
            "dist_matrix_": D,
            "graph_": graph,
            "n_connected_components_": count,
        }

    def neighbors(self) -> NearestNeighbors:
        """The search that the parameters ask for."""
        if (self.n_neighbors is None) == (self.radius is None):
            both = "Both n_neighbors and radius are provided" if self.radius is not None else "Neither is given"
            raise ParameterError(f"{both}: use either Isomap(n_neighbors=5), or Isomap(n_neighbors=None, radius=1.0).")
        return NearestNeighbors(
            n_neighbors=5 if self.n_neighbors is None else self.n_neighbors,
            radius=1.0 if self.radius is None else self.radius,
            algorithm=self.neighbors_algorithm,
            metric=self.metric,
            p=self.p,
            metric_params=self.metric_params,
        )

    # ---- the answer ----------------------------------------------------------------------------------------------------

    def change(self, X: Any) -> Array:
        """(4)."""
        D = distances_over_neighbours(self.nbrs_, X, self.dist_matrix_, by_radius=self.n_neighbors is None)
        return in_dtype_of(self.kernel_pca_.transform(-0.5 * D**2), X, self.embedding_)

    def transform(self, X: Any) -> Any:
        """The place of each row: an array, or opened rows that are changed as they are read."""
        rows = self.new_rows(X)
        return rows.map(self.change) if isinstance(X, Rows) else answer_rows(rows, self.change)

    def reconstruction_error(self) -> float:
        """‖B − TTᵀ‖/n: what the embedding leaves out of the inner products (Frobenius' norm)."""
        with single_blas():
            return reconstruction_error(self.dist_matrix_, self.points())

    def points(self) -> Array:
        """T in double precision."""
        return self.kernel_pca_.eigenvectors_ * np.sqrt(self.kernel_pca_.eigenvalues_)

    @property
    def certificate_(self) -> Certificate:
        """What is known of the paths and of the embedding."""
        with single_blas():
            scaled = evidence(self.dist_matrix_, self.points(), self.kernel_pca_.eigenvalues_)
            error = path_error(self.graph_, self.dist_matrix_)
        known = Certificate(
            "the distances are those of shortest paths, and the embedding is made of the largest eigenpairs of inner products",
            scaled.holds and error <= SMALL_ERROR,
            {"path_error": error, **scaled.values, "parts": self.n_connected_components_},
        )
        return certificate_in_single(known) if self.embedding_.dtype == np.float32 else known

    @property
    def _n_features_out(self) -> int:
        return self.embedding_.shape[1]

    def plot(self, ax: Any = None) -> Picture:
        """Distances along the graph against distances of the embedding, a `ShepardDisplay`. Needs matplotlib."""
        return display("ShepardDisplay").from_estimator(self, ax=ax)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = isinstance(self.metric, str) and self.metric == "precomputed"
        return tags
