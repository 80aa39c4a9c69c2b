"""Did everybody reach the same quality? A time means nothing without it.

    Objective    a number that each fit makes small: the excess over the smallest, relative to it            (1)
    Answer       arrays that have one right value: the largest difference from scikit-learn's, relative       (2)
                 (where it has none, from those of the next library)
    Bound        an objective, less the highest lower bound of its minimum that anybody's answer proves      (3)

In (3) the bounds are computed here, from the coefficients, and shared: whose coefficients are good is not punished for
residuals that prove little.

Random methods are run from several seeds and compared on the mean of (1), with three standard errors of room.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.peers import NAMES, OURS, Data

Models = Mapping[str, Sequence[Any]]  # contender → one model for each seed


@dataclass(frozen=True)
class Verdict:
    """The gap (1), (2) or (3) of each contender, and how much of it counts as equal."""

    what: str
    gaps: dict[str, float]
    allowed: float

    @property
    def behind(self) -> list[str]:
        """Who did not reach the quality of the others."""
        return [name for name in NAMES if name in self.gaps and not self.gaps[name] <= self.allowed]

    @property
    def fair(self) -> bool:
        """Whether ours may be compared at all."""
        return OURS not in self.behind

    def __str__(self) -> str:
        values = ", ".join(f"{name} {gap:.0e}" for name, gap in self.gaps.items() if gap > 0) or "none"
        who = " and ".join(name.upper() if name == OURS else name for name in self.behind)
        return f"{f'**{who} behind**' if who else 'equal'} ({self.what}: {values}; allowed {self.allowed:.0e})"


@dataclass(frozen=True)
class Objective:
    """(1)."""

    what: str
    function: Callable[[Data, Any], float]
    tolerance: float

    def compare(self, data: Data, models: Models) -> Verdict:
        values = {name: np.array([self.function(data, model) for model in fitted]) for name, fitted in models.items()}
        best = min(v.mean() for v in values.values())
        gaps = {name: float((v.mean() - best) / abs(best)) for name, v in values.items()}
        error = max(standard_error(v) for v in values.values()) * np.sqrt(2) / abs(best)
        return Verdict(f"excess of the {self.what}", gaps, max(self.tolerance, 3 * error))


@dataclass(frozen=True)
class Bound(Objective):
    """(3). The function gives the objective and a lower bound of its minimum, in the unit of the tolerance; numbers, or arrays
    with one entry for each problem, of which the worst counts."""

    function: Callable[[Data, Any], tuple[Any, Any]]  # type: ignore[assignment]

    def compare(self, data: Data, models: Models) -> Verdict:
        found = {name: [self.function(data, model) for model in fitted] for name, fitted in models.items()}
        highest = np.max([bound for answers in found.values() for _, bound in answers], axis=0)
        gaps = {name: float(max(np.max(value - highest) for value, _ in answers)) for name, answers in found.items()}
        return Verdict(f"{self.what} above the highest lower bound", gaps, self.tolerance)


@dataclass(frozen=True)
class Answer:
    """(2)."""

    what: str
    function: Callable[[Data, Any], Any]
    tolerance: float

    def compare(self, data: Data, models: Models) -> Verdict:
        values = {name: np.asarray(self.function(data, fitted[0])) for name, fitted in models.items()}
        right = values[next((name for name in NAMES if name in values and name != OURS), OURS)]
        gaps = {name: float(np.abs(v - right).max() / np.abs(right).max()) for name, v in values.items()}
        return Verdict(f"difference of the {self.what}", gaps, self.tolerance)


def standard_error(values: Any) -> float:
    """Of the mean over the seeds; nothing is uncertain where there is one."""
    return float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0
