"""Which nodes are colliders: a → c ← b where a and b are not adjacent, by a vote of all sets that separate them.

The first set found is one test of many, and tests err. Of all sets of neighbours of a, or of b, that separate them,

    c is a collider             if fewer than half contain it
    c is none                   otherwise                                                                     (1)

With perfect tests either none of the sets contains c, or all do. A pair that no set separates any more, since it has lost
neighbours, has the vote of the set that once did.

Cost: one test for each set of neighbours, of up to `MOST_SETS` for a pair.
Reference: Colombo & Maathuis, "Order-independent constraint-based causal structure learning", JMLR 15, 2014: the majority rule.
"""

from __future__ import annotations

from collections import Counter
from math import comb

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.graphical.structure.known_edges import KnownEdges
from aprendiz.graphical.structure.skeleton import Independences, Skeleton, batches, by_one_set, listed

MOST_SETS = 2**12  # of a pair; larger sets are left out, all of a size


def by_majority(state: Skeleton, known: KnownEdges, tests: Independences, alpha: float, most: int | None) -> tuple[Array, int]:
    """(1), and the number of tests."""
    pairs, near = unshielded(state.adjacent), (state.adjacent & known.allowed).sum(axis=0)
    votes, voters, count = Counter[tuple[int, int, int]](), Counter[tuple[int, int]](), 0
    largest = int(near.max()) if most is None else min(most, int(near.max()))
    for size in range(largest + 1):
        for a, b in np.argwhere(pairs).tolist():
            pairs[a, b] = sum(comb(int(near[v]), size) for v in (a, b)) <= MOST_SETS
        for batch in batches(listed(state.adjacent, pairs, known, size)):
            count += len(batch)
            for *between, a, b in batch[tests.p_values(batch) > alpha].tolist():
                voters[a, b] += 1
                votes.update((a, b, c) for c in between)
    found = by_one_set(state.adjacent, {pair: own for pair, own in state.separators().items() if pair not in voters})
    for (a, b), number in voters.items():
        for c in np.flatnonzero(state.adjacent[a] & state.adjacent[b]).tolist():
            if 2 * votes[a, b, c] < number:
                found[[a, b], c] = True
    return found, count


def unshielded(adjacent: Array) -> Array:
    """The pairs a < b that are not adjacent and have a neighbour in common."""
    common = adjacent.astype(np.int64) @ adjacent.astype(np.int64) > 0
    return np.asarray(np.triu(common & ~adjacent, 1))
