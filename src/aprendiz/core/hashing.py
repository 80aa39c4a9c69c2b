"""Random numbers inside kernels: the hash of core/random.py for one number.

    z ← γ·(z + 1);   z ← (z ⊕ z»30)·α;   z ← (z ⊕ z»27)·β;   z ← z ⊕ z»31        modulo 2⁶⁴                (1)

A kernel gets a key (`stream_key`) and hashes key + i for its i-th number, so that the number does not depend on what was drawn
before it.
"""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.random import ALPHA, BETA, GAMMA


@compiled
def mix(z: np.uint64) -> np.uint64:
    """(1) of an unsigned number of 64 bits."""
    z = (z + np.uint64(1)) * GAMMA
    z = (z ^ (z >> np.uint64(30))) * ALPHA
    z = (z ^ (z >> np.uint64(27))) * BETA
    return z ^ (z >> np.uint64(31))


@compiled(inner=True)
def uniform(z: np.uint64) -> float:
    """The 53 highest bits of (1), as a number in [0, 1)."""
    return np.float64(mix(z) >> np.uint64(11)) * 2.0**-53
