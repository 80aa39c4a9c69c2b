"""Random matrices, each entry a function of the seed, of the draw and of its place.

    normal    z = √(−2 ln(1 − u))·cos 2πv, and √(−2 ln(1 − u))·sin 2πv in the next column                     (1)
    sparse    ±√(1/p) with probability p/2 each, else 0; the gap to the next entry that is none is
              ⌊ln(1 − u) / ln(1 − p)⌋, a geometric number                                                      (2)

Both times 1/√k for k rows, so that E‖Px‖² = ‖x‖². (2) draws as many numbers as there are entries, and they come in order.

References: Achlioptas, "Database-friendly random projections", JCSS 66, 2003; Li, Hastie & Church, "Very sparse random
projections", KDD 2006.
"""

from __future__ import annotations

import math

import numpy as np
from scipy import sparse

from aprendiz.compilation.compiled import compiled
from aprendiz.core.hashing import mix, uniform
from aprendiz.core.random import stream_key
from aprendiz.core.rows import Array
from aprendiz.core.threads import ordered_map

ENTRIES = 2**18  # of a run of rows, which one thread draws


def runs(rows: int, columns: int) -> list[tuple[int, int]]:
    """Rows first to last of each run."""
    step = max(1, ENTRIES // max(columns, 1))
    return [(first, min(first + step, rows)) for first in range(0, rows, step)]


def normal_matrix(rows: int, columns: int, seed: int, draw: int) -> Array:
    """(1), by several threads."""
    found: Array = np.empty((rows, columns))
    key = stream_key(seed, draw)

    def fill(run: tuple[int, int]) -> None:
        fill_normal(key, run[0], 1.0 / math.sqrt(rows), found[run[0] : run[1]])

    for _ in ordered_map(fill, runs(rows, columns)):
        pass
    return found


def sparse_matrix(rows: int, columns: int, density: float, seed: int, draw: int) -> sparse.csr_matrix:
    """(2), by several threads."""
    key, size = stream_key(seed, draw), 1.0 / math.sqrt(density * rows)

    def drawn(run: tuple[int, int]) -> tuple[Array, Array, Array]:
        counts = np.empty(run[1] - run[0], np.int64)
        room = int((run[1] - run[0]) * (columns * density + 12.0 * math.sqrt(columns * density) + 60.0))
        places: Array = np.empty(min(room, (run[1] - run[0]) * columns), np.int32 if columns < 2**31 else np.int64)
        signs: Array = np.empty(len(places))
        stored = draw_signs(key, run[0], density, columns, size, counts, places, signs)
        return counts, places[:stored], signs[:stored]

    parts = list(ordered_map(drawn, runs(rows, max(int(columns * density), 1))))
    starts = np.concatenate([[0], np.cumsum(np.concatenate([part[0] for part in parts]))])
    cells, places = np.concatenate([part[2] for part in parts]), np.concatenate([part[1] for part in parts])
    return sparse.csr_matrix((cells, places, starts), shape=(rows, columns))


@compiled
def fill_normal(key: np.uint64, first: int, scale: float, out: Array) -> None:
    """(1), times `scale`, of rows that begin at `first`."""
    pairs = (out.shape[1] + 1) // 2
    for i in range(out.shape[0]):
        at = mix(key + np.uint64(first + i))
        for p in range(pairs):
            radius = scale * math.sqrt(-2.0 * math.log(1.0 - uniform(at + np.uint64(2 * p))))
            angle = 2.0 * math.pi * uniform(at + np.uint64(2 * p + 1))
            out[i, 2 * p] = radius * math.cos(angle)
            if 2 * p + 1 < out.shape[1]:
                out[i, 2 * p + 1] = radius * math.sin(angle)


@compiled
def draw_signs(
    key: np.uint64, first: int, density: float, columns: int, size: float, counts: Array, places: Array, signs: Array
) -> int:
    """(2) of rows that begin at `first`: how many entries each has, their columns and values; returns how many in all."""
    stored = 0
    rate = math.log1p(-density) if density < 1.0 else -math.inf
    for i in range(len(counts)):
        at, n, before = mix(key + np.uint64(first + i)), np.uint64(0), stored
        j = -1
        while stored < len(places):
            gap = math.log1p(-uniform(at + n)) / rate
            if gap >= columns - j - 1:
                break
            j += 1 + int(gap)
            places[stored] = j
            signs[stored] = size if mix(at + n + np.uint64(1)) >> np.uint64(63) else -size
            n += np.uint64(2)
            stored += 1
        counts[i] = stored - before
    return stored
