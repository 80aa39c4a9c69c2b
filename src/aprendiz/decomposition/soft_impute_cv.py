"""Completion with the nuclear norm whose penalty and rank are chosen on held-out cells.

    e²(λ, k) = mean over the folds, and over the held-out cells of each, of (a_ij − m_ij)²                     (1)

where M with penalty λ and rank at most k is fitted to the cells of the other folds (completion/penalty_path.py). The pair with
the least e is then fitted to all known cells. M, and what is said of new rows: soft_impute.py. A path of penalties is left when
its error has risen twice in a row and is 1 % above its least: with less penalty M follows the noise.

A state is what is known after some of the folds. A fit that is stopped chooses by those, and fits all known cells once more.

Cost: for each fold and each k some passes for each λ that is tried, then one fit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from aprendiz.core.iteration import State
from aprendiz.core.parameters import ArrayLike, Count, NonNegative, ParameterError, PositiveFraction, Seed, refuse_words
from aprendiz.core.pictures import display
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array
from aprendiz.decomposition.completion.completer import Completer
from aprendiz.decomposition.completion.factor_search import search, strongest_penalty
from aprendiz.decomposition.completion.known_cells import Biases, CompletionRows, cells_of
from aprendiz.decomposition.completion.penalty_path import HeldOutCells, along, folds_of, grid

RISEN = 1.01  # times the least error of a path
COARSER = 10.0  # times tol in the folds, where errors are compared, not factors


@dataclass(frozen=True)
class CellFoldsState(State):
    """Errors and ranks in the folds so far (folds × ranks × penalties), and at the end factors of all known cells. `objective`
    is the least e of (1)."""

    penalties: Array
    errors: Array
    ranks: Array
    V: Array
    passes: int
    seed: int


class SoftImputeCV(Completer):
    """Fill missing cells by `SoftImpute`, with the penalty and the rank that are best on held-out cells.

    Parameters
    ----------
    penalties : int or array, default=10
        The penalties that are tried, or how many, from the one that makes M = 0 down to the part `eps` of it.
    eps : float above 0 and at most 1, default=0.01
        The smallest penalty as a part of the largest.
    max_ranks : array of int, optional
        Largest ranks that are tried with each penalty; by default the rank that the penalty leaves.
    cv : int, default=3
        How many folds the known cells are dealt into, at random.
    biases : {"columns", "both"}, optional
        What is subtracted first: see SoftImpute.
    scale : bool, default=False
        Whether each column is divided by the standard deviation of its known cells.
    tol : float, default=1e-4
        The search ends when the duality gap, as it is estimated, is at most this part of the objective.
    max_iter : int, default=500
        Maximum number of passes for each penalty.
    keep_empty_features : bool, default=False
        Whether a column without any known cell is filled with 0 rather than left out.
    random_state : int, RandomState or None
        The seed of the folds.

    Attributes
    ----------
    penalty_ : float
        The penalty with the least e of (1).
    max_rank_ : int
        The largest rank that M might have: the best of `max_ranks`, or that of the table.
    penalties_ : ndarray of shape (n_penalties,)
        Descending.
    errors_ : ndarray of shape (n_folds, n_max_ranks, n_penalties)
        The root of the mean square of the errors in the held-out cells, in the units of the table; infinite where the path was
        left.
    ranks_ : ndarray of shape (n_folds, n_max_ranks, n_penalties)
        The ranks of M; -1 where the path was left.
    row_factors_, column_factors_, singular_values_, components_, rank_, objective_ : of the fit to all known cells
    column_means_, column_scales_, row_means_, known_counts_, exponent_ : as in SoftImpute
    n_iter_ : int
        Passes of the fit to all known cells.
    certificate_ : Certificate
        That of the fit to all known cells, as in SoftImpute.

    Examples
    --------
    >>> X = [[5, None, 4, 1], [None, 3, 4, 1], [4, 4, None, None], [5, 4, 5, 1]]
    >>> model = SoftImputeCV([4.0, 2.0, 1.0], random_state=0).fit(X)
    >>> model.errors_.shape, model.penalty_
    ((3, 1, 3), 1.0)
    """

    State = CellFoldsState
    exceptions = {
        "memory": "the known cells are kept in memory: factors of rows are not a sum",
        "sparse": "what a sparse table does not store is not 0 but unknown",
        "shift": "the filled table moves with its columns",
        "row order": "cells are dealt into folds by their number",
        "column order": "cells are dealt into folds by their number",
        "monotone": "the mean error over more folds may be larger",
    }

    def __init__(
        self,
        penalties: Count | ArrayLike = 10,
        *,
        eps: PositiveFraction = 0.01,
        max_ranks: ArrayLike | None = None,
        cv: Count = 3,
        biases: Biases | None = None,
        scale: bool = False,
        tol: NonNegative = 1e-4,
        max_iter: Count = 500,
        keep_empty_features: bool = False,
        random_state: Seed = None,
    ):
        self.penalties = penalties
        self.eps = eps
        self.max_ranks = max_ranks
        self.cv = cv
        self.biases = biases
        self.scale = scale
        self.tol = tol
        self.max_iter = max_iter
        self.keep_empty_features = keep_empty_features
        self.random_state = random_state

    # ---- the loop ------------------------------------------------------------------------------------------------------

    def states(self, rows: Any, since: CellFoldsState | None = None) -> Iterator[CellFoldsState]:
        """Errors of all penalties and ranks, fold by fold; then a fit to all known cells with the best of them."""
        state = since
        if state is None:
            state = self.first_state(rows)
            yield state
        if state.V.size or state.settled:
            return
        folds = folds_of(cells_of(rows.X), self.cv, state.seed)
        for fold in range(len(state.errors), self.cv):
            state = self.after_fold(state, rows, folds == fold)
            yield state
        yield self.refit_all(state, rows)

    def first_state(self, rows: CompletionRows) -> CellFoldsState:
        """No fold yet."""
        if self.cv < 2:
            raise ParameterError(f"cv={self.cv}: at least 2 folds are needed, to hold cells out.")
        seed = draw_seed(self.random_state)
        folds_of(cells_of(rows.X), self.cv, seed)
        penalties = grid(strongest_penalty(rows.cells, rows.units), self.penalties, self.eps)
        none = np.empty((0, len(self.rank_bounds(rows)), len(penalties)))
        return CellFoldsState(0, np.inf, False, penalties, none, none, np.empty((rows.columns, 0)), 0, seed)

    def rank_bounds(self, rows: CompletionRows) -> list[int]:
        """The largest ranks that are tried."""
        least = min(rows.cells.shape)
        if self.max_ranks is None:
            return [least]
        refuse_words("max_ranks", self.max_ranks)
        given = np.asarray(self.max_ranks)
        if given.ndim != 1 or not len(given) or given.dtype.kind not in "iu" or (given < 1).any():
            raise ParameterError(f"max_ranks must be whole numbers of at least 1, got {self.max_ranks!r}.")
        return [min(int(one), least) for one in given]

    def after_fold(self, state: CellFoldsState, rows: CompletionRows, chosen: Array) -> CellFoldsState:
        """One more fold: (1) for each rank and each penalty."""
        cells = HeldOutCells.of(cells_of(rows.X), chosen, rows.columns, self.biases, self.scale)
        errors, ranks = np.empty(state.errors.shape[1:]), np.empty(state.errors.shape[1:])
        reduced = np.ldexp(state.penalties, -cells.units.unit)
        errors[:], ranks[:] = np.inf, -1
        for place, most in enumerate(self.rank_bounds(rows)):
            problem = self.problem(cells.others, cells.units, state.penalties[0], most, state.seed)
            problem = problem._replace(tolerance=COARSER * problem.tolerance)
            for number, one in enumerate(along(problem, reduced, self.max_iter)):
                errors[place, number] = cells.error(one.V, reduced[number])
                ranks[place, number] = one.V.shape[1]
                if only_rises(errors[place, : number + 1]):
                    break
        known = np.concatenate([state.errors, errors[None]])
        ranks = np.concatenate([state.ranks, ranks[None]])
        least = float(mean_errors(known).min())
        return replace(state, iteration=state.iteration + 1, objective=least, errors=known, ranks=ranks)

    def best(self, state: CellFoldsState) -> tuple[int, int]:
        """The numbers of the rank and of the penalty with the least error in the folds so far; of none, those in the
        middle."""
        if not len(state.errors):
            return state.errors.shape[1] // 2, state.errors.shape[2] // 2
        errors = mean_errors(state.errors)
        place, number = np.unravel_index(int(errors.argmin()), errors.shape)
        return int(place), int(number)

    def refit_all(self, state: CellFoldsState, rows: CompletionRows) -> CellFoldsState:
        """All known cells fitted with the best rank and penalty."""
        *_before, found = search(self.best_problem(state, rows), self.max_iter)
        return replace(state, iteration=state.iteration + 1, V=found.V, passes=found.iteration, settled=found.settled)

    def best_problem(self, state: CellFoldsState, rows: CompletionRows) -> Any:
        place, number = self.best(state)
        return self.problem(rows.cells, rows.units, state.penalties[number], self.rank_bounds(rows)[place], state.seed)

    def attributes(self, state: CellFoldsState, rows: Any) -> dict[str, Any]:
        if not (state.V.size or state.settled):
            state = self.refit_all(state, rows)
        found = self.factors(self.best_problem(state, rows), rows, state.V)
        more = {"penalties_": state.penalties, "errors_": state.errors, "ranks_": state.ranks.astype(np.int64)}
        return {**found, **more, "max_rank_": self.rank_bounds(rows)[self.best(state)[0]], "n_iter_": state.passes}

    def decisive(self) -> frozenset[str]:
        return frozenset({"max_iter"})

    def most_states(self) -> int | None:
        return int(self.cv) + 2

    def plot(self, ax: Any = None) -> Any:
        """The errors in held-out cells along the penalties, with the ranks."""
        return display("CompletionErrorDisplay")(self).plot(ax)


def only_rises(errors: Array) -> bool:
    """Has the error risen at the last two penalties, and is it clearly above the least?"""
    return len(errors) > 2 and bool(errors[-3] < errors[-2] < errors[-1] and errors[-1] > RISEN * errors.min())


def mean_errors(errors: Array) -> Array:
    """The root of (1), from the errors of the folds; infinite where one of them has left its path before."""
    size = float(errors.max(initial=0.0, where=np.isfinite(errors))) or 1.0
    return size * np.sqrt(((errors / size) ** 2).mean(axis=0))
