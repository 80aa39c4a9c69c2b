"""Disparities: numbers in the order of the dissimilarities that are nearest to the distances.

    minimise Σ_{i<j} (d_ij − δ̂_ij)²     such that  δ̂_ij ≤ δ̂_kl wherever δ_ij ≤ δ_kl,     Σ_{i<j} δ̂_ij² = n(n − 1)/2     (1)

Pairs of equal dissimilarities, but for rounding, have equal disparities. Without the constraint on their size all points could
fall together. Its answer is that of isotonic regression (bayes/calibration/isotonic_calibrator.py), made as large as asked for:
the disparities that are in order form a cone. Pairs with δ_ij = 0 have δ̂_ij = 0, as in scikit-learn.

The first disparities, before there are points to speak of, are the ranks of the dissimilarities: so nothing but the order of
the dissimilarities counts.

Cost: n² log n once for the order, n² each time.
Reference: Kruskal, "Nonmetric multidimensional scaling: a numerical method", Psychometrika 29, 1964.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from aprendiz.bayes.calibration.isotonic_calibrator import pool_violators
from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.decomposition.majorization.guttman import over
from aprendiz.kernel.solvers.tiles import runs

ROUNDING = 2.0**-46  # of a dissimilarity: what is so near to it is as large
ROWS = 64  # that a thread measures at a time


@dataclass(frozen=True)
class PairOrder:
    """The pairs i < j with δ_ij > 0 in the order of δ_ij, and where each group of equal ones begins."""

    n: int
    i: Array
    j: Array
    starts: Array

    @classmethod
    def of(cls, D: Array) -> PairOrder:
        """From the table of all dissimilarities."""
        i, j = np.triu_indices(len(D), 1)
        kept = D[i, j] > 0
        i, j = i[kept], j[kept]
        order = np.argsort(D[i, j], kind="stable")
        i, j = i[order], j[order]
        sizes = D[i, j]
        larger = np.r_[True, sizes[1:] > sizes[:-1] * (1.0 + ROUNDING)] if len(i) else np.empty(0, bool)
        return cls(len(D), i, j, np.flatnonzero(larger))

    @cached_property
    def counts(self) -> Array:
        """How many pairs are in each group."""
        return np.diff(np.append(self.starts, len(self.i)))

    @cached_property
    def weights(self) -> Array:
        """The same as doubles."""
        return self.counts.astype(np.float64)

    def first(self) -> Array:
        """The table of the first disparities."""
        return self.table(self.resized(self.starts + (self.counts + 1) / 2.0))

    def nearest_to(self, points: Array) -> Array:
        """The table of (1) for the distances between some points."""
        return self.table(self.resized(self.isotonic(points)))

    def isotonic(self, points: Array) -> Array:
        """(1) without the constraint on the size, a number for each group."""
        if not len(self.i):
            return np.empty(0)
        distances, cut = np.empty(len(self.i)), runs(0, len(self.i), ROWS * self.n)
        over(cut, lambda run: measure(points, self.i[run], self.j[run], distances[run]), pairs=self.n * self.n)
        sums, weights = np.add.reduceat(distances, self.starts), self.weights.copy()
        first = np.empty(len(sums) + 1, np.int64)
        blocks = pool_violators(sums, weights, first)
        return np.repeat(sums[:blocks] / weights[:blocks], np.diff(first[: blocks + 1]))

    def resized(self, values: Array) -> Array:
        """Numbers of the groups, as large as (1) asks for."""
        largest = values.max(initial=0.0)
        if largest == 0.0:
            return values
        values = values / largest
        return values * np.sqrt(self.n * (self.n - 1) / 2.0 / float(self.weights @ values**2))

    def table(self, values: Array) -> Array:
        """A number for each group as a symmetric table."""
        found = np.zeros((self.n, self.n))
        found[self.i, self.j] = found[self.j, self.i] = np.repeat(values, self.counts)
        return found


@compiled
def measure(points: Array, i: Array, j: Array, out: Array) -> None:
    """The distances of some pairs of points."""
    for pair in range(len(i)):
        a, b, total = i[pair], j[pair], 0.0
        for c in range(points.shape[1]):
            total += (points[a, c] - points[b, c]) ** 2
        out[pair] = np.sqrt(total)
