"""k-medoids: k of the rows as centres, each row belongs to its nearest one, by any dissimilarity.

Cost, with weights w and the medoid m(x) nearest to x:

    J(M) = Σ w d(x, m(x)),     M a set of k rows                                                              (1)

    pam         BUILD: the row that lowers J most, k times (starts.py);
                SWAP: while J falls, replace a medoid by another row (swaps.py)                         (2)
    alternate   assign every row to its nearest medoid, then take in each cluster C the row that is nearest to the others,

                    argmin_{x ∈ C} Σ_{y ∈ C} w d(x, y)                                                        (3)

Both lower J at every step and stop. (2) ends where no swap of a medoid for another row lowers J; (3) ends earlier, often at a
higher J, since it changes a medoid only for a row of its own cluster. Only the numbers d count: they need not come from
columns, nor obey the triangle inequality.

Cost: O(n²) a pass with (2), O(n²/k) with (3). A matrix of distances is held for up to 5 792 rows (or if it was given); for
more, rows of distances are computed as they are needed, and memory is O(n·k).
References: Kaufman & Rousseeuw, "Finding Groups in Data", 1990, chapter 2; Schubert & Rousseeuw, Information Systems 101, 2021.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

import numpy as np

from aprendiz.cluster.centroids.nearest import warn_of_empty
from aprendiz.cluster.medoids.dissimilarities import Dissimilarities
from aprendiz.cluster.medoids.pairwise import NearestChosen, refuse_too_many, weights_of
from aprendiz.cluster.medoids.starts import at_random, build, check_given, check_partition, plus_plus
from aprendiz.cluster.medoids.swaps import LEAST, Candidates, Medoids, row_costs
from aprendiz.core.certificate import Certificate
from aprendiz.core.iteration import Iterative, State
from aprendiz.core.parameters import ArrayLike, Count, Seed, Within
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array, Block, Rows


@dataclass(frozen=True)
class MedoidState(State):
    """Medoids on their way. `change`: the best change that the last pass of swaps saw."""

    medoids: Array
    labels: Array
    log: Array  # J at the start and after each pass
    change: float
    seed: int


class KMedoids(NearestChosen, Iterative):
    """k-medoids clustering: centres that are rows, by any dissimilarity.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters k.
    metric : str or function of two rows, default="euclidean"
        A metric by name, "gower" for tables with words and missing cells, or "precomputed": X is then a square matrix.
    method : {"pam", "alternate"}, default="pam"
        (2) or (3) of the module.
    init : {"build", "k-medoids++", "random"} or array, default="build"
        Initial medoids: by a rule; the numbers of k rows; or, by (3), those of a partition, as the cluster (0 to k − 1) of
        each row.
    max_iter : int, default=300
        Passes.
    p : float, default=2
        Power of the Minkowski metric.
    metric_params : dict, default=None
        Parameters of the metric: w, V or VI.
    random_state : int, RandomState or None
        The seed of the random starts.

    Attributes
    ----------
    medoid_indices_ : ndarray of shape (n_clusters,)
        The numbers of the rows that are medoids.
    cluster_centers_ : ndarray of shape (n_clusters, n_features) or None
        Those rows; None for a matrix of distances and for a table with words.
    labels_ : ndarray of shape (n_samples,)
        The cluster of each training row, an int32.
    inertia_ : float
        J.
    n_iter_ : int
        Passes.
    certificate_ : Certificate
        J of every pass, and the best change that a swap would bring: not below 0 after "pam".

    Examples
    --------
    >>> model = KMedoids(2).fit([[-7.0], [-5.4], [-1.3], [1.0], [1.3], [3.6], [6.4], [9.5], [13.0]])
    >>> model.cluster_centers_.ravel(), round(model.inertia_, 1)
    (array([1. , 9.5]), 26.2)
    """

    State = MedoidState
    indices = "medoid_indices_"

    def __init__(
        self,
        n_clusters: Count = 8,
        *,
        metric: str | Callable[..., Any] = "euclidean",
        method: Literal["pam", "alternate"] = "pam",
        init: Literal["build", "k-medoids++", "random"] | ArrayLike = "build",
        max_iter: Count = 300,
        p: Annotated[float, Within(1)] = 2,
        metric_params: dict[str, Any] | None = None,
        random_state: Seed = None,
    ):
        self.n_clusters = n_clusters
        self.metric = metric
        self.method = method
        self.init = init
        self.max_iter = max_iter
        self.p = p
        self.metric_params = metric_params
        self.random_state = random_state

    # ---- the loop ----------------------------------------------------------------------------------------------------

    def states(self, rows: Rows, since: MedoidState | None = None) -> Iterator[MedoidState]:
        weight = weights_of(rows)
        allowed = np.flatnonzero(weight > 0)
        refuse_too_many(self.n_clusters, len(allowed))
        distances = self.dissimilarities(rows)
        candidates = Candidates(distances)
        if since is None:
            seed = draw_seed(self.random_state)
            medoids = Medoids(candidates, weight, self.start(candidates, weight, seed))
            since = state_of(medoids, 0, np.empty(0), -np.inf, False, seed)
            yield since
        state, medoids = since, Medoids(candidates, weight, since.medoids)
        while not state.settled and state.iteration < self.max_iter:
            before = medoids.numbers.copy()
            if self.method == "pam":
                change = medoids.improve(allowed)  # (2)
            else:
                medoids, change = Medoids(candidates, weight, self.best_of_clusters(distances, weight, medoids)), -np.inf  # (3)
            calm = np.array_equal(before, medoids.numbers)
            state = state_of(medoids, state.iteration + 1, state.log, change, calm, state.seed)
            yield state

    def start(self, candidates: Candidates, weight: Array, seed: int) -> Array:
        """The medoids of the start."""
        if not isinstance(self.init, str):
            if np.shape(np.asarray(self.init)) == (len(weight),) and len(weight) != self.n_clusters:
                part = check_partition(self.init, weight, self.n_clusters)
                return best_rows(candidates.distances, weight, part, np.full(self.n_clusters, -1))
            return check_given(self.init, weight, self.n_clusters)
        if self.init == "random":
            return at_random(weight, self.n_clusters, seed)
        if self.init == "k-medoids++":
            return plus_plus(candidates, weight, self.n_clusters, seed)
        return build(candidates, weight, self.n_clusters)

    def best_of_clusters(self, distances: Dissimilarities, weight: Array, medoids: Medoids) -> Array:
        """(3) for every cluster; a medoid stays where no row is better."""
        return best_rows(distances, weight, medoids.near, medoids.numbers)

    # ---- the answer --------------------------------------------------------------------------------------------------

    def attributes(self, state: MedoidState, rows: Rows) -> dict[str, Any]:
        return {**self.medoid_attributes(state.medoids, rows), "n_iter_": state.iteration, "inertia_": state.objective}

    def row_attributes(self, state: MedoidState, rows: Rows) -> dict[str, Any]:
        weight = weights_of(rows)
        change = state.change
        if not (state.settled and self.method == "pam"):
            medoids = Medoids(Candidates(self.dissimilarities(rows)), weight, state.medoids)
            change = float(medoids.changes(np.flatnonzero(weight > 0))[1].min())
        warn_of_empty(len(np.unique(state.labels[weight > 0])), self.n_clusters)
        known = self.evidence(state, change)
        if self.vanish(state.objective, state.medoids, state.labels, rows):
            known = replace(known, holds=False)
        return {"labels_": state.labels, "certificate_": known}

    def evidence(self, state: MedoidState, change: float) -> Certificate:
        """That exchanging one medoid for one other row lowers Σ ω·distance by at most `LEAST` of it; of the alternating
        method, that the last pass kept every medoid, so that each is the best row of its cluster. Nothing is claimed of rows
        so near to each other that squares of their differences lose digits."""
        change = 0.0 if abs(change) <= LEAST * state.objective else change  # a tie, but for rounding
        values = {"cost": state.objective, "change": change, "log": state.log}
        if self.method == "pam":
            return Certificate("no swap of a medoid for another row lowers the cost", change >= 0, values)
        return Certificate("every medoid is the best row of its cluster", state.settled, values)

    def remedy(self) -> str:
        return f"Raise max_iter (it is {self.max_iter})."

    def most_states(self) -> int:
        return self.max_iter + 1

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """−J of the rows."""

        def cost(block: Block) -> Any:
            return self.distances_to(block.X).min(axis=1) @ block.weights

        return -float(self.new_rows(X, sample_weight).sum(cost))


def best_rows(distances: Dissimilarities, weight: Array, near: Array, now: Array) -> Array:
    """(3) for every cluster of a partition; the present medoid stays where no row is better, or where the cluster is empty."""
    found = now.copy()
    for j in range(len(found)):
        members = np.flatnonzero((near == j) & (weight > 0))
        if not len(members):
            continue
        costs = np.empty(len(members))
        among = Candidates(distances.among(members))
        among.each(row_costs, np.arange(len(members)), (weight[members],), (costs,))
        own = costs[members == found[j]]
        best = int(np.argmin(costs))
        if not own.size or costs[best] < own[0]:
            found[j] = members[best]
    return found


def state_of(medoids: Medoids, iteration: int, log: Array, change: float, settled: bool, seed: int) -> MedoidState:
    """A state of its own: nothing in it changes when the search goes on."""
    numbers, labels = medoids.numbers.copy(), medoids.near.copy()
    return MedoidState(iteration, medoids.cost, settled, numbers, labels, np.append(log, medoids.cost), change, seed)
