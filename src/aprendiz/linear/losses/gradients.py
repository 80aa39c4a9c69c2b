"""What a solver knows of a loss: its value, gradient and curvature, as a record that adds over the rows."""

from __future__ import annotations

from dataclasses import dataclass

from aprendiz.core.rows import Array
from aprendiz.core.sums import Sums


@dataclass(frozen=True)
class Gradients(Sums):
    """Loss, gradient and curvature (matrix of second derivatives, or a product with it) at the current parameters."""

    loss: float
    gradient: Array
    curvature: Array
