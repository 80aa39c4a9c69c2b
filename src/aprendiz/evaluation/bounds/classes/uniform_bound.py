"""Bounds that hold for all rules of a class at once, and what can be asked of them.

    P(some rule of the class is ε off) ≤ A(n)·e^{−c·n·ε^q}                                                      (1)

A(n) is in how many ways the class can label the rows; q = 2 where the training error is compared with the error, q = 1 where
it is 0. So

    ε = ((ln A(n) + ln(1/δ))/(c·n))^{1/q}                                                                       (2)

and the rows are found by search: ln A(n) is concave in n and (1) is above 1 for a single row, so it crosses δ once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, inf, log

from aprendiz.evaluation.bounds.inputs.numbers import unknown_of
from aprendiz.evaluation.bounds.shares.share_bound import fewest_rows


@dataclass(frozen=True)
class UniformBound:
    """(1)."""

    name: str
    log_labellings: Callable[[int], float]  # ln A(n)
    c: float
    q: int

    def log_delta(self, n: int, eps: float) -> float:
        """ln of the right side of (1)."""
        return self.log_labellings(n) - self.c * n * eps**self.q

    def eps(self, n: int, delta: float) -> float:
        """(2)."""
        return ((self.log_labellings(n) - log(delta)) / (self.c * n)) ** (1.0 / self.q)

    def answer(self, n: int | None, eps: float | None, delta: float | None) -> float:
        """The third of n, ε and δ."""
        unknown = unknown_of(self.name, n, eps, delta)
        if unknown == "eps":
            assert n is not None
            assert delta is not None
            return self.eps(int(n), delta)
        assert eps is not None
        if unknown == "delta":
            assert n is not None
            power = self.log_delta(int(n), eps)
            return exp(power) if power < 700.0 else inf
        assert delta is not None
        return fewest_rows(lambda rows: self.log_delta(rows, eps) <= log(delta))
