"""Several starts of a fit, of which the best is kept.

A start is made of passes, until it comes to rest or has had enough of them; then the next start begins. Each pass says what it
was worth, a cost or a likelihood, and the start that ends with the best one is kept. The last start that is over settles the
whole. One record holds the start under way and, beside it, the best of those that are over:

    x         a field of the start under way
    best_x    the same field of the best start that is over, for each field that has to be kept                 (1)

so that a fit can be stopped, stored and continued anywhere.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Self

import numpy as np

from aprendiz.core.iteration import Iterative, State
from aprendiz.core.random import draw_seed
from aprendiz.core.rows import Array, Rows


@dataclass(frozen=True)
class StartState(State):
    """Where a fit from several starts stands. A leaf adds its fields, twice where they have to be kept: (1)."""

    log: Array  # what each pass of this start was worth
    seed: int
    start: int
    still: bool  # this start has come to rest
    best_log: Array
    best_still: bool

    lowest: ClassVar[bool] = True  # is the lowest log the best? Of likelihoods the highest is

    @classmethod
    def fields_of_best(cls) -> list[str]:
        """The fields that are kept of the best start."""
        return [field.name.removeprefix("best_") for field in fields(cls) if field.name.startswith("best_")]

    @classmethod
    def begin(cls, seed: int, start: int, before: Self | None = None, *, settled: bool = False, **first: Any) -> Self:
        """State 0 of a start: its first fields, no pass yet."""
        now = {**first, "log": np.empty(0), "still": False}
        best = {
            f"best_{name}": now[name] if before is None else getattr(before, f"best_{name}") for name in cls.fields_of_best()
        }
        iteration = 0 if before is None else before.iteration + 1
        return cls(iteration=iteration, objective=np.inf, settled=settled, seed=seed, start=start, **now, **best)

    def after(self, value: float, still: bool, *, passes: int, starts: int, **moved: Any) -> Self:
        """One pass later: what it was worth, and the fields that have changed; at most so many passes and starts."""
        log = np.append(self.log, value)
        over = still or len(log) >= passes
        better = over and self.ahead(log)
        now = {"objective": value if self.lowest else -value, **moved, "log": log, "still": still}
        best = {f"best_{name}": now[name] for name in self.fields_of_best()} if better else {}
        settled = over and (still if better else self.best_still) and self.start + 1 >= starts
        return replace(self, iteration=self.iteration + 1, settled=settled, **now, **best)

    def ahead(self, log: Array) -> bool:
        """Is a start with this log better than the best one that is over?"""
        if len(self.best_log) == 0 or len(log) == 0:
            return len(self.best_log) == 0
        return bool(log[-1] < self.best_log[-1] if self.lowest else log[-1] > self.best_log[-1])

    def best(self) -> Self:
        """The best start as a state of its own; the one under way counts once it is better."""
        if self.ahead(self.log):
            return self
        return replace(self, **{name: getattr(self, f"best_{name}") for name in self.fields_of_best()})


class SeveralStarts(Iterative):
    """Learns from several starts. A leaf gives `first`, and in `states` the passes of one start."""

    State: ClassVar[type[StartState]]
    n_init: Any
    max_iter: int
    random_state: Any

    @abstractmethod
    def first(self, rows: Rows, seed: int, start: int) -> dict[str, Any]:
        """The fields of the leaf's state before the first pass of a start."""

    def starts(self) -> int:
        """How many starts."""
        return int(self.n_init)

    def each_start(self, rows: Rows, passes: Callable[[Any], Iterator[Any]], since: StartState | None = None) -> Iterator[Any]:
        """The states of all starts. `passes` are those that follow a state in its start, without an end."""
        state = since
        if state is None:
            state = self.begin(rows, draw_seed(self.random_state), 0)
            yield state
        following = passes(state)
        while not state.settled:
            if not self.is_over(state):
                state = next(following)
            elif state.start + 1 < self.starts():
                state = self.begin(rows, state.seed, state.start + 1, state)
                following = passes(state)
            else:
                return
            yield state

    def begin(self, rows: Rows, seed: int, start: int, before: Any = None) -> Any:
        """State 0 of a start."""
        return self.State.begin(seed, start, before, settled=self.max_iter == 0, **self.first(rows, seed, start))

    def is_over(self, state: StartState) -> bool:
        """Has a start come to its end?"""
        return state.still or len(state.log) >= self.max_iter

    def decisive(self) -> frozenset[str]:
        return frozenset({"max_iter"} if self.starts() > 1 else ())

    def remedy(self) -> str:
        return f"Raise max_iter (it is {self.max_iter}) or tol."

    def most_states(self) -> int:
        return self.starts() * (self.max_iter + 1)
