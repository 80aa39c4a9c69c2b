"""Paths between nodes, one after the other, the shorter ones first.

A partial path is known with the fewest edges that it still needs to an end without meeting a node again; the one that can
become the shortest is prolonged first. So none is begun in vain, and as many paths can be taken as are wanted. Of open paths,
the edges still needed are counted along steps that nothing blocks.

Cost: O(length · degree · (nodes + edges)) for each path.
Reference: Hart, Nilsson & Raphael, "A formal basis for the heuristic determination of minimum cost paths", IEEE Transactions on
Systems Science and Cybernetics 4, 1968.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from heapq import heappop, heappush

from aprendiz.graphical.graph.directed_graph import DirectedGraph

Partial = tuple[int, int, tuple[int, ...]]  # edges of the path that it can become, minus its nodes so far, and these


def shortest_first(graph: DirectedGraph, sources: set[int], targets: set[int]) -> Iterator[tuple[int, ...]]:
    """Every path from a source to a target with none of them inside, the shorter ones first."""
    waiting: list[Partial] = [(0, 0, (source,)) for source in sorted(sources)]
    while waiting:
        path = heappop(waiting)[-1]  # the one that can become the shortest; of these, the longest so far
        if path[-1] in targets:
            yield path
            continue
        ahead = distances(graph, targets, sources.union(path))
        for v in graph.neighbours(path[-1]):
            if v in ahead:
                heappush(waiting, (len(path) + ahead[v], -len(path), (*path, v)))


def distances(graph: DirectedGraph, ends: set[int], avoided: set[int]) -> dict[int, int]:
    """The number of edges between the nearest end and each node that is reached from it without the avoided ones."""
    found = dict.fromkeys(sorted(ends), 0)
    queue = list(found)
    for v in queue:  # grows while it is read
        for u in graph.neighbours(v):
            if u not in found and u not in avoided:
                found[u] = found[v] + 1
                queue.append(u)
    return found


def shortest_open(graph: DirectedGraph, sources: set[int], targets: set[int], observed: Collection[int]) -> tuple[int, ...]:
    """The shortest path that nothing blocks, from a source to a target that is not separated from it."""
    steps = OpenSteps(graph, frozenset(observed), frozenset(graph.ancestors(observed)))
    waiting: list[Partial] = [(0, 0, (source,)) for source in sorted(sources)]
    while waiting:
        path = heappop(waiting)[-1]
        if path[-1] in targets:
            return path
        avoided = sources.union(path)
        for v, forward in steps.after(path):
            if v not in avoided and (ahead := steps.distance(v, forward, targets, avoided)) is not None:
                heappush(waiting, (len(path) + ahead, -len(path), (*path, v)))
    raise AssertionError("These nodes are separated.")


@dataclass(frozen=True)
class OpenSteps:
    """Steps along arrows, forward or back, that no node in between blocks (separation.py)."""

    graph: DirectedGraph
    observed: frozenset[int]
    awake: frozenset[int]  # observed nodes and their ancestors: colliders that let pass

    def after(self, path: tuple[int, ...]) -> list[tuple[int, bool]]:
        """The steps that can follow a path, each with its direction."""
        v = path[-1]
        if len(path) == 1:
            return [
                *((child, True) for child in self.graph.children[v]),
                *((parent, False) for parent in self.graph.parents[v]),
            ]
        return self.beyond(v, path[-2] in self.graph.parents[v])

    def beyond(self, v: int, forward: bool) -> list[tuple[int, bool]]:
        """The steps from a node that is come to by an arrow forward, or back."""
        down = [(child, True) for child in self.graph.children[v]] if v not in self.observed else []
        up = v in self.awake if forward else v not in self.observed
        return down + [(parent, False) for parent in self.graph.parents[v]] if up else down

    def distance(self, v: int, forward: bool, ends: set[int], avoided: set[int]) -> int | None:
        """The fewest steps from a node that is come to in some direction to an end, without the avoided nodes."""
        found = {(v, forward): 0}
        queue = [(v, forward)]
        for step in queue:  # grows while it is read
            if step[0] in ends:
                return found[step]
            for one in self.beyond(*step):
                if one not in found and one[0] not in avoided:
                    found[one] = found[step] + 1
                    queue.append(one)
        return None
