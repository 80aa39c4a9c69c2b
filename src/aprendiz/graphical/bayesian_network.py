"""Bayesian network: the joint distribution of discrete columns as a graph.

    p(x) = Π_v p(x_v | x_parents(v))                                                                          (1)

A node depends on its parents only. The tables of (1) are learned from rows (or given), and answer any question about the
joint distribution.

Reference: Koller & Friedman, "Probabilistic Graphical Models", MIT Press, 2009.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

from aprendiz.datasets.network import Network
from aprendiz.graphical.generation.samples import Samples
from aprendiz.graphical.graph.directed_graph import DirectedGraph
from aprendiz.graphical.graph.graph_questions import GraphQuestions
from aprendiz.graphical.inference.queries import Queries
from aprendiz.graphical.tables.discrete_network import DiscreteNetwork


class BayesianNetwork(GraphQuestions, Queries, Samples):
    """Bayesian network of discrete columns."""

    def __init__(self, edges: Any = ()):
        self.edges = edges

    @classmethod
    def from_tables(
        cls,
        tables: Network | Mapping[Any, Any],
        *,
        parents: Mapping[Any, Sequence[Any]] | None = None,
        levels: Mapping[Any, Sequence[Any]] | None = None,
    ) -> Self:
        """A network whose tables are known: one axis for each parent, in order, the last for the node itself."""
        if isinstance(tables, Network):
            tables, parents, levels = tables.tables, tables.parents, tables.levels
        if parents is None or levels is None:
            raise TypeError("Beside the tables, give the parents and the levels of each node.")
        made = cls(dict(parents))
        made.network_ = DiscreteNetwork.of(DirectedGraph.of(made.edges), levels, tables)
        return made

    @property
    def graph_(self) -> DirectedGraph:
        """The arrows: of the fit, or as given."""
        return self.network_.graph if hasattr(self, "network_") else DirectedGraph.of(self.edges)
