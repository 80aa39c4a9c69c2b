"""Kernel k-means: k-means in feature space, where clusters of any shape may be round.

Cost, with weights w, the map φ of the kernel and the means μ of the clusters:

    J = Σ w ‖φ(x) − μ_a(x)‖²                                                                                  (1)

Each pass lowers J twice, as in k-means, and stops at a local minimum, hence several starts:

    assign    a(x) = argmin_k ‖φ(x) − μ_k‖                                                                    (2)
    update    μ_k ← Σ_{a(x)=k} w φ(x) / Σ_{a(x)=k} w                                                          (3)

φ need not be known: distances to means follow from the kernel (partition/feature_centres.py), so that a state is a partition.
With the linear kernel it is k-means. A start is at rest when no row changes its cluster, or when a pass lowers J by at most
tol·J.

Cost: O(n²·d) for the Gram matrix, O(n²) a pass. The matrix of n² numbers is held for up to 5 792 rows (256 MiB); for more, it
is computed anew at each pass, and memory is O(n·k).
References: Schölkopf, Smola & Müller, "Nonlinear component analysis as a kernel eigenvalue problem", 1998;
Dhillon, Guan & Kulis, "Kernel k-means, spectral clustering and normalized cuts", KDD 2004.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin

from aprendiz.cluster.centroids.nearest import is_given, warn_of_empty, warn_of_one_start
from aprendiz.cluster.medoids.pairwise import gathered_rows, refuse_too_many
from aprendiz.core.certificate import Certificate
from aprendiz.core.learner import Clusterer, Transformer
from aprendiz.core.parameters import ArrayLike, Count, Factor, NonNegative, Seed, check_parameters
from aprendiz.core.rows import Array, Block
from aprendiz.core.several_starts import SeveralStarts, StartState
from aprendiz.core.sources.arrays import in_memory
from aprendiz.kernel.features.far_cells import refuse_far
from aprendiz.kernel.gram.kernel_function import Kernel
from aprendiz.kernel.kernels import Precomputed
from aprendiz.kernel.partition.feature_centres import MEMBERS, Assignment, shares_of
from aprendiz.kernel.partition.kernel_rows import KernelRows, kernel_sums
from aprendiz.kernel.partition.starts import drawn_partition, given_partition
from aprendiz.kernel.shared.cell_scale import scale_of
from aprendiz.kernel.shared.kept_rows import refuse_other_rows
from aprendiz.kernel.shared.kernel_choice import kernel_of


@dataclass(frozen=True)
class PartitionState(StartState):
    """A partition on its way, with J of each pass."""

    labels: Array
    best_labels: Array


class KernelKMeans(ClassNamePrefixFeaturesOutMixin, Transformer, Clusterer, SeveralStarts):
    """k-means in the feature space of a kernel.

    Rows of files and of Dask are gathered into memory: similarities are not a sum.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters k.
    kernel : str, Kernel or callable, default="rbf"
        A name of scikit-learn's, a kernel such as `RBF(sigma=2.0)`, a function of two tables, or "precomputed".
    gamma : float, "scale", "auto" or None, default="scale"
        γ of kernels by name. "scale": 1/(number of columns · variance of all cells), rows counted by their weights.
    degree, coef0 : default=3, 0.0
        Of the polynomial kernel, and of the sigmoid.
    kernel_params : dict, optional
        More arguments of a function.
    init : {"k-means++", "random"} or array, default="k-means++"
        The start: drawn in feature space (partition/starts.py), k points, or the cluster (0 to k − 1) of each row.
    n_init : int or "auto", default="auto"
        Number of starts, of which the best is kept; "auto" is 10, but 1 for a start that is given.
    max_iter : int, default=300
        Maximum number of passes of a single start.
    tol : float, default=0.0
        A pass that lowers J by at most tol·J is the last one of its start.
    random_state : int, RandomState or None
        The seed of the starts.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        Cluster of each training row, an int32.
    inertia_ : float
        J.
    n_iter_ : int
        Number of passes of the best start.
    X_fit_ : array or CSR matrix of shape (n_samples, n_features), or None
        The training rows, of which the centres are means; None for a matrix that was computed elsewhere.
    partition_, shares_ : ndarray of shape (n_samples,)
        The cluster whose mean a training row belongs to, and its share in it.
    center_squares_ : ndarray of shape (n_clusters,)
        ‖μ_k‖².
    gamma_ : float, str or None
        γ as a number, where it is "scale".
    certificate_ : Certificate
        J of every pass, which never rises, and what rounding may have done to it.

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [3.0], [3.1], [3.2]]
    >>> model = KernelKMeans(2, random_state=0).fit(X)
    >>> model.labels_[0] == model.labels_[2] != model.labels_[3] == model.labels_[5]
    np.True_
    """

    State = PartitionState
    stored_check = MEMBERS
    allows = frozenset({"sparse"})
    exceptions = {
        "shift": 'gamma="scale" is from the variance of all cells together, which a shift of one column changes',
        "memory": "the rows and their similarities are kept in memory: similarities are not a sum",
        "check_sample_weight_equivalence_on_dense_data": "rows are drawn by their number: another order, another start",
        "check_sample_weight_equivalence_on_sparse_data": "rows are drawn by their number: another order, another start",
    }

    def __init__(
        self,
        n_clusters: Count = 8,
        *,
        kernel: str | Kernel | Callable[..., Any] = "rbf",
        gamma: Factor | Literal["scale", "auto"] | None = "scale",
        degree: NonNegative = 3,
        coef0: float = 0.0,
        kernel_params: dict[str, Any] | None = None,
        init: Literal["k-means++", "random"] | ArrayLike = "k-means++",
        n_init: Count | Literal["auto"] = "auto",
        max_iter: Count = 300,
        tol: NonNegative = 0.0,
        random_state: Seed = None,
    ):
        self.n_clusters = n_clusters
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.random_state = random_state

    # ---- the rows ------------------------------------------------------------------------------------------------------

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> KernelRows:
        """Training data as checked rows in memory, with their kernel."""
        check_parameters(self)
        self.chosen_kernel(self.gamma)
        rows = gathered_rows(super().open(X, y, sample_weight, reset=reset))
        assert in_memory(rows)
        refuse_too_many(self.n_clusters, int(rows.X.shape[0]))
        if rows.weight is not None and not rows.weight.any():
            raise ValueError("sample_weight: all weights are zero; at least one must be positive.")
        gamma = scale_of(rows) if isinstance(self.gamma, str) and self.gamma == "scale" and self.is_by_name() else self.gamma
        with np.errstate(over="ignore", invalid="ignore"):
            found = KernelRows(rows, self.chosen_kernel(gamma).on(rows.X), gamma)
            if not np.isfinite(found.diagonal).all() or not np.isfinite(getattr(found.points, "squares", 0.0)).all():
                refuse_far(rows.X, "squares")
        return found

    def is_by_name(self) -> bool:
        """Is the kernel one of scikit-learn's names for kernels of rows?"""
        return isinstance(self.kernel, str) and self.kernel != "precomputed"

    def chosen_kernel(self, gamma: Any) -> Kernel:
        kernel = kernel_of(self.kernel, gamma=gamma, degree=self.degree, coef0=self.coef0, params=self.kernel_params)
        refuse_other_rows(kernel, "KernelKMeans")
        return kernel

    # ---- the loop ------------------------------------------------------------------------------------------------------

    def states(self, rows: Any, since: PartitionState | None = None) -> Iterator[PartitionState]:
        def passes(state: PartitionState) -> Iterator[PartitionState]:
            while True:
                state = self.next_state(state, Assignment.of(rows, state.labels, self.n_clusters))  # (3)
                yield state

        yield from self.each_start(rows, passes, since)

    def next_state(self, state: PartitionState, distances: Assignment) -> PartitionState:
        """The state after an assignment, and whether the start has come to rest."""
        labels = distances.moved()  # (2)
        cost = distances.cost(labels)
        still = not ((labels != state.labels) & (distances.weights > 0)).any()
        if not still and self.tol > 0 and len(state.log):
            still = bool(state.log[-1] - cost <= self.tol * cost)
        return state.after(cost, still, passes=self.max_iter, starts=self.starts(), labels=labels)

    def starts(self) -> int:
        if is_given(self.init):
            return 1
        return 10 if self.n_init == "auto" else int(self.n_init)

    def first(self, rows: Any, seed: int, start: int) -> dict[str, Any]:
        """The partition of a start."""
        if is_given(self.init):
            warn_of_one_start(self)
            return {"labels": given_partition(rows, self.n_clusters, self.init)}
        return {"labels": drawn_partition(rows, self.n_clusters, self.init, seed, start)}

    # ---- the answer ----------------------------------------------------------------------------------------------------

    def attributes(self, state: PartitionState, rows: Any) -> dict[str, Any]:
        best = state.best()
        distances = Assignment.of(rows, best.labels, self.n_clusters)
        labels = distances.nearest()
        cost = distances.cost(labels)
        return {
            "labels_": labels,
            "inertia_": cost,
            "n_iter_": len(best.log),
            "X_fit_": None if isinstance(rows.kernel, Precomputed) else rows.X,
            "partition_": best.labels,
            "shares_": shares_of(best.labels, rows.weights, self.n_clusters)[0],
            "center_squares_": distances.centre_squares,
            "gamma_": rows.gamma,
            "certificate_": descent(best.log, cost, distances.scatter(rows), rows),
        }

    def row_attributes(self, state: PartitionState, rows: Any) -> dict[str, Any]:
        taken = np.bincount(state.best().labels, rows.weights, minlength=self.n_clusters) > 0
        warn_of_empty(int(taken.sum()), self.n_clusters)
        return {}

    @property
    def _n_features_out(self) -> int:
        return len(self.center_squares_)

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Array:
        """Fit, and return the labels of the training rows."""
        return self.fit(X, sample_weight=sample_weight).labels_

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Fit, and return the distances of the training rows to the centres."""
        return self.fit(X, sample_weight=sample_weight).transform(X)

    def predict(self, X: Any) -> Array:
        """The nearest centre of each row, in feature space."""
        return self.new_rows(X).each(lambda block: self.squares(block.X)[0].argmin(axis=1).astype(np.int32))

    def change(self, X: Array) -> Array:
        """The distances to all centres, in feature space; an empty cluster has the centre of the first one with rows."""
        squares, own = self.squares(X, own=True)
        empty = self.empty_clusters()
        squares[:, empty] = squares[:, [int(np.argmin(empty))]]
        return np.sqrt(np.maximum(squares + own[:, None], 0.0)).astype(np.float32 if X.dtype == np.float32 else np.float64)

    def score(self, X: Any, y: Any = None, sample_weight: Any = None) -> float:
        """−J of the rows."""

        def cost(block: Block) -> Any:
            squares, own = self.squares(block.X, own=True)
            return np.maximum(squares.min(axis=1) + own, 0.0) @ block.weights

        return -float(self.new_rows(X, sample_weight).sum(cost))

    def squares(self, X: Any, *, own: bool = False) -> tuple[Array, Array]:
        """‖φ(x) − μ_k‖² − K(x, x) of some rows, and K(x, x) if it is asked for."""
        kernel, k = self.chosen_kernel(self.gamma_), len(self.center_squares_)
        if isinstance(kernel, Precomputed):
            P = kernel.training_points(self.n_features_in_)
        else:
            kernel = kernel.on(self.X_fit_)
            P = kernel.points(self.X_fit_)
        Q = kernel.points(X, P)
        s = kernel_sums(kernel, Q, P, self.partition_, self.shares_, k)
        squares = self.center_squares_ - 2.0 * s
        squares[:, self.empty_clusters()] = np.inf
        return squares, kernel.diagonal_of(Q) if own else np.empty(0)

    def empty_clusters(self) -> Array:
        """Whether each cluster has no row of positive weight."""
        return np.bincount(self.partition_, self.shares_, minlength=len(self.center_squares_)) == 0

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = isinstance(self.kernel, str) and self.kernel == "precomputed"
        return tags


def descent(log: Array, cost: float, scatter: float, rows: KernelRows) -> Certificate:
    """That no pass raised J by more than 10⁻⁹ of the scatter Σ w ‖φ(x) − μ‖² around the mean of all rows. Values of the kernel
    and sums of them are rounded: where that may change J by more, nothing is claimed; nor about other minima."""
    unit, eps = max(scatter, 1e-300), float(np.finfo(float).eps)
    rise = float(np.max(np.diff(log), initial=0.0)) / unit
    each = (len(rows.weights) + 8.0) * eps + 2.0 * rows.kernel.rounding(rows.points, eps)
    rounding = each * float(rows.weights.sum()) * float(np.abs(rows.diagonal).max()) / unit
    return Certificate(
        "the cost never rose",
        bool(rise <= 1e-9 and rounding <= 1e-9 and scatter > 1e-280),
        {"cost": cost, "scatter": scatter, "rise": rise, "rounding": rounding, "log": log},
    )
