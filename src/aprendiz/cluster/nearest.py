"""The nearest centre of each row, and the sums that k-means needs of it.

    a(x) = argmin_j ‖x − c_j‖                                                                                 (1)
    Σ_{a(x)=j} w,   Σ_{a(x)=j} w (x − c_j),   J = Σ w ‖x − c_a(x)‖²                                            (2)

An exact shortcut for (1), for rows in memory (Hamerly). After a pass, u = ‖x − c_a‖ and l, the distance to the second nearest
centre, are known. When the centres move, u grows at most by the move of c_a and l shrinks at most by the largest move of
another; and no centre is nearer than c_a if u is below half the distance from c_a to its nearest neighbour. So

    u < max(l, ½ min_j ‖c_a − c_j‖)     ⇒     a(x) is what it was.                                            (3)

J is summed from distances that are computed in one way, whoever searched: it does not depend on the shortcut.

Cost: O(n·k·d) for (1) without the shortcut, O(n·d) for (2).
Reference: Hamerly, "Making k-means even faster", SDM 2010.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from aprendiz.core.compiled import compiled
from aprendiz.core.rows import Array, ArrayRows, Block, Rows
from aprendiz.core.sums import Sums


@dataclass(frozen=True)
class ClusterSums(Sums):
    """Of each centre: Σ w and Σ w (x − c) over its rows; J; the row farthest from its centre, and its distance squared."""

    weight: Array
    shift: Array
    cost: float
    distance: float
    farthest: Array

    def __add__(self, other: Self) -> Self:
        far = self if self.distance >= other.distance else other
        return type(self)(
            self.weight + other.weight,
            self.shift + other.shift,
            self.cost + other.cost,
            far.distance,
            far.farthest,
        )


@dataclass
class Memory:
    """What is remembered of each row between passes, so that most of them need not search."""

    labels: Array
    squares: Array  # distance to its centre, squared, after the last pass
    lower: Array  # no other centre is nearer than this


@dataclass(frozen=True)
class Geometry:
    """What the shortcut needs to know of each centre: how far it and the others have moved, half the gap to the nearest."""

    move: Array
    others: Array  # the largest move of any other centre
    half_gap: Array

    @classmethod
    def of(cls, centers: Array, previous: Array) -> Self:
        move = np.sqrt(((centers - previous) ** 2).sum(axis=1))
        order = np.argsort(move)
        others = np.full(len(move), move[order[-1]])
        others[order[-1]] = move[order[-2]] if len(move) > 1 else 0.0
        return cls(move, others, half_gaps(centers))


def remember(rows: Rows) -> Memory | None:
    """Room for the shortcut, where the rows are in memory anyway."""
    if not isinstance(rows, ArrayRows) or rows.count is None:
        return None
    unknown = np.full(rows.count, np.inf)
    return Memory(np.zeros(rows.count, np.int32), unknown, -unknown)


# ---- statistics ------------------------------------------------------------------------------------------------------


def assign(centers: Array, geometry: Geometry | None, memory: Memory | None, block: Block) -> ClusterSums:
    """(1) and (2) for a block. Without memory every row searches."""
    if memory is None or geometry is None:
        return gathered(centers, *nearest(centers, block), block)
    here = slice(block.start, block.start + len(block))
    labels, squares, lower = memory.labels[here], memory.squares[here], memory.lower[here]
    searching = unsure(
        squares, labels, lower, geometry.move, geometry.others, geometry.half_gap, np.empty(len(block), np.int32)
    )
    search(block.X, transposed(centers), searching, labels, lower, np.empty(len(centers)))
    own_squares(block.X, centers, labels, squares)
    return gathered(centers, labels, squares, block)


def nearest(centers: Array, block: Block) -> tuple[Array, Array]:
    """The nearest centre of each row, and the distance squared."""
    n = len(block)
    labels, squares = np.zeros(n, np.int32), np.empty(n)
    everybody = np.arange(n, dtype=np.int32)
    search(block.X, transposed(centers), everybody, labels, np.empty(n), np.empty(len(centers)))
    own_squares(block.X, centers, labels, squares)
    return labels, squares


def label(centers: Array, block: Block) -> Array:
    """The nearest centre of each row."""
    return nearest(centers, block)[0]


def totals(centers: Array, all_labels: Array, block: Block) -> ClusterSums:
    """The same sums for labels that are known."""
    labels, squares = all_labels[block.start : block.start + len(block)], np.empty(len(block))
    own_squares(block.X, centers, labels, squares)
    return gathered(centers, labels, squares, block)


def gathered(centers: Array, labels: Array, squares: Array, block: Block) -> ClusterSums:
    weight, shift, w = np.zeros(len(centers)), np.zeros_like(centers), block.weights
    gather(block.X, w, centers, labels, weight, shift)
    cost = float(squares @ w)
    if block.weight is not None:
        squares = np.where(w > 0, squares, 0.0)
    far = int(np.argmax(squares))
    return ClusterSums(weight, shift, cost, float(squares[far]), block.X[far].astype(np.float64))


def transposed(centers: Array) -> Array:
    """The centres as columns, by runs of rows: a transpose in one sweep would leave the cache at every cell."""
    if centers.size < 2**16:
        return np.ascontiguousarray(centers.T, dtype=np.float64)
    columns = np.empty(centers.shape[::-1])
    for start in range(0, len(centers), 256):
        columns[:, start : start + 256] = centers[start : start + 256].T
    return columns


# ---- kernels ---------------------------------------------------------------------------------------------------------


@compiled
def own_squares(X, centers, labels, squares):  # type: ignore[no-untyped-def]
    """squares[i] = ‖x_i − c_labels[i]‖²."""
    for i in range(len(X)):
        a, total = labels[i], 0.0
        for t in range(X.shape[1]):
            u = X[i, t] - centers[a, t]
            total += u * u
        squares[i] = total


@compiled
def unsure(squares, labels, lower, move, others, half_gap, out):  # type: ignore[no-untyped-def]
    """Rows whose bounds do not exclude another centre. The bounds follow the moves of the centres since the last pass."""
    count = 0
    for i in range(len(squares)):
        a = labels[i]
        lower[i] -= others[a]
        upper = np.sqrt(squares[i]) + move[a]
        if not upper < max(lower[i], half_gap[a]) * (1.0 - 1e-10):  # rounding, and ties, are searched
            out[count] = i
            count += 1
    return out[:count]


@compiled
def squares_to_all(x, columns, out):  # type: ignore[no-untyped-def]
    """out[j] = ‖x − c_j‖². `columns` is centresᵀ, four of its rows at a time: `out` is read and written less often."""
    d, k = columns.shape
    for j in range(k):
        out[j] = 0.0
    for t in range(0, d - 3, 4):
        x0, x1, x2, x3 = x[t], x[t + 1], x[t + 2], x[t + 3]
        for j in range(k):
            u0, u1, u2, u3 = x0 - columns[t, j], x1 - columns[t + 1, j], x2 - columns[t + 2, j], x3 - columns[t + 3, j]
            out[j] += (u0 * u0 + u1 * u1) + (u2 * u2 + u3 * u3)
    for t in range(d - d % 4, d):
        x0 = x[t]
        for j in range(k):
            u0 = x0 - columns[t, j]
            out[j] += u0 * u0


@compiled
def smallest(bits):  # type: ignore[no-untyped-def]
    """The smallest of some squares, given and returned as the integers of their bits: those compare alike, and faster."""
    low = bits[0]
    for j in range(1, len(bits)):
        low = min(low, bits[j])
    return low


@compiled
def search(X, columns, rows, labels, lower, distance):  # type: ignore[no-untyped-def]
    """The nearest centre of some rows (the first of several), and the distance of the second nearest."""
    bits = distance.view(np.int64)
    for i in rows:
        squares_to_all(X[i], columns, distance)
        low = smallest(bits)
        nearest = 0
        while bits[nearest] != low:
            nearest += 1
        labels[i] = nearest
        distance[nearest] = np.inf
        bits[nearest] = smallest(bits)
        lower[i] = np.sqrt(distance[nearest])


@compiled
def gather(X, w, centers, labels, weight, shift):  # type: ignore[no-untyped-def]
    """Σ w and Σ w (x − c) of each centre."""
    for i in range(len(X)):
        a = labels[i]
        weight[a] += w[i]
        for t in range(X.shape[1]):
            shift[a, t] += w[i] * (X[i, t] - centers[a, t])


@compiled
def all_squares(X, columns, out):  # type: ignore[no-untyped-def]
    """‖x_i − c_j‖² for all rows and centres."""
    for i in range(len(X)):
        squares_to_all(X[i], columns, out[i])


@compiled
def half_gaps(centers):  # type: ignore[no-untyped-def]
    """Half the distance from each centre to its nearest other."""
    k, d = centers.shape
    out = np.full(k, np.inf)
    for a in range(k):
        for b in range(a):
            total = 0.0
            for t in range(d):
                u = centers[a, t] - centers[b, t]
                total += u * u
            half = 0.5 * np.sqrt(total)
            out[a] = min(out[a], half)
            out[b] = min(out[b], half)
    return out
