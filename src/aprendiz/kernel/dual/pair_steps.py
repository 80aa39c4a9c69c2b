"""Steps of two variables: the smallest change that keeps Σβ. Within the working set, until it is nearly optimal,

    i = argmin up_i                                              the cheapest to raise
    j = argmax (down_j − up_i)² / (K_ii + K_jj − 2K_ij)          the partner with which the objective falls most      (1)
    δ = (down_j − up_i) / (K_ii + K_jj − 2K_ij)                  the exact minimum along the line, cut off where a variable
                                                                 meets its bound, or zero if ε > 0
    β_i ← β_i + δ,  β_j ← β_j − δ,  g ← g + δ(K_i − K_j)                                                       (2)

`up` and `fall` = −down are kept side by side, with ∞ for what cannot move, so that (2) is one addition and the searches are
minima of arrays. The rows of K that a step needs are read from those that are kept (kernel_rows.py), at the set's variables.

Reference: Fan, Chen & Lin, "Working set selection using second order information for training support vector machines",
Journal of Machine Learning Research 6, 2005.
"""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array

FLAT = 1e-12  # curvature below which a direction counts as flat
FLATTEST = 1e-7  # of K_ii, below which curvatures of partners are not told apart
NOTHING = 1e-30  # 0 divided by 0 would be no number
RESIDUE = 1e-15  # of the way to a bound: what is left of it by rounding is gone
CHUNK = 256


@compiled
def pair_steps(
    rows: Array,
    places: Array,
    members: Array,
    diagonal: Array,
    beta: Array,
    g: Array,
    low: Array,
    high: Array,
    eps: float,
    split: int,
    tol: float,
    most: int,
) -> int:
    """(1) and (2) until the violation is at most `tol`, or `most` steps are made: their number. Changes beta. Row `places[a]`
    of `rows` is K of the variable `members[a]`, the a-th of the set."""
    q = len(beta)
    up, fall, gain = np.empty(q), np.empty(q), np.empty(q, rows.dtype)
    row, other, sizes = np.empty(q, rows.dtype), np.empty(q, rows.dtype), np.empty(q, rows.dtype)
    for a in range(q):
        sizes[a] = diagonal[a]
        set_slopes(a, g[a], beta, low, high, eps, up, fall)
    steps = int64(0)
    while steps < most:
        start, stop, i = widest_violation(up, fall, split)
        worst = fall[start + smallest(fall[start:stop])]
        if -worst - up[i] <= tol:
            break
        read_row(rows[places[i]], members, row)
        fill_gains(start, stop, up[i], fall, sizes[i], sizes, row, gain)
        j = start + smallest(gain[start:stop])
        read_row(rows[places[j]], members, other)
        curvature_ij = max(diagonal[i] + diagonal[j] - 2.0 * row[j], FLAT)
        ceiling = high[i] if beta[i] >= 0.0 else min(high[i], 0.0)
        floor = low[j] if beta[j] <= 0.0 else max(low[j], 0.0)
        room_i, room_j = ceiling - beta[i], beta[j] - floor
        step = min((-fall[j] - up[i]) / curvature_ij, room_i, room_j)
        g_i = up[i] - (eps if beta[i] >= 0.0 else -eps) + step * (diagonal[i] - row[j])
        g_j = -fall[j] - (eps if beta[j] > 0.0 else -eps) - step * (diagonal[j] - row[j])
        for a in range(q):
            change = step * (row[a] - other[a])
            up[a] += change
            fall[a] -= change
        beta[i] = ceiling if step >= (1.0 - RESIDUE) * room_i else beta[i] + step
        beta[j] = floor if step >= (1.0 - RESIDUE) * room_j else beta[j] - step
        set_slopes(i, g_i, beta, low, high, eps, up, fall)
        set_slopes(j, g_j, beta, low, high, eps, up, fall)
        steps += 1
    return steps


@compiled(inner=True)
def fill_gains(start: int, stop: int, least: float, fall: Array, size: float, sizes: Array, row: Array, gain: Array) -> None:
    """Minus the gain of (1) for each partner, in the precision of the rows."""
    flattest = max(sizes.dtype.type(FLATTEST) * size, sizes.dtype.type(NOTHING))
    for a in range(start, stop):
        gain[a] = max(-fall[a] - least, 0.0)
    for a in range(start, stop):
        curvature = size + sizes[a] - (row[a] + row[a])
        gain[a] = -(gain[a] * gain[a]) / max(curvature, flattest)


@compiled(inner=True)
def read_row(whole: Array, members: Array, row: Array) -> None:
    for a in range(len(members)):
        row[a] = whole[members[a]]


@compiled(inner=True)
def set_slopes(a: int, g: float, beta: Array, low: Array, high: Array, eps: float, up: Array, fall: Array) -> None:
    """What it costs variable a to grow, and minus what it costs to fall; ∞ at a bound."""
    up[a] = np.inf if beta[a] >= high[a] else g + (eps if beta[a] >= 0.0 else -eps)
    fall[a] = np.inf if beta[a] <= low[a] else -g - (eps if beta[a] > 0.0 else -eps)


@compiled(inner=True)
def widest_violation(up: Array, fall: Array, split: int) -> tuple[int, int, int]:
    """The sum, as a range of variables, whose two sides are furthest apart, and its cheapest variable to raise."""
    q = len(up)
    if split >= q or split <= 0:
        return 0, q, smallest(up)
    first, second = smallest(up[:split]), split + smallest(up[split:])
    of_first = -fall[smallest(fall[:split])] - up[first]
    of_second = -fall[split + smallest(fall[split:])] - up[second]
    if of_first >= of_second:
        return 0, split, first
    return split, q, second


@compiled(inner=True)
def smallest(values: Array) -> int:
    """The place of the smallest value, by eight running minima at a time."""
    n = len(values)
    best, at = values[0], 0
    for start in range(0, n - n % CHUNK, CHUNK):
        found = smallest_of_chunk(values[start : start + CHUNK])
        if found < best:
            best, at = found, start
    whole = n - n % CHUNK
    for a in range(at, min(at + CHUNK, whole)):
        if values[a] == best:
            at = a
            break
    for a in range(whole, n):
        if values[a] < best:
            best, at = values[a], a
    return at


@compiled(inner=True)
def smallest_of_chunk(v: Array) -> float:
    """The smallest of CHUNK values: running minima that do not wait for each other."""
    m0, m1, m2, m3, m4, m5, m6, m7 = v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]
    for a in range(8, CHUNK, 8):
        m0 = v[a] if v[a] < m0 else m0
        m1 = v[a + 1] if v[a + 1] < m1 else m1
        m2 = v[a + 2] if v[a + 2] < m2 else m2
        m3 = v[a + 3] if v[a + 3] < m3 else m3
        m4 = v[a + 4] if v[a + 4] < m4 else m4
        m5 = v[a + 5] if v[a + 5] < m5 else m5
        m6 = v[a + 6] if v[a + 6] < m6 else m6
        m7 = v[a + 7] if v[a + 7] < m7 else m7
    return min(min(min(m0, m1), min(m2, m3)), min(min(m4, m5), min(m6, m7)))
