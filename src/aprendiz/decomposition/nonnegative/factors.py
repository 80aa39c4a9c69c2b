"""Where a factorisation stands: the factors, how far they are carried beyond each pass, and what each pass was worth."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from aprendiz.core.iteration import State
from aprendiz.core.rows import Array

FIRST, GROWTH, CEILING_GROWTH, DECAY = 0.5, 1.05, 1.01, 1.5  # of the steps beyond a pass


@dataclass(frozen=True)
class Factors(State):
    """U and V after some passes. `beyond` is how far the next pass is extrapolated, `ceiling` how far it may become; `plain`
    says that the next pass goes no further than it sees."""

    U: Array
    V: Array
    U_swept: Array  # U before it was extrapolated; empty where nothing is
    V_before: Array  # V of the state before
    beyond: float
    ceiling: float
    plain: bool
    log: Array
    seed: int

    @classmethod
    def first(cls, U: Array, V: Array, seed: int, *, extrapolated: bool) -> Self:
        """State 0."""
        swept, before = (U, V) if extrapolated else (np.empty((0, 0)), np.empty((0, 0)))
        return cls(0, np.inf, False, U, V, swept, before, FIRST, 1.0, True, np.empty(0), seed)

    def after(self, objective: float, settled: bool, **moved: Any) -> Self:
        """One pass later."""
        log = np.append(self.log, objective)
        return replace(self, iteration=self.iteration + 1, objective=objective, settled=settled, log=log, **moved)

    def further(self, objective: float, settled: bool, **moved: Any) -> Self:
        """The pass has lowered the objective: the next one may go a little further."""
        beyond, ceiling = min(self.ceiling, GROWTH * self.beyond), min(1.0, CEILING_GROWTH * self.ceiling)
        return self.after(objective, settled, beyond=beyond, ceiling=ceiling, plain=False, **moved)

    def back(self) -> Self:
        """The pass went too far: the factors stay, and the next one goes no further than it sees."""
        return self.after(
            self.objective, False, beyond=self.beyond / DECAY, ceiling=self.beyond, plain=True, U_swept=self.U, V_before=self.V
        )
