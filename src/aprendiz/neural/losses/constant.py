"""Outputs that do not depend on the columns: what any network should be better than."""

from __future__ import annotations

import numpy as np

from aprendiz.core.rows import Array, Block, Rows
from aprendiz.neural.losses.loss import Loss


def loss_of_means(rows: Rows, loss: Loss, counts: bool = False) -> float:
    """The mean loss of the means as outputs; of counts, their logarithms."""
    total = rows.sum(target_totals)
    means = total[1:] / total[0]
    V = np.log(np.maximum(means, 1e-300)) if counts else means
    return float(rows.sum(constant_loss, loss, V)[0] / total[0])


def target_totals(block: Block) -> Array:
    """Σω and Σωy."""
    y = block.y.reshape(len(block), -1)
    return np.concatenate([[block.weights.sum()], block.weights @ y])


def constant_loss(loss: Loss, V: Array, block: Block) -> Array:
    """Σω·loss of the same outputs for every row."""
    outputs = np.tile(V, (len(block), 1))
    return np.array([loss.errors(outputs, loss.targets(block.y), block.weights, 1.0)])
