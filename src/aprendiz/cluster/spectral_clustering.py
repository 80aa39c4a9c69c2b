"""Spectral clustering: cut a graph of similarities where it is thin.

Cost of the groups A_1 … A_k (graph/cut_costs.py), with the columns of H the indicators of the groups divided by √vol(A_j), or
by √|A_j|:

    NCut     = Σ_j W(A_j, Ā_j) / vol(A_j) = Tr HᵀLH,     HᵀDH = I                                                 (1)
    RatioCut = Σ_j W(A_j, Ā_j) / |A_j|    = Tr HᵀLH,     HᵀH = I                                                  (2)

Among indicators the smallest cost is hard to find; among all H with the same constraint it is a matter of eigenvectors:

    min Tr HᵀLH = λ_1 + … + λ_k          of  Lu = λDu  for (1),  of  Lu = λu  for (2)                             (3)

The rows of H that attain (3), a point for each vertex, are nearly the same within a group, and are rounded to groups
(rounding.py, k_means.py). No partition costs less than (3), so the certificate shows how far from the best the found one can
be.

For (1) H = D^(−½)U, U the eigenvectors of L_sym (graph/laplacians.py). They are computed in laplacian_eigen.py, the
similarities in affinities.py. The similarity of a row to itself counts for nothing.

Cost: that of the graph, of a few eigenvectors, and of k-means on n rows.
Reference: Shi & Malik, "Normalized cuts and image segmentation", IEEE Trans. PAMI 22, 2000; von Luxburg, "A tutorial on
spectral clustering", Statistics and Computing 17, 2007.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Literal, Self

import numpy as np
from sklearn.callback import with_callbacks
from sklearn.exceptions import ConvergenceWarning

from aprendiz.cluster import KMeans
from aprendiz.cluster.graph.connections import list_vertices
from aprendiz.cluster.spectral.affinities import GIVEN, affinities
from aprendiz.cluster.spectral.laplacian_eigen import Eigenpairs, Laplacian, multiply, smallest_eigenpairs
from aprendiz.cluster.spectral.loops import degrees_and_parts, without_loops
from aprendiz.cluster.spectral.rounding import by_pivots, by_rotation, by_sign, unit_rows
from aprendiz.core.blas import single_blas
from aprendiz.core.callbacks import reporting
from aprendiz.core.certificate import Certificate
from aprendiz.core.learner import Clusterer
from aprendiz.core.parameters import Count, NonNegative, ParameterError, Positive, Seed, Whole
from aprendiz.core.pictures import Picture, display
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array
from aprendiz.neighbors.shared.kept_rows import gather, refuse_extremes

PRECISE = 1e-8  # residual of the eigenvectors, if no other is asked for
Kernel = Literal[
    "rbf",
    "nearest_neighbors",
    "mutual_nearest_neighbors",
    "epsilon",
    "precomputed",
    "precomputed_nearest_neighbors",
    "additive_chi2",
    "chi2",
    "cosine",
    "laplacian",
    "linear",
    "poly",
    "polynomial",
    "sigmoid",
]


class SpectralClustering(Clusterer):
    """Spectral clustering (drop-in for scikit-learn's; with a bound on how far from the best cut it can be).

    Rows of files and of Dask are gathered into memory: similarities are not a sum.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters k.
    eigen_solver
        No effect.
    n_components : int, optional
        Eigenvectors that the groups are made from; k by default.
    random_state : int, RandomState or None
        The seed of the starts of k-means, of discretize, and of the search for eigenvectors.
    n_init : int, default=10
        Starts of k-means.
    gamma : float, default=1.0
        γ of the kernels rbf, poly, sigmoid, laplacian and chi2.
    affinity : str or callable, default="rbf"
        The similarities: "rbf", "nearest_neighbors", "mutual_nearest_neighbors", "epsilon" (affinities.py), "precomputed" (X
        holds them), "precomputed_nearest_neighbors" (X holds distances), a kernel of scikit-learn, or a function of two rows.
    n_neighbors : int, default=10
        Neighbours of a row, itself counted.
    eigen_tol : float or "auto", default="auto"
        Residual of the eigenvectors, as a part of the largest degree; 10⁻⁸ by default.
    assign_labels : {"kmeans", "discretize", "cluster_qr", "sign"}, default="kmeans"
        How the eigenvectors become groups (rounding.py); "sign" makes two.
    degree, coef0 : float, default=3, 1
        Parameters of the kernels poly and sigmoid.
    kernel_params : dict, optional
        Parameters of other kernels and functions.
    n_jobs, verbose
        No effect.
    laplacian : {"random_walk", "symmetric", "unnormalised"}, default="random_walk"
        Which eigenvectors: the first cuts by (1), as scikit-learn's does; the second by (1) too, with the rows of U scaled to
        length 1; the third by (2).
    epsilon : float, default=1.0
        ε, in the units of the columns, for affinity="epsilon".

    Attributes
    ----------
    affinity_matrix_ : array or CSR array of shape (n_samples, n_samples)
        The similarities.
    labels_ : ndarray of shape (n_samples,)
        The group of each row, an int32.
    eigenvalues_ : ndarray of shape (n_components,)
        The smallest eigenvalues, ascending.
    embedding_ : ndarray of shape (n_samples, n_components)
        The points that were rounded to groups, a row for each row.
    method_ : str
        How the eigenvectors were found (laplacian_eigen.py).
    certificate_ : Certificate
        The relaxation (3), the cost of the groups, which is not below it, and how exact the eigenvectors are.

    Examples
    --------
    >>> X = [[0.0], [0.5], [1.0], [3.0], [3.5], [4.0]]
    >>> model = SpectralClustering(2, random_state=0).fit(X)
    >>> model.labels_[0] == model.labels_[2] != model.labels_[3] == model.labels_[5]
    np.True_
    >>> model.eigenvalues_.round(4)
    array([0.    , 0.0115])
    """

    differences = {
        "eigen_solver": "no effect: the method follows from the size and the shape of the graph",
        "eigen_tol": "another form: the residual of every eigenvector, for any method",
        "n_jobs": "no effect: threads are set for all of aprendiz by APRENDIZ_NUM_THREADS",
        "verbose": "no effect: there is nothing to tell but the certificate",
    }
    exceptions = {
        "memory": "the rows and their similarities are kept in memory: similarities are not a sum",
        "row order": "rows are drawn by their numbers to start from: another order of the rows, other numbers of the groups",
        "scaling": "similarities are in the units of the columns",
        "same answer": "groups have other numbers: tests/cluster/test_spectral_clustering.py compares them up to those",
    }
    allows = frozenset({"sparse"})

    def __init__(
        self,
        n_clusters: Count = 8,
        *,
        eigen_solver: Literal["arpack", "lobpcg", "amg"] | None = None,
        n_components: Count | None = None,
        random_state: Seed = None,
        n_init: Count = 10,
        gamma: NonNegative = 1.0,
        affinity: Kernel | Callable[..., Any] = "rbf",
        n_neighbors: Count = 10,
        eigen_tol: NonNegative | Literal["auto"] = "auto",
        assign_labels: Literal["kmeans", "discretize", "cluster_qr", "sign"] = "kmeans",
        degree: NonNegative = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        verbose: Whole | bool = False,
        laplacian: Literal["random_walk", "symmetric", "unnormalised"] = "random_walk",
        epsilon: Positive = 1.0,
    ):
        self.n_clusters = n_clusters
        self.eigen_solver = eigen_solver
        self.n_components = n_components
        self.random_state = random_state
        self.n_init = n_init
        self.gamma = gamma
        self.affinity = affinity
        self.n_neighbors = n_neighbors
        self.eigen_tol = eigen_tol
        self.assign_labels = assign_labels
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.laplacian = laplacian
        self.epsilon = epsilon

    @with_callbacks
    def fit(self, X: Any, y: Any = None) -> Self:
        """Group the rows of X. Returns the learner itself."""
        rows = self.open(X)
        with reporting(self, X, y, None), single_blas():
            table = gather(rows, True)[0]
            self.refuse_numbers(int(table.shape[0]))
            if isinstance(table, np.ndarray) and not self.is_given():
                refuse_extremes(table, rows.names)
            return self.settle({**rows.noted, **self.learned(affinities(self, table))})

    def fit_predict(self, X: Any, y: Any = None) -> Array:
        """Fit, and return the group of each row."""
        return self.fit(X).labels_

    def refuse_numbers(self, n: int) -> None:
        """More groups, or more eigenvectors, than rows."""
        if n < self.n_clusters:
            raise ValueError(f"n_samples={n} should be >= n_clusters={self.n_clusters}: use fewer clusters.")
        if n < self.components():
            raise ValueError(f"n_samples={n} should be >= n_components={self.n_components}: use fewer components.")
        if self.assign_labels == "sign" and (self.n_clusters != 2 or self.components() < 2):
            raise ParameterError(
                'assign_labels="sign" makes two groups from the second eigenvector: '
                f"use n_clusters=2 (it is {self.n_clusters}) and at least 2 components, or another assign_labels."
            )

    def is_given(self) -> bool:
        """Does X hold similarities or distances?"""
        return isinstance(self.affinity, str) and self.affinity in GIVEN

    def components(self) -> int:
        return int(self.n_clusters if self.n_components is None else self.n_components)

    # ---- from the graph to the groups ----------------------------------------------------------------------------------

    def learned(self, W: Any) -> dict[str, Any]:
        """The fitted attributes that follow from the similarities."""
        with without_loops(W) as bare:
            return {"affinity_matrix_": W, **self.group(bare)}

    def group(self, bare: Any) -> dict[str, Any]:
        """What follows from a graph without loops."""
        seed = draw_seed(self.random_state)
        degree, part = degrees_and_parts(bare)
        warn_of_pieces(degree, part, self.n_clusters)
        tolerance = PRECISE if self.eigen_tol == "auto" else max(float(self.eigen_tol), 1e-13)
        normalised = self.laplacian != "unnormalised"
        pairs = smallest_eigenpairs(
            bare, degree, part, self.components(), normalised=normalised, tolerance=tolerance, seed=seed
        )
        if not pairs.settled:
            said = "The eigenvectors are not yet exact (see certificate_): ask for other clusters, or raise eigen_tol."
            warnings.warn(said, ConvergenceWarning, stacklevel=3)
        embedding = self.embed(pairs.vectors, degree)
        labels = self.assign(embedding, seed)
        return {
            "labels_": labels,
            "eigenvalues_": pairs.values,
            "embedding_": embedding,
            "method_": pairs.method,
            "certificate_": relaxation(Laplacian.of(bare, degree, normalised), pairs, labels, tolerance),
        }

    def embed(self, vectors: Array, degree: Array) -> Array:
        """The points to be rounded, each column with the sign that makes its largest entry positive."""
        if self.laplacian == "random_walk":
            vectors = vectors / np.sqrt(np.where(degree > 0, degree, 1.0))[:, None]
        peaks = np.abs(vectors).argmax(axis=0)
        vectors = vectors * np.sign(vectors[peaks, np.arange(vectors.shape[1])])
        return unit_rows(vectors) if self.laplacian == "symmetric" else vectors

    def assign(self, embedding: Array, seed: int) -> Array:
        """The group of each row."""
        if self.n_clusters == 1:
            return np.zeros(len(embedding), np.int32)
        if self.assign_labels == "sign":
            return by_sign(embedding)
        if self.assign_labels == "cluster_qr":
            return by_pivots(embedding)
        if self.assign_labels == "discretize":
            return by_rotation(embedding, seed)
        return KMeans(self.n_clusters, n_init=self.n_init, random_state=seed % 2**32).fit(embedding).labels_

    def plot(self, ax: Any = None) -> Picture:
        """The eigenvalues and the points of the fit as a picture, a `SpectralDisplay`. Needs matplotlib."""
        return display("SpectralDisplay")(self).plot(ax)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.is_given()
        return tags


def warn_of_pieces(degree: Array, part: Array, k: int) -> None:
    """Say that the graph is not connected, and which vertices have no edges."""
    count = int(part.max()) + 1
    if count == 1:
        return
    alone = np.flatnonzero(np.bincount(part)[part] == 1)
    said = f" {list_vertices(alone)} no edges." if len(alone) else ""
    more = f", more than the {k} clusters asked for: the smaller ones end up together" if count > k else ""
    warnings.warn(
        f"The graph is not fully connected: it has {count} connected components{more}.{said} "
        "Join more rows (more neighbours, a smaller gamma) if that is not what you mean.",
        UserWarning,
        stacklevel=4,
    )


def relaxation(L: Laplacian, pairs: Eigenpairs, labels: Array, tolerance: float) -> Certificate:
    """That no partition into as many groups costs less than (3) − 10⁻⁹‖L‖, and the cost of the groups that were found:
    eigenvectors with ‖Lv − λv‖ ≤ 10·eigen_tol + 10⁻¹² of ‖L‖ and right angles to 10⁻⁹ show it, if they belong to the smallest
    eigenvalues."""
    groups = np.zeros((len(labels), int(labels.max()) + 1))
    groups[np.arange(len(labels)), labels] = 1.0
    groups = groups[:, groups.any(axis=0)]
    inside = (groups * multiply(L.W, groups)).sum(axis=0)
    cost = float((np.maximum(L.degree @ groups - inside, 0.0) / (L.root**2 @ groups)).sum())
    bound = float(pairs.values[: groups.shape[1]].sum())
    off = L.times(pairs.vectors) - pairs.vectors * pairs.values
    residual = float(np.linalg.norm(off, axis=0).max()) / L.size
    angle = float(np.abs(pairs.vectors.T @ pairs.vectors - np.eye(len(pairs.values))).max())
    fine = bound <= cost + 1e-9 * L.size and residual <= 10 * tolerance + 1e-12 and angle <= 1e-9
    return Certificate(
        "no partition costs less than the relaxation, and the eigenvectors that say so are exact",
        fine,
        {"cost": cost, "relaxation": bound, "residual": residual, "orthogonality": angle, "clusters": groups.shape[1]},
    )
