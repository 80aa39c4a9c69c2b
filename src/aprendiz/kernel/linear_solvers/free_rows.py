"""Conjugate gradients among the rows whose multipliers are free: where coordinate descent would go on for long.

While multipliers at zero and at their limit stay there, D is a quadratic function of the others, the free ones F. It is highest
at α + δ with

    (Z_F Z_Fᵀ + diag ρ) δ = r,       r = e − Zθ − ρα,       ρ = 1/(2c) if the loss is squared, else 0          (1)

where e is the end of the interval at which a row is held. Coordinate descent finds soon which rows are free, but its error
shrinks with the condition of (1), that of conjugate gradients with its root. One step is a sum of the free rows and their
products with it, which read the table in its order. Then, with limits 0 ≤ |α| ≤ c, or no upper one if the loss is squared,

    α_F ← clip(α_F + δ),       θ ← Σ αz       if all stay within, or D is higher there, else nothing changes   (2)

While some rows would leave their limits, F is not the right one yet: (1) is solved roughly. Else until the rows of F are
as good as the goal asks for.

Cost of a step: twice the filled cells of the free rows.
Reference: Moré & Toraldo, "On the solution of large quadratic programming problems with bound constraints", SIAM J. Optim. 1,
1991.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.kernel.linear_solvers.sparse_rows import Cells, add_rows, row_products

MOST_STEPS = 100
ROUGHLY = 0.3  # of the residual, to which (1) is solved while rows leave their limits


@dataclass(frozen=True)
class FreeRows:
    """(1): the rows F, with e, c, ρ and the diagonal of the matrix for each of them."""

    Z: Cells
    scale: float
    chosen: Array
    ends: Array
    c: Array
    floor: Array  # of |α|
    ceiling: Array
    ridge: Array
    diagonal: Array
    squared: bool

    def solve(self, alpha: Array, theta: Array, goal: float) -> tuple[Array, Array, bool]:
        """α and θ of (2), and whether α + δ is within the limits: then the rows of F have come to a gap of `goal`, unless they
        are too ill-conditioned for that."""
        side, start = np.sign(alpha), np.empty_like(alpha)
        row_products(self.Z, self.chosen, theta, self.scale, start)
        r = self.ends - start - self.ridge * alpha
        delta, moved, products = np.zeros_like(alpha), theta.copy(), np.empty_like(alpha)
        z = r / self.diagonal
        p, rz, first = z, float(r @ z), float(r @ z)
        outside = False
        for _ in range(MOST_STEPS):
            v = np.zeros_like(theta)
            add_rows(self.Z, self.chosen, p, self.scale, v)
            curvature = float(v @ v + self.ridge @ (p * p))
            if not (rz > 0.0 and curvature > 0.0):
                break
            size = rz / curvature
            delta += size * p
            moved += size * v
            row_products(self.Z, self.chosen, v, self.scale, products)
            r = r - size * (products + self.ridge * p)
            sizes = side * (alpha + delta)
            outside = bool(((sizes < self.floor) | (sizes > self.ceiling)).any())
            close = not outside and self.gap(sizes, side * r) <= goal
            z = r / self.diagonal
            before, rz = rz, float(r @ z)
            if close or (outside and rz <= ROUGHLY**2 * first):
                break
            p = z + rz / before * p
        new = side * np.clip(side * (alpha + delta), self.floor, self.ceiling)
        add_rows(self.Z, self.chosen, new - (alpha + delta), self.scale, moved)
        return new, moved, not outside

    def gap(self, sizes: Array, short: Array) -> float:
        """F − D of the rows of F, whose scores are short of e − ρα by some amount."""
        if self.squared:
            return float(self.c @ (short * short))
        return float(np.maximum((self.c - sizes) * short, -sizes * short).sum())
