"""A genetic search: sets of columns are crossed and mutated, and the better ones have more offspring.

    parents      the better one of `tournament` sets drawn from the population, twice                           (1)
    crossing     with probability `crossover`: each column from one parent or the other; else the first parent   (2)
    mutation     each column enters or leaves with probability `mutation`, by default 1/d                        (3)

Sets are judged by their mean score on inner folds, of equally good ones the smaller is better; the best set of a generation
goes on as it is. Sets that were met before are not judged again. The score of the best is the largest of many and flatters:
put the whole procedure into `evaluate` to know its error.

Random numbers of a generation are a function of the seed and its number, so that a search goes on with the same bits.

Cost: population_size fits for each generation and fold; less for learners whose answers follow from sums.
Reference: Siedlecki & Sklansky, "A note on genetic algorithms for large-scale feature selection", Pattern Recognition Letters
10, 1989.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from aprendiz.core.parameters import Count, Fraction, Seed, Within
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array
from aprendiz.selection.search.random_search import EQUAL, RandomSearch, RandomState, drawn_set, is_better, mean_scores
from aprendiz.selection.search.wrapper import JudgedRows

Several = Annotated[int, Within(2)]


@dataclass(frozen=True)
class GeneticState(RandomState):
    """Beside the best set: the sets of the generation, and their scores."""

    population: Array
    fitness: Array


class GeneticSelection(RandomSearch):
    """A set of columns by a genetic algorithm.

    Parameters
    ----------
    estimator : learner
        Of this library or compatible with scikit-learn; copies of it are fitted.
    max_features : int, optional
        The most columns that a set may have; by default half as many as there are rows.
    population_size : int, default=40
        Number of sets in a generation.
    crossover : float, default=0.8
        Probability that a set has two parents.
    mutation : float, optional
        Probability that a column enters or leaves; by default 1 in the number of columns.
    tournament : int, default=3
        Number of sets of which the best becomes a parent.
    max_iter : int, default=100
        The most generations.
    n_iter_no_change : int, default=15
        Number of generations without a better set after which the search ends.
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
    frequencies_ : ndarray of shape (n_features,)
        Share of the last generation that holds each column.
    ranking_ : ndarray of shape (n_features,)
        1 for the chosen columns; the others by how frequent they are.
    history_ : ndarray of shape (n_iter_ + 1,)
        The best score so far, of the first generation and each later one.
    n_iter_ : int
        Number of generations after the first.
    certificate_ : Certificate
        Whether the score of the chosen columns is that of new fits.

    Examples
    --------
    >>> import numpy as np
    >>> from aprendiz import GeneticSelection, Ridge
    >>> X = np.random.default_rng(0).normal(size=(80, 8))
    >>> y = X[:, 1] + X[:, 4] - X[:, 6]
    >>> GeneticSelection(Ridge(), random_state=0).fit(X, y).get_support(indices=True)
    array([1, 4, 6])
    """

    State = GeneticState

    def __init__(
        self,
        estimator: Any,
        *,
        max_features: Count | None = None,
        population_size: Several = 40,
        crossover: Fraction = 0.8,
        mutation: Fraction | None = None,
        tournament: Count = 3,
        max_iter: Count = 100,
        n_iter_no_change: Count = 15,
        scoring: Any = None,
        cv: Any = 5,
        random_state: Seed = None,
    ):
        self.estimator = estimator
        self.max_features = max_features
        self.population_size = population_size
        self.crossover = crossover
        self.mutation = mutation
        self.tournament = tournament
        self.max_iter = max_iter
        self.n_iter_no_change = n_iter_no_change
        self.scoring = scoring
        self.cv = cv
        self.random_state = random_state

    def most_states(self) -> int:
        return self.max_iter + 1

    def states(self, rows: Any, since: GeneticState | None = None) -> Iterator[GeneticState]:
        score = mean_scores(rows)
        state = since
        if state is None:
            state = self.first_state(rows, score)
            yield state
        while not state.settled and state.iteration < self.max_iter:
            state = self.next_generation(state, rows, score)
            yield state

    def first_state(self, rows: JudgedRows, score: Callable[[Array], float]) -> GeneticState:
        """Random sets of all sizes."""
        seed, most = draw_seed(self.random_state), self.largest(rows)
        random = np.random.default_rng([seed, 0])
        sizes = random.integers(1, most + 1, self.population_size)
        population = np.stack([drawn_set(random, rows.columns, int(size)) for size in sizes])
        fitness = np.array([score(chosen) for chosen in population])
        first = fittest(population, fitness)
        best = float(fitness[first])
        if best == -np.inf:
            rows.folds.failed.stop(self.estimator)
        return GeneticState(0, best, False, seed, population[first], best, 0, np.array([best]), population, fitness)

    def next_generation(self, state: GeneticState, rows: JudgedRows, score: Callable[[Array], float]) -> GeneticState:
        """(1) to (3)."""
        number, d = state.iteration + 1, rows.columns
        random = np.random.default_rng([state.seed, number])
        rank = ranks(state.population, state.fitness)
        population = [state.population[int(rank.argmin())]]
        while len(population) < self.population_size:
            mother, father = (state.population[self.parent(random, rank)] for _ in range(2))
            crossed = random.random() < self.crossover
            child = np.where(random.random(d) < 0.5, mother, father) if crossed else mother.copy()
            child ^= random.random(d) < (1.0 / d if self.mutation is None else self.mutation)
            population.append(within(random, child, self.largest(rows)))
        sets = np.stack(population)
        fitness = np.array([score(chosen) for chosen in sets])
        first = fittest(sets, fitness)
        better = is_better(float(fitness[first]), sets[first], state.best_score, state.best)
        best, best_score = (sets[first], float(fitness[first])) if better else (state.best, state.best_score)
        quiet = 0 if better else state.quiet + 1
        history = np.append(state.history, best_score)
        settled = quiet >= self.n_iter_no_change
        return GeneticState(number, best_score, settled, state.seed, best, best_score, quiet, history, sets, fitness)

    def parent(self, random: np.random.Generator, rank: Array) -> int:
        """The best of some."""
        drawn = random.integers(len(rank), size=self.tournament)
        return int(drawn[rank[drawn].argmin()])

    def attributes(self, state: GeneticState, rows: Any) -> dict[str, Any]:
        frequencies = state.population.mean(axis=0)
        others = np.unique(-frequencies[~state.best], return_inverse=True)[1]
        ranking = np.ones(rows.columns, np.intp)
        ranking[~state.best] = 2 + others
        return {**self.of_best(state, rows), "frequencies_": frequencies, "ranking_": ranking}


def ranks(population: Array, fitness: Array) -> Array:
    """The place of each set, 0 for the best: by its score, then by its size."""
    rounded = np.round(fitness / EQUAL) if np.abs(fitness[np.isfinite(fitness)]).max(initial=0.0) < 1e3 else fitness
    order = np.lexsort((population.sum(axis=1), -rounded))
    found = np.empty(len(order), np.intp)
    found[order] = np.arange(len(order))
    return found


def fittest(population: Array, fitness: Array) -> int:
    """The best set."""
    return int(ranks(population, fitness).argmin())


def within(random: np.random.Generator, chosen: Array, most: int) -> Array:
    """A set that is not empty and not too large: columns are drawn that join or leave."""
    size = int(chosen.sum())
    if size == 0:
        return drawn_set(random, len(chosen), 1)
    if size > most:
        chosen = chosen.copy()
        chosen[random.choice(np.flatnonzero(chosen), size - most, replace=False)] = False
    return chosen
