"""Which pairs of nodes are adjacent: those that no set of other nodes separates.

Two nodes of a network that are not adjacent are independent given the parents of one of them, and these are among its
neighbours. So the neighbours are searched for sets that separate, the small ones first:

    for ℓ = 0, 1, 2, …:  remove a — b  if  p(a ⊥ b | S) > α  for a set S of ℓ neighbours of a, or of b        (1)

with the neighbours as they were when ℓ began, so that the order of the nodes does not matter. Of the sets of the smallest size
that separate a pair, the one with the largest p value is kept: the order does not matter to it either.

What is known of the graph spares tests: pairs that must be adjacent are not tested, and a node that cannot be a parent of a is
in no set of its neighbours. Pairs that may not be adjacent are tested only for the set that separates them, since directions
follow from it.

Cost: one test for each pair and set of ℓ neighbours; with at most q neighbours, O(d²·q^ℓ).
Reference: Spirtes, Glymour & Scheines, "Causation, Prediction, and Search", MIT Press, 2000; Colombo & Maathuis,
"Order-independent constraint-based causal structure learning", JMLR 15, 2014.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations, islice
from typing import Protocol

import numpy as np

from aprendiz.core.iteration import State
from aprendiz.core.rows import Array
from aprendiz.graphical.structure.known_edges import KnownEdges

TOGETHER = 2**14  # tests that are listed at a time


class Independences(Protocol):
    """What says how likely a ⊥ b | S is: `tests` has a row for each, the places of S, then a and b."""

    def p_values(self, tests: Array) -> Array: ...


@dataclass(frozen=True)
class Skeleton(State):
    """Adjacent pairs after the sets of `iteration` − 1 nodes, and the sets that separated the others: pair m, the row
    `separated[m]`, by members[ends[m − 1] : ends[m]]. `p` is the largest p value of each pair's tests. The objective is the
    number of edges; the search is over when there was nothing left to test. `colliders[a, c]` says that the sets put c at the
    end of an arrow from a: of one, or of all of them once they have voted (colliders.py)."""

    adjacent: Array
    p: Array
    separated: Array
    ends: Array
    members: Array
    colliders: Array
    tests: int

    @classmethod
    def complete(cls, known: KnownEdges) -> Skeleton:
        """Every pair that may be adjacent is."""
        adjacent = known.joined.copy()
        none = np.empty(0, np.int64)
        edges = float(adjacent.sum() // 2)
        return cls(
            0, edges, False, adjacent, np.zeros(adjacent.shape), none.reshape(0, 2), none, none, np.zeros_like(adjacent), 0
        )

    def after(self, known: KnownEdges, tests: Independences, alpha: float, most: int | None) -> Skeleton:
        """(1) for the sets of the next size."""
        p, best = self.p.copy(), dict[tuple[int, int], tuple[float, tuple[int, ...]]]()
        count = 0
        for batch in batches(listed(self.adjacent, self.open_pairs(known), known, self.iteration)):
            chances = tests.p_values(batch)
            count += len(batch)
            for row in np.flatnonzero(chances > alpha):
                a, b, chance = int(batch[row, -2]), int(batch[row, -1]), float(chances[row])
                if chance > best.get((a, b), (alpha, ()))[0]:
                    best[a, b] = chance, tuple(map(int, batch[row, :-2]))
            np.maximum.at(p, (batch[:, -2], batch[:, -1]), chances)
        p = np.maximum(p, p.T)
        adjacent, pairs = self.adjacent.copy(), sorted(best)
        for a, b in pairs:
            adjacent[a, b] = adjacent[b, a] = False
        last = self.ends[-1] if len(self.ends) else 0
        size, edges = self.iteration, float(adjacent.sum() // 2)
        found = Skeleton(
            size + 1,
            edges,
            count == 0 or (most is not None and size >= most),
            adjacent,
            p,
            np.vstack([self.separated, np.array(pairs, np.int64).reshape(-1, 2)]),
            np.concatenate([self.ends, last + size * np.arange(1, len(pairs) + 1)]),
            np.concatenate([self.members, np.array([v for pair in pairs for v in best[pair][1]], np.int64)]),
            self.colliders,
            self.tests + count,
        )
        return replace(found, colliders=by_one_set(adjacent, found.separators()))

    def open_pairs(self, known: KnownEdges) -> Array:
        """The pairs a < b that nothing has separated yet, and that tests may decide."""
        found = np.triu(np.ones(self.adjacent.shape, bool), 1) & ~(known.must | known.must.T)
        found[tuple(self.separated.T)] = False
        return found

    def separators(self) -> dict[tuple[int, int], tuple[int, ...]]:
        """The set that separates each pair (a, b), a < b."""
        parts = np.split(self.members, self.ends)
        return {(int(a), int(b)): tuple(map(int, part)) for (a, b), part in zip(self.separated, parts, strict=False)}


def by_one_set(adjacent: Array, separators: Mapping[tuple[int, int], tuple[int, ...]]) -> Array:
    """`found[a, c]` and `found[b, c]` for each a — c — b, a and b not adjacent, with c not in the set that separates them."""
    found = np.zeros(adjacent.shape, bool)
    for (a, b), between in separators.items():
        for c in np.flatnonzero(adjacent[a] & adjacent[b]).tolist():
            if c not in between:
                found[[a, b], c] = True
    return found


def listed(adjacent: Array, pairs: Array, known: KnownEdges, size: int) -> Iterator[tuple[int, ...]]:
    """The tests of (1) for some pairs and sets of one size, each once: S, then a < b."""
    may = adjacent & known.allowed  # may[c, a]: c may be a parent of a
    near = [tuple(map(int, np.flatnonzero(column))) for column in may.T]
    for a, b in np.argwhere(pairs).tolist():
        sets = dict.fromkeys(combinations([v for v in near[a] if v != b], size))
        sets |= dict.fromkeys(combinations([v for v in near[b] if v != a], size))
        yield from ((*one, a, b) for one in sets)


def batches(tests: Iterator[tuple[int, ...]]) -> Iterator[Array]:
    """Tests in arrays of many rows."""
    while some := list(islice(tests, TOGETHER)):
        yield np.array(some, np.int64)
