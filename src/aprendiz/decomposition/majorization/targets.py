"""What the distances between points should be: given numbers, or disparities in their order."""

from __future__ import annotations

from abc import ABC, abstractmethod

from aprendiz.core.rows import Array
from aprendiz.decomposition.majorization.disparities import PairOrder


class Targets(ABC):
    """The table that distances are compared with."""

    @abstractmethod
    def of(self, points: Array, *, begun: bool = True) -> Array:
        """The table for some points; `begun`: they are not those that a start was given."""


class Metric(Targets):
    """The dissimilarities themselves, whatever the points are."""

    def __init__(self, D: Array):
        self.D = D

    def of(self, points: Array, *, begun: bool = True) -> Array:
        return self.D


class Ordinal(Targets):
    """The disparities nearest to the distances; at the beginning, ranks."""

    def __init__(self, D: Array):
        self.order = PairOrder.of(D)

    def of(self, points: Array, *, begun: bool = True) -> Array:
        return self.order.nearest_to(points) if begun else self.order.first()


def targets_of(D: Array, *, metric: bool) -> Targets:
    """Those of metric or of ordinal scaling."""
    return Metric(D) if metric else Ordinal(D)
