"""In which order the nodes of a graph are eliminated, and what that costs.

Eliminating v joins its neighbours N(v) to each other and removes v. What is summed there is a table of v and N(v), so that an
order costs

    cells = Σ_v Π_{u ∈ {v} ∪ N(v)} levels(u)                                                                  (1)

The best order is hard to find; greedy ones come close. The next node is the one with the smallest

    min-fill     number of pairs in N(v) that are not joined yet                                               (2)
    min-weight   Π levels of {v} ∪ N(v)                                                                       (3)

and, among equals, the one with the smallest value of the other rule, then the first. Both are tried, and the cheaper order by
(1) is kept: the first of two that cost the same.

Cost: O(nodes · width²) set operations for graphs of small width.
Reference: Koller & Friedman, "Probabilistic Graphical Models", MIT Press, 2009, algorithm 9.4.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

RULES = ("min-fill", "min-weight")


@dataclass(frozen=True)
class EliminationOrder:
    """Nodes in the order in which they are eliminated, each with the neighbours that it has then, and the cells of (1)."""

    nodes: tuple[int, ...]
    neighbours: tuple[frozenset[int], ...]
    cells: int


def best_order(neighbours: Mapping[int, set[int]], sizes: Sequence[int], last: Collection[int] = ()) -> EliminationOrder:
    """The cheaper of the orders of (2) and (3). The nodes of `last` are eliminated after all others."""
    return min((greedy_order(neighbours, sizes, rule, last) for rule in RULES), key=lambda order: order.cells)


def greedy_order(
    neighbours: Mapping[int, set[int]], sizes: Sequence[int], rule: str, last: Collection[int] = ()
) -> EliminationOrder:
    """The order of one rule. A heap holds a key for each node; a key that has changed since is pushed anew."""
    joined = {v: set(own) for v, own in neighbours.items()}
    fill = {v: missing_pairs(joined, v) for v in joined}
    late = set(last)

    def key(v: int) -> tuple[bool, int, int, int]:
        weight = prod(sizes[u] for u in joined[v]) * sizes[v]
        return (v in late, fill[v], weight, v) if rule == "min-fill" else (v in late, weight, fill[v], v)

    keys = {v: key(v) for v in joined}
    heap, left = list(keys.values()), set(joined)
    heapq.heapify(heap)
    order, around, cells = list[int](), list[frozenset[int]](), 0
    while left:
        smallest = heapq.heappop(heap)
        v = smallest[-1]
        if v not in left or smallest != keys[v]:
            continue
        left.remove(v)
        order.append(v)
        around.append(frozenset(joined[v]))
        cells += prod(sizes[u] for u in joined[v]) * sizes[v]
        for u in eliminate(joined, fill, v):
            keys[u] = key(u)
            heapq.heappush(heap, keys[u])
    return EliminationOrder(tuple(order), tuple(around), cells)


def missing_pairs(joined: Mapping[int, set[int]], v: int) -> int:
    """How many pairs of neighbours of a node are not joined: (2)."""
    own = joined[v]
    return sum(len(own) - 1 - len(own & joined[u]) for u in own) // 2


def eliminate(joined: Mapping[int, set[int]], fill: dict[int, int], v: int) -> set[int]:
    """Join the neighbours of a node, remove it, and bring (2) up to date. Returns the nodes whose keys may have changed."""
    own = joined[v]
    changed = set(own)
    if fill[v]:
        for u in own:
            for new in own - joined[u] - {u}:
                changed |= joined[u] & joined[new]
                joined[u].add(new)
                joined[new].add(u)
        for u in own:
            joined[u].remove(v)
        changed.discard(v)
        for u in changed:
            fill[u] = missing_pairs(joined, u)
    else:  # the pairs of u that v is in: those with neighbours of u that are none of v
        for u in own:
            fill[u] -= len(joined[u]) - len(own)
            joined[u].remove(v)
    return changed


def neighbours_in(groups: Iterable[Collection[int]]) -> dict[int, set[int]]:
    """The neighbours of each node when the nodes of each group are joined to each other: of all families, the moral graph."""
    joined: dict[int, set[int]] = {}
    for group in groups:
        for v in group:
            joined.setdefault(v, set()).update(group)
    for v, own in joined.items():
        own.discard(v)
    return joined
