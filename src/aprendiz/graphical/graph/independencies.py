"""The independencies that a graph states of its distribution.

Each node is independent of those that do not descend from it, given its parents (the local Markov property). All others
follow from these, and d-separation finds them; of few nodes, every pair is asked given every set of others.

Cost: O(nodes · edges) for the local ones; O(nodes² · 2^nodes) for the pairs.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, groupby
from typing import Any

from aprendiz.graphical.graph.directed_graph import DirectedGraph
from aprendiz.graphical.graph.separation import separated
from aprendiz.locale import _

NODES_OF_PAIRS = 8  # up to which every pair is asked given every set
SETS_IN_A_LINE = 6


@dataclass(frozen=True)
class Independence:
    """some ⊥ others | given, by name.

    Examples
    --------
    >>> print(Independence(("rain",), ("sprinkler",), ("cloudy",)))
    rain ⊥ sprinkler | cloudy
    """

    some: tuple[Any, ...]
    others: tuple[Any, ...]
    given: tuple[Any, ...]

    def __str__(self) -> str:
        condition = f" | {listed(self.given)}" if self.given else ""
        return f"{listed(self.some)} ⊥ {listed(self.others)}{condition}"


@dataclass(frozen=True, repr=False)
class Independencies:
    """What a graph states. It prints the statements, those of one pair in a line: the sets that separate it.

    Attributes
    ----------
    local : tuple of Independence
        Of each node and those that do not descend from it, given its parents.
    pairwise : tuple of Independence or None
        Of each pair, for every set that separates it; None of more than 8 nodes.
    """

    local: tuple[Independence, ...]
    pairwise: tuple[Independence, ...] | None

    @classmethod
    def of(cls, graph: DirectedGraph) -> Independencies:
        """Of a graph."""
        return cls(local_statements(graph), pairwise_statements(graph) if len(graph) <= NODES_OF_PAIRS else None)

    def __str__(self) -> str:
        if not self.local:
            return _("Every pair of nodes may depend on each other.")
        lines = [_("Each node given its parents:"), *(f"  {one}" for one in self.local)]
        if self.pairwise is not None:
            lines.append(_("Each pair, and what separates it:"))
            lines += [pair_line(list(some)) for _ends, some in groupby(self.pairwise, lambda one: (one.some, one.others))]
        return "\n".join(lines)

    __repr__ = __str__


def local_statements(graph: DirectedGraph) -> tuple[Independence, ...]:
    """The local Markov property, parents before children."""
    found = []
    for v in graph.order:
        parents = graph.parents[v]
        if others := set(range(len(graph))) - graph.descendants([v]) - set(parents):
            found.append(Independence((graph.nodes[v],), graph.names(others), graph.names(parents)))
    return tuple(found)


def pairwise_statements(graph: DirectedGraph) -> tuple[Independence, ...]:
    """Each pair that a set separates, for each such set, the smaller ones first."""
    found = []
    for u, v in combinations(range(len(graph)), 2):
        rest = [w for w in range(len(graph)) if w not in (u, v)]
        for given in (some for size in range(len(rest) + 1) for some in combinations(rest, size)):
            if separated(graph, (u,), (v,), given):
                found.append(Independence((graph.nodes[u],), (graph.nodes[v],), graph.names(given)))
    return tuple(found)


def pair_line(statements: list[Independence]) -> str:
    """The sets that separate one pair."""
    sets = [listed(one.given) or "∅" for one in statements]
    more = f" · … ({len(sets)})" if len(sets) > SETS_IN_A_LINE else ""
    return f"  {listed(statements[0].some)} ⊥ {listed(statements[0].others)} | {' · '.join(sets[:SETS_IN_A_LINE])}{more}"


def is_i_map(graph: DirectedGraph, other: DirectedGraph) -> bool:
    """Whether whatever a graph states holds in another one: its local statements are enough. Both have the same nodes."""
    return all(
        separated(other, *([other.at(name) for name in some] for some in (one.some, one.others, one.given)))
        for one in local_statements(graph)
    )


def listed(names: Iterable[Any]) -> str:
    """Names in a line."""
    return ", ".join(map(str, names))
