"""k-means: k centres, each row belongs to its nearest one.

Cost, with weights w and the centre a(x) nearest to x:

    J(c) = Σ w ‖x − c_a(x)‖²                                                                                  (1)

Each pass lowers J twice, so J never rises and the method stops; it reaches a local minimum, hence several starts:

    assign    a(x) = argmin_j ‖x − c_j‖                                                                       (2)
    update    c_j ← c_j + Σ_{a(x)=j} w (x − c_j) / Σ_{a(x)=j} w                                               (3)

(3) is a sum around the current centres, so a pass is one `rows.sum` and an offset of 10⁸ costs no digits. A centre that no
row chose moves to the row farthest from its own centre.

An exact shortcut, for rows in memory: a row keeps its centre a without looking at the others while ‖x − c_a‖ is below half
the distance from c_a to its nearest centre, or below a lower bound on the distance to its second nearest, which shrinks by
the largest move of a centre (Hamerly). Starts are in `starts.py`.

Cost: O(n·k·d) a pass without the shortcut; memory O(k·d), and 20 bytes a row for it.
References: Lloyd, IEEE Trans. Inf. Theory 28, 1982; Hamerly, SDM 2010.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin
from sklearn.exceptions import ConvergenceWarning

from aprendiz.cluster.starts import plus_plus, random_rows
from aprendiz.core.certificate import Certificate
from aprendiz.core.compiled import compiled
from aprendiz.core.inputs import Largest, refuse_empty_sums
from aprendiz.core.iteration import Iterative, State
from aprendiz.core.learner import Clusterer, Transformer
from aprendiz.core.parameters import ArrayLike, Count, NonNegative, Seed, Whole
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array, ArrayRows, Block, Rows
from aprendiz.core.sums import Sample, Spread, Sums, find_pivot

SAMPLE = 2**16  # rows of a file that a start is drawn from
ROUNDING = (64 * np.finfo(float).eps) ** 2  # a centre that moves by less than this part of the spread does not move


@dataclass(frozen=True)
class Clustering(State):
    """Centres on their way. `still`: this start has come to rest; the best one so far is kept beside it."""

    centers: Array
    log: Array  # J of each pass since the start
    seed: int
    start: int
    still: bool
    best_centers: Array
    best_log: Array


@dataclass(frozen=True)
class ClusterSums(Sums):
    """Of each centre: Σ w and Σ w (x − c) over its rows; J; the row farthest from its centre, and its distance squared."""

    weight: Array
    shift: Array
    cost: float
    distance: float
    farthest: Array

    def __add__(self, other: Self) -> Self:
        far = self if self.distance >= other.distance else other
        return type(self)(
            self.weight + other.weight,
            self.shift + other.shift,
            self.cost + other.cost,
            far.distance,
            far.farthest,
        )


@dataclass
class Memory:
    """What is remembered of each row between passes, so that most of them need not search."""

    labels: Array
    squares: Array  # distance to its centre, squared, after the last pass
    lower: Array  # no other centre is nearer than this


@dataclass(frozen=True)
class Geometry:
    """What the shortcut needs to know of each centre: how far it and the others have moved, half the gap to the nearest."""

    move: Array
    others: Array  # the largest move of any other centre
    half_gap: Array

    @classmethod
    def of(cls, centers: Array, previous: Array) -> Self:
        move = np.sqrt(((centers - previous) ** 2).sum(axis=1))
        order = np.argsort(move)
        others = np.full(len(move), move[order[-1]])
        others[order[-1]] = move[order[-2]] if len(move) > 1 else 0.0
        return cls(move, others, half_gaps(centers))


class KMeans(ClassNamePrefixFeaturesOutMixin, Transformer, Clusterer, Iterative):
    """k-means clustering (drop-in for scikit-learn's; exact, the same bits for any number of threads, also from files).

    Parameters
    ----------
    n_clusters : int, default=8
        k.
    init : {"k-means++", "random"}, array of shape (n_clusters, n_features) or function, default="k-means++"
        How to start; "random" takes k rows. A function is called with X, k and the seed.
    n_init : int or "auto", default="auto"
        Number of starts, of which the best is kept; "auto" is 1, but 10 for "random" and functions.
    max_iter : int, default=300
        Passes in one start.
    tol : float, default=1e-4
        A start has come to rest when the squared moves of the centres sum to less than `tol` times the mean variance.
    random_state : int, RandomState or None
        The seed of the starts.
    verbose, copy_x, algorithm
        No effect.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
    labels_ : ndarray of shape (n_samples,)
        a(x) of each training row, an int32.
    inertia_ : float
        J at the centres.
    n_iter_ : int
        Passes of the best start.
    certificate_ : Certificate
        J of every pass, which never rises, and the largest distance of a centre from the mean of its rows.
    """

    State = Clustering
    allows = frozenset({"sparse"})
    differences = {
        "verbose": "no effect: use aprendiz.training(progress=True)",
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
        init: Literal["k-means++", "random"] | Callable[..., Any] | ArrayLike = "k-means++",
        n_init: Count | Literal["auto"] = "auto",
        max_iter: Count = 300,
        tol: NonNegative = 1e-4,
        verbose: Whole | bool = 0,
        random_state: Seed = None,
        copy_x: bool = True,
        algorithm: Literal["lloyd", "elkan"] = "lloyd",
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

    # ---- the loop ----------------------------------------------------------------------------------------------------

    def states(self, rows: Rows, since: Clustering | None = None) -> Iterator[Clustering]:
        rest = max(self.tol, ROUNDING * self.n_clusters * rows.columns) * mean_variance(rows)
        state = since
        if state is None:
            state = self.started(rows, draw_seed(self.random_state), 0)
            yield state
        memory, previous = remember(rows), state.centers
        while not state.settled:
            if state.still or len(state.log) >= self.max_iter:
                if state.start + 1 == self.starts():
                    return
                state = self.started(rows, state.seed, state.start + 1, state)
                memory, previous = remember(rows), state.centers
            else:
                geometry = Geometry.of(state.centers, previous)
                sums = rows.sum(assign, state.centers, geometry, memory)  # (2)
                previous = state.centers
                state = self.moved(state, sums, rest)  # (3)
            yield state

    def moved(self, state: Clustering, sums: ClusterSums, rest: float) -> Clustering:
        """(3), and whether the start has come to rest."""
        empty = sums.weight == 0
        full = not empty.any()
        step = sums.shift / (sums.weight + empty)[:, None]
        centers = state.centers + step
        if not full and sums.distance > 0:
            centers[np.argmax(empty)] = sums.farthest
        log = np.append(state.log, sums.cost)
        rested = float((step**2).sum()) <= rest or bool(sums.cost >= state.objective)
        calm = bool(sums.distance == 0 or (full and rested))  # every row is a centre, or no centre is on its way
        over = calm or len(log) >= self.max_iter
        better = over and (len(state.best_log) == 0 or sums.cost < state.best_log[-1])
        return replace(
            state,
            iteration=state.iteration + 1,
            objective=sums.cost,
            settled=calm and state.start + 1 == self.starts(),
            centers=centers,
            log=log,
            still=calm,
            best_centers=centers if better else state.best_centers,
            best_log=log if better else state.best_log,
        )

    # ---- the start ---------------------------------------------------------------------------------------------------

    def starts(self) -> int:
        if self.n_init != "auto":
            return 1 if fixed(self.init) else int(self.n_init)
        return 10 if callable(self.init) or (isinstance(self.init, str) and self.init == "random") else 1

    def started(self, rows: Rows, seed: int, start: int, before: Clustering | None = None) -> Clustering:
        """State 0 of a start: centres, no pass yet."""
        k, d = self.n_clusters, rows.columns
        if rows.count is not None and rows.count < k:
            raise ValueError(f"n_samples={rows.count} should be >= n_clusters={k}: ask for fewer clusters.")
        if fixed(self.init):
            centers = np.array(self.init, dtype=np.float64)
        else:
            table = rows if isinstance(rows, ArrayRows) else Sample.drawn(rows, max(SAMPLE, 4 * k), seed).rows()
            if callable(self.init):
                centers = np.array(self.init(table.X, k, random_state=seed + start), dtype=np.float64)
            elif self.init == "random":
                centers = random_rows(table, k, seed, start)
            else:
                centers = plus_plus(table, k, seed, start)
        if centers.shape != (k, d):
            raise ValueError(f"init gives an array of shape {centers.shape}; {k} clusters of {d} columns need ({k}, {d}).")
        if not np.isfinite(centers).all():
            raise ValueError("init contains NaN or infinity: every centre must be a point.")
        nothing = np.empty(0)
        return Clustering(
            iteration=0 if before is None else before.iteration + 1,
            objective=np.inf,
            settled=False,
            centers=centers,
            log=nothing,
            seed=seed,
            start=start,
            still=False,
            best_centers=centers if before is None else before.best_centers,
            best_log=nothing if before is None else before.best_log,
        )

    # ---- the answer --------------------------------------------------------------------------------------------------

    def attributes(self, state: Clustering, rows: Rows) -> dict[str, Any]:
        centers, log = best_so_far(state)
        return {"cluster_centers_": centers.astype(next(rows.blocks()).X.dtype), "n_iter_": len(log)}

    def row_attributes(self, state: Clustering, rows: Rows) -> dict[str, Any]:
        centers = self.attributes(state, rows)["cluster_centers_"].astype(np.float64)
        labels = rows.each(label, centers)
        sums, log = rows.sum(totals, centers, labels), best_so_far(state)[1]
        taken = int((sums.weight > 0).sum())
        if taken < self.n_clusters:
            said = (
                f"Only {taken} of {self.n_clusters} clusters have rows: X may hold fewer distinct rows. Ask for fewer clusters."
            )
            warnings.warn(said, ConvergenceWarning, stacklevel=4)
        return {"labels_": labels, "inertia_": sums.cost, "certificate_": descent(np.append(log, sums.cost), sums)}

    def remedy(self) -> str:
        return f"Raise max_iter (it is {self.max_iter}) or tol."

    def most_states(self) -> int:
        return self.starts() * (self.max_iter + 1)

    @property
    def _n_features_out(self) -> int:
        return len(self.cluster_centers_)

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Array:
        """Fit, and the labels of the training rows."""
        return self.fit(X, sample_weight=sample_weight).labels_

    def predict(self, X: Any) -> Array:
        """The nearest centre of each row."""
        return self.new_rows(X).each(label, self.cluster_centers_.astype(np.float64))

    def change(self, X: Array) -> Array:
        """The distances to all centres."""
        squares = np.empty((len(X), len(self.cluster_centers_)))
        all_squares(X, np.ascontiguousarray(self.cluster_centers_.T, dtype=np.float64), squares)
        return np.sqrt(squares).astype(X.dtype, copy=False)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """−J of the rows."""
        rows = self.new_rows(X, sample_weight)
        centers = self.cluster_centers_.astype(np.float64)
        return -rows.sum(assign, centers, None, None).cost


def fixed(init: Any) -> bool:
    """Are the centres given?"""
    return not isinstance(init, str) and not callable(init)


def best_so_far(state: Clustering) -> tuple[Array, Array]:
    """Centres and log of the best start; the one under way counts once it is better."""
    under_way = len(state.best_log) == 0 or state.objective < state.best_log[-1]
    return (state.centers, state.log) if under_way else (state.best_centers, state.best_log)


def mean_variance(rows: Rows) -> float:
    record = rows.sum(Spread.of, find_pivot(rows))
    refuse_empty_sums(record.weight, record.finite, rows)
    variance = float(np.mean(record.scatter / record.weight))
    if variance == 0 and (largest := rows.map(lambda X: X - record.pivot).sum(Largest.of)).size.any():
        column = int(largest.size.argmax())
        small = f"at most {largest.size[column]:.3g}, in column {column}"
        raise ValueError(f"The rows of X differ so little ({small}) that the squares of their differences vanish: scale X.")
    return variance


def remember(rows: Rows) -> Memory | None:
    """Room for the shortcuts, where the rows are in memory anyway."""
    if not isinstance(rows, ArrayRows) or rows.count is None:
        return None
    unknown = np.full(rows.count, np.inf)
    return Memory(np.zeros(rows.count, np.int32), unknown, -unknown)


def descent(log: Array, sums: ClusterSums) -> Certificate:
    """J of every pass (it must not rise) and how far the centres are from the means of their rows."""
    rise = float(np.max(np.diff(log), initial=0.0)) / max(float(log[0]), 1e-300)
    taken = np.maximum(sums.weight, 1e-300)[:, None]
    off = float(np.sqrt(((sums.shift / taken) ** 2).sum(axis=1)).max())
    return Certificate(
        "the cost never rose", rise <= 1e-12, {"cost": float(log[-1]), "rise": rise, "off_mean": off, "log": log}
    )


# ---- statistics ------------------------------------------------------------------------------------------------------


def assign(centers: Array, geometry: Geometry | None, memory: Memory | None, block: Block) -> ClusterSums:
    """(2) for a block, and the sums that (3) needs. Without memory every row searches."""
    if memory is None or geometry is None:
        return gathered(centers, *nearest(centers, block), block)
    here = slice(block.start, block.start + len(block))
    labels, squares, lower = memory.labels[here], memory.squares[here], memory.lower[here]
    searching = unsure(
        squares, labels, lower, geometry.move, geometry.others, geometry.half_gap, np.empty(len(block), np.int32)
    )
    search(block.X, np.ascontiguousarray(centers.T), searching, labels, lower, np.empty(len(centers)))
    own_squares(block.X, centers, labels, squares)
    return gathered(centers, labels, squares, block)


def nearest(centers: Array, block: Block) -> tuple[Array, Array]:
    """The nearest centre of each row, and the distance squared."""
    n = len(block)
    labels, squares = np.zeros(n, np.int32), np.empty(n)
    everybody = np.arange(n, dtype=np.int32)
    search(block.X, np.ascontiguousarray(centers.T), everybody, labels, np.empty(n), np.empty(len(centers)))
    own_squares(block.X, centers, labels, squares)
    return labels, squares


def label(centers: Array, block: Block) -> Array:
    """The nearest centre of each row."""
    return nearest(centers, block)[0]


def totals(centers: Array, all_labels: Array, block: Block) -> ClusterSums:
    """The same sums for labels that are known."""
    labels, squares = all_labels[block.start : block.start + len(block)], np.empty(len(block))
    own_squares(block.X, centers, labels, squares)
    return gathered(centers, labels, squares, block)


def gathered(centers: Array, labels: Array, squares: Array, block: Block) -> ClusterSums:
    weight, shift, w = np.zeros(len(centers)), np.zeros_like(centers), block.weights
    gather(block.X, w, centers, labels, weight, shift)
    cost = float(squares @ w)
    if block.weight is not None:
        squares = np.where(w > 0, squares, 0.0)
    far = int(np.argmax(squares))
    return ClusterSums(weight, shift, cost, float(squares[far]), block.X[far].astype(np.float64))


# ---- kernels ---------------------------------------------------------------------------------------------------------


@compiled
def own_squares(X, centers, labels, squares):  # type: ignore[no-untyped-def]
    """squares[i] = ‖x_i − c_labels[i]‖²."""
    for i in range(len(X)):
        a, total = labels[i], 0.0
        for t in range(X.shape[1]):
            u = X[i, t] - centers[a, t]
            total += u * u
        squares[i] = total


@compiled
def unsure(squares, labels, lower, move, others, half_gap, out):  # type: ignore[no-untyped-def]
    """Rows whose bounds do not exclude another centre. The bounds follow the moves of the centres since the last pass."""
    count = 0
    for i in range(len(squares)):
        a = labels[i]
        lower[i] -= others[a]
        upper = np.sqrt(squares[i]) + move[a]
        if not upper < max(lower[i], half_gap[a]) * (1.0 - 1e-10):  # rounding, and ties, are searched
            out[count] = i
            count += 1
    return out[:count]


@compiled
def squares_to_all(x, columns, out):  # type: ignore[no-untyped-def]
    """out[j] = ‖x − c_j‖². `columns` is centresᵀ, four of its rows at a time: `out` is read and written less often."""
    d, k = columns.shape
    for j in range(k):
        out[j] = 0.0
    for t in range(0, d - 3, 4):
        x0, x1, x2, x3 = x[t], x[t + 1], x[t + 2], x[t + 3]
        for j in range(k):
            u0, u1, u2, u3 = x0 - columns[t, j], x1 - columns[t + 1, j], x2 - columns[t + 2, j], x3 - columns[t + 3, j]
            out[j] += (u0 * u0 + u1 * u1) + (u2 * u2 + u3 * u3)
    for t in range(d - d % 4, d):
        x0 = x[t]
        for j in range(k):
            u0 = x0 - columns[t, j]
            out[j] += u0 * u0


@compiled
def smallest(bits):  # type: ignore[no-untyped-def]
    """The smallest of some squares, given and returned as the integers of their bits: those compare alike, and faster."""
    low = bits[0]
    for j in range(1, len(bits)):
        low = min(low, bits[j])
    return low


@compiled
def search(X, columns, rows, labels, lower, distance):  # type: ignore[no-untyped-def]
    """The nearest centre of some rows (the first of several), and the distance of the second nearest."""
    bits = distance.view(np.int64)
    for i in rows:
        squares_to_all(X[i], columns, distance)
        low = smallest(bits)
        nearest = 0
        while bits[nearest] != low:
            nearest += 1
        labels[i] = nearest
        distance[nearest] = np.inf
        bits[nearest] = smallest(bits)
        lower[i] = np.sqrt(distance[nearest])


@compiled
def gather(X, w, centers, labels, weight, shift):  # type: ignore[no-untyped-def]
    """Σ w and Σ w (x − c) of each centre."""
    for i in range(len(X)):
        a = labels[i]
        weight[a] += w[i]
        for t in range(X.shape[1]):
            shift[a, t] += w[i] * (X[i, t] - centers[a, t])


@compiled
def all_squares(X, columns, out):  # type: ignore[no-untyped-def]
    """‖x_i − c_j‖² for all rows and centres."""
    for i in range(len(X)):
        squares_to_all(X[i], columns, out[i])


@compiled
def half_gaps(centers):  # type: ignore[no-untyped-def]
    """Half the distance from each centre to its nearest other."""
    k, d = centers.shape
    out = np.full(k, np.inf)
    for a in range(k):
        for b in range(a):
            total = 0.0
            for t in range(d):
                u = centers[a, t] - centers[b, t]
                total += u * u
            half = 0.5 * np.sqrt(total)
            out[a] = min(out[a], half)
            out[b] = min(out[b], half)
    return out
