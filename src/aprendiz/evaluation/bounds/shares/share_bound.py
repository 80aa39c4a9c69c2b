"""What the four bounds of a share have in common: an interval, and what can be asked of it.

p is the probability of an error, p̂ = k/n the share of errors on n rows that had no part in the choice of the rule. A bound
gives an interval around p̂ that covers p, but for a probability of δ. It reaches ε if its farther end is ε from p̂:

    δ(n, p̂, ε)   the smallest δ whose interval lies within ε of p̂                                                (1)
    δ(n, ε)      the largest of (1) over all p̂: whatever will be observed                                        (2)

Of (1) and (2) follow the ε of given n and δ and the fewest rows of given ε and δ. p̂ is any number from 0 to 1 there, not only
a multiple of 1/n: the answers are smooth in n, and a rounded count is never worse than (2) says."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from math import exp, log
from typing import Any

from aprendiz.evaluation.bounds.inputs.numbers import check_errors, check_rate, unknown_of

Interval = tuple[float, float]
MOST_ROWS = 2**62


class ShareBound(ABC):
    """An interval of a share, and its inverses."""

    name: str
    most_rows: int = MOST_ROWS  # beyond which its functions lose their digits

    @abstractmethod
    def interval(self, n: int, errors: float, delta: float) -> Interval:
        """The ends, within 0 and 1."""

    @abstractmethod
    def log_delta(self, n: int, rate: float, eps: float) -> float:
        """ln (1)."""

    @abstractmethod
    def worst_rate(self, n: int, eps: float) -> float:
        """The p̂ of (2)."""

    def reach(self, n: int, rate: float, delta: float) -> float:
        """The ε of a p̂: the distance of the farther end."""
        low, high = self.interval(n, rate * n, delta)
        return max(rate - low, high - rate)

    def worst_reach(self, n: int, delta: float) -> float:
        """The ε of (2), by halves: (2) falls as ε grows, and an interval reaches 1 at most."""
        return first(lambda eps: self.log_delta(n, self.worst_rate(n, eps), eps) <= log(delta), 0.0, 1.0)

    def rows(self, rate: float | None, eps: float, delta: float) -> int:
        """The fewest rows for which (1), or (2) without a rate, is at most δ: (1) and (2) fall as n grows. Twice as many rows
        until it is, then by halves."""

        def enough(n: int) -> bool:
            return self.log_delta(n, self.worst_rate(n, eps) if rate is None else rate, eps) <= log(delta)

        return fewest_rows(enough, self.most_rows)

    def answer(
        self, n: int | None, errors: float | None, eps: float | None, delta: float | None, rate: float | None = None
    ) -> Any:
        """The interval where errors were counted and δ is given; else the third of n, ε and δ."""
        unknown = unknown_of(self.name, n, eps, delta)
        if n is not None and n > self.most_rows:
            raise ValueError(
                f"n must be at most {self.most_rows:.0e} for {self.name}, got {n!r}: wilson is the same for so many."
            )
        if errors is not None and rate is not None:
            raise ValueError(f"{self.name} got errors={errors!r} and rate={rate!r}: give the one or the other.")
        if rate is not None:
            check_rate(rate)
        if unknown == "rows":
            if errors is not None:
                raise ValueError(
                    f"{self.name} got errors={errors!r} without n: give the n rows they were counted on, or for a number of "
                    "rows rate, the share of errors that you expect."
                )
            assert eps is not None
            assert delta is not None
            return self.rows(rate, float(eps), float(delta))
        assert n is not None
        if errors is not None:
            check_errors(errors, n)
            if delta is not None:
                return self.interval(int(n), int(errors), float(delta))
            rate = errors / n
        if delta is not None:
            return float(self.worst_reach(n, delta) if rate is None else self.reach(n, rate, delta))
        assert eps is not None
        return exp(self.log_delta(n, self.worst_rate(n, eps) if rate is None else rate, float(eps)))


def fewest_rows(enough: Callable[[int], bool], most: int = MOST_ROWS) -> int:
    """The smallest number of rows that is enough, where all larger ones are."""
    low, high = 0, 1
    while not enough(high):
        low, high = high, 2 * high
        if high > most:
            raise ValueError(f"{most:.0e} rows are not enough: choose a larger eps or delta.")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def first(holds: Callable[[float], bool], low: float, high: float) -> float:
    """The smallest number of an interval from which on a condition holds, by halves."""
    while True:
        middle = (low + high) / 2.0
        if middle in (low, high):
            return high
        low, high = (low, middle) if holds(middle) else (middle, high)
