"""Penalties on the factors: on the sum of their entries (α·ρ) and on the sum of their squares (α·(1 − ρ)/2).

    α_U·d·(ρ Σu + ½(1 − ρ) Σu²)  +  α_V·n·(ρ Σv + ½(1 − ρ) Σv²)                                              (1)

The rows U are n and the columns d: each factor is multiplied by the length of the other, so that the balance between the
penalties and the error does not depend on the size of the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from aprendiz.core.rows import Array


@dataclass(frozen=True)
class Penalty:
    """λ₁ Σu + ½λ₂ Σu² of one factor."""

    l1: float
    l2: float

    @classmethod
    def of(cls, alpha: float, share: float, length: int) -> Self:
        """One half of (1); `share` is ρ."""
        return cls(length * alpha * share, length * alpha * (1.0 - share))

    def on(self, factor: Array) -> float:
        """Its value."""
        if self.l1 == 0.0 and self.l2 == 0.0:
            return 0.0
        return self.l1 * float(factor.sum()) + 0.5 * self.l2 * float(np.vdot(factor, factor))

    def curved(self, gram: Array) -> Array:
        """A Gram matrix with λ₂ on its diagonal."""
        return gram + self.l2 * np.eye(len(gram)) if self.l2 else gram
