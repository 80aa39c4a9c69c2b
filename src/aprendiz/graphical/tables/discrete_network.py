"""A network of discrete variables: a graph, the levels of each node, and its table.

    p(x) = Π_v p(x_v | x_parents(v)),     tables[v][x_parents(v), x_v] = p(x_v | x_parents(v))                (1)

Nodes are known by their place; a level by its code, its place among the levels. A table has an axis for each parent, in the
order of the graph, and the last one for the node: each of its rows sums to one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from aprendiz.core.rows import Array, read_only
from aprendiz.graphical.graph.directed_graph import DirectedGraph, is_list

MOST_AXES = 64  # of an array
UNEVEN = 1e-6  # how far from one a row may sum, for each of its numbers (files round them); it is then divided by its sum


@dataclass(frozen=True, eq=False)
class DiscreteNetwork:
    """Graph, levels and tables of (1), one of each for a node."""

    graph: DirectedGraph
    levels: tuple[tuple[Any, ...], ...]
    tables: tuple[Array, ...]

    @classmethod
    def of(cls, graph: DirectedGraph, levels: Mapping[Any, Sequence[Any]], tables: Mapping[Any, Any]) -> Self:
        """The network of levels and tables by name, checked: shape, range, and the sum of each row."""
        for what, given in (("levels", levels), ("table", tables)):
            if not isinstance(given, Mapping):
                raise TypeError(f"Give the {what} of each node as a mapping of names, got {given!r}.")
            if missing := [name for name in graph.nodes if name not in given]:
                raise ValueError(f"The node {missing[0]!r} has no {what}.")
            if unknown := [name for name in given if name not in graph.place]:
                raise ValueError(f"There is {what} for {unknown[0]!r}, which is not a node.")
        if wrong := [name for name in graph.nodes if not is_list(levels[name])]:
            raise ValueError(f"The levels of {wrong[0]!r} must be a list of them, got {levels[wrong[0]]!r}.")
        known = tuple(tuple(levels[name]) for name in graph.nodes)
        for name, own in zip(graph.nodes, known, strict=True):
            if not own or len(set(own)) < len(own):
                raise ValueError(f"The levels of {name!r} must be at least one, each once, got {list(own)}.")
        checked = (checked_table(graph, known, v, tables[name]) for v, name in enumerate(graph.nodes))
        return cls(graph, known, tuple(checked))

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The number of levels of each node."""
        return tuple(map(len, self.levels))

    @cached_property
    def codes(self) -> tuple[dict[Any, int], ...]:
        """The code of each level, node by node."""
        return tuple({level: code for code, level in enumerate(own)} for own in self.levels)

    def code(self, name: Any, level: Any) -> int:
        """The code of a level of a node; other levels are refused."""
        v = self.graph.at(name)
        try:
            return self.codes[v][level]
        except (KeyError, TypeError):
            known = ", ".join(map(repr, self.levels[v][:20])) + (", …" if len(self.levels[v]) > 20 else "")
            raise ValueError(f"{name!r} has no level {level!r}; its levels are {known}.") from None


def checked_table(graph: DirectedGraph, levels: Sequence[Sequence[Any]], v: int, given: Any) -> Array:
    """A table of probabilities whose rows sum to one; what is wrong is named with its row."""
    name, parents = graph.nodes[v], graph.parents[v]
    try:
        table = np.array(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"The table of {name!r} must be an array of numbers, an axis for each parent: {error}.") from None
    shape = tuple(len(levels[u]) for u in (*parents, v))
    if table.shape != shape:
        axes = ", ".join(f"{graph.nodes[u]!r} ({len(levels[u])})" for u in (*parents, v))
        raise ValueError(f"The table of {name!r} has the shape {table.shape}; its axes should be {axes}.")
    sums = table.sum(axis=-1)
    wrong = ~(np.isfinite(table) & (table >= 0)).all(axis=-1) | ~(np.abs(sums - 1) <= UNEVEN * len(levels[v]))
    if wrong.any():
        row = tuple(int(i) for i in np.argwhere(wrong)[0]) if parents else ()
        where = ", ".join(f"{graph.nodes[u]} = {levels[u][i]!r}" for u, i in zip(parents, row, strict=True))
        values = ", ".join(f"{value:g}" for value in table[row])
        raise ValueError(
            f"The table of {name!r}{f', row {where},' if where else ''} must hold probabilities that sum to one; "
            f"it holds {values} (sum {float(sums[row]):.10g})."
        )
    rounded = np.abs(sums - 1) <= 4 * len(levels[v]) * np.finfo(float).eps  # such rows keep their bits
    return read_only(table / np.where(rounded, 1.0, sums)[..., None])
