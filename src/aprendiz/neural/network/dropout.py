"""Dropout: in training, each neuron of a hidden layer is silent with probability p, the others speak up by 1/(1 − p).

Which ones follows from the seed, the epoch, the layer and the number of the row (core/random.py), so that the way back meets
the same silence as the way forward, and a fit that was interrupted goes on with the same bits.

Reference: Srivastava et al., "Dropout: a simple way to prevent neural networks from overfitting", JMLR 15, 2014.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.hashing import uniform
from aprendiz.core.random import stream_key
from aprendiz.core.rows import Array

MOST_LAYERS = 2**10


def dropping(p: float, seed: int, epoch: int) -> Callable[[Array, Array, int], object] | None:
    """What silences the neurons H of rows with these numbers, in place; None where p = 0."""
    if p == 0.0:
        return None

    def silence(H: Array, numbers: Array, layer: int) -> None:
        key = stream_key(seed, -(3 + epoch * MOST_LAYERS + layer))
        drop_neurons(H, numbers.astype(np.uint64), key, p, H.dtype.type(1.0 / (1.0 - p)))

    return silence


@compiled
def drop_neurons(H: Array, numbers: Array, key: np.uint64, p: float, louder: float) -> None:
    """Zero, or `louder` times what it was."""
    width = np.uint64(H.shape[1])
    for i in range(H.shape[0]):
        for j in range(H.shape[1]):
            if uniform(key + numbers[i] * width + np.uint64(j)) < p:
                H[i, j] = 0.0
            else:
                H[i, j] *= louder
