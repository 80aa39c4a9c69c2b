"""Sequential search: columns enter or leave one at a time, each time the one after which the score is best.

    forward     from no column:  S ← S + argmax_j J(S + j)                                                     (1)
    backward    from all:        S ← S − j with the largest J(S − j)                                           (2)
    floating    (1), and after each step (2) as long as it gives a better set of its size than any before

J is the mean score of the inner folds (inner_folds.py); of columns that are equally good, the first; NaN is worse than any
number. For learners that are updated rather than fitted anew, a step costs as much as a few products of the table with a vector
(selection/updating).

A place on the way is named by the columns that were flipped since the start, so that a search that was interrupted goes on with
the same bits.

Cost: of a step, a fit for each fold and column.
References: Whitney, IEEE Trans. Computers 20, 1971; Pudil, Novovičová & Kittler, "Floating search methods in feature
selection", Pattern Recognition Letters 15, 1994.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from aprendiz.core.certificate import Certificate
from aprendiz.core.iteration import State
from aprendiz.core.rows import Array
from aprendiz.selection.search.wrapper import JudgedRows, Wrapper, best_place

ANEW = 32  # sweeps after which a place is computed anew
AGREES = 1e-8  # how far the score of updated sums may be from that of new fits


@dataclass(frozen=True)
class SearchState(State):
    """The columns flipped since the start; the score after each flip, the best score of each size, and after how many flips it
    was met; how many steps had several columns that were equally good."""

    path: Array
    scores: Array
    best: Array  # by the number of columns, −∞ where none was met
    met: Array
    ties: int


class SequentialSearch(Wrapper):
    """(1), (2) and both. A leaf says the direction, and where the search ends."""

    State = SearchState
    direction: str
    n_features_: int

    @abstractmethod
    def target_size(self, columns: int, rows: int) -> int:
        """The number of columns at which the search ends."""

    def least_gain(self) -> float | None:
        """What the score of a step must gain, or the search ends before it; None for no bound."""
        return None

    @property
    def ends_anywhere(self) -> bool:
        """May the search end before its size, where no further set can be judged?"""
        return self.least_gain() is not None

    # ---- the search ------------------------------------------------------------------------------------------------------

    def states(self, rows: Any, since: SearchState | None = None) -> Iterator[SearchState]:
        target = self.target_size(rows.columns, rows.count or 0)
        search = Candidates(rows, self.start(rows.columns))
        state = since
        if state is None:
            state = self.first_state(rows)
            yield state
        while not state.settled:
            state = self.after(state, search, target)
            yield state

    def start(self, columns: int) -> Array:
        """No column, or all of them."""
        return np.full(columns, self.direction == "backward")

    def first_state(self, rows: JudgedRows) -> SearchState:
        """Before the first step. The score of all columns is asked for only where they may be the best set."""
        none, size = np.empty(0), rows.columns
        best = np.full(size + 1, -np.inf)
        if self.may_keep_all(rows):
            score = rows.folds.scores(np.ones(size, dtype=bool)).mean()
            best[size] = -np.inf if np.isnan(score) else score
        return SearchState(0, -np.inf, False, none.astype(np.intp), none, best, np.zeros(size + 1, np.intp), 0)

    def may_keep_all(self, rows: JudgedRows) -> bool:
        """May all columns be chosen, though nothing has left?"""
        return False

    def after(self, state: SearchState, search: Candidates, target: int) -> SearchState:
        """One column more, or one less."""
        chosen = search.at(state.path)
        size = int(chosen.sum())
        if self.direction == "floating" and (back := self.taken_back(state, search, chosen)) is not None:
            return back
        if size == target:
            return replace(state, iteration=state.iteration + 1, settled=True)
        inside = self.direction == "backward"
        columns = np.flatnonzero(chosen if inside else ~chosen)
        found = search.scores(state.path, columns)
        if np.isnan(found).all():
            if not (self.ends_anywhere and np.isfinite(state.best).any()):
                search.folds.failed.stop(self.estimator)
            return replace(state, iteration=state.iteration + 1, settled=True)
        place, gain = best_place(found, search.rounding), self.least_gain()
        if gain is not None and found[place] - state.objective < gain:
            return replace(state, iteration=state.iteration + 1, settled=True)
        new = self.moved(state, int(columns[place]), found, place, size + (-1 if inside else 1), search)
        done = size + (-1 if inside else 1) == target and self.direction != "floating"
        return replace(new, settled=done)

    def taken_back(self, state: SearchState, search: Candidates, chosen: Array) -> SearchState | None:
        """(2), where it gives a better set of its size than any before; the column that has just entered stays."""
        size = int(chosen.sum())
        if size < 3:
            return None
        columns = np.flatnonzero(chosen)
        columns = columns[columns != state.path[-1]]
        found = search.scores(state.path, columns)
        if np.isnan(found).all():
            return None
        place = best_place(found, search.rounding)
        least = state.best[size - 1] + search.rounding * max(1.0, abs(state.best[size - 1]))
        return self.moved(state, int(columns[place]), found, place, size - 1, search) if found[place] > least else None

    def moved(self, state: SearchState, column: int, found: Array, place: int, size: int, search: Candidates) -> SearchState:
        """The state after a flip."""
        score = float(found[place])
        path = np.append(state.path, column)
        best, met = state.best.copy(), state.met.copy()
        if score > best[size]:
            best[size], met[size] = score, len(path)
        equal = int((found >= score - search.rounding * max(1.0, abs(score))).sum()) > 1
        scores = np.append(state.scores, score)
        return SearchState(state.iteration + 1, score, False, path, scores, best, met, state.ties + int(equal))

    # ---- what was found --------------------------------------------------------------------------------------------------

    def chosen_size(self, state: SearchState, rows: JudgedRows) -> int:
        """The number of columns that are kept: that of the last set."""
        return int(flipped(self.start(rows.columns), state.path).sum())

    def attributes(self, state: SearchState, rows: Any) -> dict[str, Any]:
        start = self.start(rows.columns)
        size = self.chosen_size(state, rows)
        path = state.path[: state.met[size]]
        support = flipped(start, path)
        if not support.any():  # stopped before its first step
            support = np.ones_like(support)
        refitted = rows.folds.refitted(support)
        score = float(state.best[size]) if np.isfinite(state.best[size]) else float(refitted.mean())
        return {
            "support_": support,
            "n_features_to_select_": int(support.sum()),
            "n_features_": int(support.sum()),
            "order_": order_of(path, support),
            "ranking_": ranking_of(state.path, support, backward=self.direction == "backward"),
            "path_": state.path,
            "path_scores_": state.scores,
            "scores_": state.best,
            "fold_scores_": refitted,
            "score_": score,
            "n_iter_": state.iteration,
            "certificate_": proof(score, refitted, state.ties, len(state.path)),
        }


class Candidates:
    """The scores of all sets that are one column away: updated where that is possible, by new fits elsewhere."""

    def __init__(self, rows: JudgedRows, start: Array):
        self.folds, self.start, self.updated = rows.folds, start, rows.updated
        self.rounding = 0.0 if self.updated is None else self.updated.rounding

    def at(self, path: Array) -> Array:
        """The set at the end of a path."""
        return flipped(self.start, path)

    def scores(self, path: Array, columns: Array) -> Array:
        """The mean score with each of the columns flipped."""
        anew = len(path) // ANEW * ANEW
        return self.scores_from(self.at(path[:anew]), path[anew:], columns)

    def scores_from(self, start: Array, flips: Array, columns: Array) -> Array:
        """The same at a place that is named by a set and the columns flipped since."""
        found = np.full((len(columns), len(self.folds.splits)), np.nan)
        if self.updated is not None:
            self.updated.go(start, flips.tolist())
            found = self.updated.flipped(columns)
        chosen = flipped(start, flips)
        unknown = np.flatnonzero(np.isnan(found).any(axis=1))
        if len(unknown):
            sets = (flipped(chosen, columns[place : place + 1]) for place in unknown)
            found[unknown] = self.folds.scores_of_each(sets)
        return np.asarray(found.mean(axis=1))


def flipped(start: Array, path: Array) -> Array:
    """A set after some flips."""
    times = np.bincount(path, minlength=len(start))
    return np.asarray(start ^ (times % 2 == 1))


def order_of(path: Array, support: Array) -> Array:
    """The chosen columns, those that entered first (and stayed) in front; those that were there from the start in the order of
    the table."""
    entered = [int(column) for column in dict.fromkeys(path[::-1].tolist()) if support[column]][::-1]
    there = np.setdiff1d(np.flatnonzero(support), entered).tolist()
    return np.array([*there, *entered], dtype=np.intp)


def ranking_of(path: Array, support: Array, *, backward: bool) -> Array:
    """1 for the chosen columns; the others by when they entered, those that never did last; backward, by when they left, the
    last of them in front."""
    ranking = np.ones(len(support), dtype=np.intp)
    others = [int(column) for column in dict.fromkeys(path[::-1].tolist()) if not support[column]]
    if not backward:
        others = others[::-1]
    for number, column in enumerate(others):
        ranking[column] = 2 + number
    left = ~support & (ranking == 1)
    ranking[left] = 2 + len(others)
    return ranking


def proof(score: float, refitted: Array, ties: int, steps: int) -> Certificate:
    """That the score by which the set was chosen is the mean score of new fits in these columns to 10⁻⁸."""
    again = float(refitted.mean())
    off = abs(score - again)
    known = {"score": score, "difference": off, "folds": len(refitted), "steps": steps, "ties": ties}
    claim = "the score of the chosen columns is that of new fits to the inner folds"
    return Certificate(claim, bool(off <= AGREES * max(1.0, abs(again))), known)
