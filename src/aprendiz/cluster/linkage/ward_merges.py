"""Ward's merges, from the centres of the clusters: no table of distances.

Joining the clusters A and B, of sizes a and b and with centres c_A and c_B, raises the cost J of k-means (k_means.py, (1)) by

    Δ(A, B) = a·b / (a + b) · ‖c_A − c_B‖²,     height √(2Δ)                                                  (1)

Ward's linkage is reducible, so all reciprocal pairs join in one round (reciprocal_pairs.py). A cluster searches again only when
it is new or its nearest has been joined; the searches of a round are done in blocks, side by side. When clusters are few, or a
round finds few pairs, the rest is done one pair at a time:

    A → nearest of A → nearest of that → … until two are nearest to each other; join them, go on from the one before.       (2)

Cost: O(n²·d) time, O(n·d) memory.
References: Ward, "Hierarchical grouping to optimize an objective function", JASA 58, 1963; Murtagh, "A survey of recent
advances in hierarchical clustering algorithms", Computer Journal 26, 1983.
"""

from __future__ import annotations

from contextlib import closing

import numpy as np

from aprendiz.cluster.linkage.merges import Record
from aprendiz.cluster.linkage.reciprocal_pairs import many, reciprocal, too_few
from aprendiz.compilation.compiled import compiled, interruptible
from aprendiz.core.rows import Array
from aprendiz.core.threads import ordered_map

TILE = 256  # centres that are compared with one query after the other while they are in the cache
BLOCK = 128  # clusters that search in one go
EQUAL = 1e-13  # relative difference of two Δ that may be rounding


def without_offset(X: Array) -> Array:
    """The rows less the smallest cell of each column, where all its cells are within a factor of two: these differences are
    exact, and means of them keep the digits that means beside an offset lose."""
    low, high = X.min(axis=0), X.max(axis=0)
    near = ((low > 0) & (high / 2 <= low)) | ((high < 0) & (low / 2 >= high))
    return np.asarray(X - np.where(near, low, 0)) if near.any() else X


def ward_merges(X: Array) -> Record:
    """The merges of Ward's linkage, rows first; heights √(2Δ)."""
    record, centers = Record.of(len(X)), np.array(without_offset(X).T, dtype=np.float64, order="C")
    sizes, names = np.ones(len(X)), np.arange(len(X))
    nearest, rise = np.zeros(len(X), np.int64), np.empty(len(X))
    stale = np.arange(len(X))
    while many(names):
        search(centers, sizes, stale, nearest, rise)
        first, second = reciprocal(nearest, rise)
        if too_few(first, names):
            break
        record.add(names[first], names[second], np.sqrt(2 * rise[first]))
        join(centers, sizes, first, second)
        place, stale = survivors(first, second, nearest)
        kept = place >= 0
        centers, sizes, names = np.ascontiguousarray(centers[:, kept]), sizes[kept], names[kept]
        nearest, rise = place[nearest[kept]], rise[kept]
    chain(centers, sizes, names, record)
    return record.level()


def search(centers: Array, sizes: Array, who: Array, nearest: Array, rise: Array) -> None:
    """The nearest cluster, and Δ, of some clusters."""

    def block(start: int) -> None:
        nearest_clusters(centers, sizes, who[start : start + BLOCK], nearest, rise, np.empty(TILE))

    with closing(ordered_map(block, range(0, len(who), BLOCK))) as done:
        for _ in done:
            pass


def join(centers: Array, sizes: Array, first: Array, second: Array) -> None:
    """The first of each pair becomes the union."""
    total = sizes[first] + sizes[second]
    centers[:, first] += (centers[:, second] - centers[:, first]) * (sizes[second] / total)
    sizes[first] = total


def survivors(first: Array, second: Array, nearest: Array) -> tuple[Array, Array]:
    """Where each cluster will stand (−1: nowhere), and the places of those that must search again."""
    left, changed = np.ones(len(nearest), bool), np.zeros(len(nearest), bool)
    left[second] = False
    changed[first] = changed[second] = True
    place = np.where(left, np.cumsum(left) - 1, -1)
    return place, place[left & (changed | changed[nearest])]


def chain(centers: Array, sizes: Array, names: Array, record: Record) -> None:
    """(2), to the end."""
    first, second, rise = interruptible(chain_of_neighbours, centers, sizes, names, np.empty(TILE))
    record.add(first, second, np.sqrt(2 * rise))


# ---- kernels ---------------------------------------------------------------------------------------------------------


@compiled(inner=True)
def squares_to_tile(centers: Array, i: int, start: int, stop: int, out: Array) -> None:
    """out[j] = ‖c_i − c_{start+j}‖², four columns at a time."""
    d = len(centers)
    for j in range(stop - start):
        out[j] = 0.0
    for t in range(0, d - 3, 4):
        x0, x1, x2, x3 = centers[t, i], centers[t + 1, i], centers[t + 2, i], centers[t + 3, i]
        a, b = centers[t, start:stop], centers[t + 1, start:stop]
        c, e = centers[t + 2, start:stop], centers[t + 3, start:stop]
        for j in range(stop - start):
            u0, u1, u2, u3 = a[j] - x0, b[j] - x1, c[j] - x2, e[j] - x3
            out[j] += (u0 * u0 + u1 * u1) + (u2 * u2 + u3 * u3)
    for t in range(d - d % 4, d):
        x0, a = centers[t, i], centers[t, start:stop]
        for j in range(stop - start):
            u0 = a[j] - x0
            out[j] += u0 * u0


@compiled(inner=True)
def smallest(bits: Array) -> int:
    """The smallest of some numbers of at least 0, as the integers of their bits, which compare alike."""
    low = bits[0]
    for j in range(1, len(bits)):
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
def rises_to_tile(centers: Array, sizes: Array, i: int, start: int, stop: int, out: Array) -> None:
    """out[j] = Δ of i and start + j; infinite for i itself."""
    squares_to_tile(centers, i, start, stop, out)
    size, others = sizes[i], sizes[start:stop]
    for j in range(stop - start):
        out[j] *= size * others[j] / (size + others[j])
    if start <= i < stop:
        out[i - start] = np.inf


@compiled
def nearest_clusters(centers: Array, sizes: Array, who: Array, nearest: Array, rise: Array, out: Array) -> None:
    """The nearest cluster (the first of several) of each in `who`, and its Δ."""
    m, tile = len(sizes), len(out)
    for i in who:
        rise[i] = np.inf
    for start in range(0, m, tile):
        stop = min(start + tile, m)
        bits = out[: stop - start].view(np.int64)
        for i in who:
            rises_to_tile(centers, sizes, i, start, stop, out)
            low = smallest(bits)
            at = place_of(low, bits)
            if out[at] < rise[i]:
                rise[i], nearest[i] = out[at], start + at


@compiled(inner=True)
def one_nearest(centers: Array, sizes: Array, m: int, i: int, preferred: int, out: Array) -> tuple[float, int]:
    """The nearest of the first m clusters to i, and its Δ; of equal ones, up to rounding, the preferred one."""
    best, where, wanted, tile = np.inf, -1, np.inf, len(out)
    for start in range(0, m, tile):
        stop = min(start + tile, m)
        rises_to_tile(centers, sizes, i, start, stop, out)
        bits = out[: stop - start].view(np.int64)
        if start <= preferred < stop:
            wanted = out[preferred - start]
        at = place_of(smallest(bits), bits)
        if out[at] < best:
            best, where = out[at], start + at
    if wanted * (1.0 - EQUAL) <= best:  # or a chain could go round in a circle of distances that rounding makes fall
        return wanted, preferred
    return best, where


@compiled
def chain_of_neighbours(centers: Array, sizes: Array, names: Array, out: Array) -> tuple[Array, Array, Array]:
    """(2). The clusters that are left always stand first: the last one fills the gap of a union."""
    m, d = len(sizes), len(centers)
    first, second, rise = np.empty(m - 1, np.int64), np.empty(m - 1, np.int64), np.empty(m - 1)
    steps, length, merges = np.empty(m + 1, np.int64), 0, 0
    while m > 1:
        if length == 0:
            steps[0], length = 0, 1
        tip, before = steps[length - 1], steps[length - 2] if length > 1 else -1
        low, to = one_nearest(centers, sizes, m, tip, before, out)
        if to != before:
            steps[length] = to
            length += 1
            continue
        length -= 2
        a, b = min(tip, to), max(tip, to)
        first[merges], second[merges], rise[merges] = names[a], names[b], low
        merges += 1
        share = sizes[b] / (sizes[a] + sizes[b])
        sizes[a] += sizes[b]
        m -= 1
        for t in range(d):
            centers[t, a] += (centers[t, b] - centers[t, a]) * share
            centers[t, b] = centers[t, m]
        sizes[b], names[b] = sizes[m], names[m]
        for s in range(length):
            if steps[s] == m:
                steps[s] = b
    return first, second, rise
