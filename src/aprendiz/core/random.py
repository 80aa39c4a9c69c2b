"""Random numbers that belong to a row, not to a moment.

A number is a function of the seed, a stream (iteration, restart, purpose) and the row number, so that it does not
matter how the rows are split, which thread draws first, or whether a fit was interrupted and resumed:

    u(seed, stream, i) = mix(mix(mix(seed) + stream) + i)                                              (1)

with mix the finaliser of SplitMix64 over the Weyl sequence γ·(i + 1) (all arithmetic modulo 2⁶⁴):

    z ← γ·(z + 1);   z ← (z ⊕ z»30)·α;   z ← (z ⊕ z»27)·β;   z ← z ⊕ z»31                              (2)

Reference: Steele, Lea & Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
"""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

WEYL, FIRST, SECOND = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB  # γ, α and β of (2)
GAMMA, ALPHA, BETA = np.uint64(WEYL), np.uint64(FIRST), np.uint64(SECOND)
MASK = (1 << 64) - 1


def mix(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """(2), element by element."""
    z = (z + np.uint64(1)) * GAMMA
    z = (z ^ (z >> np.uint64(30))) * ALPHA
    z = (z ^ (z >> np.uint64(27))) * BETA
    return z ^ (z >> np.uint64(31))


def mix_one(z: int) -> int:
    """(2) of one number, in Python's arithmetic: a tenth of the time that NumPy takes for an array of one."""
    z = (z + 1) * WEYL & MASK
    z = (z ^ (z >> 30)) * FIRST & MASK
    z = (z ^ (z >> 27)) * SECOND & MASK
    return z ^ (z >> 31)


def hashes(seed: int, stream: int, rows: NDArray[Any]) -> NDArray[np.uint64]:
    """One 64-bit number for each row number: (1)."""
    return mix(stream_key(seed, stream) + rows.astype(np.uint64))


def hash_one(seed: int, stream: int, row: int = 0) -> int:
    """The 64-bit number of one row: (1)."""
    return mix_one(int(stream_key(seed, stream)) + row & MASK)


def stream_key(seed: int, stream: int) -> np.uint64:
    """What the row number is added to in (1)."""
    return np.uint64(mix_one(mix_one(seed & MASK) + stream & MASK))


def uniforms(seed: int, stream: int, rows: NDArray[Any] | int) -> NDArray[Any]:
    """Numbers in [0, 1) with 53 bits, one for each row number (or for 0, 1, …, rows − 1)."""
    if isinstance(rows, int):
        rows = np.arange(rows)
    return (hashes(seed, stream, rows) >> np.uint64(11)) * 2.0**-53


def draw_seed(random_state: Any) -> int:
    """The one integer that a fit draws from `random_state`; everything random follows from it."""
    if isinstance(random_state, Integral):
        return int(random_state)
    from sklearn.utils import check_random_state

    return int(check_random_state(random_state).randint(2**31 - 1))
