"""A hierarchy of clusters from one farthest-first traversal.

Number the rows by the traversal (farthest_first.py): 1, 2, …, n, with R₂ ≥ … ≥ R_n, and join each i ≥ 2 to an earlier point
ρ(i) < i. That is a tree. For every k, removing the edges of 2 … k leaves k clusters, one for each of the first k points,

    C_j = {j} ∪ {i > k : the first of ρ(i), ρ(ρ(i)), … that is ≤ k is j},     j = 1 … k                        (1)

and those of k are those of k + 1 with two of them joined, at the height R_{k+1}. The cost of a k is its largest radius,

    max_j max_{i ∈ C_j} d(i, j)                                                                               (2)

    parent="nearest"   ρ(i) = the nearest earlier point: the plain choice, without a guarantee between levels
    parent="levels"    ρ(i) = the nearest point of an earlier level (distances fall by half from level to level): then a path
                       from i > k to its j is shorter than R_{k+1}·(2 + 1 + ½ + …) = 4 R_{k+1}, and (2) is at most 8 times the
                       best possible cost for k centres, for every k at once                                   (3)

The clusters (1) are not those of KCenters with the same k, where every row goes to its nearest centre: those have the smaller
radius R_{k+1}, but do not nest.

Cost: O(n²·d) time, O(n) memory beside the rows; O(n) for the clusters of another k.
Reference: Dasgupta & Long, "Performance guarantees for hierarchical clustering", J. Computer and System Sciences 70, 2005.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Annotated, Any, Literal, Self

import numpy as np
from sklearn.callback import with_callbacks
from sklearn.utils.validation import check_is_fitted

from aprendiz.cluster.medoids.dissimilarities import Dissimilarities
from aprendiz.cluster.medoids.farthest_first import Traversal, farthest_first, first_row
from aprendiz.cluster.medoids.pairwise import Pairwise, refuse_too_many
from aprendiz.cluster.medoids.stored_medoids import ORDER
from aprendiz.compilation.compiled import compiled
from aprendiz.core.callbacks import reporting
from aprendiz.core.certificate import Certificate
from aprendiz.core.learner import Clusterer
from aprendiz.core.parameters import Count, Seed, Whole, Within, refuse_count
from aprendiz.core.pictures import Picture, display
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array


class FarthestFirstHierarchy(Clusterer, Pairwise):
    """Nested clusters for every k from one farthest-first traversal.

    Its clusters nest, unlike those of KCenters, so a row is not always in the cluster of its nearest centre.

    Parameters
    ----------
    n_clusters : int, default=2
        k of `labels_`; `cut` gives any other.
    metric : str or function of two rows, default="euclidean"
        A metric by name, "gower" for tables with words and missing cells, or "precomputed": X is then a square matrix.
    parent : {"nearest", "levels"}, default="nearest"
        ρ of the module; with "levels" the radius is within 8 times the best possible for every k.
    first : int or "random", default="random"
        The number of the row that the traversal starts from.
    p : float, default=2
        Power of the Minkowski metric.
    metric_params : dict, default=None
        Parameters of the metric: w, V or VI.
    random_state : int, RandomState or None
        The seed of a random first row.

    Attributes
    ----------
    order_ : ndarray of shape (n_samples,)
        The rows in the order of the traversal.
    parents_ : ndarray of shape (n_samples,)
        The row ρ of each row; −1 for the first of the traversal.
    radii_ : ndarray of shape (n_samples − 1,)
        R₂ … R_n.
    linkage_ : ndarray of shape (n_samples − 1, 4)
        The merges as SciPy writes them, heights R_n … R₂.
    labels_ : ndarray of shape (n_samples,)
        `cut(n_clusters)`.
    certificate_ : Certificate
        The largest ratio, over all k, of the cost (2), by the length of its paths, to the lower bound ½ R_{k+1} of the best.

    Examples
    --------
    >>> model = FarthestFirstHierarchy(first=0).fit([[0.0], [1.0], [2.0], [9.0], [10.0]])
    >>> model.labels_, model.cut(3)
    (array([0, 0, 0, 1, 1], dtype=int32), array([0, 0, 2, 1, 1], dtype=int32))
    """

    stored_check = ORDER

    exceptions = {
        **Pairwise.exceptions,
        "row order": "the first row is drawn by its number: another order of the rows, another start",
    }

    def __init__(
        self,
        n_clusters: Count = 2,
        *,
        metric: str | Callable[..., Any] = "euclidean",
        parent: Literal["nearest", "levels"] = "nearest",
        first: Whole | Literal["random"] = "random",
        p: Annotated[float, Within(1)] = 2,
        metric_params: dict[str, Any] | None = None,
        random_state: Seed = None,
    ):
        self.n_clusters = n_clusters
        self.metric = metric
        self.parent = parent
        self.first = first
        self.p = p
        self.metric_params = metric_params
        self.random_state = random_state

    @with_callbacks
    def fit(self, X: Any, y: Any = None) -> Self:
        """Order the rows and join each to its parent. Returns the learner itself."""
        rows = self.open(X)
        with reporting(self, X, y, None):
            distances = self.dissimilarities(rows)
            n = distances.count
            refuse_too_many(self.n_clusters, n)
            first = first_row(self.first, np.ones(n), draw_seed(self.random_state))
            found = farthest_first(distances, first, n, levels=self.parent == "levels")
            return self.settle({**rows.noted, **self.tree_attributes(found), "certificate_": self.evidence(distances, found)})

    def tree_attributes(self, found: Traversal) -> dict[str, Any]:
        """The tree, by the numbers of the rows."""
        parents = np.full(len(found.order), -1)
        parents[found.order[1:]] = found.order[found.parents[1:]]
        return {
            "order_": found.order,
            "parents_": parents,
            "radii_": found.radii[:-1],
            "linkage_": linkage(found.order, found.parents, found.radii),
            "labels_": components(found.order, found.parents, self.n_clusters),
        }

    def evidence(self, distances: Dissimilarities, found: Traversal) -> Certificate:
        """That for every k the radius is at most 8 times that of any k rows, where parents are taken by levels and the
        triangle inequality holds; `factor` is how far it may be from the best, for the worst k. Of other parents only that
        radii fall. Distances whose squares vanish, below 10⁻¹⁵⁰, count as 0."""
        triple = distances.broken_triangle(found.order)
        if triple is not None and self.parent == "levels":
            said = f"The distances break the triangle inequality: {triple}. The factor of 8 is not guaranteed."
            warnings.warn(said, UserWarning, stacklevel=4)
        factor = worst_factor(found.parents, found.lengths, found.radii)
        if self.parent == "levels":
            return Certificate(
                "for every k the radius is at most 8 times the best possible",
                triple is None and factor <= 8,
                {"factor": factor},
            )
        falling = bool((np.diff(found.radii) <= 0).all())
        return Certificate("the radii never rise", falling, {"factor": factor})

    def cut(self, n_clusters: int) -> Array:
        """The labels of the rows in k clusters: cluster j is that of the j-th row of the traversal."""
        check_is_fitted(self)
        refuse_count("n_clusters", n_clusters)
        refuse_too_many(n_clusters, len(self.order_))
        return components(self.order_, self.places(), n_clusters)

    def plot_dendrogram(self, *, k: int | None = None, leaves: int = 30, ax: Any = None) -> Picture:
        """The tree of merges, cut into k clusters (by default `n_clusters`): a `DendrogramDisplay`. Needs matplotlib."""
        return display("DendrogramDisplay").from_estimator(self, k=self.n_clusters if k is None else k, leaves=leaves, ax=ax)

    def places(self) -> Array:
        """The parents by their place in the traversal."""
        place = np.empty(len(self.order_), np.int64)
        place[self.order_] = np.arange(len(place))
        return np.where(self.parents_[self.order_] < 0, -1, place[self.parents_[self.order_]])


def linkage(order: Array, parents: Array, radii: Array) -> Array:
    """The merges of n, n − 1, …, 2 with the clusters of their parents, as rows of SciPy's matrix."""
    n = len(order)
    Z = np.empty((n - 1, 4))
    number, size = order.copy(), np.ones(n, np.int64)  # of the cluster of each place, whose later points have joined it
    for merge, place in enumerate(range(n - 1, 0, -1)):
        above = parents[place]
        a, b = sorted((number[place], number[above]))
        size[above] += size[place]
        Z[merge] = a, b, radii[place - 1], size[above]
        number[above] = n + merge
    return Z


def components(order: Array, parents: Array, k: int) -> Array:
    """(1): the label of each row."""
    labels, by_place = np.empty(len(order), np.int32), np.empty(len(order), np.int32)
    inherit(parents, k, by_place)
    labels[order] = by_place
    return labels


def worst_factor(parents: Array, lengths: Array, radii: Array) -> float:
    """max over k < n of (longest path from a point to its cluster's first) / (½ R_{k+1}); 0 where R_{k+1} = 0."""
    longest = np.zeros(len(parents))
    longest_paths(parents, lengths, longest)
    bounds = np.maximum.accumulate(longest[::-1])[::-1]  # a path for k is part of one for every smaller k
    present = radii > 0
    return float(np.max(2 * bounds[present] / radii[present], initial=0.0))


# ---- kernels ---------------------------------------------------------------------------------------------------------


@compiled
def inherit(parents: Array, k: int, labels: Array) -> None:
    """A label of its own for each of the first k places, that of its parent for every other."""
    for place in range(len(parents)):
        labels[place] = place if place < k else labels[parents[place]]


@compiled
def longest_paths(parents: Array, lengths: Array, longest: Array) -> None:
    """longest[k − 1] ≥ the length of the path from a point to the first on it whose place is below k, where it steps there
    from place k."""
    for place in range(1, len(parents)):
        total, here = 0.0, place
        while here > 0:
            total += lengths[here]
            longest[here - 1] = max(longest[here - 1], total)
            here = parents[here]
