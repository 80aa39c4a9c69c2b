"""A directed acyclic graph: nodes by name, each with its parents.

Every node is known by its name and by its place in `nodes`. `order` lists the places so that parents stand before their
children; a graph with a cycle is refused, and the cycle is named.

Cost: O(nodes + edges).
Reference: Kahn, "Topological sorting of large networks", Communications of the ACM 5, 1962.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from aprendiz.datasets.network import Network


@dataclass(frozen=True)
class DirectedGraph:
    """Nodes and, for each, the places of its parents, in the order in which they were given.

    Examples
    --------
    >>> graph = DirectedGraph.of([("cloudy", "rain"), ("rain", "wet")])
    >>> [graph.nodes[v] for v in graph.order]
    ['cloudy', 'rain', 'wet']
    """

    nodes: tuple[Any, ...]
    parents: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, edges: Any, nodes: Iterable[Any] | None = None) -> Self:
        """The graph of some edges (pairs parent, child; a mapping of child to parents; a `datasets` Network), and of nodes
        without any.

        With `nodes`, they come first in that order and no others may appear in the edges.
        """
        edges = edges.parents if isinstance(edges, Network) else edges
        pairs = pairs_of(edges)
        told = dict.fromkeys(() if nodes is None else nodes)
        names = list(dict.fromkeys([*told, *nodes_of(edges, pairs)]))
        if nodes is not None and (unknown := [name for name in names if name not in told]):
            raise ValueError(
                f"The edges name {unknown[0]!r}, which is not a node; the nodes are {', '.join(map(repr, list(told)[:20]))}."
            )
        place = {name: v for v, name in enumerate(names)}
        parents: list[list[int]] = [[] for _ in names]
        for parent, child in pairs:
            if parent == child:
                raise ValueError(f"{child!r} is given as its own parent: remove that edge.")
            if place[parent] in parents[place[child]]:
                raise ValueError(f"The edge {parent!r} → {child!r} is given twice: remove one.")
            parents[place[child]].append(place[parent])
        graph = cls(tuple(names), tuple(map(tuple, parents)))
        graph.order  # noqa: B018  a cycle is refused here
        return graph

    def with_nodes(self, names: Iterable[Any]) -> Self:
        """The same graph, where these names are nodes, too."""
        more = [name for name in dict.fromkeys(names) if name not in self.place]
        return type(self)((*self.nodes, *more), (*self.parents, *(() for _ in more))) if more else self

    @cached_property
    def place(self) -> dict[Any, int]:
        """The place of each node by its name."""
        return {name: v for v, name in enumerate(self.nodes)}

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The places of the children of each node."""
        found: list[list[int]] = [[] for _ in self.nodes]
        for child, parents in enumerate(self.parents):
            for parent in parents:
                found[parent].append(child)
        return tuple(map(tuple, found))

    @cached_property
    def edges(self) -> tuple[tuple[Any, Any], ...]:
        """The arrows, by name: (parent, child)."""
        return tuple((self.nodes[p], self.nodes[c]) for c, parents in enumerate(self.parents) for p in parents)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The places of the nodes, parents before children, otherwise as they were given."""
        waiting = [len(parents) for parents in self.parents]
        ready, order = [v for v, count in enumerate(waiting) if not count], list[int]()
        for v in ready:  # grows while it is read
            order.append(v)
            for child in self.children[v]:
                waiting[child] -= 1
                if not waiting[child]:
                    ready.append(child)
        if len(order) < len(self.nodes):
            cycle = " → ".join(repr(self.nodes[v]) for v in a_cycle(self.parents, {v for v, n in enumerate(waiting) if n}))
            raise ValueError(f"The edges form a cycle, {cycle}: reverse or remove one of them.")
        return tuple(order)

    # ---- what follows from the arrows, by place --------------------------------------------------------------------------

    def ancestors(self, places: Iterable[int]) -> set[int]:
        """Some nodes and all from which arrows lead to them."""
        return reached(self.parents, places)

    def descendants(self, places: Iterable[int]) -> set[int]:
        """Some nodes and all to which arrows lead from them."""
        return reached(self.children, places)

    def neighbours(self, v: int) -> tuple[int, ...]:
        """The parents and the children of a node."""
        return (*self.parents[v], *self.children[v])

    def adjacent(self, u: int, v: int) -> bool:
        """Whether there is an arrow between two nodes."""
        return u in self.parents[v] or v in self.parents[u]

    def blanket(self, v: int) -> set[int]:
        """The parents, the children and the other parents of the children of a node: its neighbours in the moral graph."""
        others = (u for child in self.children[v] for u in self.parents[child])
        return {*self.neighbours(v), *others} - {v}

    @cached_property
    def moral(self) -> tuple[frozenset[int], ...]:
        """The moral graph: the neighbours of each node where directions are dropped and parents of one child are joined."""
        return tuple(frozenset(self.blanket(v)) for v in range(len(self)))

    # ---- names -----------------------------------------------------------------------------------------------------------

    def at(self, name: Any) -> int:
        """The place of a node; other names are refused."""
        try:
            return self.place[name]
        except (KeyError, TypeError):
            known = ", ".join(map(repr, self.nodes[:20])) + (", …" if len(self.nodes) > 20 else "")
            raise ValueError(f"There is no node {name!r}; the nodes are {known}.") from None

    def places(self, names: Any) -> tuple[int, ...]:
        """The places of one name, or of several in a list, a set, an array or an index."""
        return tuple(dict.fromkeys(self.at(name) for name in names)) if self.are_several(names) else (self.at(names),)

    def are_several(self, names: Any) -> bool:
        """Whether something lists names, and is none itself, as a tuple may be. A mapping says more than names."""
        return is_list(names) and not isinstance(names, Mapping) and not self.is_node(names)

    def is_node(self, name: Any) -> bool:
        """Whether something is the name of a node, as a tuple may be."""
        try:
            return name in self.place
        except TypeError:  # a list
            return False

    def names(self, places: Iterable[int]) -> tuple[Any, ...]:
        """The names of some places, in the order of the nodes."""
        return tuple(self.nodes[v] for v in sorted(places))

    def __len__(self) -> int:
        return len(self.nodes)


def reached(ways: Sequence[Sequence[int]], places: Iterable[int]) -> set[int]:
    """Some places and all that ways lead to from them."""
    found = set(places)
    waiting = list(found)
    while waiting:
        fresh = [u for u in ways[waiting.pop()] if u not in found]
        found.update(fresh)
        waiting.extend(fresh)
    return found


def pairs_of(edges: Any) -> list[tuple[Any, Any]]:
    """(parent, child) of each edge."""
    if not is_list(edges):
        remedy = ": give its edges_" if hasattr(edges, "edges_") else ""
        raise ValueError(f"Edges are a list of pairs (parent, child), or a mapping of child to parents, got {edges!r}{remedy}.")
    if isinstance(edges, Mapping):
        for child, parents in edges.items():
            if not is_list(parents):
                raise ValueError(f"The parents of {child!r} must be a list of names, got {parents!r}.")
        return [(parent, child) for child, parents in edges.items() for parent in parents]
    found = list(edges)
    if wrong := [edge for edge in found if not is_list(edge) or isinstance(edge, Set | Mapping) or len(edge) != 2]:
        raise ValueError(f"An edge is a pair (parent, child), got {wrong[0]!r}.")
    return [(a, b) for a, b in found]


def is_list(given: Any) -> bool:
    """Whether something can be read as a list, and once more: no text, and no iterator, which is empty the second time."""
    return isinstance(given, Iterable) and not isinstance(given, str | bytes | Iterator)


def nodes_of(edges: Any, pairs: Sequence[tuple[Any, Any]]) -> list[Any]:
    """The nodes that edges name, in the order in which they appear."""
    if isinstance(edges, Mapping):
        return list(dict.fromkeys([*edges, *(parent for parent, _ in pairs)]))
    return list(dict.fromkeys(name for pair in pairs for name in pair))


def a_cycle(parents: Sequence[Sequence[int]], among: set[int]) -> list[int]:
    """Nodes along the arrows of a cycle, the first again at the end. Each node of `among` has a parent in it."""
    path, seen, v = list[int](), dict[int, int](), min(among)
    while v not in seen:
        seen[v] = len(path)
        path.append(v)
        v = next(parent for parent in parents[v] if parent in among)
    return [v, *reversed(path[seen[v] :])]
