"""What the graph of a network says by itself, asked by name."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from aprendiz.core.parameters import refuse_count
from aprendiz.core.pictures import Picture, display
from aprendiz.datasets.network import Network
from aprendiz.graphical.graph.as_graph import as_graph
from aprendiz.graphical.graph.directed_graph import DirectedGraph
from aprendiz.graphical.graph.dot import dot_text
from aprendiz.graphical.graph.independencies import Independencies, is_i_map
from aprendiz.graphical.graph.parameter_counts import ParameterCounts, level_counts
from aprendiz.graphical.graph.partly_directed_graph import v_structures
from aprendiz.graphical.graph.paths import Paths, find_paths
from aprendiz.graphical.graph.separation import separated
from aprendiz.graphical.tables.discrete_network import DiscreteNetwork


class GraphQuestions:
    """Questions that need the arrows only, of a class that has a `graph_`: before a fit, too."""

    edges: Any = ()
    levels: Any = None
    hidden: Any = None
    network_: DiscreteNetwork

    @property
    @abstractmethod
    def graph_(self) -> DirectedGraph:
        """The arrows."""

    def topological_order(self) -> list[Any]:
        """The nodes, parents before children."""
        graph = self.graph_
        return [graph.nodes[v] for v in graph.order]

    def ancestors(self, node: Any) -> list[Any]:
        """The nodes from which arrows lead to a node."""
        graph = self.graph_
        return list(graph.names(graph.ancestors([graph.at(node)]) - {graph.at(node)}))

    def descendants(self, node: Any) -> list[Any]:
        """The nodes to which arrows lead from a node."""
        graph = self.graph_
        return list(graph.names(graph.descendants([graph.at(node)]) - {graph.at(node)}))

    def markov_blanket(self, node: Any) -> list[Any]:
        """Parents, children and other parents of the children: given these, a node is independent of all others."""
        graph = self.graph_
        return list(graph.names(graph.blanket(graph.at(node))))

    def v_structures(self) -> list[tuple[Any, Any, Any]]:
        """(a, b, c) for each a → b ← c where a and c are not adjacent."""
        graph = self.graph_
        return [(graph.nodes[a], graph.nodes[b], graph.nodes[c]) for a, b, c in v_structures(graph)]

    def factorization(self) -> str:
        """The joint distribution as a product, parents before children."""
        graph = self.graph_
        terms = []
        for v in graph.order:
            given = ", ".join(str(graph.nodes[u]) for u in graph.parents[v])
            terms.append(f"P({graph.nodes[v]} | {given})" if given else f"P({graph.nodes[v]})")
        return " ".join(terms)

    def n_parameters(self, levels: Any = None) -> ParameterCounts:
        """Free parameters: of the network, if all nodes were independent, and of one table of all combinations.

        Parameters
        ----------
        levels : int or mapping of node to levels (or to their number), optional
            By default those of the fit, or as they were given.
        """
        graph = self.graph_
        return ParameterCounts.of(graph, level_counts(graph, self.known_levels() if levels is None else levels))

    def known_levels(self) -> Any:
        """The levels of the nodes, of the fit or as given."""
        if hasattr(self, "network_"):
            return dict(zip(self.network_.graph.nodes, self.network_.levels, strict=True))
        given = self.edges.levels if isinstance(self.edges, Network) else {}
        return {**given, **(self.levels or {}), **(self.hidden or {})}

    # ---- separation ------------------------------------------------------------------------------------------------------

    def d_separated(self, a: Any, b: Any, given: Any = ()) -> bool:
        """Whether the graph makes a and b independent given others, whatever the tables are.

        Parameters
        ----------
        a, b, given : node, or list, tuple or set of nodes
            No node in two of them.
        """
        graph = self.graph_
        some, others, observed = disjoint(graph, a, b, given)
        return separated(graph, some, others, observed)

    def paths(self, a: Any, b: Any, given: Any = (), *, max_paths: int = 100) -> Paths:
        """The paths between a and b, the shortest first, each with its verdict and what blocks it.

        Parameters
        ----------
        a, b, given : node, or list, tuple or set of nodes
            No node in two of them.
        max_paths : int
            How many are listed at most; `complete` says whether these are all.
        """
        refuse_count("max_paths", max_paths)
        graph = self.graph_
        sources, targets, observed = disjoint(graph, a, b, given)
        return find_paths(graph, sources, targets, observed, max_paths=max_paths)

    def independencies(self) -> Independencies:
        """What the graph states: each node given its parents, and, of at most 8 nodes, every pair given every set."""
        return Independencies.of(self.graph_)

    def is_i_map(self, other: Any) -> bool:
        """Whether every independence that this graph states holds in another network (or graph, or edges), too."""
        graph, known = self.graph_, as_graph(other)
        if set(graph.nodes) != set(known.nodes):
            name = next(iter(set(graph.nodes) ^ set(known.nodes)))
            raise ValueError(f"The node {name!r} is in one graph only: compare graphs of the same nodes.")
        return is_i_map(graph, known)

    # ---- pictures --------------------------------------------------------------------------------------------------------

    def plot(
        self,
        ax: Any = None,
        *,
        evidence: Any = None,
        tables: Any = False,
        posteriors: Any = False,
        confidence: Any = None,
    ) -> Picture:
        """The graph as a picture in layers, a `NetworkDisplay`. Needs matplotlib.

        Parameters
        ----------
        evidence : mapping of node to level, optional
            Observed nodes, which are coloured.
        tables : bool or list of nodes
            Whose conditional tables are shown.
        posteriors : bool, list of nodes, or mapping of node to (mapping of level to probability)
            Bars of p(node | evidence), computed or given.
        confidence : mapping of (parent, child) to share, optional
            How often each arrow was found: its width.
        """
        shown: Picture = display("NetworkDisplay").from_estimator(
            self, evidence=evidence, tables=tables, posteriors=posteriors, confidence=confidence, ax=ax
        )
        return shown

    def to_dot(self) -> str:
        """The graph in Graphviz's DOT language."""
        return dot_text(self.graph_)


def disjoint(graph: DirectedGraph, a: Any, b: Any, given: Any) -> tuple[tuple[int, ...], ...]:
    """The places of three sets of nodes without a common one."""
    sets = tuple(graph.places(some) for some in (a, b, given))
    words = ("a", "b", "given")
    for i, j in ((0, 1), (0, 2), (1, 2)):
        if both := set(sets[i]) & set(sets[j]):
            raise ValueError(f"{graph.nodes[min(both)]!r} is in {words[i]} and in {words[j]}: leave it in one of them.")
    return sets
