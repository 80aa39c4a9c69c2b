"""Centres on their way, from several starts of which the best is kept.

A start is made of passes, each with the cost J of the centres it began with, until it comes to rest or has had enough of
them; then the next start begins. The last start that is over settles the whole. One record holds the centres under way and,
beside them, those of the best start that is over, so that a fit can be stopped, stored and continued anywhere.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from aprendiz.core.iteration import State
from aprendiz.core.rows import Array


@dataclass(frozen=True)
class Clustering(State):
    """Centres on their way. `still`: this start has come to rest; the best one so far is kept beside it."""

    centers: Array
    log: Array  # J of each pass since the start
    seed: int
    start: int
    still: bool
    best_centers: Array
    best_log: Array
    best_still: bool

    @classmethod
    def begun(cls, centers: Array, seed: int, start: int, before: Self | None = None) -> Self:
        """State 0 of a start: centres, no pass yet."""
        nothing = np.empty(0)
        return cls(
            iteration=0 if before is None else before.iteration + 1,
            objective=np.inf,
            settled=False,
            centers=centers,
            log=nothing,
            seed=seed,
            start=start,
            still=False,
            best_centers=centers if before is None else before.best_centers,
            best_log=nothing if before is None else before.best_log,
            best_still=before is not None and before.best_still,
        )

    def after(self, centers: Array, cost: float, still: bool, *, passes: int, starts: int) -> Self:
        """One pass later: the new centres, the cost of the old ones; at most so many passes and starts."""
        log = np.append(self.log, cost)
        over = still or len(log) >= passes
        better = over and (len(self.best_log) == 0 or cost < self.best_log[-1])
        return replace(
            self,
            iteration=self.iteration + 1,
            objective=cost,
            settled=over and (still if better else self.best_still) and self.start + 1 == starts,
            centers=centers,
            log=log,
            still=still,
            best_centers=centers if better else self.best_centers,
            best_log=log if better else self.best_log,
            best_still=still if better else self.best_still,
        )

    def best(self) -> tuple[Array, Array]:
        """Centres and log of the best start; the one under way counts once it is better."""
        under_way = len(self.best_log) == 0 or self.objective < self.best_log[-1]
        return (self.centers, self.log) if under_way else (self.best_centers, self.best_log)
