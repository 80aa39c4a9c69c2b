"""Risk and coverage: what the decisions cost when the doubtful rows are rejected.

Rows are taken in order of the expected loss of their decision, the surest first. With the loss ℓ_i that was then met,

    coverage(c) = Σ ω_i [doubt_i ≤ c] / Σ ω_i,     risk(c) = Σ ω_i ℓ_i [doubt_i ≤ c] / Σ ω_i [doubt_i ≤ c]          (1)

There is one point for each distinct doubt; rejecting where the doubt exceeds c (`reject_cost = c`) leaves exactly its rows.
Where the doubt means something, the risk rises with the coverage.

Cost: O(n log n), one sort.
Reference: El-Yaniv & Wiener, "On the foundations of noise-free selective classification", JMLR 11, 2010.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from aprendiz.core.rows import Array


@dataclass(frozen=True, eq=False)
class RiskCoverage:
    """The curve (1).

    Attributes
    ----------
    reject_cost : ndarray of shape (n_points,)
        c: reject a row whose expected loss is higher, rising.
    coverage : ndarray of shape (n_points,)
        Share of the rows that are decided, rising to 1.
    risk : ndarray of shape (n_points,)
        Mean loss of these rows.
    """

    reject_cost: Array
    coverage: Array
    risk: Array

    @classmethod
    def of(cls, doubt: Array, loss: Array, weight: Array) -> Self:
        """From the expected loss, the loss that was met and the weight of each row."""
        costs, where = np.unique(doubt, return_inverse=True)
        kept = np.cumsum(np.bincount(where, weight, len(costs)))
        lost = np.cumsum(np.bincount(where, weight * loss, len(costs)))
        some = kept > 0
        return cls(costs[some], kept[some] / kept[-1], lost[some] / kept[some])

    @property
    def area(self) -> float:
        """Mean of the risk over all coverages: the smaller, the better the order of the rows."""
        return float(self.risk @ np.diff(self.coverage, prepend=0.0))

    def for_risk(self, wanted: float) -> float:
        """The `reject_cost` that decides most rows at a risk of at most `wanted`."""
        good = np.flatnonzero(self.risk <= wanted)
        if not len(good):
            raise ValueError(
                f"No rejection brings the risk to {wanted:g}: the least is {self.risk.min():.4g}, ask for that or more."
            )
        return float(self.reject_cost[good[-1]])

    def at(self, reject_cost: float) -> tuple[float, float]:
        """Coverage and risk of a `reject_cost`; (0, NaN) where it rejects every row."""
        number = int(np.searchsorted(self.reject_cost, reject_cost, side="right")) - 1
        return (float(self.coverage[number]), float(self.risk[number])) if number >= 0 else (0.0, float("nan"))

    def frame(self) -> Any:
        """The points as a pandas frame."""
        import pandas as pd

        return pd.DataFrame({"reject_cost": self.reject_cost, "coverage": self.coverage, "risk": self.risk})

    def __str__(self) -> str:
        return (
            f"risk {self.risk[-1]:.4g} when all rows are decided, {self.at_coverage(0.8):.4g} for the surest 80 %, "
            f"mean over all coverages {self.area:.4g}"
        )

    def at_coverage(self, share: float) -> float:
        """The risk at the smallest coverage of at least `share`."""
        return float(self.risk[min(int(np.searchsorted(self.coverage, share - 1e-12)), len(self.risk) - 1)])
