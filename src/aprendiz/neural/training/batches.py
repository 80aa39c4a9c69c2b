"""An epoch of mini-batches: every row once, a step after each batch.

    g = 1/Σω · Σ_batch ∂loss/∂θ  + λW,     λ = α/Σω                                                            (1)

A batch whose products are large is cut into pieces whose gradients are computed side by side and added in their order. Where it
is cut is a matter of its size alone, so that the answer has the same bits for any number of threads.

Rows are visited in an order drawn for the epoch (linear/designs/visits.py); those of files in blocks.

Memory: two batches (at least half a megabyte), their outputs at each layer, and a gradient for each piece.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np
from scipy import sparse

from aprendiz.core.rows import Array, Rows
from aprendiz.core.threads import ordered_map
from aprendiz.linear.designs.visits import parts, visiting_order
from aprendiz.neural.losses.loss import Loss
from aprendiz.neural.network.architecture import Architecture
from aprendiz.neural.network.passes import Passes

LARGE_PIECE = 2**24  # multiplications of a forward pass from which a piece of a batch is worth a thread of its own
MOST_PIECES = 8
GATHERED = 2**16  # cells that are gathered at once, if a batch does not hold more

Drop = Callable[[Array, Array, int], object]  # silences neurons: an array, the numbers of its rows, the layer


@dataclass(frozen=True)
class Batch:
    """Some rows: features in the precision of θ, targets, weights, and their numbers."""

    X: Any
    y: Array
    weights: Array
    numbers: Array

    def __len__(self) -> int:
        return len(self.y)

    @cached_property
    def weight(self) -> float:
        """Σω."""
        return float(self.weights.sum(dtype=np.float64))

    def piece(self, rows: slice) -> Batch:
        return Batch(self.X[rows], self.y[rows], self.weights[rows], self.numbers[rows])


@dataclass(frozen=True)
class Gradients:
    """Gradients of batches of at most so many rows, in memory that is used again."""

    architecture: Architecture
    loss: Loss
    rows: int
    dtype: np.dtype
    dropout: float = 0.0

    @cached_property
    def pieces(self) -> int:
        """Into how many pieces a full batch is cut."""
        return int(min(MOST_PIECES, max(1, self.rows * self.architecture.n_weights // LARGE_PIECE)))

    @cached_property
    def memory(self) -> list[tuple[Passes, Array]]:
        """Layers and a gradient for each piece."""
        most = -(-self.rows // self.pieces)
        size = self.architecture.n_parameters
        return [(Passes(self.architecture, most, self.dtype), np.empty(size, self.dtype)) for _ in range(self.pieces)]

    def of(self, theta: Array, batch: Batch, drop: Drop | None = None) -> tuple[float, Array]:
        """The sum of the losses of a batch, and the mean gradient: (1) without λW."""
        scale = 1.0 / batch.weight
        if self.pieces == 1:
            return self.piece(theta, batch, scale, drop, 0), self.memory[0][1]
        cuts = np.linspace(0, len(batch), self.pieces + 1).astype(int)
        shares = [(i, batch.piece(slice(cuts[i], cuts[i + 1]))) for i in range(self.pieces) if cuts[i] < cuts[i + 1]]
        losses = list(ordered_map(lambda share: self.piece(theta, share[1], scale, drop, share[0]), shares))
        total = self.memory[shares[0][0]][1]
        for i, _ in shares[1:]:
            total += self.memory[i][1]
        return sum(losses), total

    def piece(self, theta: Array, batch: Batch, scale: float, drop: Drop | None, i: int) -> float:
        """The loss of a piece, whose gradient goes to its memory."""
        passes, g = self.memory[i]
        errors = partial(self.errors, batch, scale)
        silence = None if drop is None else (lambda H, layer: drop(H, batch.numbers, layer))
        return passes.gradient(theta, batch.X, errors, g, silence, self.dropout)

    def errors(self, batch: Batch, scale: float, V: Array) -> float:
        return self.loss.errors(V, batch.y, batch.weights, scale)


def batches(rows: Rows, size: int, loss: Loss, dtype: np.dtype, seed: int, epoch: int, shuffle: bool) -> Iterator[Batch]:
    """The rows in the order of an epoch, so many at a time."""
    for part in parts(rows):
        whole = Batch(part.X, loss.targets(part.y), part.weights, part.numbers)
        order = visiting_order(part, seed, epoch, shuffle) if shuffle else None
        together = size if sparse.issparse(part.X) else size * max(1, GATHERED // (size * part.X.shape[1]))
        buffer = None if sparse.issparse(part.X) else np.empty((min(together, len(part)), part.X.shape[1]), dtype)
        for start in range(0, len(part), together):
            chosen = slice(start, start + together) if order is None else order[start : start + together]
            several = gather(whole, chosen, buffer, dtype)
            if together == size:
                yield several
            else:
                yield from (several.piece(slice(begin, begin + size)) for begin in range(0, len(several), size))


def gather(whole: Batch, chosen: Any, buffer: Array | None, dtype: np.dtype) -> Batch:
    """The chosen rows of all, those of a dense table in the buffer."""
    X: Any = whole.X
    if buffer is None or isinstance(chosen, slice) or X.dtype != dtype:
        X = X[chosen].astype(dtype, copy=False)
    else:
        X = np.take(X, chosen, axis=0, out=buffer[: len(chosen)], mode="clip")
    return Batch(X, whole.y[chosen], whole.weights[chosen], whole.numbers[chosen])
