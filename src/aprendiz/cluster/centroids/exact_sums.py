"""The sums of the rows of each cluster, exactly: rows may join and leave in any order.

k-means needs Σ w and Σ w (x − m) of each cluster, m the mean of the table. In each pass few rows change their cluster, so
only those should be added and subtracted; but rounded sums would then depend on the way there. Here they do not: every
number is first rounded to a grid so coarse that no sum on it is ever rounded (2), what is left goes to a second grid (3).

    z = w·(x − m),     z = high + low + rest,     c_j = m + Σ z / Σ w                                              (1)
    high: multiples of g,   g = 2^⌈log₂ B⌉·2⁻⁵²,   B ≥ Σ|z|, by Cauchy and Schwarz √(Σ w · Σ w (x − m)²)            (2)
    low:  multiples of g·2^⌈log₂ n⌉·2⁻⁵³;   |rest| is below √n·n·2⁻¹⁰⁷ of the size of z                            (3)

So the sums are a function of the clusters alone: for any threads, any order, any history, from memory or from files. The
weights themselves are one more column. The cost follows from the sums,

    J = Σ w ‖x − m‖² − Σ_j (2 δ_jᵀ s_j − W_j ‖δ_j‖²),   δ_j = c_j − m,   s_j = Σ z,   W_j = Σ w                   (4)

unless it is a small part of the first term, of which the difference would keep too few digits: then it is summed.

Sums that do not depend on the blocks may be taken over large ones. A pass in which most rows are settled by a glance is slowed
down by handing over its blocks: a few large ones are better, and one if there is little to do at all. Their size depends on
the table alone, never on the number of threads.

Reference: Demmel & Nguyen, "Parallel reproducible summation", IEEE Trans. Computers 64, 2015.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array, Block, Rows, read_only
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.sums import Spread, Sums

LEAST_SHARE = 0.01  # of the scatter, that (4) may leave
ROUNDING = np.finfo(float).eps
LARGEST_BLOCK, FEWEST_BLOCKS = 2**16, 4
SMALL = 2**22  # products of a pass, below which handing them to another thread takes as long
ENOUGH_PRODUCTS = 2**24  # products of a block, beside which handing it over does not count
ONES = read_only(np.ones(LARGEST_BLOCK))


@dataclass(frozen=True)
class ExactSums(Sums):
    """Of each cluster: Σ w (x − m) and, in the last column, Σ w, in two parts (2), (3); J if it was summed."""

    high: Array
    low: Array
    cost: float

    @property
    def weight(self) -> Array:
        """Σ w of each cluster."""
        return np.asarray(self.high[:, -1] + self.low[:, -1])

    @property
    def shift(self) -> Array:
        """Σ w (x − m) of each cluster."""
        return np.asarray(self.high[:, :-1] + self.low[:, :-1])


@dataclass(frozen=True)
class RoundingGrid:
    """The mean m, the scatter around it, and the numbers that round to the grids: z + r − r is a multiple of r·2⁻⁵²/1.5."""

    mean: Array
    scatter: float
    coarse: Array
    fine: Array

    @classmethod
    def of(cls, spread: Spread) -> Self:
        """The grids (2) and (3) of a table."""
        weight, count = float(spread.weight.max()), int(spread.known.max())
        mean = spread.mean
        around = np.sqrt(weight * (spread.scatter + weight * (4 * ROUNDING * np.abs(mean)) ** 2))  # x − m is itself rounded
        bound = np.append(around, weight) * (1 + 1e-6) + np.finfo(float).tiny
        coarse = 1.5 * np.exp2(np.ceil(np.log2(bound)))
        fine = coarse * np.exp2(np.ceil(np.log2(count + 1)) - 53)
        return cls(mean, float(spread.scatter.sum()), coarse, fine)

    def nothing(self, clusters: int) -> ExactSums:
        """The sums of clusters without rows."""
        shape = (clusters, len(self.coarse))
        return ExactSums(np.zeros(shape), np.zeros(shape), 0.0)

    def centers(self, sums: ExactSums, instead: Array) -> Array:
        """(1), or a given centre where there are no rows."""
        weight = sums.weight
        taken = weight > 0
        centers = instead.copy()
        centers[taken] = self.mean + sums.shift[taken] / weight[taken, None]
        return centers

    def cost(self, sums: ExactSums, centers: Array) -> float | None:
        """(4); None where it would keep too few digits."""
        delta = centers - self.mean
        explained = 2 * float(np.sum(delta * sums.shift)) - float(sums.weight @ np.sum(delta**2, axis=1))
        cost = self.scatter - explained
        return cost if cost >= LEAST_SHARE * self.scatter else None


# ---- large blocks ----------------------------------------------------------------------------------------------------


def in_large_blocks(rows: Rows, clusters: int) -> Rows:
    """The same rows; for sums that do not depend on the blocks, or whose rounding may."""
    if not in_memory(rows) or not rows.dense or rows.count is None:
        return rows
    large = rows.like()
    of_a_row = rows.columns * clusters
    if rows.count * of_a_row <= SMALL:
        large.size = max(rows.count, 1)
    else:
        enough = min(LARGEST_BLOCK, ENOUGH_PRODUCTS // of_a_row, -(-rows.count // FEWEST_BLOCKS))
        large.size = max(rows.size, enough)
    return large


def weights_of(block: Block) -> Array:
    """The weights of a large block, ones where none were given."""
    return ONES[: len(block)] if block.weight is None and len(block) <= LARGEST_BLOCK else block.weights


# ---- kernels ---------------------------------------------------------------------------------------------------------


@compiled(exact=True)
def join(X: Array, w: Array, labels: Array, mean: Array, coarse: Array, fine: Array, high: Array, low: Array) -> None:
    """Every row joins its cluster."""
    d = X.shape[1]
    for i in range(len(X)):
        a = labels[i]
        for t in range(d):
            z = w[i] * (X[i, t] - mean[t])
            up = (z + coarse[t]) - coarse[t]
            high[a, t] += up
            low[a, t] += ((z - up) + fine[t]) - fine[t]
        up = (w[i] + coarse[d]) - coarse[d]
        high[a, d] += up
        low[a, d] += ((w[i] - up) + fine[d]) - fine[d]


@compiled(exact=True)
def move(
    X: Array, w: Array, rows: Array, before: Array, labels: Array, mean: Array, coarse: Array, fine: Array, high: Array,
    low: Array,
) -> None:  # fmt: skip
    """The listed rows leave the clusters `before` and join those of their labels."""
    d = X.shape[1]
    for r in range(len(rows)):
        i = rows[r]
        a, b = before[r], labels[i]
        for t in range(d):
            z = w[i] * (X[i, t] - mean[t])
            up = (z + coarse[t]) - coarse[t]
            down = ((z - up) + fine[t]) - fine[t]
            high[b, t] += up
            low[b, t] += down
            high[a, t] -= up
            low[a, t] -= down
        up = (w[i] + coarse[d]) - coarse[d]
        down = ((w[i] - up) + fine[d]) - fine[d]
        high[b, d] += up
        low[b, d] += down
        high[a, d] -= up
        low[a, d] -= down
