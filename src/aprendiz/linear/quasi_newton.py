"""L-BFGS: a Newton step without the matrix, from the last few steps and the changes of the gradient along them.

With s = θ' − θ and y = g' − g of the last m steps (newest last), H⁻¹ is built up from a diagonal by

    H⁻¹ ← (I − ρ s yᵀ) H⁻¹ (I − ρ y sᵀ) + ρ s sᵀ,      ρ = 1/(yᵀs)                                             (1)

and H⁻¹g is computed by two loops over the pairs, in O(m·p), without ever forming it. The diagonal is a bound on the curvature
of each parameter, scaled by the newest pair: columns of different scales are no trouble. With no pair but the newest, for the
scale alone (`memory=0`), the step is that of gradient descent with the step size of Barzilai and Borwein.

Reference: Nocedal & Wright, "Numerical optimization", 2nd ed., algorithm 7.4;
Barzilai & Borwein, IMA J. Numerical Analysis 8, 1988.
"""

from __future__ import annotations

import numpy as np

from aprendiz.core.rows import Array

REMEMBERED = 10  # pairs


def remembered(pairs: Array, step: Array, change: Array) -> Array:
    """The pairs (of shape (m, 2, …)) with one more, if it curves upwards as a convex function must."""
    if not float((step * change).sum()) > 1e-14 * float(np.sqrt((step**2).sum() * (change**2).sum())):
        return pairs
    return np.concatenate([pairs, np.stack([step, change])[None]])[-REMEMBERED:]


def quasi_newton_step(gradient: Array, pairs: Array, diagonal: Array, memory: int = REMEMBERED) -> Array:
    """H⁻¹g by the two loops of (1) over the newest pairs, starting from 1/diagonal."""
    q, weights = gradient.copy(), []
    recent = pairs[max(0, len(pairs) - memory) :]
    for s, y in recent[::-1]:
        weight = float((s * q).sum()) / float((s * y).sum())
        q -= weight * y
        weights.append(weight)
    if len(pairs):
        s, y = pairs[-1]
        q *= float((s * y).sum()) / float((y * y / diagonal).sum())
    q /= diagonal
    for (s, y), weight in zip(recent, reversed(weights), strict=True):
        q += s * (weight - float((y * q).sum()) / float((s * y).sum()))
    return q
