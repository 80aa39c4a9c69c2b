"""Stress and the Guttman transform of some points, in one sweep over all pairs.

With d_ij = ‖x_i − x_j‖ and the numbers δ_ij that distances should be,

    σ(X) = Σ_{i<j} (d_ij − δ_ij)²                                                                             (1)
    Γ(X)_i = 1/n · Σ_j δ_ij/d_ij · (x_i − x_j)          nothing where d_ij = 0                                (2)
    ∇σ(X) = 2n(X − x̄ − Γ(X)),     x̄ the mean of the points                                                    (3)

By the inequality of Cauchy and Schwarz a parabola in X lies above σ and touches it at the points of the sweep. Γ(X) is where it
is lowest, so σ(Γ(X)) ≤ σ(X).

Each thread takes some of the rows with all of the others. How they are cut follows from n alone, so the bits are the same for
any number of threads.

Cost: n² pairs, each a square root and a division; no memory beyond the points.
Reference: de Leeuw, "Applications of convex analysis to multidimensional scaling", Recent Developments in Statistics, 1977.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.kernel.solvers.tiles import SMALL, for_each, runs

ROWS = 32  # that a thread takes at a time
TILE = 256  # points that a row is compared with at a time
NEGLIGIBLE = 1e-300


@dataclass(frozen=True)
class Sweep:
    """(1) and (2) of some points, and Σ_{i<j} d_ij²."""

    stress: float
    squares: float
    image: Array

    @classmethod
    def of(cls, points: Array, target: Array) -> Sweep:
        """From the points, one in a row, and the table of all δ_ij."""
        columns, cut = np.ascontiguousarray(points.T), runs(0, len(points), ROWS)
        image, totals = np.empty(points.shape), np.empty((len(cut), 2))

        def work(number: int) -> None:
            sweep(columns, target, cut[number].start, cut[number].stop, image, totals[number])

        over(range(len(cut)), work, pairs=target.size)
        stress, squares = totals.sum(axis=0) / 2
        return cls(float(stress), float(squares), image)

    def ratio(self, stress: float) -> float:
        """Stress-1, √(σ/Σ d²), of some σ; infinite where all points lie in one place that they should not."""
        return float(np.sqrt(stress / self.squares)) if self.squares > 0 else (np.inf if stress > 0 else 0.0)

    def slope(self, points: Array) -> float:
        """‖∇σ‖/2n beside the size of the points, by (3)."""
        centred = points - points.mean(axis=0)
        return float(np.linalg.norm(centred - self.image)) / max(float(np.linalg.norm(self.image)), NEGLIGIBLE)


def over(items: Iterable[Any], work: Callable[[Any], None], *, pairs: int) -> None:
    """Do the work for all items, on all threads if there are many pairs: handing over few takes longer than the work."""
    if pairs >= SMALL:
        for_each(work, items)
    else:
        for item in items:
            work(item)


@compiled
def sweep(columns: Array, target: Array, first: int, last: int, image: Array, totals: Array) -> None:
    """(2) for the rows from first to last, and what their pairs add to twice (1) and twice Σ d²."""
    k, n = columns.shape
    square, ratio = np.empty(TILE), np.empty(TILE)
    stress, squares = 0.0, 0.0
    for i in range(first, last):
        for c in range(k):
            image[i, c] = 0.0
        for start in range(0, n, TILE):
            m = min(TILE, n - start)
            wanted = target[i, start : start + m]
            for c in range(k):
                x, others = columns[c, i], columns[c, start : start + m]
                if c == 0:
                    for j in range(m):
                        square[j] = (x - others[j]) * (x - others[j])
                else:
                    for j in range(m):
                        square[j] += (x - others[j]) * (x - others[j])
            for j in range(m):
                distance = np.sqrt(square[j])
                gap = distance - wanted[j]
                stress += gap * gap
                squares += square[j]
                ratio[j] = wanted[j] / distance if distance > 0.0 else 0.0
            for c in range(k):
                x, others, total = columns[c, i], columns[c, start : start + m], 0.0
                for j in range(m):
                    total += ratio[j] * (x - others[j])
                image[i, c] += total
        for c in range(k):
            image[i, c] /= n
    totals[0], totals[1] = stress, squares
