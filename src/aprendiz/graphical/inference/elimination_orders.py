"""In which order the nodes of a graph are eliminated, and what that costs.

Eliminating v joins its neighbours N(v) to each other and removes v. What is summed there is a table of v and N(v), so that an
order costs

    cells = Σ_v Π_{u ∈ {v} ∪ N(v)} levels(u)                                                                  (1)

where nodes are left out whose {v} ∪ N(v) an earlier table has among its nodes: its sum is what remains to be summed.

The best order is hard to find; greedy ones come close. The next node is the one with the smallest

    min-fill       number of pairs in N(v) that are not joined yet, then cells of (1)                          (2)
    min-weight     Π levels of {v} ∪ N(v), then pairs of (2)                                                   (3)
    min-message    Π levels of N(v): the cells of the sum over v; nodes that join no new pair come before      (4)

and, among equals, the first. Where the order of (2) is not cheap, all are tried, and the cheapest by (1) is kept: the first of
those that cost the same.

Cost: one intersection of two sets of neighbours for each pair that is joined, of at most width nodes.
Reference: Koller & Friedman, "Probabilistic Graphical Models", MIT Press, 2009, algorithm 9.4.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

RULES = ("min-fill", "min-weight", "min-message")
CHEAP = 2**16  # cells: such messages take no longer than another order


@dataclass(frozen=True)
class EliminationOrder:
    """Nodes in the order in which they are eliminated, each with the neighbours that it has then, and the cells of (1)."""

    nodes: tuple[int, ...]
    neighbours: tuple[frozenset[int], ...]
    cells: int


def best_order(neighbours: Mapping[int, set[int]], sizes: Sequence[int], last: Collection[int] = ()) -> EliminationOrder:
    """The order of (2) if it is cheap, else the cheapest of all rules. The nodes of `last` are eliminated after all others."""
    first = greedy_order(neighbours, sizes, RULES[0], last)
    if first.cells <= CHEAP:
        return first
    others = (greedy_order(neighbours, sizes, rule, last) for rule in RULES[1:])
    return min((first, *others), key=lambda order: order.cells)


def greedy_order(
    neighbours: Mapping[int, set[int]], sizes: Sequence[int], rule: str, last: Collection[int] = ()
) -> EliminationOrder:
    """The order of one rule. A heap holds a key for each node; a key that has changed since is pushed anew."""
    graph, late = ShrinkingGraph.of(neighbours, sizes), set(last)
    key = {"min-fill": graph.fill_key, "min-weight": graph.weight_key, "min-message": graph.message_key}[rule]
    keys = {v: (v in late, *key(v)) for v in graph.joined}
    heap = list(keys.values())
    heapq.heapify(heap)
    order, around, remaining, cells = list[int](), list[frozenset[int]](), set[frozenset[int]](), 0
    while keys:
        smallest = heapq.heappop(heap)
        v = smallest[-1]
        if smallest != keys.get(v):
            continue
        del keys[v]
        own = frozenset(graph.joined[v])
        if own | {v} not in remaining:
            cells += graph.weight[v]
        order.append(v)
        around.append(own)
        remaining.add(own)
        for u in graph.eliminate(v):
            keys[u] = (u in late, *key(u))
            heapq.heappush(heap, keys[u])
    return EliminationOrder(tuple(order), tuple(around), cells)


@dataclass
class ShrinkingGraph:
    """A graph while its nodes are eliminated: the neighbours of each node, the pairs of (2), and the cells of (1)."""

    joined: dict[int, set[int]]
    sizes: Sequence[int]
    fill: dict[int, int]
    weight: dict[int, int]

    @classmethod
    def of(cls, neighbours: Mapping[int, set[int]], sizes: Sequence[int]) -> ShrinkingGraph:
        """Before any is."""
        joined = {v: set(own) for v, own in neighbours.items()}
        weight = {v: prod([sizes[u] for u in own]) * sizes[v] for v, own in joined.items()}
        graph = cls(joined, sizes, {}, weight)
        graph.fill.update((v, graph.missing_pairs(v)) for v in joined)
        return graph

    def fill_key(self, v: int) -> tuple[int, int, int]:
        """(2)."""
        return self.fill[v], self.weight[v], v

    def weight_key(self, v: int) -> tuple[int, int, int]:
        """(3)."""
        return self.weight[v], self.fill[v], v

    def message_key(self, v: int) -> tuple[int, int, int]:
        """(4)."""
        return self.fill[v] > 0, self.weight[v] // self.sizes[v], v

    def missing_pairs(self, v: int) -> int:
        """How many pairs of neighbours of a node are not joined: (2)."""
        own = self.joined[v]
        return (len(own) * (len(own) - 1) - sum([len(own & self.joined[u]) for u in own])) // 2

    def eliminate(self, v: int) -> set[int]:
        """Join the neighbours of a node and remove it. Returns the nodes for which something may have changed."""
        joined, own = self.joined, self.joined[v]
        changed = set(own)
        if self.fill[v]:
            for u in own:
                for new in own - joined[u] - {u}:
                    changed |= self.join(u, new)
            changed.discard(v)
        for u in own:  # u loses the pairs of v with those of its neighbours that are none of v
            self.fill[u] -= len(joined[u]) - len(own)
            joined[u].remove(v)
            self.weight[u] //= self.sizes[v]
        return changed

    def join(self, u: int, new: int) -> set[int]:
        """Join two nodes. Returns their common neighbours, which have one pair less that is not joined."""
        both = self.joined[u] & self.joined[new]
        for v in both:
            self.fill[v] -= 1
        for one, other in ((u, new), (new, u)):
            self.fill[one] += len(self.joined[one]) - len(both)
            self.weight[one] *= self.sizes[other]
        self.joined[u].add(new)
        self.joined[new].add(u)
        return both


def neighbours_in(groups: Iterable[Collection[int]]) -> dict[int, set[int]]:
    """The neighbours of each node when the nodes of each group are joined to each other: of all families, the moral graph."""
    joined: dict[int, set[int]] = {}
    for group in groups:
        for v in group:
            joined.setdefault(v, set()).update(group)
    for v, own in joined.items():
        own.discard(v)
    return joined
