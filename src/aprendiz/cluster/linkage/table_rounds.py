"""Complete, average and weighted linkage in rounds: all reciprocal pairs of a table of distances join at once.

The distance of the union A ∪ B of clusters of sizes a and b to a third cluster C follows from those of A and B:

    complete    max(d(A, C), d(B, C))                     the largest distance of a row of one and a row of the other
    average     s·d(A, C) + (1 − s)·d(B, C),  s = a/(a+b)   the mean of those distances                        (1)
    weighted    the same with s = ½

All three are reducible (reciprocal_pairs.py). In a round every line of the table is rewritten once, from left to right and in
its own place: the lines of a pair become one by (1), then the columns of each pair, and what is left of the line stands closed
up at its beginning. The line is then in the cache, and searched for the nearest cluster if it is new or its nearest was joined.
Lines do not depend on each other, so they are done side by side. When a round finds few pairs, or few clusters are left, the
rest is done by a chain (neighbour_chain.py).

Cost: O(m²) for a round of m clusters; where a third of the clusters find a partner, O(n²) for all rounds. No memory but the
table, which is overwritten.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from aprendiz.cluster.linkage.merges import Record
from aprendiz.cluster.linkage.reciprocal_pairs import many, reciprocal, too_few
from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.core.threads import ordered_map

COMPLETE, AVERAGE, WEIGHTED = range(3)
CODES = {"complete": COMPLETE, "average": AVERAGE, "weighted": WEIGHTED}
LINES = 64  # of the table that a thread rewrites in one go


class Pairs(NamedTuple):
    """What becomes of the columns: column j is the union of a[j] and b[j], the first with its share (1); a column that stays
    alone is both. `other` is the line of the partner, −1 where there is none."""

    a: Array
    b: Array
    share: Array
    other: Array


@dataclass
class Clusters:
    """What is left: the line of the table, the size and the first row of each cluster, its nearest and how far that is."""

    line: Array
    sizes: Array
    names: Array
    nearest: Array
    distance: Array

    @classmethod
    def rows(cls, n: int) -> Clusters:
        """Every row a cluster of its own."""
        return cls(np.arange(n), np.ones(n), np.arange(n), np.zeros(n, np.int64), np.empty(n))


def merge_in_rounds(table: Array, linkage: str, record: Record) -> tuple[Array, Clusters]:
    """Rounds as long as they pay. Returns the table of the clusters that are left, and them."""
    left = Clusters.rows(len(table))
    if many(left.names):
        everybody = np.ones(len(table), bool)
        nobody = Pairs(left.line, left.line, np.ones(len(table)), np.full(len(table), -1))
        rewrite(table, len(table), linkage, left, nobody, everybody)
    while many(left.names):
        first, second = reciprocal(left.nearest, left.distance)
        if too_few(first, left.names):
            break
        record.add(left.names[first], left.names[second], left.distance[first])
        left = join(table, linkage, left, first, second)
    rest = table[left.line, : len(left.line)]
    np.fill_diagonal(rest, 0.0)
    return np.maximum(rest, rest.T), left  # (1) of two pairs is rounded in two orders


def join(table: Array, linkage: str, before: Clusters, first: Array, second: Array) -> Clusters:
    """The clusters after the pairs have joined, each in the place of its first."""
    m = len(before.line)
    partner, changed = np.arange(m), np.zeros(m, bool)
    partner[first] = second
    changed[first] = changed[second] = True
    stays = np.ones(m, bool)
    stays[second] = False
    a = np.flatnonzero(stays)
    b, alone = partner[a], partner[a] == a
    whole = before.sizes[a] + np.where(alone, 0.0, before.sizes[b])
    share = np.where(alone, 1.0, 0.5 if linkage == "weighted" else before.sizes[a] / whole)
    place = np.cumsum(stays) - 1
    after = Clusters(before.line[a], whole, before.names[a], place[before.nearest[a]], before.distance[a])
    stale = changed[a] | changed[before.nearest[a]]
    other = np.where(alone, -1, before.line[b])
    rewrite(table, m, linkage, after, Pairs(a, b, share, other), stale)
    return after


def rewrite(table: Array, m: int, linkage: str, after: Clusters, pairs: Pairs, stale: Array) -> None:
    """The first m entries of every line that stays become those of the clusters afterwards."""
    flat, width, code, count = table.reshape(-1), table.shape[1], CODES[linkage], len(pairs.a)

    def lines(start: int) -> None:
        stop = min(start + LINES, count)
        rewrite_lines(flat, width, m, code, start, stop, after.line, pairs, stale, after.nearest, after.distance)

    with closing(ordered_map(lines, range(0, count, LINES))) as done:
        for _ in done:
            pass


# ---- kernels ---------------------------------------------------------------------------------------------------------


@compiled(exact=True)
def rewrite_lines(
    flat: Array, width: int, m: int, code: int, start: int, stop: int, line: Array, pairs: Pairs, stale: Array, nearest: Array,
    distance: Array,
) -> None:  # fmt: skip
    """Lines start to stop: unite them with their partners, unite the columns of pairs, close up, search."""
    a, b, share, other = pairs
    for r in range(start, stop):
        row = flat[line[r] * width : line[r] * width + m]
        if other[r] >= 0:
            unite_lines(row, flat[other[r] * width : other[r] * width + m], share[r], code)
        unite_columns(row, a, b, share, code)
        row[r] = np.inf
        if stale[r]:
            nearest[r] = first_smallest(row[: len(a)])
            distance[r] = row[nearest[r]]


@compiled(exact=True, inner=True)
def unite_lines(row: Array, partner: Array, share: float, code: int) -> None:
    """(1) of two lines."""
    if code == COMPLETE:
        for j in range(len(row)):
            row[j] = partner[j] if partner[j] > row[j] else row[j]
    else:
        for j in range(len(row)):
            row[j] = share * row[j] + (1.0 - share) * partner[j]


@compiled(exact=True, inner=True)
def unite_columns(row: Array, a: Array, b: Array, share: Array, code: int) -> None:
    """(1) of the columns of each pair. Column j comes from a[j] ≥ j, so nothing is overwritten before it is read; a column
    without a partner is its own, with share 1."""
    if code == COMPLETE:
        for j in range(len(a)):
            x, y = row[a[j]], row[b[j]]
            row[j] = y if y > x else x
    else:
        for j in range(len(a)):
            row[j] = share[j] * row[a[j]] + (1.0 - share[j]) * row[b[j]]


@compiled(exact=True, inner=True)
def first_smallest(row: Array) -> int:
    """Where the smallest number stands first. The integers of the bits of numbers of at least 0 compare alike, and faster."""
    bits = row.view(np.int64)
    low = bits[0]
    for j in range(1, len(bits)):
        low = min(low, bits[j])
    at = 0
    while bits[at] != low:
        at += 1
    return at
