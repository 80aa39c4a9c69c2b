"""A graph with arrows and lines: what is known of a directed graph when the direction of some edges is not.

The arrows and lines of an equivalence class, of all directed graphs with the same d-separations, are one: an arrow where all
members have it, a line where members differ. Two graphs are equivalent if they have the same adjacent pairs and the same
v-structures a → b ← c with a, c not adjacent; so the class is found from these by rules that direct a line wherever the other
direction would make a cycle or another v-structure:

    a → b — c, a and c not adjacent                                  ⟹  b → c                                 (1)
    a → b → c, a — c                                                 ⟹  a → c                                 (2)
    a — c → b, a — d → b, a — b, c and d not adjacent                ⟹  a → b                                 (3)
    a — d → c → b, a — b, a and c adjacent, b and d not adjacent     ⟹  a → b                                 (4)

(4) is needed only where arrows were given from outside.

Cost: a round looks at each line, O(lines · degree²); few rounds.
Reference: Verma & Pearl, "Equivalence and synthesis of causal models", UAI 1990; Meek, "Causal inference and causal explanation
with background knowledge", UAI 1995; Dor & Tarsi, "A simple algorithm to construct a consistent extension", UCLA 1992.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Self

from aprendiz.core.pictures import Picture, display
from aprendiz.graphical.graph.directed_graph import DirectedGraph


@dataclass(frozen=True)
class PartlyDirectedGraph:
    """Arrows and lines between nodes, by name.

    Attributes
    ----------
    nodes : tuple
        The names of the nodes.
    directed : tuple of (parent, child)
        The arrows.
    undirected : tuple of (a, b)
        The lines, a before b in `nodes`.
    """

    nodes: tuple[Any, ...]
    directed: tuple[tuple[Any, Any], ...]
    undirected: tuple[tuple[Any, Any], ...]

    @classmethod
    def of_class(cls, graph: DirectedGraph) -> Self:
        """The equivalence class of a directed graph."""
        colliders = {(u, v) for a, v, c in v_structures(graph) for u in (a, c)}
        all_edges = [(u, v) for v, parents in enumerate(graph.parents) for u in parents]
        return cls.by_place(graph.nodes, colliders, [edge for edge in all_edges if edge not in colliders]).oriented()

    @classmethod
    def by_place(cls, nodes: Iterable[Any], directed: Iterable[tuple[int, int]], undirected: Iterable[tuple[int, int]]) -> Self:
        """The graph of arrows and lines between places; a pair with arrows both ways is a line."""
        names, arrows = tuple(nodes), set(directed)
        both = {(u, v) for u, v in arrows if (v, u) in arrows}
        lines = {(min(pair), max(pair)) for pair in (*undirected, *both)}
        return cls(
            names,
            tuple((names[u], names[v]) for u, v in sorted(arrows - both)),
            tuple((names[u], names[v]) for u, v in sorted(lines)),
        )

    def oriented(self) -> Self:
        """The same graph with every line directed whose direction follows from the others by (1) to (4)."""
        ends = Ends.of(self)
        while True:
            found = [(a, b) for a, b in ends.lines() if ends.follows(a, b)]
            if not found:
                return self.by_place(self.nodes, *ends.edges())
            for a, b in found:
                if b in ends.beside[a]:
                    ends.direct(a, b)

    def extension(self) -> DirectedGraph:
        """A directed graph with these arrows, the lines directed, and no other v-structures: a member of the class.

        A node without outgoing arrows whose neighbours by a line are adjacent to all its other neighbours can be made the
        last one; it is taken out, and so on.
        """
        ends = Ends.of(self)
        parents: list[tuple[int, ...]] = [()] * len(self.nodes)
        left = dict.fromkeys(range(len(self.nodes)))
        while left:
            last = next((v for v in left if ends.can_be_last(v)), None)
            if last is None:
                raise ValueError(
                    "No directed graph without cycles has these arrows and no further v-structures; "
                    f"the nodes {', '.join(repr(self.nodes[v]) for v in list(left)[:20])} cannot be put in order."
                )
            parents[last] = tuple(sorted(ends.into[last] | ends.beside[last]))
            ends.remove(last)
            del left[last]
        return DirectedGraph(self.nodes, tuple(parents))

    def plot(self, ax: Any = None) -> Picture:
        """Arrows and lines as a picture, a `NetworkDisplay`. Needs matplotlib."""
        return display("NetworkDisplay")(self).plot(ax)

    def __str__(self) -> str:
        return "\n".join([*(f"{a} → {b}" for a, b in self.directed), *(f"{a} — {b}" for a, b in self.undirected)])


@dataclass(frozen=True)
class Ends:
    """The same edges by place, in sets that change while edges are directed."""

    into: list[set[int]]  # a → v
    out_of: list[set[int]]  # v → b
    beside: list[set[int]]  # v — b

    @classmethod
    def of(cls, graph: PartlyDirectedGraph) -> Self:
        place = {name: v for v, name in enumerate(graph.nodes)}
        ends = cls(*([set[int]() for _ in graph.nodes] for _ in range(3)))
        for parent, child in graph.directed:
            ends.into[place[child]].add(place[parent])
            ends.out_of[place[parent]].add(place[child])
        for a, b in graph.undirected:
            ends.beside[place[a]].add(place[b])
            ends.beside[place[b]].add(place[a])
        return ends

    def lines(self) -> list[tuple[int, int]]:
        """Each line, both ways."""
        return [(a, b) for a, others in enumerate(self.beside) for b in sorted(others)]

    def edges(self) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """Arrows and lines."""
        return [(a, b) for a, others in enumerate(self.out_of) for b in others], [(a, b) for a, b in self.lines() if a < b]

    def adjacent(self, a: int, b: int) -> bool:
        return b in self.into[a] or b in self.out_of[a] or b in self.beside[a]

    def follows(self, a: int, b: int) -> bool:
        """Whether one of the rules makes a — b an arrow a → b."""
        if any(not self.adjacent(c, b) for c in self.into[a]):  # (1)
            return True
        if not self.out_of[a].isdisjoint(self.into[b]):  # (2)
            return True
        middle = self.beside[a] & self.into[b]
        if any(not self.adjacent(c, d) for c, d in combinations(middle, 2)):  # (3)
            return True
        return any(  # (4)
            not self.adjacent(b, d) for c in self.into[b] if self.adjacent(a, c) for d in self.into[c] & self.beside[a]
        )

    def direct(self, a: int, b: int) -> None:
        """Make the line a — b an arrow a → b."""
        self.beside[a].remove(b)
        self.beside[b].remove(a)
        self.out_of[a].add(b)
        self.into[b].add(a)

    def can_be_last(self, v: int) -> bool:
        """Whether all lines of a node may point to it: no arrow leaves it, and no v-structure arises."""
        around = self.into[v] | self.beside[v]
        return not self.out_of[v] and all(self.adjacent(u, w) for u in self.beside[v] for w in around - {u})

    def remove(self, v: int) -> None:
        """Take a node without outgoing arrows out."""
        for u in self.into[v]:
            self.out_of[u].discard(v)
        for u in self.beside[v]:
            self.beside[u].discard(v)
        self.into[v].clear()
        self.beside[v].clear()


def v_structures(graph: DirectedGraph) -> list[tuple[int, int, int]]:
    """(a, b, c) for each a → b ← c whose parents a, c are not adjacent."""
    return [
        (a, b, c)
        for b, parents in enumerate(graph.parents)
        for a, c in combinations(sorted(parents), 2)
        if not graph.adjacent(a, c)
    ]
