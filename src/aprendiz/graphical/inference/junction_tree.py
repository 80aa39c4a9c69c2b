"""Junction tree: the cliques of an elimination order, joined so that each node lives in one connected part.

Eliminating v makes the clique {v} ∪ N(v), N(v) being its neighbours then. The clique hangs below the one in which the next
of N(v) is eliminated; what both share is the separator. Cliques that lie inside a neighbour are merged with it. Then

    a node is in every clique between two cliques that have it                    (running intersection)       (1)
    each family (parents, v) lies inside some clique, its home                                                  (2)

so that a joint table p(x) = Π_v p(x_v | parents) is a product over cliques, and sums over it are messages along the tree
(messages.py). The tree holds no probabilities. What messages will cost is known before any is sent:

    cells = Σ_cliques Π_{u in clique} levels(u)                                                                (3)

Reference: Lauritzen & Spiegelhalter, "Local computations with probabilities on graphical structures", JRSS B 50, 1988.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from math import prod
from typing import Self

from aprendiz.graphical.graph.directed_graph import DirectedGraph
from aprendiz.graphical.inference.elimination_orders import EliminationOrder, best_order, neighbours_in
from aprendiz.graphical.inference.tree_arrays import TreeArrays
from aprendiz.locale import _

PRINTED = 60  # cliques
BYTES_PER_CELL = 16  # a product, and the place of a cell in another table


@dataclass(frozen=True)
class Cost:
    """What messages along a tree take: cells of the largest clique, of all cliques, and the bytes that hold them."""

    largest: int
    cells: int

    @property
    def bytes(self) -> int:
        return BYTES_PER_CELL * self.cells

    def __str__(self) -> str:
        words = _("{cells} cells in all, {largest} in the largest clique, {bytes}")
        numbers = {"cells": readable_count(self.cells), "largest": readable_count(self.largest)}
        return words.format(**numbers, bytes=readable_bytes(self.bytes))


def readable_count(count: int) -> str:
    """A whole number of any size, which may be beyond all doubles; with two digits where it has many."""
    return str(count) if count < 10**15 else f"{Decimal(count):.1e}"


def readable_bytes(count: int) -> str:
    """Bytes with a unit."""
    for unit, size in (("TiB", 2**40), ("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if count >= size:
            return f"{count / size:.3g} {unit}" if count < 10**6 * size else f"{readable_count(count)} bytes"
    return f"{count} bytes"


@dataclass(frozen=True, eq=False, repr=False)
class JunctionTree:
    """Cliques from the root on, parents before children.

    Attributes
    ----------
    graph : DirectedGraph
    sizes : tuple of int
        The number of levels of each node.
    cliques : tuple of tuple of int
        The nodes of each clique, those that are eliminated last first: what it shares with the clique above comes before the
        rest.
    above : tuple of int
        The clique above each one; −1 for the root.
    homes : tuple of int
        The clique of each family; −1 for families that are left out.
    last : tuple of bool
        Whether what a clique has and the one above has not was to be eliminated last.
    known : frozenset of int
        The nodes that are known in every row for which the tree is made: they cost nothing.
    """

    graph: DirectedGraph
    sizes: tuple[int, ...]
    cliques: tuple[tuple[int, ...], ...]
    above: tuple[int, ...]
    homes: tuple[int, ...]
    last: tuple[bool, ...]
    known: frozenset[int] = frozenset()

    @classmethod
    def of(
        cls,
        graph: DirectedGraph,
        sizes: Sequence[int],
        *,
        together: Collection[int] = (),
        last: Collection[int] = (),
        known: Collection[int] = (),
        members: Collection[int] | None = None,
    ) -> Self:
        """The tree of the cheapest order that is found.

        The nodes of `together` share a clique, those of `last` are eliminated last, those of `known` are known in every row.
        Of the families, only those of the nodes `members` have a home.
        """
        of_nodes = range(len(graph)) if members is None else sorted(members)
        families = {v: tuple(u for u in (*graph.parents[v], v) if u not in known) for v in of_nodes}
        order = best_order(neighbours_in([*families.values(), tuple(together)]), sizes, last)
        return cls.of_order(order, graph, sizes, families, frozenset(known), frozenset(last))

    @classmethod
    def of_order(
        cls,
        order: EliminationOrder,
        graph: DirectedGraph,
        sizes: Sequence[int],
        families: Mapping[int, tuple[int, ...]],
        known: frozenset[int],
        last: frozenset[int],
    ) -> Self:
        """The tree of an order, from the node that is eliminated last backwards."""
        when = {v: i for i, v in enumerate(order.nodes)}
        cliques, above, late, clique_of = list[set[int]](), list[int](), list[bool](), dict[int, int]()
        for v, own in zip(reversed(order.nodes), reversed(order.neighbours), strict=True):
            upper = clique_of[min(own, key=when.__getitem__)] if own else min(len(cliques) - 1, 0)
            if own and len(own) == len(cliques[upper]) and late[upper] == (v in last):
                cliques[upper].add(v)  # all of them are neighbours of v: the clique grows
                clique_of[v] = upper
            else:
                clique_of[v] = len(cliques)
                cliques.append({v, *own})
                above.append(upper)
                late.append(v in last)
        if not cliques:  # nothing is asked, or all is known
            cliques, above, late = [set()], [-1], [False]
        homes = [-1] * len(sizes)
        for v, family in families.items():
            homes[v] = clique_of[min(family, key=when.__getitem__)] if family else 0
        for v in families:
            cliques[homes[v]].update(u for u in (*graph.parents[v], v) if u in known)
        nodes = (sorted(clique, key=lambda v: -when.get(v, -1)) for clique in cliques)
        return cls(graph, tuple(sizes), tuple(map(tuple, nodes)), tuple(above), tuple(homes), tuple(late), known)

    @cached_property
    def families(self) -> tuple[tuple[int, ...], ...]:
        """The parents of each node, and the node: the axes of its table."""
        return tuple((*parents, v) for v, parents in enumerate(self.graph.parents))

    @cached_property
    def arrays(self) -> TreeArrays:
        """The tree as kernels read it."""
        return TreeArrays.of(self)

    @cached_property
    def separators(self) -> tuple[tuple[int, ...], ...]:
        """What each clique shares with the one above it, but for what is known."""
        own = [set(clique) for clique in self.cliques]
        return tuple(
            tuple(v for v in clique if upper >= 0 and v in own[upper] - self.known)
            for clique, upper in zip(self.cliques, self.above, strict=True)
        )

    @cached_property
    def below(self) -> tuple[tuple[int, ...], ...]:
        """The cliques that hang from each one."""
        found: list[list[int]] = [[] for _ in self.cliques]
        for clique, upper in enumerate(self.above):
            if upper >= 0:
                found[upper].append(clique)
        return tuple(map(tuple, found))

    @cached_property
    def seats(self) -> tuple[int, ...]:
        """The smallest clique that has each node; −1 for nodes in none."""
        found = [-1] * len(self.sizes)
        for c in sorted(range(len(self.cliques)), key=self.cells.__getitem__, reverse=True):
            for v in self.cliques[c]:
                found[v] = c
        return tuple(found)

    @cached_property
    def cells(self) -> tuple[int, ...]:
        """The number of cells of each clique."""
        return tuple(prod([self.sizes[v] for v in clique if v not in self.known]) for clique in self.cliques)

    @cached_property
    def cost(self) -> Cost:
        """(3)."""
        return Cost(max(self.cells), sum(self.cells))

    def __repr__(self) -> str:
        """Each clique in a line below the one above it: what both share in brackets, then its other nodes."""
        lines, waiting = [str(self.cost)], [(0, 0)]
        while waiting and len(lines) <= PRINTED:
            c, depth = waiting.pop()
            shared = [v for v in self.cliques[c] if v in self.separators[c]]
            own = ", ".join(str(self.graph.nodes[v]) for v in self.cliques[c] if v not in shared)
            both = f"[{', '.join(str(self.graph.nodes[v]) for v in shared)}] " if c else ""
            lines.append(f"{'  ' * depth}{both}{own}")
            waiting += [(below, depth + 1) for below in reversed(self.below[c])]
        return "\n".join([*lines, "…"] if waiting else lines)

    def rooted(self, root: int) -> JunctionTree:
        """The same cliques, seen from another one."""
        if root == 0:
            return self
        joined = [[*below, upper] for below, upper in zip(self.below, self.above, strict=True)]
        order, above = [root], {root: -1}
        for clique in order:  # grows while it is read
            for other in joined[clique]:
                if other >= 0 and other not in above:
                    above[other] = clique
                    order.append(other)
        place = {clique: i for i, clique in enumerate(order)}
        return JunctionTree(
            self.graph,
            self.sizes,
            tuple(self.cliques[clique] for clique in order),
            tuple(place[above[clique]] if above[clique] >= 0 else -1 for clique in order),
            tuple(place.get(home, -1) for home in self.homes),
            tuple(self.last[clique] for clique in order),
            self.known,
        )
