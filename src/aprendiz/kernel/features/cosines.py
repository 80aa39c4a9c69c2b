"""Cosines of many phases, in one pass over them.

With the phase t in turns (1 turn = 2π), r = t − round(t) and s = ¼ − |r|, which lies between −¼ and ¼,

    cos 2πt = sin 2πs = s·(c₀ + c₁s² + … + c₁₀s²⁰),     c_j = (−1)^j (2π)^(2j+1) / (2j+1)!                      (1)

to the last digit or two: the next term is below 10⁻¹⁸. There is no branch and no call in the loop, so that the processor does
several entries at a time. What is lost is what the phase itself has lost, ε·|t|.
"""

from __future__ import annotations

import math

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.kernel.features.far_cells import largest_size, refuse_far

TILE = 256  # rows whose phases stay in the cache of the processor
C0, C1, C2, C3, C4, C5, C6, C7, C8, C9, C10 = (
    (-1) ** j * (2.0 * math.pi) ** (2 * j + 1) / math.factorial(2 * j + 1) for j in range(11)
)


def cosine_features(X: Array, weights: Array, offset: Array, dtype: type) -> Array:
    """√(2/D)·cos(Wᵀx + b) of each row; X may be sparse. The phases are of double precision, whatever the answer is."""
    turns, begin = weights / (2.0 * np.pi), offset / (2.0 * np.pi)
    scale = math.sqrt(2.0 / len(offset))
    found: Array = np.empty((X.shape[0], len(offset)), dtype)
    if not math.isfinite(float(np.abs(turns).sum(axis=0).max()) * largest_size(X)):
        refuse_far(X, "phases")
    for at in range(0, X.shape[0], TILE):
        fill_cosines(X[at : at + TILE] @ turns, begin, scale, found[at : at + TILE])
    return found


@compiled
def fill_cosines(turns: Array, begin: Array, scale: float, out: Array) -> None:
    """(1) of turns + begin, times `scale`."""
    for i in range(turns.shape[0]):
        for k in range(turns.shape[1]):
            t = turns[i, k] + begin[k]
            s = 0.25 - abs(t - np.floor(t + 0.5))
            q = s * s
            p = ((((C10 * q + C9) * q + C8) * q + C7) * q + C6) * q + C5
            out[i, k] = scale * s * (((((p * q + C4) * q + C3) * q + C2) * q + C1) * q + C0)
