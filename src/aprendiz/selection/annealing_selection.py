"""Annealing: a set of columns is changed by one column at a time, at random; what makes it worse is allowed, ever more rarely.

    S' = S with one column more or less, drawn at random;     Δ = J(S') − J(S)
    S ← S'   if Δ ≥ 0, else with probability exp(Δ/T)                                                           (1)
    T_i = T₁·1000^(−(i − 1)/(max_iter − 1)),     `n_moves` times (1) at each                                     (2)

J is the mean score on inner folds. While T is large the search crosses valleys that would stop a greedy one: columns that say
something only together. T₁ is by default the mean |Δ| of twenty moves from the start. The best set of all that were met is
kept, of equally good ones the smallest. J of it is the largest of many and flatters: put the whole procedure into `evaluate`
to know its error.

Random numbers of a temperature are a function of the seed and its number, so that a search goes on with the same bits.

Cost: n_moves·max_iter fits for each fold; for learners that are updated (selection/updating), a sweep for each move that is
accepted.
Reference: Kirkpatrick, Gelatt & Vecchi, "Optimization by simulated annealing", Science 220, 1983.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from aprendiz.core.parameters import Count, PositiveFinite, Seed
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array
from aprendiz.selection.search.random_search import RandomSearch, RandomState, drawn_set, is_better, mean_scores
from aprendiz.selection.search.sequential import ANEW, Candidates, flipped
from aprendiz.selection.search.wrapper import JudgedRows

COLD = 1000.0  # T₁ over the last T
TRIED = 20  # moves that say how large Δ is; and sets to start from, where a learner fails


@dataclass(frozen=True)
class AnnealingState(RandomState):
    """Beside the best set: where the search stands, as a set and the columns flipped since, its score, T₁, and how many moves
    were accepted."""

    start: Array
    flips: Array
    score: float
    temperature: float
    accepted: int


class AnnealingSelection(RandomSearch):
    """A set of columns by simulated annealing.

    Parameters
    ----------
    estimator : learner
        Of this library or compatible with scikit-learn; copies of it are fitted.
    max_features : int, optional
        The most columns that a set may have; by default half as many as there are rows.
    max_iter : int, default=50
        Number of temperatures.
    n_moves : int, optional
        Number of moves at each temperature; by default as many as there are columns, at least 10 and at most 200.
    initial_temperature : float, optional
        T₁, in units of the score; by default the mean |Δ| of some moves.
    n_iter_no_change : int, optional
        Number of temperatures without a better set after which the search ends; by default it goes on to the last.
    scoring : str, function or None
        A measure of scikit-learn; by default the learner's own, accuracy or R².
    cv : int, splitter or iterable of pairs, default=5
        The inner folds: their number, or how to split.
    random_state : int, RandomState or None

    Attributes
    ----------
    support_ : ndarray of shape (n_features,)
        Whether each column is in the best set.
    n_features_ : int
        Number of chosen columns.
    score_, fold_scores_ : float and ndarray of shape (n_folds,)
        The score by which the set was chosen, and those of new fits in its columns.
    temperature_ : float
        T₁.
    acceptance_ : float
        Share of the moves that were accepted.
    history_ : ndarray of shape (n_iter_ + 1,)
        The best score so far, at the start and after each temperature.
    n_iter_ : int
        Number of temperatures.
    certificate_ : Certificate
        Whether the score of the chosen columns is that of new fits.

    Examples
    --------
    >>> import numpy as np
    >>> from aprendiz import AnnealingSelection, Ridge
    >>> X = np.random.default_rng(0).normal(size=(80, 8))
    >>> y = X[:, 1] + X[:, 4] - X[:, 6]
    >>> AnnealingSelection(Ridge(), random_state=0).fit(X, y).get_support(indices=True)
    array([1, 4, 6])
    """

    State = AnnealingState

    def __init__(
        self,
        estimator: Any,
        *,
        max_features: Count | None = None,
        max_iter: Count = 50,
        n_moves: Count | None = None,
        initial_temperature: PositiveFinite | None = None,
        n_iter_no_change: Count | None = None,
        scoring: Any = None,
        cv: Any = 5,
        random_state: Seed = None,
    ):
        self.estimator = estimator
        self.max_features = max_features
        self.max_iter = max_iter
        self.n_moves = n_moves
        self.initial_temperature = initial_temperature
        self.n_iter_no_change = n_iter_no_change
        self.scoring = scoring
        self.cv = cv
        self.random_state = random_state

    def decisive(self) -> frozenset[str]:
        return frozenset({"max_iter"})  # it says how fast it gets cold

    def most_states(self) -> int:
        return self.max_iter + 1

    def states(self, rows: Any, since: AnnealingState | None = None) -> Iterator[AnnealingState]:
        search = Candidates(rows, np.zeros(rows.columns, dtype=bool))
        state = since
        if state is None:
            state = self.first_state(rows, search)
            yield state
        while not state.settled:
            state = self.colder(state, rows, search)
            yield state

    def first_state(self, rows: JudgedRows, search: Candidates) -> AnnealingState:
        """A random set, and how much its score changes with a column."""
        seed, most = draw_seed(self.random_state), self.largest(rows)
        random = np.random.default_rng([seed, 0])
        start, score = self.drawn_start(rows, random, max(1, min(most, rows.columns // 2)))
        none = np.empty(0, np.intp)
        T = self.initial_temperature
        if T is None:
            columns = np.unique([drawn_column(random, start, most) for _ in range(TRIED)])
            apart = np.abs(search.scores_from(start, none, columns) - score)
            T = float(apart[np.isfinite(apart)].mean()) if np.isfinite(apart).any() else 0.0
        done = self.max_iter == 0
        return AnnealingState(
            0, score, done, seed, start, score, 0, np.array([score]), start, none, score, max(float(T), 1e-12), 0
        )

    def drawn_start(self, rows: JudgedRows, random: np.random.Generator, size: int) -> tuple[Array, float]:
        """A random set that can be judged, and its score. Where the learner fails, smaller sets are tried as well."""
        judge = mean_scores(rows)
        for number in range(TRIED):
            start = drawn_set(random, rows.columns, max(1, size >> number // 4))
            if (score := judge(start)) > -np.inf:
                return start, score
        return rows.folds.failed.stop(self.estimator)

    def colder(self, state: AnnealingState, rows: JudgedRows, search: Candidates) -> AnnealingState:
        """The moves of the next temperature."""
        number, most = state.iteration + 1, self.largest(rows)
        random = np.random.default_rng([state.seed, number])
        T = state.temperature * COLD ** (-(number - 1) / max(1, self.max_iter - 1))
        now, best, best_score, better = state, state.best, state.best_score, False
        for _ in range(self.moves(rows.columns)):
            chosen = flipped(now.start, now.flips)
            column, luck = drawn_column(random, chosen, most), random.random()
            score = float(search.scores_from(now.start, now.flips, np.array([column]))[0])
            if not (score >= now.score or luck < np.exp((score - now.score) / T)):
                continue
            now = moved(now, column, score)
            new = flipped(now.start, now.flips)
            if is_better(score, new, best_score, best):
                best, best_score, better = new, score, True
        quiet = 0 if better else state.quiet + 1
        settled = number >= self.max_iter or (self.n_iter_no_change is not None and quiet >= self.n_iter_no_change)
        return replace(
            now,
            iteration=number,
            objective=best_score,
            settled=settled,
            history=np.append(state.history, best_score),
            best=best,
            best_score=best_score,
            quiet=quiet,
        )

    def moves(self, columns: int) -> int:
        """The number of moves at each temperature."""
        return min(200, max(10, columns)) if self.n_moves is None else self.n_moves

    def attributes(self, state: AnnealingState, rows: Any) -> dict[str, Any]:
        tried = max(1, state.iteration * self.moves(rows.columns))
        told = {"temperature_": state.temperature, "acceptance_": state.accepted / tried}
        return {**self.of_best(state, rows), **told}


def drawn_column(random: np.random.Generator, chosen: Array, most: int) -> int:
    """A column to flip: a set never gets empty, nor larger than it may."""
    size = int(chosen.sum())
    if size == 1 and most == 1:
        return int(random.integers(len(chosen)))
    among = np.flatnonzero(~chosen) if size <= 1 else np.flatnonzero(chosen) if size >= most else np.arange(len(chosen))
    return int(random.choice(among))


def moved(state: AnnealingState, column: int, score: float) -> AnnealingState:
    """After a flip that was accepted. After some of them the place has a new name (search/sequential.py)."""
    start, flips = state.start, np.append(state.flips, column)
    if len(flips) >= ANEW:
        start, flips = flipped(start, flips), np.empty(0, np.intp)
    return replace(state, start=start, flips=flips, score=score, accepted=state.accepted + 1)
