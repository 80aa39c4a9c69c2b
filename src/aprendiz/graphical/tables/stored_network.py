"""Whether the graph, the levels and the tables of a stored network go together: kernels follow them without looking."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from aprendiz.core.stored import Check
from aprendiz.graphical.graph.directed_graph import DirectedGraph
from aprendiz.graphical.tables.discrete_network import DiscreteNetwork


def network_agrees(held: Mapping[str, Any]) -> bool:
    """A graph without cycles whose parents are nodes, and a table with an axis for each parent and the node."""
    network = held.get("network_")
    if network is None:
        return True
    if not isinstance(network, DiscreteNetwork) or not isinstance(network.graph, DirectedGraph):
        return False
    nodes, parents = network.graph.nodes, network.graph.parents
    lists = (nodes, parents, network.levels, network.tables, *parents, *network.levels)
    if not all(isinstance(one, tuple) for one in lists):
        return False
    same_length = len(nodes) == len(parents) == len(network.levels) == len(network.tables)
    if not same_length or not nodes or not all(network.levels) or len(set(nodes)) < len(nodes):
        return False
    if not all(type(u) is int and 0 <= u < len(nodes) for own in parents for u in own):
        return False
    if any(len({v, *own}) < len(own) + 1 for v, own in enumerate(parents)) or not has_order(network.graph):
        return False
    families = ((*own, v) for v, own in enumerate(parents))
    shapes = (tuple(network.sizes[u] for u in family) for family in families)
    tables = all(is_table(table, shape) for table, shape in zip(network.tables, shapes, strict=True))
    return tables and 0 < held.get("n_features_in_", len(nodes)) <= len(nodes)


def is_table(table: Any, shape: tuple[int, ...]) -> bool:
    """Probabilities of that shape, whose rows sum to one."""
    if not isinstance(table, np.ndarray) or table.dtype != np.float64 or table.shape != shape:
        return False
    return bool((table >= 0).all() and (np.abs(table.sum(axis=-1) - 1) <= 1e-6).all())


def has_order(graph: DirectedGraph) -> bool:
    """Is there no cycle?"""
    try:
        return len(graph.order) == len(graph)
    except ValueError:
        return False


NETWORK = Check(network_agrees, "its graph, levels and tables do not go together; fit it again")
