"""How many probabilities a network has to learn.

    Σ_v (levels of v − 1) · Π (levels of its parents)            one row for each combination of parents           (1)
    Σ_v (levels of v − 1)                                        if all nodes were independent                     (2)
    Π_v levels of v − 1                                          one table of all combinations                     (3)

The last probability of a row follows from the others, which sum to one with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

from aprendiz.graphical.graph.directed_graph import DirectedGraph


@dataclass(frozen=True)
class ParameterCounts:
    """Free parameters.

    Attributes
    ----------
    network, independent, full : int
        (1), (2), (3).
    by_node : mapping of node to int
        The terms of (1).
    """

    network: int
    independent: int
    full: int
    by_node: Mapping[Any, int] = field(repr=False)

    @classmethod
    def of(cls, graph: DirectedGraph, sizes: Sequence[int]) -> ParameterCounts:
        """For nodes with some numbers of levels."""
        terms = [(sizes[v] - 1) * prod(sizes[u] for u in parents) for v, parents in enumerate(graph.parents)]
        by_node = dict(zip(graph.nodes, terms, strict=True))
        return cls(sum(terms), sum(size - 1 for size in sizes), prod(sizes) - 1, by_node)


def level_counts(graph: DirectedGraph, levels: Any) -> tuple[int, ...]:
    """The number of levels of each node: one number for all, or a mapping of each to its levels or to their number."""
    if not isinstance(levels, Mapping):
        return tuple([checked_count(levels, "each node")] * len(graph))
    if missing := [name for name in graph.nodes if name not in levels]:
        raise ValueError(f"The number of levels of {missing[0]!r} is not known: give levels={{{missing[0]!r}: …}}.")
    counts = ((name, levels[name]) for name in graph.nodes)
    return tuple(checked_count(own if isinstance(own, int) else len(own), repr(name)) for name, own in counts)


def checked_count(count: Any, whose: str) -> int:
    """A number of levels, at least one."""
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise ValueError(f"The number of levels of {whose} must be a whole number from 1 up, got {count!r}.")
    return count
