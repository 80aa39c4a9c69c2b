"""Complete, average and weighted linkage: merges found along chains of nearest neighbours, in a table of distances.

All three are reducible (reciprocal_pairs.py), so two clusters that are nearest to each other may join whenever they are found:

    A → nearest of A → nearest of that → … until two are nearest to each other; join them, go on from the one before.       (1)

The distances along a chain fall, so it ends, and what is left of it after a merge is still a chain. A search adds a cluster to
the chain or finds a merge, which takes two away: fewer than 3n searches of a row. When a quarter of the clusters is gone, the
table is packed. As long as many pairs can join at once, rounds (table_rounds.py) are faster, and come first.

Cost: O(n²) time beside the distances, and the table of n² numbers.
Reference: Benzécri, "Construction d'une classification ascendante hiérarchique par la recherche en chaîne des voisins
réciproques", Cahiers de l'analyse des données 7, 1982.
"""

from __future__ import annotations

import numpy as np

from aprendiz.cluster.linkage.merges import Record
from aprendiz.cluster.linkage.table_rounds import AVERAGE, CODES, COMPLETE, merge_in_rounds
from aprendiz.compilation.compiled import compiled, int64, interruptible
from aprendiz.core.rows import Array

INFINITY = 0x7FF0000000000000  # its bits: those of numbers of at least 0 compare like the numbers, and faster


def chain_merges(table: Array, linkage: str) -> Record:
    """The merges of a linkage. The table of distances is symmetric to the last bit, and is overwritten."""
    record = Record.of(len(table))
    rest, left = merge_in_rounds(table, linkage, record)
    record.add(*interruptible(merges_of_chain, rest.reshape(-1), left.names, left.sizes, CODES[linkage]))
    return record.level()


@compiled(exact=True, inner=True)
def nearest(row: Array, closed: Array, tip: int, preferred: int) -> int:
    """The nearest of the clusters that are not closed; of several, the preferred one, then the first."""
    bits, walls = row.view(np.int64), closed.view(np.int64)
    low = int64(INFINITY)
    walls[tip] = INFINITY
    for j in range(len(bits)):
        low = min(low, max(bits[j], walls[j]))
    at = preferred if preferred >= 0 and bits[preferred] == low else 0
    while max(bits[at], walls[at]) != low or at == tip:
        at += 1
    walls[tip] = 0
    return at


@compiled(exact=True, inner=True)
def join(flat: Array, m: int, closed: Array, sizes: Array, a: int, b: int, code: int) -> None:
    """Cluster a becomes the union ((1) of table_rounds.py), b is closed."""
    share = sizes[a] / (sizes[a] + sizes[b]) if code == AVERAGE else 0.5
    closed[b] = np.inf
    sizes[a] += sizes[b]
    row, other = flat[a * m : (a + 1) * m], flat[b * m : (b + 1) * m]
    if code == COMPLETE:
        for j in range(m):
            row[j] = other[j] if other[j] > row[j] else row[j]
    else:
        for j in range(m):
            row[j] = share * row[j] + (1.0 - share) * other[j]
    for j in range(m):
        if closed[j] == 0.0:
            flat[j * m + a] = row[j]


@compiled(exact=True, inner=True)
def pack(flat: Array, m: int, closed: Array, sizes: Array, names: Array, steps: Array, length: int) -> int:
    """Take the closed clusters out, in place; how many are left."""
    left, place = 0, np.empty(m, np.int64)
    for j in range(m):
        place[j] = left
        if closed[j] == 0.0:
            sizes[left], names[left] = sizes[j], names[j]
            left += 1
    for s in range(length):
        steps[s] = place[steps[s]]
    at = 0
    for i in range(m):
        if closed[i] == 0.0:
            for j in range(m):
                if closed[j] == 0.0:
                    flat[at] = flat[i * m + j]
                    at += 1
    return left


@compiled(exact=True)
def merges_of_chain(flat: Array, names: Array, sizes: Array, code: int) -> tuple[Array, Array, Array]:
    """(1), to the end: the rows by which the clusters are known, and the heights."""
    m = len(names)
    first, second, height = np.empty(m - 1, np.int64), np.empty(m - 1, np.int64), np.empty(m - 1)
    closed, steps = np.zeros(m), np.empty(m + 1, np.int64)
    merges, length, left, start = 0, 0, m, 0
    while left > 1:
        if 4 * left <= 3 * m:
            m, start = pack(flat, m, closed, sizes, names, steps, length), 0
            closed = np.zeros(m)
        if length == 0:
            while closed[start] > 0.0:
                start += 1
            steps[0], length = start, 1
        tip, before = steps[length - 1], steps[length - 2] if length > 1 else -1
        to = nearest(flat[tip * m : (tip + 1) * m], closed, tip, before)
        if to != before:
            steps[length] = to
            length += 1
            continue
        a, b = min(tip, to), max(tip, to)
        first[merges], second[merges], height[merges] = names[a], names[b], flat[a * m + b]
        merges, length, left = merges + 1, length - 2, left - 1
        join(flat, m, closed, sizes, a, b, code)
    return first, second, height
