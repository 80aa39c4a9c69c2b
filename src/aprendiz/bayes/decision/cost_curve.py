"""Cost curve: what the decision between two classes costs at every threshold of the probability.

The second class is decided where p(2 | x) > t. With π_k the share of class k, FPR = P(p > t | 1) and FNR = P(p ≤ t | 2),

    cost(t) = π₁·((1 − FPR)·L₁₁ + FPR·L₁₂) + π₂·(FNR·L₂₁ + (1 − FNR)·L₂₂)                                    (1)

Rates change at the probabilities that occur; t is half-way between two of them, −∞ decides always for the second class and ∞
never. Rows are compared by their odds o = p(2 | x)/p(1 | x), which keep their digits where a probability is near 1; then
t = o/(1 + o), and half-way is √(o·o'). A threshold is a loss: with [[0, t], [1 − t, 0]] the decision of least risk
(decision_rule.py) is p(2 | x) > t. Where the probabilities are right, the cheapest t is the one that follows from L; where they
are not, the rows say which one is.

Cost: O(n log n), one sort.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from aprendiz.core.rows import Array


@dataclass(frozen=True)
class ChosenThreshold:
    """A threshold on the probability of the second class, and what it does on the rows that it was chosen on.

    Attributes
    ----------
    odds : float
        Decide the second class where its odds are higher; inf: never, −inf: always.
    fpr, fnr : float
        Of the rows of the first class, the share decided for the second; of the second, for the first.
    cost : float
        (1).
    positive : label
        The second class.
    """

    odds: float
    fpr: float
    fnr: float
    cost: float
    positive: Any

    @property
    def threshold(self) -> float:
        """The same for its probability: t."""
        return self.odds if np.isinf(self.odds) else self.odds / (1.0 + self.odds)

    @property
    def loss(self) -> list[list[float]]:
        """The loss whose decision of least risk has this threshold."""
        if np.isinf(self.odds):
            return [[0.0, 1.0], [0.0, 1.0]] if self.odds > 0 else [[1.0, 0.0], [1.0, 0.0]]
        return [[0.0, self.threshold], [1.0 / (1.0 + self.odds), 0.0]]

    def __str__(self) -> str:
        when = {float("inf"): "never", float("-inf"): "always"}.get(self.threshold, f"where p > {self.threshold:.6g}")
        return f"{self.positive!r} {when}: FPR {self.fpr:.4g}, FNR {self.fnr:.4g}, cost {self.cost:.4g}"


@dataclass(frozen=True, eq=False)
class CostCurve:
    """The curve (1), one point for each distinct probability and one for never.

    Attributes
    ----------
    odds, fpr, fnr, cost : ndarray of shape (n_points,)
        The odds to exceed fall from inf (never the second class) to −inf (always), FPR rises and FNR falls.
    positive : label
        The second class.
    """

    odds: Array
    fpr: Array
    fnr: Array
    cost: Array
    positive: Any

    @classmethod
    def of(cls, P: Array, second: Array, weight: Array, loss: Array, priors: Array | None, positive: Any) -> Self:
        """From the probabilities of both classes, whether a row is of the second, and the weight of each row."""
        odds = np.divide(P[:, 1], P[:, 0], out=np.full(len(P), np.inf), where=P[:, 0] > 0)
        values, where = np.unique(-odds, return_inverse=True)
        rows = [np.bincount(where, weight * one, len(values)) for one in (~second, second)]
        first, other = (np.concatenate([[0.0], np.cumsum(one)]) for one in rows)
        fpr, fnr = first / first[-1], (other[-1] - other) / other[-1]
        prior = np.array([first[-1], other[-1]]) / (first[-1] + other[-1]) if priors is None else priors
        cost = prior[0] * ((1 - fpr) * loss[0, 0] + fpr * loss[0, 1]) + prior[1] * (fnr * loss[1, 0] + (1 - fnr) * loss[1, 1])
        return cls(np.concatenate([[np.inf], midpoints(-values), [-np.inf]]), fpr, fnr, cost, positive)

    @property
    def threshold(self) -> Array:
        """The probabilities to exceed, t."""
        infinite = np.isinf(self.odds)
        return np.where(infinite, self.odds, self.odds / np.where(infinite, 1.0, 1.0 + self.odds))

    def for_fpr(self, wanted: float) -> ChosenThreshold:
        """The smallest FNR with FPR ≤ wanted; of several, the highest threshold."""
        refuse_outside("fpr", wanted)
        allowed = self.fnr[self.fpr <= wanted].min()
        return self.point(int(np.argmax(self.fnr == allowed)))

    def for_fnr(self, wanted: float) -> ChosenThreshold:
        """The smallest FPR with FNR ≤ wanted; of several, the lowest threshold."""
        refuse_outside("fnr", wanted)
        allowed = self.fpr[self.fnr <= wanted].min()
        return self.point(int(np.flatnonzero(self.fpr == allowed)[-1]))

    def cheapest(self) -> ChosenThreshold:
        """The lowest cost; of several, the highest threshold."""
        return self.point(int(np.argmin(self.cost)))

    def point(self, number: int) -> ChosenThreshold:
        odds, fpr, fnr, cost = (float(array[number]) for array in (self.odds, self.fpr, self.fnr, self.cost))
        return ChosenThreshold(odds, fpr, fnr, cost, self.positive)

    def frame(self) -> Any:
        """The points as a pandas frame."""
        import pandas as pd

        return pd.DataFrame({"threshold": self.threshold, "fpr": self.fpr, "fnr": self.fnr, "cost": self.cost})


def midpoints(odds: Array) -> Array:
    """Half-way between neighbours of falling odds, in their logarithms; between ∞ and o it is 2o, between o and 0 it is o/2."""
    high, low = np.minimum(odds[:-1], np.finfo(float).max), odds[1:]
    middle = np.maximum(np.sqrt(high) * np.sqrt(low), low)
    middle = np.where(np.isinf(odds[:-1]), np.minimum(low, high / 2) * 2, middle)
    return np.where(low == 0, np.minimum(high, 2.0) / 2, middle)


def refuse_outside(name: str, rate: float) -> None:
    if not 0 <= rate <= 1:
        raise ValueError(f"{name} = {rate!r} must lie between 0 and 1: 0.05 is 5 %.")
