"""How many mistakes a perceptron can make, once a plane is known that separates the classes.

With θ = (b, w), z = (1, x), the start θ₀, a constant η and any θ* that has every row on its own side, L = min |θ*ᵀz|:

    mistakes ≤ ‖θ*‖²·(‖θ* − θ₀/η‖² + 2·max‖z‖²)/L²                                                             (1)

in whatever order the rows come. θ* may have any length, so the best one is taken: s·θ* with s = max(0, θ*ᵀθ₀/η)/‖θ*‖², where
s = 0 stands for a θ* as short as one likes. Among planes of one direction, the one half-way between the classes has the largest
L. From a start at zero this is twice the bound of Novikoff, max‖z‖²‖θ*‖²/L².

Reference: Novikoff, "On convergence proofs for perceptrons", Symposium on the Mathematical Theory of Automata, 1962.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from aprendiz.core.rows import Array, Block
from aprendiz.core.sums import Sums
from aprendiz.linear.designs.visits import sides


@dataclass(frozen=True)
class Standing(Sums):
    """Of each plane, the weight of the rows on the wrong side, the lowest t of its own class and the highest of the others, and
    the weight of its own class and of the others."""

    errors: Array
    low: Array
    high: Array
    own: Array
    others: Array

    @classmethod
    def of(cls, planes: Array, block: Block) -> Self:
        T, K, counts = block.X @ planes[:, 1:].T + planes[:, 0], len(planes), (block.weights > 0)[:, None]
        own = np.column_stack([sides(block.y, k, K) > 0 for k in range(K)])
        errors = block.weights @ ((T >= 0) != own)
        low = np.min(T, axis=0, initial=np.inf, where=own & counts)
        high = np.max(T, axis=0, initial=-np.inf, where=~own & counts)
        return cls(errors, low, high, block.weights @ own, block.weights @ ~own)

    def __add__(self, other: Self) -> Self:
        low, high = np.minimum(self.low, other.low), np.maximum(self.high, other.high)
        return type(self)(self.errors + other.errors, low, high, self.own + other.own, self.others + other.others)

    @property
    def useful(self) -> bool:
        """Is every plane wrong about less weight than one class said of all rows?"""
        return bool((self.errors < np.minimum(self.own, self.others)).all())

    def centre(self, planes: Array, intercept: bool) -> tuple[Array, Array]:
        """The same planes half-way between the classes, if b may move, and L of (1); not positive if they do not separate."""
        if not intercept:
            return planes, margins(self)
        middle = (self.low + self.high) / 2.0
        return np.column_stack([planes[:, 0] - middle, planes[:, 1:]]), (self.low - self.high) / 2.0


def margins(standing: Standing) -> Array:
    """The smallest |t| of a row on its own side; negative if one is on the other side."""
    return np.minimum(standing.low, -standing.high)


def mistake_bound(plane: Array, margin: float, start: Array, square: float) -> float:
    """(1) from a start θ₀/η, with max‖z‖² = `square`; infinite where nothing is separated."""
    length = float(plane @ plane)
    if not margin > 0 or not np.isfinite(margin):
        return np.inf
    along = max(0.0, float(plane @ start)) / length
    away = along * plane - start
    return length * (float(away @ away) + 2.0 * square) / margin**2
