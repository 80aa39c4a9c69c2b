"""Multidimensional scaling: points in few dimensions, whose distances are as near to given dissimilarities as they can be.

    minimise  σ(X) = Σ_{i<j} (d_ij − δ_ij)²,     d_ij = ‖x_i − x_j‖                                           (1)

by majorization (SMACOF). Each pass moves the points to their Guttman transform (majorization/guttman.py), which never raises σ:

    X ← Γ(X)                                                                                                  (2)

Ordinal scaling asks for the order of the dissimilarities alone. Disparities δ̂_ij take the place of δ_ij: numbers in the same
order, as near to the distances as they can be, and of a fixed size (majorization/disparities.py). Each pass is then

    δ̂ ← the disparities nearest to the distances,     X ← Γ(X)                                                (3)

and neither half raises the stress. A start is at rest when a pass lowers σ by at most eps·Σ_{i<j} d_ij². There may be other
minima, hence several starts, or one from classical scaling.

Cost: n² pairs a pass, for (3) about five times as much. Memory: n².
References: de Leeuw, "Applications of convex analysis to multidimensional scaling", 1977; Kruskal, "Nonmetric multidimensional
scaling: a numerical method", Psychometrika 29, 1964; Borg & Groenen, "Modern Multidimensional Scaling", 2005.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np

from aprendiz.core.certificate import Certificate
from aprendiz.core.parameters import Count, NonNegative, Seed, Whole
from aprendiz.core.pictures import Picture, display
from aprendiz.core.rows import Array
from aprendiz.core.several_starts import SeveralStarts, StartState
from aprendiz.decomposition import ClassicalMDS
from aprendiz.decomposition.dissimilarities.pair_rows import KEPT_IN_MEMORY, PairRows, SeesPairs
from aprendiz.decomposition.majorization.guttman import Sweep
from aprendiz.decomposition.majorization.starts import drawn_points, given_points, refuse_one_place, warn_of_one_start
from aprendiz.decomposition.majorization.targets import targets_of
from aprendiz.locale import _


@dataclass(frozen=True)
class PointsState(StartState):
    """Points on their way, with the stress of each pass."""

    points: Array
    best_points: Array


class MDS(SeesPairs, SeveralStarts):
    """Multidimensional scaling, metric and ordinal (drop-in for scikit-learn's).

    Parameters
    ----------
    n_components : int, default=2
        Number of columns of the embedding.
    metric_mds : bool, default=True
        True for (2); False for ordinal scaling, (3).
    n_init : int, default=1
        Number of starts, of which the best is kept; a single one with init="classical_mds" or given points.
    init : {"random", "classical_mds"}, default="random"
        Random points in the unit cube, or the embedding of `ClassicalMDS`. "warn", the default in the signature, is "random".
    max_iter : int, default=300
        Maximum number of passes of a single start.
    verbose, n_jobs
        No effect.
    eps : float, default=1e-6
        A pass that lowers the stress by at most eps·Σ d² is the last one of its start.
    random_state : int, RandomState or None
        The seed of random points.
    dissimilarity
        Refused: use metric.
    metric : str or callable, default="euclidean"
        The dissimilarity: a metric's name, a function of two rows, or "precomputed": X is the table of dissimilarities then.
    metric_params : dict, optional
        Parameters of the metric.
    normalized_stress : bool or "auto", default="auto"
        Whether `stress_` is √(σ/Σ d²), Kruskal's stress-1; "auto": for ordinal scaling.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The points.
    stress_ : float
        σ, or stress-1.
    dissimilarity_matrix_ : ndarray of shape (n_samples, n_samples)
        The δ_ij.
    n_iter_ : int
        Number of passes of the best start.
    certificate_ : Certificate
        σ of every pass, which never rises, and the slope of σ at the end, beside the size of the points.

    Examples
    --------
    >>> D = [[0.0, 3.0, 4.0], [3.0, 0.0, 5.0], [4.0, 5.0, 0.0]]
    >>> model = MDS(metric="precomputed", init="random", eps=1e-12, random_state=0).fit(D)
    >>> bool(model.stress_ < 1e-6)
    True
    """

    State = PointsState
    frames = 4
    differences = {
        "n_components": "another form: more components than rows are refused",
        "init": 'another form: "warn" is "random", and no warning of another default to come is given',
        "dissimilarity": "refused: use metric",
        "metric": "another form: True and False are refused (use metric_mds), and "
        "dissimilarities that are negative, or not 0 between a row and itself, as well",
        "metric_mds": "another form: the first disparities are the ranks of the dissimilarities, so that only their "
        "order counts",
        "n_jobs": "no effect: threads are set for all of aprendiz by APRENDIZ_NUM_THREADS",
        "verbose": "no effect: `aprendiz.training(progress=True)` shows every pass",
        "dissimilarity_matrix_": "another form: float64 for float32 data too",
    }
    exceptions = {
        "memory": KEPT_IN_MEMORY,
        "scaling": "the embedding has the units of the columns",
        "row order": "points are drawn by their number: another order, another start",
        "same answer": "starts are drawn with other random numbers: tests/decomposition/test_mds.py compares from given points",
    }

    def __init__(
        self,
        n_components: Count = 2,
        *,
        metric_mds: bool = True,
        n_init: Count = 1,
        init: Literal["random", "classical_mds", "warn"] = "warn",
        max_iter: Count = 300,
        verbose: Whole | bool = 0,
        eps: NonNegative = 1e-6,
        n_jobs: int | None = None,
        random_state: Seed = None,
        dissimilarity: Literal["deprecated"] = "deprecated",
        metric: str | Callable[..., Any] = "euclidean",
        metric_params: dict[str, Any] | None = None,
        normalized_stress: bool | Literal["auto"] = "auto",
    ):
        self.n_components = n_components
        self.metric_mds = metric_mds
        self.n_init = n_init
        self.init = init
        self.max_iter = max_iter
        self.verbose = verbose
        self.eps = eps
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.dissimilarity = dissimilarity
        self.metric = metric
        self.metric_params = metric_params
        self.normalized_stress = normalized_stress

    def fit(self, X: Any, y: Any = None, init: Any = None) -> Self:
        """Find points for the rows of X, from the points `init` if they are given. Returns the learner itself."""
        return super().fit(X, init)

    def fit_transform(self, X: Any, y: Any = None, init: Any = None) -> Array:
        """Fit, and return the embedding."""
        return self.fit(X, init=init).embedding_

    def steps(self, X: Any, y: Any = None, init: Any = None, *, since: Any = None) -> Iterator[PointsState]:
        """The states of a fit, one after the other, without fitting this learner. `since` continues from a state."""
        return super().steps(X, init, since=since)

    # ---- the loop ------------------------------------------------------------------------------------------------------

    def states(self, rows: Any, since: PointsState | None = None) -> Iterator[PointsState]:
        targets = targets_of(rows.dissimilarities, metric=self.metric_mds)

        def passes(state: PointsState) -> Iterator[PointsState]:
            wanted = targets.of(state.points, begun=len(state.log) > 0)  # δ, or the first half of (3)
            here = Sweep.of(state.points, wanted)
            while True:
                points = here.image  # (2)
                there = Sweep.of(points, wanted)
                state = self.next_state(rows, state, points, there)
                yield state
                following = targets.of(points)
                here = there if following is wanted else Sweep.of(points, following)
                wanted = following

        for state in self.each_start(rows, passes, since):
            if state.start == self.starts_of(rows):
                return
            yield state

    def next_state(self, rows: PairRows, state: PointsState, points: Array, there: Sweep) -> PointsState:
        """The state after a pass, and whether the start has come to rest."""
        still = len(state.log) > 0 and bool(state.log[-1] - there.stress <= self.eps * there.squares)
        return state.after(there.stress, still, passes=self.max_iter, starts=self.starts_of(rows), points=points)

    def starts_of(self, rows: PairRows) -> int:
        """How many starts: given points make one."""
        return 1 if rows.y is not None or self.init == "classical_mds" else int(self.n_init)

    def first(self, rows: Any, seed: int, start: int) -> dict[str, Any]:
        """The points of a start."""
        n = len(rows.dissimilarities)
        if rows.y is not None:
            warn_of_one_start(self.n_init)
            points = given_points(rows.y, n)
            refuse_one_place(points)
            return {"points": points}
        if self.init == "classical_mds":
            model = ClassicalMDS(self.n_components, metric="precomputed").fit(rows.dissimilarities)
            return {"points": model.embedding_}
        if self.n_components > n:
            raise ValueError(f"n_samples={n} should be >= n_components={self.n_components}: use fewer components.")
        return {"points": drawn_points(n, self.n_components, seed, start)}

    def remedy(self) -> str:
        return _("Raise max_iter (it is {max_iter}) or eps.").format(max_iter=self.max_iter)

    # ---- the answer ----------------------------------------------------------------------------------------------------

    def attributes(self, state: PointsState, rows: Any) -> dict[str, Any]:
        best, D = state.best(), rows.dissimilarities
        found = Sweep.of(best.points, targets_of(D, metric=self.metric_mds).of(best.points))
        stress = float(best.log[-1]) if len(best.log) else found.stress
        as_ratio = not self.metric_mds if self.normalized_stress == "auto" else self.normalized_stress
        return {
            "embedding_": best.points.copy(),
            "stress_": found.ratio(stress) if as_ratio else stress,
            "dissimilarity_matrix_": D,
            "n_iter_": len(best.log),
            "certificate_": descent(best.log, stress, found, best.points),
        }

    def plot(self, ax: Any = None) -> Picture:
        """Dissimilarities against distances, a `ShepardDisplay`. Needs matplotlib."""
        return display("ShepardDisplay").from_estimator(self, ax=ax)


def descent(log: Array, stress: float, found: Sweep, points: Array) -> Certificate:
    """That no pass raised σ by more than 10⁻⁹ of σ + Σ d², and the slope at the end, which is 0 at a minimum. Nothing is
    claimed about other minima."""
    size = found.squares + stress
    rise = float(np.max(np.diff(log), initial=0.0)) / size if size > 0 else 0.0
    return Certificate(
        "the stress never rose",
        bool(rise <= 1e-9 and np.isfinite(stress)),
        {
            "cost": stress,
            "stress_1": found.ratio(stress),
            "rise": rise,
            "slope": found.slope(points),
            "log": log,
        },
    )
