"""k-means: k centres, each row belongs to its nearest one.

Cost, with weights w and the centre a(x) nearest to x:

    J(c) = Σ w ‖x − c_a(x)‖²                                                                                  (1)

Each pass lowers J twice, so J never rises and the method stops; it reaches a local minimum, hence several starts:

    assign    a(x) = argmin_j ‖x − c_j‖                                                                       (2)
    update    c_j ← Σ_{a(x)=j} w x / Σ_{a(x)=j} w                                                             (3)

A start is at rest when its centres move by little, in two ways. The moves Δ_j of (3) lower J by exactly Σ_j n_j ‖Δ_j‖², n_j the
weight of cluster j:

    Σ_j ‖Δ_j‖² ≤ tol·(mean variance of the columns)     and     Σ_j n_j ‖Δ_j‖² ≤ tol·J                        (4)

The first is scikit-learn's, and one row far away makes its right-hand side as large as it likes; the second is not deceived.

The starts are in `starts.py`, a pass in `lloyd.py`: the search of (2) by matrix products in `centre_search.py`, bounds that
spare most of it in `row_bounds.py`, and (3) from exact sums that only rows on their way touch in `exact_sums.py`. A centre
that no row chose moves to the row farthest from its own centre.

Cost: O(n·k·d) a pass; memory O(k·d), and for rows in memory the bounds: 20 bytes a row, or 4·k more.
Reference: Lloyd, "Least squares quantization in PCM", IEEE Trans. Inf. Theory 28, 1982.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

import numpy as np

from aprendiz.cluster.centroids.exact_sums import RoundingGrid
from aprendiz.cluster.centroids.lloyd import Lloyd, LloydStep
from aprendiz.cluster.centroids.nearest import (
    Centroids,
    Clustering,
    ClusterSums,
    is_given,
    label_rows,
    spread_of,
    warn_of_empty,
    warn_of_one_start,
)
from aprendiz.cluster.centroids.starts import points_of_the_box, scalable
from aprendiz.core.certificate import Certificate
from aprendiz.core.parameters import ArrayLike, Count, NonNegative, Seed, Whole
from aprendiz.core.rows import Array, Rows
from aprendiz.core.several_starts import SeveralStarts
from aprendiz.core.sums import Spread
from aprendiz.summaries.sample import sampled_rows

SAMPLE = 2**16  # rows that a start is drawn from; of tables with up to twice as many, all
ROUNDING = (64 * np.finfo(float).eps) ** 2  # a centre that moves by less than this part of the spread does not move
ANYWHERE = {"k-means||": scalable, "box": points_of_the_box}  # starts that pass over the rows, wherever they are


class KMeans(Centroids, SeveralStarts):
    """k-means clustering (drop-in for scikit-learn's; exact, the same bits for any number of threads, also from files).

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters k.
    init : {"k-means++", "random", "k-means||", "box"}, array of shape (n_clusters, n_features) or function
        Initial centres: "random" takes k rows, "box" random points between the least and the largest values, "k-means||" draws
        many rows at a time (for files and many clusters). A function is called with X, k and `random_state`.
    n_init : int or "auto", default="auto"
        Number of initialisations, of which the best is kept; "auto" is 1, but 10 for "random", "box" and functions.
    max_iter : int, default=300
        Maximum number of iterations of a single start.
    tol : float, default=1e-4
        Convergence: the squared moves of the centres sum to less than `tol` times the mean variance of the columns, and a pass
        lowers J by less than `tol` of it: (4).
    random_state : int, RandomState or None
        The seed of the starts.
    verbose, copy_x, algorithm
        No effect.
    empty : {"farthest", "keep", "raise"}, default="farthest"
        What to do with empty clusters: move the centre to the row farthest from its centre, keep it, or raise an error.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
    labels_ : ndarray of shape (n_samples,)
        Cluster of each training row, an int32.
    inertia_ : float
        J at the centres.
    n_iter_ : int
        Number of iterations of the best start.
    certificate_ : Certificate
        J of every pass, which never rises, and the largest distance of a centre from the mean of its rows.
    """

    State = Clustering
    allows = frozenset({"sparse"})
    differences = {
        "verbose": "no effect: use aprendiz.training(progress=True)",
        "n_iter_": "another form: one more after an empty cluster, which takes the farthest row and leaves other centres alone",
        "tol": "another form: a pass that still lowers the cost by more than tol of it is not the last one",
        "copy_x": "no effect: the data passed in are never changed",
        "algorithm": "no effect: the search is exact and its shortcuts are always on",
    }
    exceptions = {
        "check_sample_weight_equivalence_on_dense_data": "rows are drawn by their number: another order, another start",
        "check_sample_weight_equivalence_on_sparse_data": "rows are drawn by their number: another order, another start",
    }

    def __init__(
        self,
        n_clusters: Count = 8,
        *,
        init: Literal["k-means++", "random", "k-means||", "box"] | Callable[..., Any] | ArrayLike = "k-means++",
        n_init: Count | Literal["auto"] = "auto",
        max_iter: Count = 300,
        tol: NonNegative = 1e-4,
        verbose: Whole | bool = 0,
        random_state: Seed = None,
        copy_x: bool = True,
        algorithm: Literal["lloyd", "elkan"] = "lloyd",
        empty: Literal["farthest", "keep", "raise"] = "farthest",
    ):
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.verbose = verbose
        self.random_state = random_state
        self.copy_x = copy_x
        self.algorithm = algorithm
        self.empty = empty

    # ---- the loop ----------------------------------------------------------------------------------------------------

    def states(self, rows: Rows, since: Clustering | None = None) -> Iterator[Clustering]:
        spread = spread_of(rows, self.n_clusters)
        grid, rest = RoundingGrid.of(spread), self.rest(spread)

        def passes(state: Clustering) -> Iterator[Clustering]:
            lloyd = Lloyd.start(rows, grid, state.centers)
            while True:
                state = self.next_state(state, lloyd.step(state.centers), rest)  # (2) and (3)
                yield state

        yield from self.each_start(rows, passes, since)

    def rest(self, spread: Spread) -> tuple[float, float]:
        """The squared moves of centres that are at rest: the first of (4), and what is rounding."""
        variance = float(np.mean(spread.scatter / spread.weight))
        return self.tol * variance, ROUNDING * self.n_clusters * spread.columns * variance

    def next_state(self, state: Clustering, step: LloydStep, rest: tuple[float, float]) -> Clustering:
        """The state after a step, and whether the start has come to rest."""
        centers, empty = step.centers, int((step.weight == 0).sum())
        stuck = False
        if empty and self.empty != "keep":
            if self.empty == "raise":
                cluster = int(np.argmax(step.weight == 0))
                raise ValueError(f"Cluster {cluster} lost all its rows in pass {len(state.log) + 1}: use fewer clusters.")
            far = step.farthest(empty)
            stuck = far.squares[0] == 0  # every row is a centre
            centers = centers.copy()
            centers[np.flatnonzero(step.weight == 0)[: len(far.squares)]] = far.points
        squares = ((centers - state.centers) ** 2).sum(axis=1)
        moves, fall = float(squares.sum()), float(step.weight @ squares)
        slow = moves <= rest[1] or (moves <= rest[0] and fall <= self.tol * step.cost)  # (4)
        calm = bool(stuck or ((empty == 0 or self.empty == "keep") and slow))
        return state.after(step.cost, calm, passes=self.max_iter, starts=self.starts(), centers=centers)

    # ---- the start ---------------------------------------------------------------------------------------------------

    def starts(self) -> int:
        if self.n_init != "auto":
            return 1 if is_given(self.init) else int(self.n_init)
        return 10 if callable(self.init) or (isinstance(self.init, str) and self.init in ("random", "box")) else 1

    def first(self, rows: Rows, seed: int, start: int) -> dict[str, Any]:
        """The centres of a start."""
        if is_given(self.init):
            warn_of_one_start(self)
            centers = np.array(self.init, dtype=np.float64)
        elif isinstance(self.init, str) and self.init in ANYWHERE:
            centers = ANYWHERE[self.init](rows, self.n_clusters, seed, start)
        else:
            some = max(SAMPLE, 4 * self.n_clusters)
            centers = self.draw_centres(sampled_rows(rows, some, seed), seed, start)
        return {"centers": self.check_centres(centers, rows)}

    # ---- the answer --------------------------------------------------------------------------------------------------

    def attributes(self, state: Clustering, rows: Rows) -> dict[str, Any]:
        best = state.best()
        return {"cluster_centers_": best.centers.astype(rows.first(lambda block: block.X.dtype)), "n_iter_": len(best.log)}

    def row_attributes(self, state: Clustering, rows: Rows) -> dict[str, Any]:
        labels, sums = label_rows(self.attributes(state, rows)["cluster_centers_"], rows)
        warn_of_empty(int((sums.weight > 0).sum()), self.n_clusters)
        return {"labels_": labels, "inertia_": sums.cost, "certificate_": descent(state.best().log, sums)}


def descent(log: Array, sums: ClusterSums) -> Certificate:
    """That no pass raised J by more than 10⁻¹² of its first value, as it was summed (by more than 10⁻⁹, or by what the
    rounding of the centres costs, Σ ω(4ε|c|)², in exact arithmetic); and how far the centres are from the means of their rows.
    Nothing is claimed about other minima."""
    rise = float(np.max(np.diff(log), initial=0.0)) / max(float(log[0]) if len(log) else 0.0, 1e-300)
    taken = np.maximum(sums.weight, 1e-300)[:, None]
    off = float(np.sqrt(((sums.shift / taken) ** 2).sum(axis=1)).max())
    return Certificate("the cost never rose", rise <= 1e-12, {"cost": sums.cost, "rise": rise, "off_mean": off, "log": log})
