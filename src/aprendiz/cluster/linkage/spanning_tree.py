"""Single linkage: the shortest links that hold all rows together, by Prim's algorithm.

The height at which two clusters join is the shortest distance between a row of one and a row of the other. It is the longest
edge between them in a tree of smallest total length,

    minimise Σ_{edges} d(x_i, x_j)   over the trees that span all rows,                                        (1)

Prim's algorithm grows the tree from the first row, always by the row x nearest to it. Only the order of the rows and the
lengths of their edges are kept: joining each row with the one before it, shortest edge first, gives the same tree of merges,
since the rows that come between two edges longer than h are those that links of at most h hold together.

For rows of numbers the distances of the last row are computed, compared and forgotten. Rows that are in the tree give their
place to the last one that is not.

Along the m links of a graph, Kruskal's algorithm takes the shortest link that joins two trees, again and again.

Cost: O(n²·d) time, O(n·d) memory; O(n²) time for a table of distances; O(m log m) for links.
References: Prim, "Shortest connection networks and some generalizations", Bell System Tech. J. 36, 1957; Gower and Ross,
"Minimum spanning trees and single linkage cluster analysis", Applied Statistics 18, 1969.
"""

from __future__ import annotations

import numpy as np

from aprendiz.cluster.linkage.merges import Record
from aprendiz.compilation.compiled import compiled, int64, interruptible
from aprendiz.core.rows import Array

TILE = 512  # rows whose distances are computed in one go


def tree_of_rows(X: Array) -> Record:
    """The merges of single linkage by Euclidean distance."""
    order, squares = interruptible(grown_from_rows, np.array(X.T, dtype=np.float64, order="C"), np.empty(TILE))
    return path(order, np.sqrt(squares))


def tree_of_distances(D: Array) -> Record:
    """The merges of single linkage by a table of distances."""
    return path(*interruptible(grown_from_distances, D))


def tree_of_links(first: Array, second: Array, lengths: Array, rows: int) -> Record:
    """The merges along the links of a graph that holds all rows together: by Kruskal's algorithm, shortest links first."""
    order, record = np.argsort(lengths, kind="stable"), Record.of(rows)
    used = order[joining(first[order], second[order], rows)]
    record.add(first[used], second[used], lengths[used])
    return record


def path(order: Array, lengths: Array) -> Record:
    """Each row joined with the one before it."""
    record = Record.of(len(order))
    record.add(order[:-1], order[1:], lengths)
    return record


# ---- kernels ---------------------------------------------------------------------------------------------------------


@compiled
def joining(first: Array, second: Array, rows: int) -> Array:
    """Which links, one after the other, join two trees."""
    parent, used, count = np.arange(rows), np.empty(rows - 1, np.int64), 0
    for i in range(len(first)):
        a, b = first[i], second[i]
        while parent[a] != a:
            parent[a] = parent[parent[a]]
            a = parent[a]
        while parent[b] != b:
            parent[b] = parent[parent[b]]
            b = parent[b]
        if a != b:
            parent[b] = a
            used[count] = i
            count += 1
    return used[:count]


@compiled(inner=True)
def squares_to_tile(columns: Array, x: Array, start: int, stop: int, out: Array) -> None:
    """out[j] = ‖x − x_{start+j}‖², four columns at a time."""
    d = len(columns)
    for j in range(stop - start):
        out[j] = 0.0
    for t in range(0, d - 3, 4):
        x0, x1, x2, x3 = x[t], x[t + 1], x[t + 2], x[t + 3]
        a, b = columns[t, start:stop], columns[t + 1, start:stop]
        c, e = columns[t + 2, start:stop], columns[t + 3, start:stop]
        for j in range(stop - start):
            u0, u1, u2, u3 = a[j] - x0, b[j] - x1, c[j] - x2, e[j] - x3
            out[j] += (u0 * u0 + u1 * u1) + (u2 * u2 + u3 * u3)
    for t in range(d - d % 4, d):
        x0, a = x[t], columns[t, start:stop]
        for j in range(stop - start):
            u0 = a[j] - x0
            out[j] += u0 * u0


@compiled(inner=True)
def lower(bits: Array, others: Array) -> int:
    """bits[j] ← the lower of two; the lowest of all. Bits of numbers of at least 0, as integers, compare like the numbers."""
    low = int64(0x7FF0000000000000)  # infinity
    for j in range(len(bits)):
        bits[j] = min(bits[j], others[j])
        low = min(low, bits[j])
    return low


@compiled(inner=True)
def place_of(low: int, bits: Array) -> int:
    """Where a value stands first."""
    j = 0
    while bits[j] != low:
        j += 1
    return j


@compiled(inner=True)
def nearest_to_tree(columns: Array, x: Array, reach: Array, left: int, out: Array) -> int:
    """Which of the rows that are left is nearest to the tree, now that x belongs to it."""
    best, where = np.inf, 0
    for start in range(0, left, len(out)):
        stop = min(start + len(out), left)
        squares_to_tile(columns, x, start, stop, out)
        bits = reach[start:stop].view(np.int64)
        at = start + place_of(lower(bits, out[: stop - start].view(np.int64)), bits)
        if reach[at] < best:
            best, where = reach[at], at
    return where


@compiled
def grown_from_rows(columns: Array, out: Array) -> tuple[Array, Array]:
    """The order in which rows join the tree, and the squares of the lengths of their edges."""
    d, n = columns.shape
    names, reach, x = np.arange(n), np.full(n, np.inf), columns[:, 0].copy()
    order, squares = np.zeros(n, np.int64), np.empty(n - 1)
    at = 0
    for step in range(1, n):
        left = n - step
        names[at], reach[at] = names[left], reach[left]
        for t in range(d):
            columns[t, at] = columns[t, left]
        at = nearest_to_tree(columns, x, reach, left, out)
        order[step], squares[step - 1] = names[at], reach[at]
        for t in range(d):
            x[t] = columns[t, at]
    return order, squares


@compiled
def grown_from_distances(D: Array) -> tuple[Array, Array]:
    """The order in which rows join the tree, and the lengths of their edges."""
    n = len(D)
    names, reach = np.arange(n), np.full(n, np.inf)
    order, lengths = np.zeros(n, np.int64), np.empty(n - 1)
    at = 0
    for step in range(1, n):
        left, last = n - step, order[step - 1]
        names[at], reach[at] = names[left], reach[left]
        best = np.inf
        for j in range(left):
            reach[j] = min(reach[j], D[last, names[j]])
            if reach[j] < best:
                best, at = reach[j], j
        order[step], lengths[step - 1] = names[at], best
    return order, lengths
