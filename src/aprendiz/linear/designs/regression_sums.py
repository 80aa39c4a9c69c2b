"""The sums of a regression: moments or a triangle of the columns and targets, and Σ ln ω.

The weights enter the likelihood of a regression twice: each row has the variance σ²/ω, so that

    ln L = ½·(Σ ln ω − n·ln(2πσ²) − Σ ω r²/σ²)                                                                (1)

The squares are in the records of summaries/moments.py. Σ ln ω, over the rows that count, is added here; it adds as they do.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from aprendiz.core.rows import Array, Block
from aprendiz.summaries.moments import Moments, Triangle


def log_weight(block: Block) -> float:
    """Σ ln ω of the rows that count."""
    return 0.0 if block.weight is None else float(np.log(block.weight[block.weight > 0], dtype=np.float64).sum())


@dataclass(frozen=True)
class RegressionTriangle(Triangle):
    """A triangle, and Σ ln ω."""

    log_weight: float = 0.0

    @classmethod
    def joint(cls, pivot: Array, block: Block) -> Self:
        return replace(super().joint(pivot, block), log_weight=log_weight(block))

    def __add__(self, other: Any) -> Any:
        return add_logs(super().__add__(other), self, other)


@dataclass(frozen=True)
class RegressionMoments(Moments):
    """Moments, and Σ ln ω."""

    log_weight: float = 0.0

    @classmethod
    def joint(cls, pivot: Array, block: Block) -> Self:
        return replace(super().joint(pivot, block), log_weight=log_weight(block))

    @classmethod
    def joint_each(cls, pivot: Array, weights: Array, block: Block) -> list[Self]:
        logs = np.log(np.maximum(np.arange(weights.max(initial=0) + 1), 1))[weights].sum(axis=1)  # whole numbers, few of them
        found = super().joint_each(pivot, weights, block)
        return [replace(one, log_weight=float(total)) for one, total in zip(found, logs, strict=True)]

    def __add__(self, other: Any) -> Any:
        return add_logs(super().__add__(other), self, other)

    def __iadd__(self, other: Any) -> Any:
        return add_logs(super().__iadd__(other), self, other)

    def triangle(self) -> RegressionTriangle:
        """A triangle with RᵀR = gram, found with columns of length 1, so that none is lost beside others of larger units."""
        size = np.sqrt(np.diagonal(self.gram))
        size = np.where(size > 0, size, 1.0)
        scaled = Moments(self.gram / size / size[:, None], self.pivot).triangle()
        return RegressionTriangle(scaled.R * size, self.pivot, self.target, self.rows, True, self.log_weight)


def add_logs(total: Any, one: Any, other: Any) -> Any:
    """The sum of two records, with its Σ ln ω."""
    both = one.log_weight + getattr(other, "log_weight", 0.0)
    if isinstance(total, (RegressionTriangle, RegressionMoments)):
        return replace(total, log_weight=both)
    return RegressionTriangle(total.R, total.pivot, total.target, total.rows, total.squared, both)
