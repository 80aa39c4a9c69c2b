"""Non-negative least squares row by row, exactly: the active set method.

The same problem as that of coordinate_descent.py, with a symmetric positive semidefinite G:

    minimise ½ uᵀG u − pᵀu   over u ≥ 0                                                                       (1)

has u as its answer if and only if  s = p − G u ≤ 0,  and s_t = 0 wherever u_t > 0. Among the entries inside, those that may
be positive, (1) is a linear system, solved by a triangle. Where its answer has an entry below 0, u moves towards it until the
first entry is 0, and that one leaves. Then the entry outside with the largest s_t/√G_tt comes in, until there is none above 0.
Columns that follow from those inside add nothing, and stay outside. (1) never rises, and falls with each entry that comes in,
so the method ends. It begins with the entries that are above 0 in the u that it is given: a few sweeps of coordinate_descent.py
find most of them.

Cost: about a³/3 + 2·k·a operations a row, a of its k entries positive, where the first ones were the right ones.
Reference: Lawson & Hanson, "Solving least squares problems", 1974, chapter 23; on G as Bro & de Jong, Journal of Chemometrics
11, 1997.
"""

from __future__ import annotations

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array

ROUNDING = 1e-14  # of the terms of s, for each of the k
DEPENDENT = 1e-11  # the part of G_tt that must be left of a column beside the others


@compiled
def solve_rows(G: Array, P: Array, l1: float, U: Array) -> None:
    """The answer of (1) for each row of P − l1, from the rows of U, in place."""
    n, k = P.shape
    inside, outside = np.empty(k, np.int64), np.empty(k, np.bool_)
    R, answer, p = np.empty((k + 1, k)), np.empty(k), np.empty(k)  # the last row of R is for the work in between
    for i in range(n):
        for t in range(k):
            p[t] = P[i, t] - l1
        solve_row(G, p, U[i], R, answer, inside, outside)


@compiled(inner=True)
def solve_row(G: Array, p: Array, u: Array, R: Array, answer: Array, inside: Array, outside: Array) -> None:
    """The answer of (1) for one p."""
    k, count = len(p), 0
    outside[:] = False  # columns that follow from those inside
    for t in range(k):
        if u[t] > 0.0 and extended(G, R, inside, count, t):
            inside[count] = t
            count += 1
        else:
            u[t] = 0.0
    count = settled(G, p, u, R, answer, inside, count)
    for _turn in range(4 * k + 8):
        t = steepest(G, p, u, inside, count, outside)
        if t < 0:
            return
        if not extended(G, R, inside, count, t):
            outside[t] = True
            continue
        inside[count] = t
        before = count + 1
        count = settled(G, p, u, R, answer, inside, before)
        if count < before:
            outside[:] = False
        if u[t] == 0.0:  # nothing but rounding spoke for it
            outside[t] = True


@compiled(inner=True)
def settled(G: Array, p: Array, u: Array, R: Array, answer: Array, inside: Array, count: int) -> int:
    """Solve the linear system of the entries inside, and let those leave that fall to 0. The number that stay."""
    while count > 0:
        solve_triangles(R, inside, count, p, answer)
        share, leaving = 1.0, -1
        for a in range(count):
            now = u[inside[a]]
            if answer[a] <= 0.0 and now / max(now - answer[a], 1e-300) <= share:
                share, leaving = now / max(now - answer[a], 1e-300), a
        for a in range(count):
            u[inside[a]] = max(u[inside[a]] + share * (answer[a] - u[inside[a]]), 0.0)
        if leaving < 0:
            return count
        u[inside[leaving]] = 0.0
        for a in range(leaving, count - 1):
            inside[a] = inside[a + 1]
        count -= 1
        for a in range(leaving, count):  # each of them stands on its own beside those before: it did so beside more
            extended(G, R, inside, a, inside[a])
    return count


@compiled(inner=True)
def steepest(G: Array, p: Array, u: Array, inside: Array, count: int, outside: Array) -> int:
    """The entry at 0 with the largest s_t/√G_tt above rounding, or −1."""
    k = len(p)
    best, found = 0.0, -1
    for t in range(k):
        if u[t] > 0.0 or outside[t] or G[t, t] <= 0.0:
            continue
        s, size = p[t], abs(p[t])
        for a in range(count):
            term = G[t, inside[a]] * u[inside[a]]
            s -= term
            size += term
        if s > ROUNDING * k * size and s * s > best * G[t, t]:
            best, found = s * s / G[t, t], t
    return found


@compiled(inner=True)
def extended(G: Array, R: Array, inside: Array, count: int, t: int) -> bool:
    """Add column t to the triangle RᵀR = G[inside, inside], whose diagonal holds 1/r; False if it follows from the others."""
    z = R[len(R) - 1]
    for a in range(count):
        z[a] = G[t, inside[a]]
    left = G[t, t]
    for a in range(count):
        entry = z[a] * R[a, a]
        for b in range(a + 1, count):
            z[b] -= entry * R[a, b]
        R[a, count] = entry
        left -= entry * entry
    if left <= DEPENDENT * G[t, t]:
        return False
    R[count, count] = 1.0 / np.sqrt(left)
    return True


@compiled(inner=True)
def solve_triangles(R: Array, inside: Array, count: int, p: Array, answer: Array) -> None:
    """RᵀR answer = p[inside]."""
    for a in range(count):
        answer[a] = p[inside[a]]
    for a in range(count):
        answer[a] *= R[a, a]
        for b in range(a + 1, count):
            answer[b] -= answer[a] * R[a, b]
    for a in range(count - 1, -1, -1):
        z = answer[a]
        for b in range(a + 1, count):
            z -= R[a, b] * answer[b]
        answer[a] = z * R[a, a]
