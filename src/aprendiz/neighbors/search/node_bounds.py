"""How near and how far the points of a node can be: sums of a metric from a query to a box, to a ball, to the points of a leaf.

    box     Σ of the terms of the nearest (farthest) place of each side                                        (1)
    ball    d(q, c) − r ≤ d(q, x) ≤ d(q, c) + r     for every point x of the ball, by the triangle inequality  (2)

(1) is computed by the same operations in the same order as a sum, and rounding keeps order, so it never exceeds (never falls
below) the sum of a point inside, to the last bit; powers other than 1, 2 and ∞ have a margin, and so has (2).
"""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.neighbors.search.metrics import ABSOLUTES, LARGEST, POWERS, SQUARES

BOX_MARGIN = 1.0 - 1e-12  # of (1) for powers: the library's power is not exactly monotone
BALL_MARGIN = 1e-12  # of (2), relative to its two distances


@compiled(exact=True, inner=True)
def leaf_sums(table: Array, leaf: int, q: Array, code: int, p: float, out: Array) -> None:
    """The sums between q and the points of a leaf."""
    width = len(out)
    for j in range(width):
        out[j] = 0.0
    for t in range(len(q)):
        x, u = table[leaf, t], q[t]
        if code == SQUARES:
            for j in range(width):
                out[j] += (x[j] - u) * (x[j] - u)
        elif code == ABSOLUTES:
            for j in range(width):
                out[j] += abs(x[j] - u)
        elif code == LARGEST:
            for j in range(width):
                out[j] = max(out[j], abs(x[j] - u))
        elif code == POWERS:
            for j in range(width):
                out[j] += abs(x[j] - u) ** p
        else:
            for j in range(width):
                out[j] += 1.0 if x[j] != u else 0.0


# ---- boxes -------------------------------------------------------------------------------------------------------------


@compiled(exact=True, inner=True)
def term(u: float, code: int, p: float) -> float:
    """What a difference adds to a sum, at least."""
    if code == SQUARES:
        return u * u
    return abs(u) if code != POWERS else abs(u) ** p * BOX_MARGIN


@compiled(exact=True, inner=True)
def box_bound(box: Array, node: int, q: Array, code: int, p: float) -> float:
    """The least sum of (1)."""
    total = 0.0
    for t in range(len(q)):
        below, above = box[node, t, 0] - q[t], q[t] - box[node, t, 1]
        u = below if below > above else above
        v = term(u if u > 0.0 else 0.0, code, p)
        if code == LARGEST:
            total = v if v > total else total
        else:
            total += v
    return total


@compiled(exact=True, inner=True)
def box_reach(box: Array, node: int, q: Array, code: int, p: float) -> float:
    """The largest sum of (1)."""
    total = 0.0
    for t in range(len(q)):
        low, high = abs(box[node, t, 0] - q[t]), abs(box[node, t, 1] - q[t])
        v = term(low if low > high else high, code, p)
        if code == LARGEST:
            total = v if v > total else total
        else:
            total += v
    return total / (BOX_MARGIN * BOX_MARGIN) if code == POWERS else total


# ---- balls -------------------------------------------------------------------------------------------------------------


@compiled(exact=True, inner=True)
def distance(x: Array, q: Array, code: int, p: float) -> float:
    """The distance itself, not its sum (for Hamming, the number of columns that differ: that is a metric too)."""
    total = 0.0
    for t in range(len(q)):
        u = abs(x[t] - q[t])
        if code == SQUARES:
            total += u * u
        elif code == ABSOLUTES:
            total += u
        elif code == LARGEST:
            total = max(total, u)
        elif code == POWERS:
            total += u**p
        else:
            total += 1.0 if u != 0.0 else 0.0
    if code == SQUARES:
        return np.sqrt(total)
    return total ** (1.0 / p) if code == POWERS else total


@compiled(exact=True, inner=True)
def ball_bound(centres: Array, radii: Array, node: int, q: Array, code: int, p: float) -> float:
    """The least sum of (2)."""
    away = distance(centres[node], q, code, p)
    least = max(away - radii[node] - BALL_MARGIN * (away + radii[node]), 0.0)
    if code == SQUARES:
        return least * least
    return least**p if code == POWERS else least


@compiled(exact=True, inner=True)
def ball_reach(centres: Array, radii: Array, node: int, q: Array, code: int, p: float) -> float:
    """The largest sum of (2)."""
    most = (distance(centres[node], q, code, p) + radii[node]) * (1.0 + BALL_MARGIN)
    if code == SQUARES:
        return most * most
    return most**p if code == POWERS else most
