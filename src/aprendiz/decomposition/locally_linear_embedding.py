"""Locally linear embedding: coordinates in which each row is made of its neighbours as it is in the table.

    w_i         x_i ≈ Σ_j w_ij x_j over the neighbours of x_i,  Σ_j w_ij = 1       (local_weights/barycenters.py)     (1)
    minimise    ‖RY‖² = Σ_i ‖y_i − Σ_j w_ij y_j‖²     such that  YᵀY = I,  1ᵀY = 0                                (2)

Three other methods have other equations R (local_weights/constraints.py); (2) is the same for all (null_space.py). A new
row is the mixture (1) of the places of its neighbours:

    y(x) = Σ_j w_j(x) y_j                                                                                     (3)

Cost: a search, m²·d + m³ for each row and its m neighbours, and a few eigenvectors of a sparse table.
References: Roweis & Saul, "Nonlinear dimensionality reduction by locally linear embedding", Science 290, 2000; for the other
methods see constraints.py.
"""

from __future__ import annotations

import warnings
from typing import Any, Literal, Self

import numpy as np
from scipy import sparse
from sklearn.base import ClassNamePrefixFeaturesOutMixin
from sklearn.callback import with_callbacks
from sklearn.exceptions import ConvergenceWarning

from aprendiz.cluster.graph.connections import parts
from aprendiz.core.blas import single_blas
from aprendiz.core.callbacks import reporting
from aprendiz.core.learner import Transformer
from aprendiz.core.parameters import Count, Factor, NonNegative, Seed
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array
from aprendiz.decomposition.local_weights.barycenters import barycenters
from aprendiz.decomposition.local_weights.constraints import equations
from aprendiz.decomposition.local_weights.null_space import NullSpace
from aprendiz.locale import _
from aprendiz.neighbors import NearestNeighbors
from aprendiz.neighbors.shared.kept_rows import SAME, gather, refuse_extremes


class LocallyLinearEmbedding(ClassNamePrefixFeaturesOutMixin, Transformer):
    """Locally linear embedding (drop-in for scikit-learn's).

    Rows of files and of Dask are gathered into memory: neighbours are not a sum.

    Parameters
    ----------
    n_neighbors : int, default=5
        Neighbours of a row, itself not counted.
    n_components : int, default=2
        Number of columns of the embedding.
    reg : float, default=1e-3
        How far weights are kept from each other's extremes where neighbours are more than columns (method="standard").
    eigen_solver : {"auto", "arpack", "dense"}, default="auto"
        "dense" for LAPACK; with the others the method follows from the size.
    tol : float, default=1e-6
        Residual of an eigenvector; not above 10⁻¹⁰.
    max_iter : int, default=100
        Steps of block Lanczos.
    method : {"standard", "hessian", "modified", "ltsa"}, default="standard"
        The equations.
    hessian_tol, n_jobs
        No effect.
    modified_tol : float, default=1e-12
        Vectors up to this length are not turned to (method="modified").
    neighbors_algorithm : {"auto", "brute", "kd_tree", "ball_tree"}, default="auto"
        Search algorithm; all of them find the same neighbours.
    random_state : int, RandomState or None
        The seed of the block that Lanczos begins with.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        Y, the entry of largest size in each column positive.
    reconstruction_error_ : float
        ‖RY‖².
    nbrs_ : NearestNeighbors
        The rows and their index.
    method_ : {"LAPACK", "inverse block Lanczos"}
        How the eigenvectors were found.
    certificate_ : Certificate
        How exact the eigenvectors are.

    Examples
    --------
    >>> import numpy as np
    >>> angle = np.linspace(0, 3, 30)
    >>> arc = np.column_stack([np.cos(angle), np.sin(angle)])
    >>> Y = LocallyLinearEmbedding(n_neighbors=4, n_components=1).fit_transform(arc)
    >>> bool((np.diff(Y[:, 0]) > 0).all() or (np.diff(Y[:, 0]) < 0).all())
    True
    """

    not_iterative = "block Lanczos is a matter of few steps; `max_iter` bounds them"
    differences = {
        "eigen_solver": "another form: dense is LAPACK; with the others the method follows from the size, and is as exact",
        "tol": "another form: the residual of every eigenvector, not above 1e-10",
        "max_iter": "another form: steps of block Lanczos",
        "method": 'another form: "hessian" has the equations of second derivatives alone; in scikit-learn it is "ltsa"',
        "hessian_tol": "no effect: the equations of second derivatives are orthonormal",
        "n_jobs": "no effect: threads are set for all of aprendiz by APRENDIZ_NUM_THREADS",
    }
    exceptions = {
        "memory": "the rows are kept in memory: neighbours are not a sum",
        "same answer": SAME,
        "row order": "eigenvalues lie so near to each other that another order of sums shows in the ninth digit",
    }

    def __init__(
        self,
        *,
        n_neighbors: Count = 5,
        n_components: Count = 2,
        reg: Factor = 1e-3,
        eigen_solver: Literal["auto", "arpack", "dense"] = "auto",
        tol: NonNegative = 1e-6,
        max_iter: Count = 100,
        method: Literal["standard", "hessian", "modified", "ltsa"] = "standard",
        hessian_tol: NonNegative = 1e-4,
        modified_tol: NonNegative = 1e-12,
        neighbors_algorithm: Literal["auto", "brute", "kd_tree", "ball_tree"] = "auto",
        random_state: Seed = None,
        n_jobs: int | None = None,
    ):
        self.n_neighbors = n_neighbors
        self.n_components = n_components
        self.reg = reg
        self.eigen_solver = eigen_solver
        self.tol = tol
        self.max_iter = max_iter
        self.method = method
        self.hessian_tol = hessian_tol
        self.modified_tol = modified_tol
        self.neighbors_algorithm = neighbors_algorithm
        self.random_state = random_state
        self.n_jobs = n_jobs

    @with_callbacks
    def fit(self, X: Any, y: Any = None) -> Self:
        """Find coordinates for the rows of X. Returns the learner itself."""
        rows = self.open(X)
        with reporting(self, X, y, None), single_blas():
            table = gather(rows, thin=False)[0]
            self.refuse_numbers(*table.shape)
            refuse_extremes(table, rows.names)
            return self.settle({**rows.noted, **self.learned(table)})

    def fit_transform(self, X: Any, y: Any = None) -> Array:
        """Fit, and return the embedding."""
        return self.fit(X).embedding_

    def refuse_numbers(self, n: int, columns: int) -> None:
        """Numbers of neighbours and of components that do not go together, or not with the table."""
        m, k = self.n_neighbors, self.n_components
        if k > columns:
            said = "output dimension must be less than or equal to input dimension"
            raise ValueError(f"{said}: n_components={k}, but the rows of X have {columns} columns.")
        if m >= n:
            raise ValueError(f"Expected n_neighbors < n_samples, but n_samples = {n}, n_neighbors = {m}: use fewer neighbours.")
        if k >= n:
            raise ValueError(f"n_samples={n} should be > n_components={k}: use fewer components.")
        least = {"standard": 1, "modified": k, "ltsa": k + 1, "hessian": k * (k + 3) // 2 + 1}[self.method]
        if m < least:
            raise ValueError(
                f"for method={self.method!r}, n_neighbors must be at least {least} with n_components={k}, got {m}: use more."
            )

    def learned(self, X: Array) -> dict[str, Any]:
        """The fitted attributes, from a table in memory."""
        neighbors = NearestNeighbors(n_neighbors=self.n_neighbors, algorithm=self.neighbors_algorithm).fit(X)
        near = neighbors.kneighbors(return_distance=False)
        warn_of_parts(near)
        R = equations(X, near, self.method, self.n_components, float(self.reg), float(self.modified_tol))
        found = NullSpace.of(
            R,
            self.n_components,
            dense=self.eigen_solver == "dense",
            tolerance=min(float(self.tol), 1e-10),
            steps=int(self.max_iter),
            seed=draw_seed(self.random_state),
        )
        if not found.settled:
            said = _("The eigenvectors are not yet exact (see certificate_): raise max_iter.")
            warnings.warn(said, ConvergenceWarning, stacklevel=4)
        return {
            "embedding_": found.points,
            "reconstruction_error_": float(found.values.sum()),
            "nbrs_": neighbors,
            "method_": found.method,
            "certificate_": found.certificate,
        }

    def change(self, X: Array) -> Array:
        """(3)."""
        Q = np.asarray(X, np.float64)
        near = self.nbrs_.kneighbors(Q, return_distance=False)
        weights = barycenters(Q, self.nbrs_._fit_X, near, float(self.reg))
        return (weights[:, None] @ self.embedding_[near])[:, 0]

    @property
    def _n_features_out(self) -> int:
        return int(self.embedding_.shape[1])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64"]  # as scikit-learn's
        return tags


def warn_of_parts(near: Array) -> None:
    """Rows that no neighbour leads to."""
    n, m = near.shape
    count = int(parts(sparse.csr_array((np.ones(n * m), near.ravel(), np.arange(0, n * m + 1, m)), shape=(n, n))).max()) + 1
    if count > 1:
        said = _(
            "The graph of neighbours falls into {count} parts, and the first coordinates only tell them apart. Use more "
            "neighbours."
        )
        warnings.warn(said.format(count=count), UserWarning, stacklevel=5)


def locally_linear_embedding(
    X: Any,
    *,
    n_neighbors: int,
    n_components: int,
    reg: float = 1e-3,
    eigen_solver: Literal["auto", "arpack", "dense"] = "auto",
    tol: float = 1e-6,
    max_iter: int = 100,
    method: Literal["standard", "hessian", "modified", "ltsa"] = "standard",
    hessian_tol: float = 1e-4,
    modified_tol: float = 1e-12,
    random_state: Any = None,
    n_jobs: int | None = None,
) -> tuple[Array, float]:
    """Coordinates of the rows of X, and their reconstruction error (drop-in for scikit-learn's). Parameters as of
    `LocallyLinearEmbedding`; X may also be a fitted `NearestNeighbors`.

    Examples
    --------
    >>> Y, error = locally_linear_embedding([[0.0], [1.0], [2.0], [3.0]], n_neighbors=2, n_components=1)
    >>> Y.shape, bool(error < 1e-3)
    ((4, 1), True)
    """
    model = LocallyLinearEmbedding(
        n_neighbors=n_neighbors,
        n_components=n_components,
        reg=reg,
        eigen_solver=eigen_solver,
        tol=tol,
        max_iter=max_iter,
        method=method,
        modified_tol=modified_tol,
        random_state=random_state,
    ).fit(X._fit_X if hasattr(X, "kneighbors") else X)
    return model.embedding_, model.reconstruction_error_
