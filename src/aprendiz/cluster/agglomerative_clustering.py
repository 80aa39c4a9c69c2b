"""Agglomerative clustering: every row a cluster of its own, then the two nearest clusters join, until one is left.

What is near is the linkage; the height of a merge is the distance of the two clusters:

    ward        √(2Δ), Δ = a·b/(a + b)·‖c_A − c_B‖², the rise of the cost J of k-means                  (ward_merges.py)
    complete    the largest distance of a row of A and a row of B: the diameter of A ∪ B             (neighbour_chain.py)
    average     the mean of those distances                                                          (neighbour_chain.py)
    weighted    the mean of the distances of the two clusters that B is made of                       (neighbour_chain.py)
    single      the smallest of those distances                                                         (spanning_tree.py)
    centroid    ‖c_A − c_B‖, the distance of the means                                                            (SciPy)
    median      the same with means in which the two clusters that B is made of count alike                       (SciPy)

With the first five heights never fall, so the merges can be found in any order and sorted. Ward's is the greedy way down from
J = 0: the rises of all merges sum to the total scatter,

    Σ Δ = Σ ‖x − m‖²,     m the mean of all rows.                                                             (1)

Links of rows may be required (connected_merges.py). What is made of the merges, cuts and dendrograms, is in merges.py.

Cost: O(n²·d) time; memory O(n·d) for Ward's and for single linkage of Euclidean distances, O(n²) for the others.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Annotated, Any, Literal, Self

import numpy as np
from joblib import Memory
from scipy import sparse
from scipy.cluster.hierarchy import linkage as scipy_linkage
from sklearn.callback import with_callbacks
from sklearn.utils.validation import check_is_fitted

from aprendiz.cluster.linkage.connected_merges import Links, WardCentres, as_graph, connect, connected_merges, single_merges
from aprendiz.cluster.linkage.evidence import evidence
from aprendiz.cluster.linkage.merges import Leaves, clusters_at, cophenetic_correlation, cophenetic_distances, cut
from aprendiz.cluster.linkage.neighbour_chain import chain_merges
from aprendiz.cluster.linkage.spanning_tree import tree_of_distances, tree_of_rows
from aprendiz.cluster.linkage.stored_merges import MERGES
from aprendiz.cluster.linkage.ward_merges import ward_merges
from aprendiz.cluster.medoids.dissimilarities import Dissimilarities, Given
from aprendiz.cluster.medoids.pairwise import KEPT, Pairwise, refuse_too_many
from aprendiz.core.blas import single_blas
from aprendiz.core.callbacks import reporting
from aprendiz.core.certificate import Certificate
from aprendiz.core.learner import Clusterer
from aprendiz.core.parameters import ArrayLike, Count, NonNegative, Within
from aprendiz.core.pictures import Picture, display
from aprendiz.core.rows import Array
from aprendiz.core.sources.arrays import in_memory
from aprendiz.neighbors.shared.kept_rows import as_kept

EUCLIDEAN = ("euclidean", "l2")
OF_MEANS = ("centroid", "median")  # linkages that are not reducible
ORDER = "clusters are numbered by the numbers of their rows"
TIES = "of merges at the same height, as iris has them, any may come first; tests/cluster compares trees without"


class AgglomerativeClustering(Clusterer, Pairwise):
    """Agglomerative clustering (drop-in for scikit-learn's; the whole tree, in the form of SciPy's linkage matrix).

    Parameters
    ----------
    n_clusters : int or None, default=2
        Number of clusters; None with `distance_threshold`.
    metric : str or function of two rows, default="euclidean"
        A metric by name, "gower" for tables with words and missing cells, or "precomputed": X is then a square matrix.
        Ward's linkage takes only "euclidean" (or "l2").
    memory, compute_full_tree, compute_distances
        No effect.
    connectivity : array or sparse matrix of shape (n_samples, n_samples) or function of X, default=None
        Nonzero entries link rows; only linked clusters are merged.
    linkage : {"ward", "complete", "average", "single", "weighted", "centroid", "median"}, default="ward"
        The distance between two clusters. The heights of the last two may decrease, so they can only be cut by `n_clusters`.
    distance_threshold : float or None, default=None
        Cut the tree at this height instead: clusters at or above it are not merged.
    p : float, default=2
        Power of the Minkowski metric.
    metric_params : dict, default=None
        Parameters of the metric: w, V or VI.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each row.
    n_clusters_ : int
        The number of clusters.
    n_leaves_ : int
        The number of rows.
    n_connected_components_ : int
        Parts of the graph of `connectivity` before it was completed; 1 without.
    children_ : ndarray of shape (n_samples - 1, 2)
        The two clusters of each merge: a number below n_samples is a row, merge i makes cluster n_samples + i.
    distances_ : ndarray of shape (n_samples - 1,)
        The heights of the merges.
    linkage_ : ndarray of shape (n_samples - 1, 4)
        SciPy's linkage matrix: the smaller and the larger number of the two clusters, height, number of rows.
    cophenetic_correlation_ : float
        How well the heights at which rows join agree with their distances; computed on access.
    certificate_ : Certificate
        That the heights are what the linkage says; computed on access.

    Examples
    --------
    >>> model = AgglomerativeClustering(2).fit([[0.0], [1.0], [4.0], [4.5], [9.0]])
    >>> model.labels_
    array([0, 0, 0, 0, 1])
    >>> model.cut(height=4.0)
    array([0, 0, 2, 2, 1])
    >>> model.certificate_.claim, model.certificate_.holds
    ('the rises of the cost sum to the total scatter', True)
    """

    stored_check = MERGES

    differences = {
        "metric": "another form: a function takes two rows, and there are the metrics of neighbors/search/metrics.py and gower",
        "memory": "no effect: the tree is kept in the model, and `cut` cuts it anew",
        "compute_full_tree": "no effect: the whole tree is built",
        "compute_distances": "no effect: the heights are always there",
        "linkage": "another form: also weighted, centroid and median",
    }
    exceptions = {"memory": KEPT, "row order": ORDER, "same answer": TIES}

    def __init__(
        self,
        n_clusters: Count | None = 2,
        *,
        metric: str | Callable[..., Any] = "euclidean",
        memory: str | Memory | None = None,
        connectivity: ArrayLike | sparse.sparray | sparse.spmatrix | Callable[..., Any] | None = None,
        compute_full_tree: Literal["auto", True, False] = "auto",
        linkage: Literal["ward", "complete", "average", "single", "weighted", "centroid", "median"] = "ward",
        distance_threshold: NonNegative | None = None,
        compute_distances: bool = False,
        p: Annotated[float, Within(1)] = 2,
        metric_params: dict[str, Any] | None = None,
    ):
        self.n_clusters = n_clusters
        self.metric = metric
        self.memory = memory
        self.connectivity = connectivity
        self.compute_full_tree = compute_full_tree
        self.linkage = linkage
        self.distance_threshold = distance_threshold
        self.compute_distances = compute_distances
        self.p = p
        self.metric_params = metric_params

    @with_callbacks
    def fit(self, X: Any, y: Any = None) -> Self:
        """Build the tree of X and cut it. Returns the learner itself."""
        rows = self.open(X)
        with reporting(self, X, y, None), single_blas(rows.work):
            assert in_memory(rows)
            table, distances = as_kept(rows.X), self.dissimilarities(rows)
            self.refuse(distances.count)
            Z, parts = self.tree(table, distances)
            children, k = Z[:, :2].astype(np.int64), self.clusters(Z)
            found = {"labels_": cut(children, k), "n_clusters_": k, "n_leaves_": len(Z) + 1, "n_connected_components_": parts}
            tree = {"children_": children, "distances_": Z[:, 2].copy(), "linkage_": smaller_first(Z)}
            return self.settle({**rows.noted, **found, **tree, "_fit_X": table})

    def refuse(self, rows: int) -> None:
        """Parameters that do not go together, or not with so many rows."""
        if (self.n_clusters is None) == (self.distance_threshold is None):
            raise ValueError(
                "Exactly one of n_clusters and distance_threshold has to be set, and the other needs to be None: "
                f"they are {self.n_clusters} and {self.distance_threshold}."
            )
        if self.distance_threshold is not None and self.compute_full_tree is False:
            raise ValueError("compute_full_tree must be True if distance_threshold is set: leave it at 'auto'.")
        if self.linkage == "ward" and self.metric not in EUCLIDEAN:
            raise ValueError(
                f"metric={self.metric!r}: Ward's linkage needs metric='euclidean'; for other metrics choose another linkage."
            )
        if self.linkage in OF_MEANS:
            self.refuse_for_means()
        if rows < 2:
            raise ValueError(f"n_samples={rows}: at least 2 rows are needed to join any.")
        refuse_too_many(self.n_clusters or 1, rows)

    def refuse_for_means(self) -> None:
        """What centroid and median linkage cannot do."""
        if self.metric not in EUCLIDEAN or self.connectivity is not None:
            raise ValueError(
                f"linkage={self.linkage!r} needs metric='euclidean' and no connectivity (the metric is {self.metric!r}): "
                "choose another linkage."
            )
        if self.distance_threshold is not None:
            raise ValueError(
                f"linkage={self.linkage!r} has heights that may fall, so that none cuts clusters: set n_clusters instead."
            )

    def tree(self, X: Any, distances: Dissimilarities) -> tuple[Array, int]:
        """The linkage matrix, and the number of parts of the graph."""
        if self.connectivity is not None:
            graph = as_graph(self.connectivity(X) if callable(self.connectivity) else self.connectivity, distances.count)
            graph, parts = connect(graph, distances)
            if parts > 1:
                said = f"The graph of connectivity is in {parts} parts: the nearest rows of every two parts are linked."
                warnings.warn(said, UserWarning, stacklevel=4)
            if self.linkage == "single":
                return smaller_first(single_merges(graph, distances).linkage()), parts
            record = connected_merges(graph, WardCentres(X) if self.linkage == "ward" else Links(distances, self.linkage))
            return smaller_first(record.in_order(np.arange(record.count))), parts
        if self.linkage == "single":
            return (tree_of_rows(X) if self.metric in EUCLIDEAN else tree_of_distances(distances.matrix())).linkage(), 1
        if self.linkage == "ward":
            return smaller_first(ward_merges(X).linkage()), 1
        if self.linkage in OF_MEANS:
            return scipy_linkage(np.asarray(X, dtype=np.float64), self.linkage), 1
        table = distances.matrix()
        if isinstance(distances, Given):  # a copy, symmetric to the last bit
            table = 0.5 * table + 0.5 * table.T
        return smaller_first(chain_merges(table, self.linkage).linkage()), 1

    def clusters(self, Z: Array) -> int:
        """How many clusters to cut the tree into."""
        if self.n_clusters is not None:
            return int(self.n_clusters)
        assert self.distance_threshold is not None
        return clusters_at(Z[:, 2], self.distance_threshold)

    # ---- the tree ------------------------------------------------------------------------------------------------------

    def cut(self, k: int | None = None, height: float | None = None, *, closed: bool = False) -> Array:
        """The clusters of the rows when the tree is cut into k, or at a height.

        Merges at or above the height are undone, as scikit-learn does; `closed=True` keeps those at that very height, as
        SciPy's `fcluster` does.
        """
        check_is_fitted(self)
        if height is not None and self.linkage in OF_MEANS:
            raise ValueError(f"Heights of linkage={self.linkage!r} may fall, so that a height cuts no clusters: give k.")
        if (k is None) == (height is None):
            raise ValueError(f"Give the number of clusters k or a height, not both; got k={k!r} and height={height!r}.")
        return cut(self.children_, clusters_at(self.distances_, height, closed) if k is None else k)  # type: ignore[arg-type]

    def leaf_order(self) -> Array:
        """The rows from left to right, so that every cluster of the tree is a run of them."""
        check_is_fitted(self)
        return Leaves.of(self.linkage_).order

    def cophenetic_distances(self) -> Array:
        """The height at which every two rows join, in the order (0, 1), (0, 2), …, (n − 2, n − 1)."""
        check_is_fitted(self)
        return cophenetic_distances(self.linkage_)

    @property
    def cophenetic_correlation_(self) -> float:
        """The correlation of those heights with the distances of the rows."""
        check_is_fitted(self)
        return cophenetic_correlation(self.linkage_, self.kept_distances())

    @property
    def certificate_(self) -> Certificate:
        """That the heights of the merges are what the linkage says, for some of the merges."""
        check_is_fitted(self)
        return evidence(self.linkage_, self.linkage, self.connectivity is not None, self._fit_X, self.kept_distances())

    def kept_distances(self) -> Dissimilarities:
        """The distances between the rows of the fit."""
        return Dissimilarities.of(self._fit_X, self.metric, self.p, self.rod(self._fit_X))

    def plot_dendrogram(self, *, k: int | None = None, leaves: int = 30, ax: Any = None) -> Picture:
        """The tree of merges as a picture, a `DendrogramDisplay`, which documents the parameters. Needs matplotlib."""
        return display("DendrogramDisplay").from_estimator(self, k=k, leaves=leaves, ax=ax)


def smaller_first(Z: Array) -> Array:
    """The linkage matrix with the smaller number of each two clusters first."""
    return np.column_stack([Z[:, :2].min(axis=1), Z[:, :2].max(axis=1), Z[:, 2:]])
