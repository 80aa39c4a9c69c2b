"""A graph as a file for Graphviz."""

from __future__ import annotations

import os
from typing import Any

from aprendiz.core.atomic import write_whole
from aprendiz.graphical.graph.dot import dot_text


def write_dot(network: Any, path: str | os.PathLike[str]) -> None:
    """Write the graph in Graphviz's DOT language; `dot -Tsvg` draws it.

    Parameters
    ----------
    network : BayesianNetwork, fitted search, DirectedGraph, `datasets` Network, PartlyDirectedGraph, pairs or mapping
        Its arrows, and lines.
    path : str or path
        The file; what it holds is replaced.
    """
    write_whole(path, dot_text(network).encode())
