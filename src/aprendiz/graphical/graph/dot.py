"""A graph in Graphviz's DOT language: `dot -Tsvg` draws it.

Nodes are numbered there, and their names are labels between quotation marks, so that no name can be taken for markup.
"""

from __future__ import annotations

from typing import Any

from aprendiz.graphical.graph.as_graph import as_graph
from aprendiz.graphical.graph.partly_directed_graph import PartlyDirectedGraph


def dot_text(given: Any) -> str:
    """The text for a network, for edges, or for a graph with lines."""
    graph = given if isinstance(given, PartlyDirectedGraph) else as_graph(given)
    arrows, lines = (graph.directed, graph.undirected) if isinstance(graph, PartlyDirectedGraph) else (graph.edges, ())
    place = {name: v for v, name in enumerate(graph.nodes)}
    return "\n".join(
        [
            "digraph {",
            "    node [shape=box, style=rounded];",
            *(f'    {v} [label="{escape(str(name))}"];' for v, name in enumerate(graph.nodes)),
            *(f"    {place[a]} -> {place[b]};" for a, b in arrows),
            *(f"    {place[a]} -> {place[b]} [dir=none];" for a, b in lines),
            "}",
            "",
        ]
    )


def escape(text: str) -> str:
    """A text between quotation marks."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
