"""Coordinate descent along a path of penalties, where the products of all columns are known: one compiled loop.

For each penalty in turn, from the largest on, ½wᵀGw − cᵀw + λ₁‖w‖₁ + ½λ₂‖w‖² is lowered coordinate by coordinate
(coordinate_descent.py), starting a step further on along the straight line through the last two answers (paths.py), until the
duality gap (working_set.py) is small:

    with q = c − Gw:     ‖r‖² = yᵀy − wᵀ(c + q),     yᵀr = yᵀy − cᵀw                                          (1)

so that a look at the gap costs d, not n·d. Where sweeps do not come to rest, the working set finishes the work.

Cost: d for each coordinate that moves.
"""

from __future__ import annotations

import numpy as np

from aprendiz.core.compiled import compiled
from aprendiz.linear.coordinate_descent import sweep


@compiled
def swept_path(G, c, energy, l1s, l2s, positive, tol, most, W, gaps, sweeps):  # type: ignore[no-untyped-def]
    """Fills the rows of W, the gaps as parts of yᵀy, and the sweeps; returns how many penalties it could finish."""
    d = len(c)
    w, q, before = np.zeros(d), c.copy(), np.zeros(d)
    everyone, some = np.arange(d), np.empty(d, np.int64)
    for k in range(len(l1s)):
        if k > 1 and l1s[k - 2] + l2s[k - 2] > l1s[k - 1] + l2s[k - 1]:
            ahead = (l1s[k - 1] + l2s[k - 1] - l1s[k] - l2s[k]) / (l1s[k - 2] + l2s[k - 2] - l1s[k - 1] - l2s[k - 1])
            further(G, q, w, before, ahead)
        if k > 0:
            before[:] = W[k - 1]
        gap = relative_gap(c, q, w, energy, l1s[k], l2s[k], positive)
        done = 0
        while gap > tol:
            if done >= most:
                return k
            fall = sweep(G, q, w, l1s[k], l2s[k], positive, everyone, d)
            done += 1
            gap = relative_gap(c, q, w, energy, l1s[k], l2s[k], positive)
            count = 0
            for j in range(d):
                if w[j] != 0.0:
                    some[count] = j
                    count += 1
            for _ in range(10):
                if gap <= tol:
                    break
                less = sweep(G, q, w, l1s[k], l2s[k], positive, some, count)
                done += 1
                if less <= 0.03 * fall:
                    break
        W[k], gaps[k], sweeps[k] = w, gap, max(done, 1)
    return len(l1s)


@compiled
def further(G, q, w, before, ahead):  # type: ignore[no-untyped-def]
    """A step on along the line through the last two answers, for coefficients that keep their sign."""
    for j in range(len(w)):
        step = ahead * (w[j] - before[j])
        if before[j] * w[j] > 0.0 and w[j] * (w[j] + step) > 0.0:
            w[j] += step
            for i in range(len(q)):
                q[i] -= step * G[j, i]


@compiled
def relative_gap(c, q, w, energy, l1, l2, positive):  # type: ignore[no-untyped-def]
    """(2) of working_set.py, by (1)."""
    along, error, squares, size, steepest = 0.0, energy, 0.0, 0.0, 0.0
    for j in range(len(w)):
        slope = q[j] - l2 * w[j]
        steepest = max(steepest, slope if positive else abs(slope))
        if w[j] != 0.0:
            along += c[j] * w[j]
            error -= w[j] * (c[j] + q[j])
            squares += w[j] * w[j]
            size += abs(w[j])
    if energy <= 0.0:
        return 0.0
    against, curve = energy - along, max(error, 0.0) + l2 * squares
    s = against / curve if curve > 0.0 else 0.0
    if steepest > 0.0:
        s = max(min(s, l1 / steepest), 0.0 if positive else -l1 / steepest)
    primal = 0.5 * max(error, 0.0) + l1 * size + 0.5 * l2 * squares
    return max(0.0, (primal - s * against + 0.5 * s * s * curve) / energy)
