"""Where a factorisation stands: the factors, how far they are carried beyond each pass, and what each pass was worth.

How far depends on the rate of the passes: where J fell by Δ and then by Δ', the distance from a minimum shrinks by about ρ a
pass, and the step beyond that is best at such a rate is Nesterov's,

    ρ = √(Δ'/Δ),     β = (1 − √(1 − ρ)) / (1 + √(1 − ρ))                                                      (1)

Where passes gain much, they are hardly carried on; along a narrow valley, far.
Reference: Nesterov, "Introductory lectures on convex optimization", 2004, 2.2.1.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from aprendiz.core.iteration import State
from aprendiz.core.rows import Array

FIRST, STEP = 0.7, 1 / 64  # β until there is a rate, and what it is a multiple of then
CEILING_GROWTH, DECAY = 1.01, 1.5  # of the most that β may be, and of β that went too far
FIRST_BETWEEN, FEWER = 20, 4  # passes between two readings of the table; a few of them are worse than extrapolation


@dataclass(frozen=True)
class Factors(State):
    """U and V after some passes. `beyond` is how far the next pass is extrapolated, `ceiling` how far it may become; `plain`
    says that the next pass goes no further than it sees. `between` is how many passes there are before the next reading of the
    table, where there are any (between_readings.py), and `rest_of_rows`, `rest_of_columns` what they need of the last one."""

    U: Array
    V: Array
    U_swept: Array  # U before it was extrapolated; empty where nothing is
    V_before: Array  # V of the state before
    beyond: float
    ceiling: float
    plain: bool
    between: int
    rest_of_rows: Array
    rest_of_columns: Array
    log: Array
    seed: int

    @classmethod
    def first(cls, U: Array, V: Array, seed: int, *, extrapolated: bool, between: int = 0) -> Self:
        """State 0."""
        none = np.empty((0, 0))
        swept, before = (U, V) if extrapolated else (none, none)
        of_rows, of_columns = (np.zeros_like(U), np.zeros_like(V)) if between else (none, none)
        plain, log = not between, np.empty(0)
        return cls(0, np.inf, False, U, V, swept, before, FIRST, 1.0, plain, between, of_rows, of_columns, log, seed)

    def after(self, objective: float, settled: bool, **moved: Any) -> Self:
        """One pass later."""
        log = np.append(self.log, objective)
        return replace(self, iteration=self.iteration + 1, objective=objective, settled=settled, log=log, **moved)

    def further(self, objective: float, settled: bool, **moved: Any) -> Self:
        """The pass has lowered the objective: the next one goes as far beyond as the rate says."""
        beyond, ceiling = min(self.ceiling, self.best_beyond(objective)), min(1.0, CEILING_GROWTH * self.ceiling)
        return self.after(objective, settled, beyond=beyond, ceiling=ceiling, plain=False, **moved)

    def best_beyond(self, objective: float) -> float:
        """β of (1), once a pass has been worth less than the one before. It is rounded: the last digits of J do not show."""
        gained, before = self.objective - objective, self.log[-2] - self.log[-1] if len(self.log) > 1 else 0.0
        if not 0.0 <= gained < before:
            return self.beyond
        left = np.sqrt(1.0 - np.sqrt(gained / before))
        return float(np.round((1.0 - left) / (1.0 + left) / STEP) * STEP)

    def judged(self, objective: float, settled: bool, ahead: bool, **moved: Any) -> Self:
        """The state after a pass, which is kept if it has not raised the objective. Where it had not gone ahead, rounding has
        raised it, and nothing is left to gain."""
        if self.objective >= objective:
            return self.further(objective, settled, **moved)
        return self.back() if ahead else self.after(self.objective, True)

    def with_fewer_between(self) -> Self:
        """The passes between two readings have led astray: the factors stay, and the next pass goes no further than it sees."""
        fewer = self.between // FEWER
        state = self.after(self.objective, False, between=fewer if fewer >= FEWER else 0, plain=True)
        return state if state.between else replace(state, U_swept=self.U, V_before=self.V)

    def back(self) -> Self:
        """The pass went too far: the factors stay, and the next one goes no further than it sees."""
        return self.after(
            self.objective, False, beyond=self.beyond / DECAY, ceiling=self.beyond, plain=True, U_swept=self.U, V_before=self.V
        )


def carried(now: Array, before: Array, beta: float) -> Array:
    """A factor carried on in the direction of its last move, as far as it stays non-negative."""
    return np.maximum(now + beta * (now - before), 0.0) if beta else now
