"""Bounds that spare most searches of k-means, exactly.

When the centres move, a row need not search again if it can be proved that its centre c_a is still the nearest. Kept of
each row are u ≥ ‖x − c_a‖ and l ≤ the distance to any other centre. In a pass c_j moves by m_j, so u grows at most by m_a and
l shrinks at most by the largest move of another centre. c_a is still the nearest if

    u < l     or     u < ½ min_j ‖c_a − c_j‖                                                           (Hamerly)    (1)

with the old u, or else with u = ‖x − c_a‖ computed anew. With many columns, where a search is dear, a bound b_j ≤ ‖x − c_j‖ is
kept for each centre too, and only those are looked at for which

    u ≥ b_j     and     u ≥ ‖c_a − c_j‖ − u                                                            (Elkan)      (2)

Nothing is written while (1) holds: what is stored is u − Σ m_a, l + Σ max m and b_j + Σ m_j, with the sums over the passes so
far (the drift), and the present bounds follow from the present drift. Comparisons leave room for rounding, so ties are
searched. Rows that are left search all centres at once (centre_search.py), as all do in the first pass.

Memory: 20 bytes a row, and 4 for each centre with (2), where that is no more than two tables.
Cost of a pass: O(n), O(d) for each row that the old u does not settle, and a search for those that nothing settles.
References: Hamerly, "Making k-means even faster", SDM 2010; Elkan, "Using the triangle inequality to accelerate k-means",
ICML 2003.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from aprendiz.cluster.centroids.centre_search import UNIT, CentreSearch
from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sources.arrays import in_memory

SURE = 1.0 - 1e-10  # room for rounding in (1)
ROOM = np.float32(1.0 + 1e-6)  # and in (2), which is in single precision
WIDE = 64  # columns from which on (2) pays
TABLES = 2  # the bounds of (2) may take the memory of so many tables
DEAR = 16  # looking at one centre costs as much as this many in a search of all


@dataclass
class RowBounds:
    """What is remembered of the rows between passes, and how far the centres have drifted."""

    labels: Array
    upper: Array  # u − drift of its centre
    lower: Array  # l + drift of the others
    bounds: Array  # b_j + drift, of shape (n, k); (n, 0) without (2)
    drift: Array  # of each centre
    others: Array  # of each centre: drift of the others

    @classmethod
    def of(cls, rows: Rows, clusters: int) -> Self | None:
        """Room for the bounds, where the rows are in memory anyway."""
        if not in_memory(rows) or rows.count is None:
            return None
        n, k, d = rows.count, clusters, rows.columns
        elkan = d >= WIDE and 4 * k <= TABLES * 8 * d
        bounds = np.empty((n, k if elkan else 0), np.float32)
        return cls(np.zeros(n, np.int32), np.zeros(n), np.zeros(n), bounds, np.zeros(k), np.zeros(k))

    def follow(self, before: Array, after: Array) -> None:
        """The centres have moved."""
        moves = np.sqrt(((after - before) ** 2).sum(axis=1)) * (1 + 1e-12)
        order = np.argsort(moves)
        others = np.full(len(moves), moves[order[-1]])
        others[order[-1]] = moves[order[-2]] if len(moves) > 1 else 0.0
        self.drift += moves
        self.others += others

    def begin(self, search: CentreSearch, block: Block) -> Array:
        """The labels of the rows of a block in the first pass."""
        everybody = np.arange(len(block), dtype=np.int32)
        self.search(search, everybody, block)
        return self.labels[block.start : block.start + len(block)]

    def review(self, search: CentreSearch, gaps: CentreGaps, block: Block) -> tuple[Array, Array]:
        """New labels of the rows of a block: the numbers of those that changed, and the labels they had."""
        n, here = len(block), slice(block.start, block.start + len(block))
        labels, upper, lower, bounds = self.labels[here], self.upper[here], self.lower[here], self.bounds[here]
        rows = np.empty(n, np.int32)
        left = doubtful(block.X, search.centers, labels, upper, lower, self.drift, self.others, gaps.half, rows)
        before = labels[rows[:left]]
        open_rows = rows[:left]
        if bounds.shape[1] and left:
            drift = np.nextafter(self.drift.astype(np.float32), np.float32(np.inf))
            open_rows = rows[:left].copy()
            still_open = narrow(
                *(block.X, search.centers, search.pivot, search.scale, search.lines, search.squares, search.largest),
                *(labels, upper, lower, bounds, self.drift, drift, self.others, gaps.whole, open_rows),
            )
            open_rows = open_rows[:still_open]
        if len(open_rows):
            self.search(search, open_rows, block)
        changed = labels[rows[:left]] != before
        return rows[:left][changed], before[changed]

    def search(self, search: CentreSearch, rows: Array, block: Block) -> None:
        """The nearest centre of some rows of a block, and the bounds that follow."""
        n, here = len(block), slice(block.start, block.start + len(block))
        squares, least, labels = np.empty(n), np.empty(n), self.labels[here]
        search.find(block.X, rows, labels, squares, least, self.bounds[here], self.drift)
        keep(rows, labels, squares, least, self.drift, self.others, self.upper[here], self.lower[here])


@dataclass(frozen=True)
class CentreGaps:
    """Distances between the centres, or a little less: half the least of each, and all of them if (2) needs them."""

    half: Array
    whole: Array

    @classmethod
    def of(cls, search: CentreSearch, memory: RowBounds) -> Self:
        k, d = search.centers.shape
        half, whole = np.empty(k), np.empty((k, memory.bounds.shape[1]), np.float32)
        some = max(1, 2**22 // k)
        for start in range(0, k, some):
            products = search.lines[start : start + some] @ search.short
            measure(start, products, search.squares, search.largest, d, search.scale, half, whole)
        return cls(half, whole)


# ---- kernels ---------------------------------------------------------------------------------------------------------


@compiled
def measure(
    start: int, products: Array, squares: Array, largest: float, d: int, scale: float, half: Array, whole: Array
) -> None:
    """The gaps between some centres and all others, from their products."""
    error = UNIT * (2.0 * (d + 4) + 8.0) * largest * largest + 1e-30
    for r in range(len(products)):
        a, least = start + r, np.inf
        for j in range(products.shape[1]):
            if j != a:
                square = squares[a] + squares[j] - 2.0 * products[r, j] - error
                gap = (1.0 - 2e-6) * np.sqrt(max(square, 0.0)) / scale
                least = min(least, gap)
                if whole.shape[1]:
                    whole[a, j] = gap
        half[a] = 0.5 * least
        if whole.shape[1]:
            whole[a, a] = np.inf


@compiled
def keep(
    rows: Array, labels: Array, squares: Array, least: Array, drift: Array, others: Array, upper: Array, lower: Array
) -> None:
    """Bounds of rows that have searched all centres."""
    for i in rows:
        a = labels[i]
        upper[i] = np.sqrt(squares[i]) - drift[a]
        lower[i] = least[i] + others[a]


@compiled
def doubtful(
    X: Array, centers: Array, labels: Array, upper: Array, lower: Array, drift: Array, others: Array, half_gap: Array,
    rows: Array,
) -> int:  # fmt: skip
    """The rows that (1) does not settle, with the old u and then with a new one; they are written one after the other, and the
    next one over those that do not stay, so that nothing has to be guessed."""
    count = 0
    for i in range(len(X)):
        a = labels[i]
        known = lower[i] - others[a]
        known = known if known > half_gap[a] else half_gap[a]
        rows[count] = i
        count += 0 if upper[i] + drift[a] < known * SURE else 1
    left = 0
    for r in range(count):
        i = rows[r]
        a, total = labels[i], 0.0
        for t in range(X.shape[1]):
            z = X[i, t] - centers[a, t]
            total += z * z
        u = np.sqrt(total)
        upper[i] = u - drift[a]
        known = lower[i] - others[a]
        known = known if known > half_gap[a] else half_gap[a]
        rows[left] = i
        left += 0 if u < known * SURE else 1
    return left


@compiled
def narrow(
    X: Array, centers: Array, pivot: Array, scale: float, lines: Array, squares: Array, largest: float, labels: Array,
    upper: Array, lower: Array, bounds: Array, drift: Array, above: Array, others: Array, gaps: Array, rows: Array,
) -> int:  # fmt: skip
    """The listed rows by (2). Those with many centres left stay in the list, to search them all: how many."""
    k, d = centers.shape
    room, y, left = np.empty(k, np.float32), np.empty(d, np.float32), 0
    for r in range(len(rows)):
        i = rows[r]
        a = labels[i]
        u = upper[i] + drift[a]
        limit = np.float32(u) * ROOM
        hits = centers_left(i, a, np.float32(u), limit, bounds, above, gaps, room)
        size = shift_row(X, i, pivot, scale, y) if hits else 0.0
        if DEAR * hits > k or not size < 1e30:
            rows[left] = i
            left += 1
            continue
        if hits:
            error = UNIT * (2.0 * (d + 4) * np.sqrt(size) * largest + 4.0 * (largest * largest + size)) + 1e-30
            b = look_at(i, a, limit, error, size, X, centers, y, lines, squares, scale, bounds, above, room)
            if b != a:
                labels[i], a = b, b
                upper[i] = np.sqrt(square(X, i, centers, b)) - drift[b]
        lower[i] = smallest(room) * (1.0 - 1e-6) + others[a]
    return left


@compiled(inner=True)
def centers_left(
    i: int, a: int, u: np.float32, limit: np.float32, bounds: Array, drift: Array, gaps: Array, room: Array
) -> int:
    """The number of centres that may be within the limit; `room` gets the present bounds."""
    hits = 0
    for j in range(len(drift)):
        b, c = bounds[i, j] - drift[j], gaps[a, j] - u
        b = b if b > c else c
        room[j] = b
        hits += 1 if limit >= b else 0
    return hits


@compiled(inner=True)
def shift_row(X: Array, i: int, pivot: Array, scale: float, y: Array) -> float:
    """y of centre_search.py for one row, and ‖y‖²."""
    size = np.float32(0.0)
    for t in range(len(y)):
        v = np.float32(scale * (X[i, t] - pivot[t]))
        y[t] = v
        size += v * v
    return float(size)


@compiled(inner=True)
def square(X: Array, i: int, centers: Array, j: int) -> float:
    """‖x_i − c_j‖² by differences."""
    total = 0.0
    for t in range(X.shape[1]):
        z = X[i, t] - centers[j, t]
        total += z * z
    return total


@compiled(inner=True)
def look_at(
    i: int, a: int, limit: np.float32, error: float, size: float, X: Array, centers: Array, y: Array, lines: Array,
    squares: Array, scale: float, bounds: Array, drift: Array, room: Array,
) -> int:  # fmt: skip
    """The nearest of c_a and the centres within the limit, first in single precision, then in double if that is not enough."""
    first = square(X, i, centers, a)
    best, b, within = first, a, np.sqrt(first)
    for j in range(len(room)):
        if room[j] > limit or j == a:
            continue
        dot = np.float32(0.0)
        for t in range(len(y)):
            dot += y[t] * lines[j, t]
        room[j] = (1.0 - 1e-6) * np.sqrt(max(size + squares[j] - 2.0 * dot - error, 0.0)) / scale
        if room[j] <= within:
            found = square(X, i, centers, j)
            room[j] = np.sqrt(found)
            if found < best or (found == best and j < b):
                best, b, within = found, j, np.sqrt(found)
        bounds[i, j] = store(room[j], drift[j])
    if b != a:
        room[b] = bounds[i, b] = np.inf
        room[a] = np.sqrt(first)
        bounds[i, a] = store(room[a], drift[a])
    return b


@compiled(inner=True)
def store(distance: np.float32, drift: np.float32) -> np.float32:
    """A bound as it is kept: plus the drift, in single precision, a little less."""
    return (distance + drift) * np.float32(1.0 - 4e-7)


@compiled(inner=True)
def smallest(room: Array) -> float:
    """The smallest number, or 0 if one is negative; the integers of their bits compare alike, and faster."""
    bits = room.view(np.int32)
    low = bits[0]
    for j in range(1, len(bits)):
        low = min(low, bits[j])
    if low < 0:
        return 0.0
    j = 0
    while bits[j] != low:
        j += 1
    return float(room[j])
