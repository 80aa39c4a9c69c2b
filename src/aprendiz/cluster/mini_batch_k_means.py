"""Mini-batch k-means: the centres move after each batch of rows, not after each pass over all of them.

Cost, with weights w and the centre a(x) nearest to x, as of k-means:

    J(c) = Σ w ‖x − c_a(x)‖²                                                                                  (1)

Every epoch draws an order of the rows and cuts it into batches. For each batch B, with N_j the weight that centre j has met,

    N_j ← N_j + Σ_{x∈B, a(x)=j} w                                                                             (2)
    c_j ← c_j + Σ_{x∈B, a(x)=j} w (x − c_j) / N_j                                                             (3)

so c_j is the mean of the rows it has met, and moves less and less. A single batch may raise J; what falls is its running mean,

    e ← (1 − α)·e + α·J_B / Σ_{x∈B} w,     α = min(1, 2·|B| / (n + 1)),                                       (4)

and the fit ends when e has found no new minimum (lower by α·10⁻³ of itself at least) for `max_no_improvement` batches. Centres
that have met few rows move to rows of the batch, drawn with chances w·D² as in k-means++.

The start is drawn from a sample of the rows (starts.py); order and batches are in random_batches.py.

Cost: O(|B|·k·d) a batch, O(n·k·d) for the labels at the end; memory O(k·d).
Reference: Sculley, "Web-scale k-means clustering", WWW 2010.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

import numpy as np

from aprendiz.cluster.centroids.nearest import (
    Centroids,
    ClusterSums,
    cluster_sums,
    is_given,
    label_rows,
    nearest,
    nearest_costs,
    spread_of,
    warn_of_empty,
    warn_of_one_start,
)
from aprendiz.cluster.centroids.random_batches import Size, batches, count_rows, far_rows, some_rows
from aprendiz.core.blas import single_blas
from aprendiz.core.certificate import Certificate
from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.iteration import State
from aprendiz.core.parameters import ArrayLike, Count, NonNegative, Seed, Whole
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sources.arrays import ArrayRows

SAMPLE, POOR = 2**33, 2**34  # streams of random numbers: the sample, rows for poor centres
PATIENCE = 10  # rows met for each centre before poor centres are looked for again
WORTH = 1e-3  # the part of the lowest mean by which a batch must be below it to count as a new minimum
OF_ALL = "the cost of all rows is not above that of the start"
OF_BATCHES = "the running mean of the batches' costs is not above the cost of the first batch"
OF_LAST_ROWS = "the cost of the rows of the last call is not above what it was before the call"
IN_BLOCKS = "rows that are not in memory are shuffled within blocks of a few thousand, a table in memory as a whole"


@dataclass(frozen=True)
class Batches(State):
    """Centres after some batches. `objective` is (4); `epoch` and `batch` say which batch is next."""

    centers: Array
    counts: Array  # N of (2)
    met: int  # rows so far
    lowest: float  # the smallest (4) so far
    idle: int  # batches since then
    epoch: int
    batch: int
    start: Array  # the centres of state 0
    first: float  # the mean cost of the first batch, at the start
    rows: int  # of the table
    seed: int


class MiniBatchKMeans(Centroids):
    """Mini-batch k-means clustering (drop-in for scikit-learn's; the same bits for any number of threads, also from files).

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters k.
    init : {"k-means++", "random"}, array of shape (n_clusters, n_features) or function, default="k-means++"
        Initial centres; "random" takes k rows. A function is called with rows of the sample, k and `random_state`.
    max_iter : int, default=100
        Maximum number of epochs.
    batch_size : int, default=1024
        Number of rows in a batch; the batches of an epoch are as equal in size as possible.
    verbose
        No effect.
    compute_labels : bool, default=True
        Whether to label the rows of the fit, and to compare the cost of all of them with that of the start.
    random_state : int, RandomState or None
        The seed of sample, starts, orders and poor centres.
    tol : float, default=0.0
        Stop when the squared moves of the centres in a batch sum to no more than `tol` times the mean variance, and weighted by
        its rows to no more than `tol` times its cost; 0 is never.
    max_no_improvement : int or None, default=10
        Stop when (4) has not improved for this many batches.
    init_size : int or None, default=None
        Rows of the sample from which the starts are drawn; three batches by default, or 3·k rows if that is more.
    n_init : int or "auto", default="auto"
        Number of starts, of which the one with the lowest cost on the sample is kept; "auto" is 1, but 3 for "random" and
        functions.
    reassignment_ratio : float, default=0.01
        A centre with less than this fraction of the largest count is reassigned to a row of the batch.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
    labels_ : ndarray of shape (n_samples,)
        The nearest centre of each training row (if `compute_labels`), an int32.
    inertia_ : float
        J of all rows at the centres; without `compute_labels`, (4) times the weight of all rows.
    n_iter_, n_steps_ : int
        Epochs, the last of which may be incomplete, and batches.
    counts_ : ndarray of shape (n_clusters,)
        The weight N of the rows assigned to each centre so far; `partial_fit` continues from it.
    n_samples_seen_ : int
        Number of rows seen so far, counted again in each epoch.
    certificate_ : Certificate
        J of all rows at the end and at the start; without `compute_labels`, (4) and the mean cost of the first batch.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.repeat([[0.0], [1.0], [10.0], [11.0]], 50, axis=0)
    >>> model = MiniBatchKMeans(2, random_state=0).fit(X)
    >>> print(np.sort(model.cluster_centers_, axis=0).ravel().round(2), model.inertia_)
    [ 0.5 10.5] 50.0
    """

    State = Batches
    allows = frozenset({"sparse"})
    differences = {
        "verbose": "no effect: use aprendiz.training(progress=True)",
        "batch_size": "another form: every epoch visits each row once, in equal batches; none is drawn twice",
        "max_no_improvement": "another form: falls of the running mean that are nothing but slow creeping do not count",
        "reassignment_ratio": "another form: poor centres move to rows that are far from all centres, with chances w·D²",
        "init_size": "another form: all starts are drawn from one sample, and compared on it",
    }
    exceptions = {
        "row order": "batches are cut from an order of the row numbers: another order of the rows, other batches",
        "weights": "a row of weight two is in one batch, the row twice may be in two",
        "partial_fit": "one more batch, not a fit to all rows",
        "same answer": "where it ends depends on the batches, which scikit-learn draws otherwise",
        "monotone": "a batch that is far from its centres raises the running mean",
        "files": IN_BLOCKS,
        "dask": IN_BLOCKS,
        "check_sample_weight_equivalence_on_dense_data": "a row of weight two is in one batch, the row twice may be in two",
        "check_sample_weight_equivalence_on_sparse_data": "a row of weight two is in one batch, the row twice may be in two",
    }

    def __init__(
        self,
        n_clusters: Count = 8,
        *,
        init: Literal["k-means++", "random"] | Callable[..., Any] | ArrayLike = "k-means++",
        max_iter: Count = 100,
        batch_size: Count = 1024,
        verbose: Whole | bool = 0,
        compute_labels: bool = True,
        random_state: Seed = None,
        tol: NonNegative = 0.0,
        max_no_improvement: Whole | None = 10,
        init_size: Count | None = None,
        n_init: Count | Literal["auto"] = "auto",
        reassignment_ratio: NonNegative = 0.01,
    ):
        self.n_clusters = n_clusters
        self.init = init
        self.max_iter = max_iter
        self.batch_size = batch_size
        self.verbose = verbose
        self.compute_labels = compute_labels
        self.random_state = random_state
        self.tol = tol
        self.max_no_improvement = max_no_improvement
        self.init_size = init_size
        self.n_init = n_init
        self.reassignment_ratio = reassignment_ratio

    # ---- the loop ----------------------------------------------------------------------------------------------------

    def states(self, rows: Rows, since: Batches | None = None) -> Iterator[Batches]:
        spread = spread_of(rows, self.n_clusters)
        rest = self.tol * float(np.mean(spread.scatter / spread.weight))
        state = since
        if state is None:
            state = self.start(rows, draw_seed(self.random_state))
            yield state
        for epoch in range(state.epoch, self.max_iter):
            done = state.batch if epoch == state.epoch else 0
            for number, last, batch in batches(rows, self.batch_size, state.seed, epoch):
                if state.settled:
                    return
                if number < done:
                    continue
                final = last and epoch + 1 == self.max_iter
                state = self.visit(replace(state, epoch=epoch, batch=number + 1), batch(), rest, final)
                yield state

    def visit(self, state: Batches, batch: ArrayRows, rest: float, final: bool) -> Batches:
        """(2), (3) and (4) for one batch, and whether it is the last one."""
        sums, size = batch.sum(batch_sums, state.centers), count_rows(batch)
        after = self.move_centres(state, sums, batch, size)
        weight, enough = float(sums.weight.sum()), final and not self.watches()
        if weight == 0:
            return replace(state, **after, settled=enough)
        mean = sums.cost / weight
        if state.first == np.inf:  # the first batch speaks of the start
            return replace(state, **after, objective=mean, first=mean, settled=enough)
        share = 1.0 if state.lowest == np.inf else min(1.0, 2.0 * size / (state.rows + 1))
        running = state.objective + share * (mean - state.objective)
        idle = 0 if running < state.lowest * (1.0 - share * WORTH) else state.idle + 1
        squares = ((after["centers"] - state.centers) ** 2).sum(axis=1)
        calm = bool(self.tol > 0 and squares.sum() <= rest and sums.weight @ squares <= self.tol * sums.cost)
        tired = self.max_no_improvement is not None and idle >= self.max_no_improvement
        over = calm or tired or enough
        return replace(state, **after, objective=running, lowest=min(running, state.lowest), idle=idle, settled=over)

    def move_centres(self, state: Batches, sums: ClusterSums, batch: Rows, size: int) -> dict[str, Any]:
        """(2) and (3); every 10·k rows, or while a centre has met none, poor centres move to rows of the batch."""
        counts = state.counts + sums.weight
        centers = state.centers + sums.shift / np.where(counts > 0, counts, 1.0)[:, None]
        refuse_empty_sums(1.0, bool(np.isfinite(centers).all()), batch)
        met, often = state.met + size, PATIENCE * self.n_clusters
        if (counts == 0).any() or met // often > state.met // often:
            poor = self.poor(counts, size)
            if len(poor):
                found = far_rows(batch, centers, len(poor), state.seed, POOR + state.iteration)
                centers[poor[: len(found)]] = found
                counts[poor[: len(found)]] = np.delete(counts, poor).min()  # or they would be poor again at once
        return {"iteration": state.iteration + 1, "centers": centers, "counts": counts, "met": met}

    def poor(self, counts: Array, rows: int) -> Array:
        """The numbers of the centres that have met too little, for no more than half the rows of the batch."""
        found = np.flatnonzero(counts < min(self.reassignment_ratio, 2.0) * counts.max())  # beyond 1 all of them are poor
        return found[np.argsort(counts[found], kind="stable")][: min(rows // 2, len(counts) - 1)]

    def watches(self) -> bool:
        """Does anything but max_iter end the fit?"""
        return self.tol > 0 or self.max_no_improvement is not None

    # ---- the start ---------------------------------------------------------------------------------------------------

    def starts(self) -> int:
        if self.n_init != "auto":
            return 1 if is_given(self.init) else int(self.n_init)
        return 3 if callable(self.init) or (isinstance(self.init, str) and self.init == "random") else 1

    def start(self, rows: Rows, seed: int) -> Batches:
        """State 0: of several starts, the one with the lowest cost on the sample."""
        if is_given(self.init):
            warn_of_one_start(self)
            centers = self.check_centres(np.array(self.init, dtype=np.float64), rows)
        else:
            table = some_rows(rows, self.sample_size(), seed, SAMPLE)
            tried = [self.check_centres(self.draw_centres(table, seed, start), rows) for start in range(self.starts())]
            costs = [table.sum(nearest_costs, one).cost for one in tried] if len(tried) > 1 else [0.0]
            centers = tried[int(np.argmin(costs))]
        return beginning(centers, count_rows(rows), seed)

    def sample_size(self) -> int:
        """Rows of the sample, at least k."""
        if self.init_size is None:
            return max(3 * self.batch_size, 3 * self.n_clusters)
        if self.init_size < self.n_clusters:
            warnings.warn(
                f"init_size={self.init_size} should be larger than n_clusters={self.n_clusters}: it is set to "
                f"3*n_clusters={3 * self.n_clusters}.",
                RuntimeWarning,
                stacklevel=3,
            )
            return 3 * int(self.n_clusters)
        return self.init_size

    # ---- the answer --------------------------------------------------------------------------------------------------

    def attributes(self, state: Batches, rows: Rows) -> dict[str, Any]:
        return {
            "cluster_centers_": state.centers.astype(rows.first(lambda block: block.X.dtype)),
            "counts_": state.counts.copy(),
            "n_iter_": state.epoch + (state.batch > 0),
            "n_steps_": state.iteration,
            "n_samples_seen_": state.met,
        }

    def row_attributes(self, state: Batches, rows: Rows) -> dict[str, Any]:
        if not self.compute_labels:
            weight = rows.sum(Size.of).weight
            known = not_above(OF_BATCHES, state.objective, state.first, batches=state.iteration)
            return {"inertia_": state.objective * weight, "certificate_": known}
        labels, sums = label_rows(self.attributes(state, rows)["cluster_centers_"], rows)
        warn_of_empty(int((sums.weight > 0).sum()), self.n_clusters)
        before = rows.sum(nearest_costs, state.start).cost
        known = not_above(OF_ALL, sums.cost, before, running=state.objective, batches=state.iteration)
        return {"labels_": labels, "inertia_": sums.cost, "certificate_": known}

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Update the centres with one batch, all rows of X; the first call also draws the initial centres from them."""
        first = not hasattr(self, "counts_")
        rows = self.open(X, y, sample_weight, reset=first)
        with single_blas(rows.work):
            if first:
                spread_of(rows, self.n_clusters)
            state = self.start(rows, draw_seed(self.random_state)) if first else self.resume()
            sums = rows.sum(batch_sums, state.centers)
            refuse_empty_sums(sums.weight, bool(np.isfinite(sums.cost)), rows)
            now = replace(state, **self.move_centres(state, sums, rows, count_rows(rows)), batch=1)
            found = self.attributes(now, rows)
            labels, after = label_rows(found["cluster_centers_"], rows)
            if self.compute_labels:
                found |= {"labels_": labels, "inertia_": after.cost}
            known = not_above(OF_LAST_ROWS, after.cost, sums.cost, batches=now.iteration)
            return self.settle({**rows.noted, **found, "certificate_": known})

    def resume(self) -> Batches:
        """The state in which the fit, or the last `partial_fit`, has left the learner."""
        centers = np.array(self.cluster_centers_, dtype=np.float64)
        known = {"centers": centers, "counts": np.array(self.counts_), "met": self.n_samples_seen_, "iteration": self.n_steps_}
        return replace(beginning(centers, 0, draw_seed(self.random_state)), **known, epoch=self.n_iter_ - 1)

    def decisive(self) -> frozenset[str]:
        return frozenset() if self.watches() else frozenset({"max_iter"})

    def remedy(self) -> str:
        return f"Raise max_iter (it is {self.max_iter}) or tol, or lower max_no_improvement."

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Array:
        """Fit, and return the labels of the training rows."""
        fitted = self.fit(X, sample_weight=sample_weight)
        return fitted.labels_ if self.compute_labels else fitted.predict(X)


def beginning(centers: Array, rows: int, seed: int) -> Batches:
    """State 0."""
    return Batches(
        iteration=0,
        objective=np.inf,
        settled=False,
        centers=centers,
        counts=np.zeros(len(centers)),
        met=0,
        lowest=np.inf,
        idle=0,
        epoch=0,
        batch=0,
        start=centers,
        first=np.inf,
        rows=rows,
        seed=seed,
    )


# ---- sums --------------------------------------------------------------------------------------------------------------


def batch_sums(centers: Array, block: Block) -> ClusterSums:
    """What (2), (3) and (4) need to know of some rows."""
    return cluster_sums(centers, *nearest(centers, block), block)


# ---- certificates ------------------------------------------------------------------------------------------------------


def not_above(claim: str, after: float, before: float, **known: Any) -> Certificate:
    """That a cost after the fit, or after a batch, is at most (1 + 10⁻¹²) times what it was before, on the same rows. Costs
    below 10⁻³⁰⁰ have lost their digits, and count as 0."""
    return Certificate(claim, bool(after <= before * (1 + 1e-12)), {"objective": after, "before": before, **known})
