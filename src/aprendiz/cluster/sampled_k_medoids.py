"""k-medoids of samples: for tables whose n² distances are too many.

    draw a sample of the rows, find its medoids M by BUILD and SWAP (k_medoids.py), and compute

        J(M) = Σ w d(x, m(x)),     over all rows x                                                            (1)

    a few times; the M with the smallest J is kept.

Which rows are drawn follows from the seed and their numbers (summaries/sample.py), and J is a sum over the rows: the same
medoids come out of an array, of files and of any number of threads, and nothing larger than the distances of a sample is held.

Cost: O(s²) for a sample of s rows and O(n·k·d) for (1), for each draw; memory O(s²).
Reference: Kaufman & Rousseeuw, "Finding Groups in Data", 1990, chapter 3 (CLARA: five draws of 40 + 2k rows).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Self

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin

from aprendiz.cluster.centroids.nearest import warn_of_empty
from aprendiz.cluster.medoids.dissimilarities import Dissimilarities
from aprendiz.cluster.medoids.pairwise import refuse_too_many
from aprendiz.cluster.medoids.starts import build
from aprendiz.cluster.medoids.stored_medoids import MEDOIDS
from aprendiz.cluster.medoids.swaps import Candidates, Medoids
from aprendiz.core.certificate import Certificate
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.iteration import Iterative, State
from aprendiz.core.learner import Clusterer, Transformer
from aprendiz.core.parameters import Count, Seed, Within
from aprendiz.core.random import draw_seed, hash_one, hashes
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import Spread, Sums, find_pivot
from aprendiz.neighbors.shared.kept_rows import as_kept, refuse_extremes
from aprendiz.summaries.sample import Sample

FROM_THE_ROWS = {"seuclidean": ("V",), "mahalanobis": ("V", "VI")}  # what these metrics would take from all rows
BY_NUMBER = "rows are drawn by their number: another order of the rows, another sample"
DRAWS = 9  # the stream of the seeds of the draws


@dataclass(frozen=True)
class BestDraw(State):
    """The best medoids of the draws so far, with the keys by which their rows are found again."""

    centers: Array
    keys: Array
    key_seed: int  # of the best draw
    log: Array  # J of each draw
    sample_mean: float  # the mean distance in the sample of the best draw
    sample_rows: int
    seed: int


@dataclass(frozen=True)
class Cost(Sums):
    """Σ w d to the nearest of some centres."""

    cost: float

    @classmethod
    def of(cls, centers: Dissimilarities, block: Block) -> Self:
        return cls(float(centers.distances_from(block.X).min(axis=1) @ block.weights))


@dataclass(frozen=True)
class Places(Sums):
    """The numbers of the rows with given keys: 0 but where the row is."""

    numbers: Array

    @classmethod
    def of(cls, seed: int, keys: Array, block: Block) -> Self:
        found = np.zeros(len(keys), np.int64)
        here = hashes(seed, 0, block.numbers)
        for j in np.flatnonzero(np.isin(keys, here)):
            found[j] = block.start + int(np.argmax(here == keys[j]))
        return cls(found)


class SampledKMedoids(ClassNamePrefixFeaturesOutMixin, Transformer, Clusterer, Iterative):
    """k-medoids of random samples, the best of which is kept, for tables too large for all distances (also from files).

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters k.
    metric : str or function of two rows, default="euclidean"
        A metric by name (not "gower" nor "precomputed").
    n_draws : int, default=5
        Number of samples.
    sample_size : int or None, default=None
        Rows of a sample: so many, and less than twice as many. None is 1 000 + 10·k.
    p : float, default=2
        Power of the Minkowski metric.
    metric_params : dict, default=None
        Parameters of the metric: w, V or VI. "seuclidean" and "mahalanobis" need theirs.
    random_state : int, RandomState or None
        The seed of the draws.

    Attributes
    ----------
    medoid_indices_ : ndarray of shape (n_clusters,)
        The numbers of the rows that are medoids.
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        Those rows.
    labels_ : ndarray of shape (n_samples,)
        The nearest medoid of each training row, an int32.
    inertia_ : float
        J over all rows.
    n_iter_ : int
        Draws; one is enough where a sample holds all rows.
    certificate_ : Certificate
        J of the best draw so far after every draw, the mean distance over all rows, and what it was in the sample of the best.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.repeat([[0.0], [1.0], [2.0], [10.0], [11.0], [12.0]], 2000, axis=0)
    >>> model = SampledKMedoids(2, random_state=0).fit(X)
    >>> print(np.sort(model.cluster_centers_.ravel()), model.inertia_)
    [ 1. 11.] 8000.0
    """

    stored_check = MEDOIDS

    State = BestDraw
    exceptions = {"row order": BY_NUMBER, "weights": BY_NUMBER}

    def __init__(
        self,
        n_clusters: Count = 8,
        *,
        metric: str | Callable[..., Any] = "euclidean",
        n_draws: Count = 5,
        sample_size: Count | None = None,
        p: Annotated[float, Within(1)] = 2,
        metric_params: dict[str, Any] | None = None,
        random_state: Seed = None,
    ):
        self.n_clusters = n_clusters
        self.metric = metric
        self.n_draws = n_draws
        self.sample_size = sample_size
        self.p = p
        self.metric_params = metric_params
        self.random_state = random_state

    # ---- the loop ----------------------------------------------------------------------------------------------------

    def states(self, rows: Rows, since: BestDraw | None = None) -> Iterator[BestDraw]:
        self.refuse_metric()
        if since is None:
            refuse_bad_rows(rows, self.n_clusters)
        state = since
        while state is None or not state.settled:
            state = self.draw(rows, state, draw_seed(self.random_state) if state is None else state.seed)
            yield state

    def draw(self, rows: Rows, before: BestDraw | None, seed: int) -> BestDraw:
        """One more draw: its medoids, if they are better than those before."""
        draw = 0 if before is None else before.iteration + 1
        key_seed = hash_one(seed, DRAWS, draw) >> 1
        sample = Sample.drawn(rows, self.sample_size or 1000 + 10 * self.n_clusters, key_seed)
        medoids = self.medoids_of(sample, rows)
        centers = as_kept(sample.X)[medoids.numbers]
        cost = rows.sum(Cost.of, self.distances(centers)).cost
        log = np.append([] if before is None else before.log, cost)
        settled = sample.level == 0 or draw + 1 == self.n_draws
        if before is not None and before.objective <= cost:
            best = (before.centers, before.keys, before.key_seed, log, before.sample_mean, before.sample_rows)
            return BestDraw(draw, before.objective, settled, *best, seed)
        mean = medoids.cost / float(medoids.weight.sum())
        keys = sample.keys[medoids.numbers]
        return BestDraw(draw, cost, settled, centers, keys, key_seed, log, mean, len(medoids.weight), seed)

    def medoids_of(self, sample: Sample, rows: Rows) -> Medoids:
        """BUILD and SWAP in the sample."""
        X = as_kept(sample.X)
        weight = np.ones(len(X)) if sample.weight is None else np.asarray(sample.weight, np.float64)
        counting = np.flatnonzero(weight)
        if len(counting) < self.n_clusters:
            raise ValueError(
                f"A sample holds {len(counting)} rows of positive weight, fewer than n_clusters={self.n_clusters}: "
                "ask for a larger sample_size."
            )
        refuse_extremes(X, rows.names)
        candidates = Candidates(self.distances(X))
        medoids = Medoids(candidates, weight, build(candidates, weight, self.n_clusters))
        before = np.inf
        while medoids.cost < before:
            before = medoids.cost
            medoids.improve(counting)
        return medoids

    def distances(self, X: Array) -> Dissimilarities:
        return Dissimilarities.of(X, self.metric, self.p, self.metric_params)

    def refuse_metric(self) -> None:
        """Metrics that need all the rows at once."""
        if not isinstance(self.metric, str):
            return
        if self.metric in ("precomputed", "gower"):
            raise ValueError(f"metric={self.metric!r} has no samples of rows: use KMedoids.")
        needed = FROM_THE_ROWS.get(self.metric, ())
        if needed and not any((self.metric_params or {}).get(name) is not None for name in needed):
            raise ValueError(f"metric={self.metric!r} would differ from sample to sample: give metric_params with {needed[0]}.")

    # ---- the answer --------------------------------------------------------------------------------------------------

    def attributes(self, state: BestDraw, rows: Rows) -> dict[str, Any]:
        return {
            "cluster_centers_": state.centers.astype(rows.first(lambda block: block.X.dtype)),
            "medoid_indices_": rows.sum(Places.of, state.key_seed, state.keys).numbers,
            "inertia_": state.objective,
            "n_iter_": state.iteration + 1,
        }

    def row_attributes(self, state: BestDraw, rows: Rows) -> dict[str, Any]:
        """The certificate: of the medoids that were drawn, none has a lower Σ ω·distance over all rows, up to 10⁻⁹ of it for
        rounding. Distances whose squares vanish, below 10⁻¹⁵⁰, count as 0. Nothing is claimed about medoids that were not
        drawn."""
        weight = float(np.sum(rows.each(lambda block: block.weights)))
        labels = rows.each(nearest, self.distances(state.centers))
        mean = state.objective / weight
        warn_of_empty(len(np.unique(labels)), self.n_clusters)
        values: dict[str, Any] = {"cost": state.objective, "mean": mean, "sample_mean": state.sample_mean}
        values |= {"sample_rows": state.sample_rows, "log": np.minimum.accumulate(state.log)}
        best = bool(state.objective == state.log.min())
        return {"labels_": labels, "certificate_": Certificate("no draw has a lower cost over all rows", best, values)}

    def most_states(self) -> int:
        return self.n_draws

    @property
    def _n_features_out(self) -> int:
        return len(self.cluster_centers_)

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Fit, and return the distances of the training rows to the medoids."""
        return self.fit(X, sample_weight=sample_weight).transform(X)

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Array:
        """Fit, and return the labels of the training rows."""
        return self.fit(X, sample_weight=sample_weight).labels_

    def predict(self, X: Any) -> Array:
        """The nearest medoid of each row."""
        return self.new_rows(X).each(nearest, self.distances(self.cluster_centers_))

    def change(self, X: Array) -> Array:
        """The distances to all medoids."""
        return self.distances(self.cluster_centers_).distances_from(X).astype(X.dtype, copy=False)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """−J of the rows."""
        return -self.new_rows(X, sample_weight).sum(Cost.of, self.distances(self.cluster_centers_)).cost


def nearest(centers: Dissimilarities, block: Block) -> Array:
    """The nearest centre of each row of a block."""
    return centers.distances_from(block.X).argmin(axis=1).astype(np.int32)


def refuse_bad_rows(rows: Rows, clusters: int) -> None:
    """Rows that do not count, are too few, or too large."""
    record = rows.sum(Spread.of, find_pivot(rows))
    refuse_empty_sums(record.weight, record.finite, rows)
    refuse_too_many(clusters, int(record.known.max()))
