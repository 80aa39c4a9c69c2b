"""What the graph of a network says by itself, asked by name."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from aprendiz.graphical.graph.directed_graph import DirectedGraph


class GraphQuestions:
    """Questions that need the arrows only, of a class that has a `graph_`: before a fit, too."""

    @property
    @abstractmethod
    def graph_(self) -> DirectedGraph:
        """The arrows."""

    def topological_order(self) -> list[Any]:
        """The nodes, parents before children."""
        return [self.graph_.nodes[v] for v in self.graph_.order]
