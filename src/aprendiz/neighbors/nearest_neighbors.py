"""Nearest neighbours: which rows of a table are closest to a row.

    N_k(x) = the k rows x_i with the smallest d(x, x_i)           B_r(x) = {x_i : d(x, x_i) ≤ r}                 (1)

The search is exact, by brute force, kd-tree or ball tree (search.py); rows at the same distance come in the order of the table.

Cost: see the index that was chosen, `search_`.
Reference: Friedman, Bentley & Finkel, "An algorithm for finding best matches in logarithmic expected time", ACM TOMS 3, 1977.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from aprendiz.core.parameters import Count, NonNegative, Positive
from aprendiz.neighbors.search.distance_objects import DistanceMetric
from aprendiz.neighbors.shared.k_nearest import KNearest
from aprendiz.neighbors.shared.kept_rows import DIFFERENCES, KEPT, SAME
from aprendiz.neighbors.shared.within_radius import WithinRadius


class NearestNeighbors(KNearest, WithinRadius):
    """Nearest neighbours (drop-in for scikit-learn's; exact, mixed tables by Gower's distance).

    Rows of files and of Dask are gathered into memory. Sparse tables stay so with the metrics "euclidean" and "cosine"; others
    make them dense.

    Parameters
    ----------
    n_neighbors : int, default=5
        k of (1).
    radius : float, default=1.0
        r of (1).
    algorithm : {"auto", "ball_tree", "kd_tree", "brute"}, default="auto"
        Search algorithm; all of them find the same neighbours.
    leaf_size : int, default=30
        Maximum number of rows in a leaf of a tree.
    metric : str, callable or DistanceMetric, default="minkowski"
        The distance: see metrics.py and pair_search.py; "gower" for tables with words and missing cells, "precomputed" for
        tables of distances, or a function of two rows, whose axioms are checked on a few of them (sparse rows, if X is sparse).
    p : float, default=2
        The power of Minkowski's distance.
    metric_params : dict, optional
        Parameters of the metric: w of Minkowski's, V of the standardised Euclidean, V or VI of Mahalanobis' distance.
    n_jobs : int, optional
        No effect.

    Attributes
    ----------
    effective_metric_, effective_metric_params_ : str or callable, dict
        The metric, by its shortest name, and its parameters.
    n_samples_fit_ : int
        Number of training rows.
    search_ : Search
        The index; `search_.method` and `search_.reason` say what was chosen and why.
    certificate_ : Certificate
        That an exhaustive search finds the same; computed on access.

    Examples
    --------
    >>> model = NearestNeighbors(n_neighbors=2).fit([[0.0], [1.0], [3.0], [7.0]])
    >>> model.kneighbors([[2.5]])
    (array([[0.5, 1.5]]), array([[2, 1]]))
    """

    differences = {
        **DIFFERENCES,
        "n_neighbors": "another form: of rows at equal distances the first count, among rows that are all the same too",
    }
    exceptions = {"memory": KEPT, "same answer": SAME, "scaling": "distances are in the units of the columns"}

    def __init__(
        self,
        *,
        n_neighbors: Count = 5,
        radius: NonNegative = 1.0,
        algorithm: Literal["auto", "ball_tree", "kd_tree", "brute"] = "auto",
        leaf_size: Count = 30,
        metric: str | Callable[..., Any] | DistanceMetric = "minkowski",
        p: Positive | None = 2,
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
    ):
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.metric = metric
        self.p = p
        self.metric_params = metric_params
        self.n_jobs = n_jobs
