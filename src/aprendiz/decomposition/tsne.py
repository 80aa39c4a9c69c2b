"""t-SNE: a map in which rows that are neighbours in the table are neighbours too.

Every row has a neighbourhood P in the table, which holds `perplexity` rows, and one in the map, Q, with heavy tails:

    p_ij  symmetric Gaussian neighbourhoods that all have the same perplexity      (affinities.py)            (1)
    q_ij = w_ij / Z,     w_ij = 1/(1 + ‖y_i − y_j‖²),     Z = Σ_{k≠l} w_kl           (forces.py)                 (2)

The map lowers the divergence between them, with forces that pull neighbours together and push all rows apart:

    C = KL(P‖Q) = Σ p_ij log(p_ij/q_ij)                                                                       (3)
    ∂C/∂y_i = 4·Σ_j (p_ij − q_ij)·w_ij·(y_i − y_j)                                                            (4)
    y ← y + v,     v ← α·v − η·γ·∂C/∂y                                             (descent.py)               (5)

C forgives when rows that are far apart come near, not when neighbours are torn apart. So a map keeps neighbourhoods, and
neither distances between clusters nor their sizes.

(2) is a sum over all pairs. Up to 3 000 rows it is computed as such; for more, the potential of all rows is smooth and known
from a grid (spline_grid.py).

Cost: that of a search for neighbours; for each step O(n·perplexity), and O(n²) or that of the grid, O(n + N log N).
References: van der Maaten & Hinton, JMLR 9, 2008; van der Maaten, JMLR 15, 2014; Linderman, Rachh, Hoskins, Steinerberger &
Kluger, Nature Methods 16, 2019.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Annotated, Any, Literal, Self

import numpy as np
from scipy import sparse
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin

from aprendiz.cluster.medoids.pairwise import gathered_rows
from aprendiz.core.certificate import Certificate
from aprendiz.core.iteration import Iterative
from aprendiz.core.learner import Learner
from aprendiz.core.parameters import ArrayLike, Count, Fraction, NonNegative, Positive, PositiveFactor, Seed, Whole, Within
from aprendiz.core.random import draw_seed
from aprendiz.core.sources.arrays import in_memory
from aprendiz.decomposition.neighbor_embedding.affinities import affinities
from aprendiz.decomposition.neighbor_embedding.descent import CHECK, EXPLORATION, MOMENTUM, PASS, MapState, descend
from aprendiz.decomposition.neighbor_embedding.evidence import evidence
from aprendiz.decomposition.neighbor_embedding.forces import CALM, Balance, Forces
from aprendiz.decomposition.neighbor_embedding.map_rows import MapRows
from aprendiz.decomposition.neighbor_embedding.starts import start
from aprendiz.neighbors.shared.kept_rows import SUMMED, THIN, AllowedByMetric, as_kept, refuse_extremes


class TSNE(ClassNamePrefixFeaturesOutMixin, TransformerMixin, Iterative):
    """t-SNE (drop-in for scikit-learn's; the divergence of the map is known from all pairs).

    Rows of files and of Dask are gathered into memory: neighbourhoods are not a sum. There is no `transform`: a map has no
    formula, and a new row has no place in it.

    Parameters
    ----------
    n_components : int, default=2
        Columns of the map.
    perplexity : float, default=30.0
        How many neighbours count for each row; less than the number of rows.
    early_exaggeration : float, default=12.0
        What P is multiplied by in the first 250 steps.
    learning_rate : float or "auto", default="auto"
        η of (5); "auto" is n/early_exaggeration/4, but at least 50.
    max_iter : int, default=1000
        Steps. A map that is far from rest after the last one gets a warning.
    n_iter_without_progress : int, default=300
        The fit ends when the divergence has not fallen for so many steps after the first 250; looked at every 50 steps.
    min_grad_norm : float, default=1e-7
        The fit ends when the gradient is no longer than this.
    metric : str or callable, default="euclidean"
        A metric by name, "gower" for tables with words, a function of two rows, or "precomputed": X holds distances.
    metric_params : dict, optional
        Parameters of the metric.
    init : {"pca", "random"} or array of shape (n_samples, n_components), default="pca"
        The map to begin with (starts.py).
    verbose, n_jobs, angle
        No effect.
    random_state : int, RandomState or None
        The seed of a random start.
    method : {"barnes_hut", "exact"}, default="barnes_hut"
        "exact": neighbourhoods are all other rows, and repulsion a sum over all pairs, however many rows there are. Else
        neighbourhoods are the 3·perplexity + 1 nearest rows, and of more than 3 000 rows repulsion comes from a grid.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The map.
    kl_divergence_ : float
        C of (3).
    learning_rate_ : float
        η.
    n_iter_ : int
        Steps.
    certificate_ : Certificate
        The divergence and its gradient from all pairs, and the part of the attraction that no repulsion meets; computed when
        it is looked at.

    Examples
    --------
    >>> X = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [9.0, 9.0], [9.0, 8.0], [8.0, 9.0]]
    >>> Y = TSNE(perplexity=2, random_state=0).fit_transform(X)
    >>> Y.shape
    (6, 2)
    """

    State = MapState
    frames = 4
    allows = AllowedByMetric("sparse")
    in_data_dtype = frozenset({"embedding_"})
    differences = {
        "max_iter": "another form: may be less than 250; a fit that ends far from rest says so in a warning",
        "n_iter_": "another form: how many steps there were; scikit-learn counts the last one from 0",
        "embedding_": "another form: of distances that are rounded otherwise another map; float64 for float64 data",
        "kl_divergence_": "another form: of the map that is given out, not of the one a step before",
        "metric": "another form: also gower; mahalanobis takes its matrix from the rows where none is given; a matrix of "
        "distances that is not symmetric is refused",
        "verbose": "no effect: `aprendiz.training(progress=True)` shows the steps and the divergence",
        "method": "another form: repulsion is exact for few rows, and comes from a grid for many; any number of columns",
        "angle": "no effect: there is no tree; how far the grid is from all pairs, the certificate says",
        "n_jobs": "no effect: threads are set for all of aprendiz by APRENDIZ_NUM_THREADS",
    }
    exceptions = {
        "memory": "the rows and their neighbourhoods are kept in memory: neighbourhoods are not a sum",
        "monotone": "exaggeration and momentum let the divergence rise for a while",
        "sparse": "distances of sparse rows are rounded otherwise, and steps multiply rounding",
        "row order": "rounding grows from step to step: another order of the rows, and another of many minima is found",
        "same answer": "there are many minima: tests/decomposition/test_tsne.py compares divergence and trustworthiness",
    }

    def __init__(
        self,
        n_components: Count = 2,
        *,
        perplexity: Positive = 30.0,
        early_exaggeration: Annotated[float, Within(1, 1e6)] = 12.0,
        learning_rate: PositiveFactor | Literal["auto"] = "auto",
        max_iter: Count = 1000,
        n_iter_without_progress: Annotated[int, Within(-1)] = 300,
        min_grad_norm: NonNegative = 1e-7,
        metric: str | Callable[..., Any] = "euclidean",
        metric_params: dict[str, Any] | None = None,
        init: Literal["pca", "random"] | ArrayLike = "pca",
        verbose: Whole | bool = 0,
        random_state: Seed = None,
        method: Literal["barnes_hut", "exact"] = "barnes_hut",
        angle: Fraction = 0.5,
        n_jobs: int | None = None,
    ):
        self.n_components = n_components
        self.perplexity = perplexity
        self.early_exaggeration = early_exaggeration
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.n_iter_without_progress = n_iter_without_progress
        self.min_grad_norm = min_grad_norm
        self.metric = metric
        self.metric_params = metric_params
        self.init = init
        self.verbose = verbose
        self.random_state = random_state
        self.method = method
        self.angle = angle
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None) -> Self:
        """Make a map of the rows of X, or of the distances in X. Returns the learner itself."""
        return super().fit(X)

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Make a map of the rows of X, and return it."""
        return self.fit(X).embedding_

    # ---- the rows ------------------------------------------------------------------------------------------------------

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> MapRows:
        """Training data as checked rows in memory; their neighbourhoods are found when the states begin."""
        rows = gathered_rows(Learner.open(self, X, None, reset=reset))
        assert in_memory(rows)
        self.refuse_numbers(int(rows.X.shape[0]))
        named = self.metric if isinstance(self.metric, str) else ""
        rows = rows.like(X=as_kept(rows.X, named in THIN or callable(self.metric)))
        self.refuse_combinations(rows.X)
        if isinstance(rows.X, np.ndarray) and (named in SUMMED or self.begins_with_pca()):
            refuse_extremes(rows.X, rows.names)
        return MapRows(rows, self.find_forces)

    def refuse_numbers(self, n: int) -> None:
        """Neighbourhoods that hold more rows than there are."""
        if n < 2:
            raise ValueError(f"n_samples={n}: a map needs at least two rows.")
        if self.perplexity >= n:
            raise ValueError(f"perplexity ({self.perplexity}) must be less than n_samples ({n}): use at most {n - 1}.")

    def refuse_combinations(self, X: Any) -> None:
        """Parameters that do not go together."""
        given = self.is_precomputed()
        if self.begins_with_pca() and (given or (isinstance(self.metric, str) and self.metric == "gower")):
            raise ValueError(
                f'The parameter init="pca" cannot be used with metric="{self.metric}": there are no columns of numbers to '
                'project. Use init="random", or an array.'
            )
        if given and self.method == "exact" and sparse.issparse(X):
            raise TypeError(
                'TSNE with method="exact" does not accept sparse precomputed distance matrix. Use method="barnes_hut" or '
                "provide the dense distance matrix."
            )

    def begins_with_pca(self) -> bool:
        """Does the map begin with principal components?"""
        return isinstance(self.init, str) and self.init == "pca"

    def is_precomputed(self) -> bool:
        """Does X hold distances?"""
        return isinstance(self.metric, str) and self.metric == "precomputed"

    def find_forces(self, X: Any) -> Forces:
        exact = self.method == "exact"
        P = affinities(X, float(self.perplexity), exact, self.metric, self.metric_params)
        return Forces(P, int(self.n_components), exact=exact)

    # ---- the loop ------------------------------------------------------------------------------------------------------

    def states(self, rows: Any, since: MapState | None = None) -> Iterator[MapState]:
        forces, state = rows.forces, since
        if state is None:
            state = self.begin(rows)
            yield state
        balance = forces.at(state.embedding, False)
        while not state.resting and state.step < self.max_iter:
            state, balance = self.some_steps(state, balance, forces)
            yield state

    def begin(self, rows: MapRows) -> MapState:
        """The map of the start."""
        seed = draw_seed(self.random_state)
        Y = start(rows.X, self.init, int(self.n_components), seed)
        C = rows.forces.at(Y, True).divergence
        return MapState(0, C, False, 0, True, False, seed, np.inf, 0, Y, np.zeros_like(Y), np.ones_like(Y))

    def some_steps(self, state: MapState, balance: Balance, forces: Forces) -> tuple[MapState, Balance]:
        """`PASS` steps of (5), fewer at the end, and the forces after them."""
        Y, velocity, gains = state.embedding.copy(), state.velocity.copy(), state.gains.copy()
        pull = float(self.early_exaggeration) if state.exaggerated else 1.0
        momentum, rate = MOMENTUM[state.exaggerated], self.rate(len(Y))
        last, square = min((state.step // PASS + 1) * PASS, int(self.max_iter)), 0.0
        for step in range(state.step + 1, last + 1):
            square = descend(*balance[:2], pull, forces.factor, rate, momentum, Y, velocity, gains)
            balance = forces.at(Y, step == last)
        state = replace(
            state,
            iteration=state.iteration + 1,
            objective=balance.divergence,
            step=last,
            embedding=Y,
            velocity=velocity,
            gains=gains,
        )
        state = self.looked_at(state, bool(np.sqrt(square) <= self.min_grad_norm))
        over = last >= self.max_iter and balance.left_over() <= CALM
        return replace(state, settled=state.resting or over), balance

    def looked_at(self, state: MapState, flat: bool) -> MapState:
        """The state after a look at its progress, every `CHECK` steps: exaggeration ends, or the fit."""
        if state.step % CHECK:
            return state
        if state.exaggerated:
            if not flat and state.step < EXPLORATION:
                return state
            still, even = np.zeros_like(state.velocity), np.ones_like(state.gains)
            return replace(state, exaggerated=False, best=np.inf, best_step=state.step, velocity=still, gains=even)
        if state.objective < state.best:
            return replace(state, best=state.objective, best_step=state.step, resting=flat)
        return replace(state, resting=flat or state.step - state.best_step > self.n_iter_without_progress)

    def rate(self, n: int) -> float:
        """η."""
        if self.learning_rate == "auto":
            return max(n / float(self.early_exaggeration) / 4.0, 50.0)
        return float(self.learning_rate)

    def remedy(self) -> str:
        return f"Raise max_iter (it is {self.max_iter})."

    def most_states(self) -> int:
        return -(-int(self.max_iter) // PASS) + 1

    # ---- the answer ----------------------------------------------------------------------------------------------------

    def attributes(self, state: MapState, rows: Any) -> dict[str, Any]:
        forces = rows.forces
        return {
            "embedding_": np.array(state.embedding),
            "kl_divergence_": state.objective,
            "learning_rate_": self.rate(len(state.embedding)),
            "n_iter_": state.step,
            "certificate_": Certificate.later(lambda: evidence(state, forces)),
        }

    @property
    def _n_features_out(self) -> int:
        return int(self.embedding_.shape[1])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.is_precomputed()
        tags.input_tags.string = "categories" in self.allows
        return tags
