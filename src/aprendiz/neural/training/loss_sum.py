"""The loss of all rows and its gradient, as a sum: files and Dask follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from aprendiz.core.rows import Array, Block
from aprendiz.core.sums import Sums
from aprendiz.neural.losses.loss import Loss
from aprendiz.neural.network.architecture import Architecture
from aprendiz.neural.network.passes import Passes, complex_outputs

CHECKED_ROWS = 64  # whose gradient is compared with a complex step


@dataclass(frozen=True)
class LossSum(Sums):
    """Σω, Σω·loss, and its gradient."""

    weight: float
    loss: float
    gradient: Array

    @classmethod
    def of(cls, network: Architecture, loss: Loss, theta: Array, block: Block) -> LossSum:
        passes, g = Passes(network, len(block), theta.dtype), np.empty_like(theta)
        y, w = loss.targets(block.y), block.weights
        X: Any = block.X.astype(theta.dtype, copy=False)
        with np.errstate(over="ignore", invalid="ignore"):
            total = passes.gradient(theta, X, lambda V: loss.errors(V, y, w, 1.0), g)
        return cls(float(w.sum()), total, g.astype(np.float64))


def gradient_error(network: Architecture, loss: Loss, theta: Array, seed: int, block: Block) -> float:
    """How far the gradient of some rows, along a random direction v, is from a complex step along it:
    |gᵀv − Im loss(θ + ihv)/h| / (|g|ᵀ|v|)."""
    some, theta = block.head(CHECKED_ROWS), theta.astype(np.float64)
    X: Any = some.X.toarray() if hasattr(some.X, "toarray") else some.X
    y, w, g = loss.targets(some.y), np.ones(len(some)), np.empty_like(theta)
    Passes(network, len(some), theta.dtype).gradient(theta, X.astype(np.float64), lambda V: loss.errors(V, y, w, 1.0), g)
    v, h = np.random.default_rng(seed).standard_normal(len(theta)), 1e-100
    exact = float(np.imag(loss.of_complex(complex_outputs(network, theta + 1j * h * v, X), y, w)) / h)
    return abs(float(g @ v) - exact) / max(1e-300, float(np.abs(g) @ np.abs(v)))
