"""What is known of a graph before the rows are seen: arrows it must have, arrows it must not have, and tiers.

Tiers are groups of nodes in time: an arrow goes from a tier to itself or to a later one, never back. Nodes without a tier are
free. Names are checked against each other, and contradictions are named: an arrow both required and forbidden, or required
against the tiers; required arrows that form a cycle.

Cost: O(nodes²) cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from aprendiz.core.rows import Array, read_only
from aprendiz.graphical.graph.directed_graph import DirectedGraph, is_list, pairs_of


@dataclass(frozen=True, eq=False)
class KnownEdges:
    """`required` as a graph of all nodes, and `allowed[parent, child]`: whether that arrow may stand, by place.

    Examples
    --------
    >>> known = KnownEdges.of(("age", "smoker", "cancer"), forbidden=[("smoker", "age")], tiers=[["age"], ["smoker", "cancer"]])
    >>> bool(known.allowed[0, 2]), bool(known.allowed[2, 0])
    (True, False)
    """

    required: DirectedGraph
    allowed: Array

    @classmethod
    def of(cls, nodes: Iterable[Any], *, required: Any = (), forbidden: Any = (), tiers: Any = None) -> Self:
        """What is known, by name; edges are pairs (parent, child) or a mapping of child to parents."""
        for told, edges in (("required", required), ("forbidden", forbidden)):
            if not is_list(edges):
                raise TypeError(f"{told} must be edges, pairs (parent, child) or a mapping of child to parents, got {edges!r}.")
        graph = DirectedGraph.of(list(dict.fromkeys(pairs_of(required))), nodes)
        tier = tier_of_nodes(graph, tiers)
        rank = {own: float(place) for place, own in enumerate(sorted({own for own in tier if own is not None}))}
        number = np.array([np.nan if own is None else rank[own] for own in tier], dtype=np.float64)
        back = number[:, None] > number
        allowed = ~np.eye(len(graph), dtype=bool)
        for parent, child in pairs_of(forbidden):
            u, v = graph.at(parent), graph.at(child)
            if u in graph.parents[v]:
                raise ValueError(f"The edge {parent!r} → {child!r} is both required and forbidden: remove it from one of them.")
            allowed[u, v] = False
        for parent, child in graph.edges:
            u, v = graph.at(parent), graph.at(child)
            if back[u, v]:
                raise ValueError(
                    f"The edge {parent!r} → {child!r} is required, but {parent!r} is in tier {tier[u]} and {child!r} in tier "
                    f"{tier[v]}: change the tiers or remove it."
                )
            allowed[v, u] = False
        return cls(graph, read_only(allowed & ~back))

    @property
    def nodes(self) -> tuple[Any, ...]:
        """The names."""
        return self.required.nodes

    @property
    def joined(self) -> Array:
        """Whether two nodes may be neighbours, in whichever direction: symmetric."""
        return self.allowed | self.allowed.T

    @property
    def must(self) -> Array:
        """`must[parent, child]`: whether an arrow is required."""
        found = np.zeros(self.allowed.shape, dtype=bool)
        for child, parents in enumerate(self.required.parents):
            found[list(parents), child] = True
        return found


def tier_of_nodes(graph: DirectedGraph, tiers: Any) -> list[int | None]:
    """The tier of each node: groups are numbered in their order, a mapping gives the number of each node."""
    tier: list[int | None] = [None] * len(graph)
    for name, number in named_tiers(tiers):
        v = graph.at(name)
        if tier[v] is not None:
            raise ValueError(f"{name!r} is in two tiers, {tier[v]} and {number}: keep one.")
        tier[v] = number
    return tier


def named_tiers(tiers: Any) -> list[tuple[Any, int]]:
    """(name, tier) of each entry."""
    if tiers is None:
        return []
    if isinstance(tiers, Mapping):
        for name, number in tiers.items():
            if isinstance(number, bool) or not isinstance(number, (int, np.integer)):
                raise TypeError(f"The tier of {name!r} must be a whole number, got {number!r}.")
        return [(name, int(number)) for name, number in tiers.items()]
    if not is_list(tiers):
        raise TypeError(f"tiers must be lists of names, or a mapping of names to numbers, got {tiers!r}.")
    groups = list(tiers)
    for group in groups:
        if not is_list(group):
            raise TypeError(f"A tier is a list of names, got {group!r}: write [{group!r}].")
    return [(name, number) for number, group in enumerate(groups) for name in group]
