"""The Kullback–Leibler divergence of many rows, entry by entry.

For fixed V, with s = Σ_j v_j, a row u of U has the convex problem

    minimise f(u) = Σ_t (s_t + λ₁) u_t + ½λ₂ Σ u_t² − Σ_j x_j ln y_j   over u ≥ 0,     y = V u                (1)

in which only the cells above 0 count. In one entry, with slope g and curvature h,

    g = s_t + λ₁ + λ₂u_t − Σ_j x_j v_jt/y_j,     h = λ₂ + Σ_j x_j v_jt²/y_j²                                  (2)

f flattens to the right. So Newton's step to the right, −g/h, stops before the minimum. To the left the curvature grows, at
u_t − δ to h/(1 − δR)² at most with R = max v_jt/y_j, and the step

    δ = g/(h + gR)                                                                                            (3)

stops before the minimum too. No step raises f.

Rows with all their cells above 0 share Vᵀ; others have a copy of its columns. R is found by the bits of v/y, which as whole
numbers stand in the same order, since nothing is negative: the largest of those is found for many cells at a time.

Cost: 6·k operations and k divisions for each cell above 0 and sweep.
Reference: Hsieh & Dhillon, "Fast coordinate descent methods with variable selection for non-negative matrix factorization",
KDD 2011, for the sweeps; (3) follows from the curvature of −ln.
"""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array
from aprendiz.decomposition.nonnegative.divergences import LEAST, PART_OF_X


@compiled
def newton_rows(
    cells: Array,
    columns: Array,
    starts: Array,
    V: Array,
    U: Array,
    l1: float,
    l2: float,
    most: int,
    enough: float,
    judged: bool,
) -> tuple[float, float]:
    """Sweeps over the rows of U in place, `most` of them, or until one moves `enough` of what the first did. Σ h·(the move)² of
    the first sweep, and, if they are to be judged, Σ x ln(x/y) at the end."""
    d, k = V.shape
    widest = int64(0)
    for i in range(len(U)):
        widest = max(widest, int64(starts[i + 1]) - int64(starts[i]))
    x, y, part, s = np.empty(widest), np.empty(widest), np.empty(widest + 1), np.zeros(k)
    shared, copied = np.empty((k, d if widest == d else 0)), np.empty((k, widest))
    for j in range(d):
        for t in range(k):
            s[t] += V[j, t]
    for j in range(shared.shape[1]):
        for t in range(k):
            shared[t, j] = V[j, t]
    moved, entropy = 0.0, 0.0
    for i in range(len(U)):
        count = int64(0)
        full = positive(cells, int64(starts[i]), int64(starts[i + 1])) == d
        for place in range(starts[i], starts[i + 1]):
            if cells[place] > 0.0:
                x[count] = cells[place]
                if not full:
                    j = columns[place]
                    for t in range(k):
                        copied[t, count] = V[j, t]
                count += 1
        T = shared if full else copied
        moved += newton_row(T, x[:count], y[:count], part, s, U[i], l1, l2, most, enough)
        if judged:
            for a in range(count):
                entropy += x[a] * np.log(x[a] / y[a])
    return moved, entropy


@compiled(inner=True)
def positive(cells: Array, start: int, stop: int) -> int:
    """How many of some cells are above 0."""
    count = 0
    for place in range(start, stop):
        count += cells[place] > 0.0
    return count


@compiled(inner=True)
def newton_row(
    T: Array,
    x: Array,
    y: Array,
    part: Array,
    s: Array,
    u: Array,
    l1: float,
    l2: float,
    most: int,
    enough: float,
) -> float:
    """(2) and (3) for one row; y holds V u at the end."""
    first = 0.0
    for sweep in range(most):
        fill_products(T, u, y, x)
        now = 0.0
        for t in range(len(u)):
            now += newton_step(T[t], x, y, part, u, t, s[t] + l1, l2)
        if sweep == 0:
            first = now
        elif now <= enough * first:
            break
    fill_products(T, u, y, x)
    return first


@compiled(inner=True)
def fill_products(T: Array, u: Array, y: Array, x: Array) -> None:
    """y = V u, above its floor."""
    for a in range(len(y)):
        y[a] = 0.0
    for t in range(len(u)):
        if u[t] > 0.0:
            for a in range(len(y)):
                y[a] += u[t] * T[t, a]
    for a in range(len(y)):
        y[a] = max(y[a], PART_OF_X * x[a], LEAST)


@compiled(inner=True)
def newton_step(v: Array, x: Array, y: Array, part: Array, u: Array, t: int, constant: float, l2: float) -> float:
    """The step of one entry; h·(the move)²."""
    g, h = constant + l2 * u[t], l2
    for a in range(len(y)):
        part[a] = v[a] / y[a]
        g -= x[a] * part[a]
        h += x[a] * part[a] * part[a]
    if g < 0.0:
        move = -g / h
    elif g > 0.0 and u[t] > 0.0:
        ratio = largest(part, len(y))
        move = -min(u[t], g / (h + g * ratio)) if h + g * ratio > 0.0 else -u[t]
    else:
        return 0.0
    u[t] += move
    for a in range(len(y)):
        y[a] = max(y[a] + move * v[a], PART_OF_X * x[a], LEAST)
    return h * move * move


@compiled(inner=True)
def largest(part: Array, count: int) -> float:
    """The largest of the first numbers, none of which is negative, by their bits; the last place of the array is for it."""
    bits = part.view(np.int64)
    top = int64(0)
    for a in range(count):
        top = max(top, bits[a])
    bits[-1] = top
    return part[-1]
