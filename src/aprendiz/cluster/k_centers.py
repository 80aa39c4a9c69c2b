"""k-centres: k of the rows as centres, such that no row is far from its nearest one.

Cost, the radius of the largest cluster:

    R(C) = max_x min_{c ∈ C} d(x, c)                                                                          (1)

The first k points of the farthest-first traversal (farthest_first.py) are the centres: with R₂ ≥ R₃ ≥ … the distance of each
point of the traversal to those before it, R(C) = R_{k+1}. They are at most twice as bad as the best k centres, wherever those
may lie: the first k+1 points are pairwise at least R_{k+1} apart, two of them have the same best centre, and by the triangle
inequality one of the two is at least ½ R_{k+1} from it:

    ½ R_{k+1} ≤ min_C R(C) ≤ R_{k+1}                                                                          (2)

No polynomial method has a factor below 2 for every metric, unless P = NP.

Cost: O(n·k·d), memory O(n).
Reference: Gonzalez, "Clustering to minimize the maximum intercluster distance", Theoretical Computer Science 38, 1985.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Any, Literal

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from aprendiz.cluster.medoids.dissimilarities import Dissimilarities
from aprendiz.cluster.medoids.farthest_first import farthest_first, first_row
from aprendiz.cluster.medoids.pairwise import NearestChosen, refuse_too_many, weights_of
from aprendiz.core.certificate import Certificate
from aprendiz.core.learner import Passes
from aprendiz.core.parameters import Count, Seed, Whole, Within
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array, Rows

BY_NUMBER = "the first centre is drawn by its row number: another order of the rows, another start"


class KCenters(NearestChosen, Passes):
    """k-centres by the farthest-first traversal: no row is farther from its centre than twice the best possible radius.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters k.
    metric : str or function of two rows, default="euclidean"
        A metric by name, "gower" for tables with words and missing cells, or "precomputed": X is then a square matrix.
    first : int or "random", default="random"
        The number of the row that is the first centre.
    p : float, default=2
        Power of the Minkowski metric.
    metric_params : dict, default=None
        Parameters of the metric: w, V or VI.
    random_state : int, RandomState or None
        The seed of a random first row.

    Attributes
    ----------
    center_indices_ : ndarray of shape (n_clusters,)
        The numbers of the rows that are centres, in the order of the traversal.
    cluster_centers_ : ndarray of shape (n_clusters, n_features) or None
        Those rows; None for a matrix of distances and for a table with words.
    labels_ : ndarray of shape (n_samples,)
        The nearest centre of each training row, an int32.
    radii_ : ndarray of shape (n_clusters,)
        R₂ … R_{k+1}: the radius with 1, 2, …, k centres.
    radius_ : float
        R_{k+1}.
    certificate_ : Certificate
        The radius, and the lower bound (2) of the best one. It holds if the distances obey the triangle inequality.

    Notes
    -----
    A row of weight 0 is no row; other weights change nothing, for (1) is a maximum.

    Examples
    --------
    >>> model = KCenters(2, first=0).fit([[0.0], [1.0], [2.0], [9.0], [10.0]])
    >>> model.cluster_centers_.ravel(), model.radii_, model.labels_
    (array([ 0., 10.]), array([10.,  2.]), array([0, 0, 0, 1, 1], dtype=int32))
    """

    indices = "center_indices_"
    exceptions = {
        **NearestChosen.exceptions,
        "row order": BY_NUMBER,
        "weights": BY_NUMBER,
        "check_sample_weight_equivalence_on_dense_data": BY_NUMBER,
    }

    def __init__(
        self,
        n_clusters: Count = 8,
        *,
        metric: str | Callable[..., Any] = "euclidean",
        first: Whole | Literal["random"] = "random",
        p: Annotated[float, Within(1)] = 2,
        metric_params: dict[str, Any] | None = None,
        random_state: Seed = None,
    ):
        self.n_clusters = n_clusters
        self.metric = metric
        self.first = first
        self.p = p
        self.metric_params = metric_params
        self.random_state = random_state

    def learned(self, rows: Rows) -> dict[str, Any]:
        weight = weights_of(rows)
        counting = np.flatnonzero(weight)
        refuse_too_many(self.n_clusters, len(counting))
        whole = self.dissimilarities(rows)
        everybody = len(counting) == whole.count
        distances = whole if everybody else whole.among(counting)
        first = first_row(self.first, weight, draw_seed(self.random_state))
        found = farthest_first(distances, int(np.searchsorted(counting, first)), self.n_clusters)
        numbers, radius = counting[found.order], float(found.radii[-1])
        warn_of_repeats(found.radii, self.n_clusters)
        known = within_twice(distances, found.order, radius)
        labels = found.near if everybody else whole.rows(numbers).argmin(axis=0).astype(np.int32)
        return {
            **self.medoid_attributes(numbers, rows),
            "labels_": labels,
            "radii_": found.radii,
            "radius_": radius,
            "certificate_": replace(known, holds=False) if self.vanish(radius, numbers, labels, rows) else known,
        }

    def score(self, X: Any, y: Any = None) -> float:
        """−R of the rows: minus the largest distance to the nearest centre."""
        return -float(self.new_rows(X).each(lambda block: self.distances_to(block.X).min(axis=1)).max())


def warn_of_repeats(radii: Array, clusters: int) -> None:
    """Say that there are fewer distinct rows than centres."""
    if clusters > 1 and radii[-2] == 0:
        distinct = 1 + int(np.count_nonzero(radii))
        said = f"X holds only {distinct} distinct rows for {clusters} clusters: the other centres repeat them. Ask for fewer."
        warnings.warn(said, ConvergenceWarning, stacklevel=4)


def within_twice(distances: Dissimilarities, order: Array, radius: float) -> Certificate:
    """That the radius is at most twice that of any k rows (or points): by (2), as no two centres are nearer than the radius.
    The triangle inequality is known of metrics, and tried on some triples of other distances."""
    between = distances.among(order).matrix()
    apart = float(between[np.triu_indices(len(order), 1)].min(initial=np.inf))
    triple = distances.broken_triangle(order)
    if triple is not None:
        warnings.warn(
            f"The distances break the triangle inequality: {triple}. The radius may be more than twice the best one.",
            UserWarning,
            stacklevel=5,
        )
    holds = triple is None and apart >= radius
    values = {"radius": radius, "lower_bound": radius / 2, "apart": apart}
    return Certificate("the radius is at most twice the best possible", holds, values)
