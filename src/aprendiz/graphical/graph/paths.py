"""The paths between nodes, the shorter ones first, each with what blocks it.

A path goes along arrows in either direction and meets no node twice. Inside it, each node is a chain, a fork or a collider, and
blocks it as separation.py says, (1) and (2). The nodes are d-separated if every path is blocked; a single open one is enough
to connect them. Of sets of nodes, paths are listed that meet the sets at their ends only: if a longer one is open, so is the
part of it between its last node of one set and the next of the other.

There may be very many paths: as many as asked for are listed. If others are left out and none of the listed ones is open though
the nodes are not separated, the last one gives way to the shortest open one.

Cost: that of path_search.py for each path.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise
from typing import Any

from aprendiz.graphical.graph.directed_graph import DirectedGraph
from aprendiz.graphical.graph.independencies import Independence
from aprendiz.graphical.graph.path_search import shortest_first, shortest_open
from aprendiz.graphical.graph.separation import separated
from aprendiz.locale import _


@dataclass(frozen=True)
class InnerNode:
    """A node inside a path.

    Attributes
    ----------
    name : node
    kind : "chain", "fork" or "collider"
        → n → or ← n ←, ← n →, → n ←.
    blocks : bool
        Whether it blocks the path.
    opened_by : node or None
        Of an open collider, the observed node that opens it: itself or a descendant.
    """

    name: Any
    kind: str
    blocks: bool
    opened_by: Any = None

    def reason(self) -> str:
        """Why it blocks the path, or lets it pass though it is a collider; empty of others."""
        if self.blocks and self.kind == "chain":
            return _("{name} is observed, in a chain").format(name=self.name)
        if self.blocks and self.kind == "fork":
            return _("{name} is observed, at a fork").format(name=self.name)
        if self.blocks:
            return _("{name} is a collider, and neither it nor a descendant is observed").format(name=self.name)
        if self.opened_by is None:
            return ""
        if self.opened_by == self.name:
            return _("the collider {name} is observed").format(name=self.name)
        words = _("{observed}, a descendant of the collider {name}, is observed")
        return words.format(name=self.name, observed=self.opened_by)


@dataclass(frozen=True, repr=False)
class Path:
    """A path: its nodes from one end to the other, whether each arrow between them points forward, and the nodes inside."""

    nodes: tuple[Any, ...]
    forward: tuple[bool, ...]
    inside: tuple[InnerNode, ...]

    @property
    def blocked(self) -> bool:
        """Whether some node inside blocks it."""
        return bool(self.blocking)

    @property
    def blocking(self) -> tuple[Any, ...]:
        """The nodes that block it."""
        return tuple(node.name for node in self.inside if node.blocks)

    def reason(self) -> str:
        """The verdict, and why."""
        said = "; ".join(node.reason() for node in self.inside if node.blocks == self.blocked and node.reason())
        verdict = _("blocked") if self.blocked else _("open")
        return f"{verdict}: {said}" if said else verdict

    def __str__(self) -> str:
        steps = (f" {'→' if forward else '←'} {name}" for forward, name in zip(self.forward, self.nodes[1:], strict=True))
        return f"{self.nodes[0]}{''.join(steps)}"

    def __repr__(self) -> str:
        return f"<{self}  {self.reason()}>"


@dataclass(frozen=True, repr=False)
class Paths:
    """The paths between some nodes and others, given what is observed. It prints them with their verdicts.

    Attributes
    ----------
    statement : Independence
        Who is asked about, given what.
    separated : bool
        Whether it holds, found without looking at paths.
    paths : tuple of Path
        The shortest first; at least one that is open, if there is one.
    complete : bool
        Whether these are all.
    """

    statement: Independence
    separated: bool
    paths: tuple[Path, ...]
    complete: bool

    @property
    def open(self) -> tuple[Path, ...]:
        """Those that are not blocked."""
        return tuple(path for path in self.paths if not path.blocked)

    def __len__(self) -> int:
        return len(self.paths)

    def __iter__(self) -> Iterator[Path]:
        return iter(self.paths)

    def __getitem__(self, i: int) -> Path:
        return self.paths[i]

    def __str__(self) -> str:
        width = max((len(str(path)) for path in self.paths), default=0)
        lines = [self.verdict(), *(f"{path!s:{width}}  {path.reason()}" for path in self.paths)]
        if not self.complete:
            lines.append(_("There are more paths than these {count}.").format(count=len(self)))
        return "\n".join(lines)

    __repr__ = __str__

    def verdict(self) -> str:
        """Whether the statement holds, in a sentence."""
        numbers = {"statement": self.statement, "open": len(self.open), "count": len(self)}
        if self.separated and not self.paths:
            return _("{statement} holds: no path joins them").format(**numbers)
        if self.separated:
            return _("{statement} holds: every path is blocked").format(**numbers)
        return _("{statement} does not hold (open paths: {open} of {count})").format(**numbers)


def find_paths(
    graph: DirectedGraph, sources: Collection[int], targets: Collection[int], given: Collection[int], *, max_paths: int
) -> Paths:
    """The shortest paths, at most some, with their verdicts."""
    judge = Judge(graph, frozenset(given))
    found = list(islice(shortest_first(graph, set(sources), set(targets)), max_paths + 1))
    complete, apart = len(found) <= max_paths, separated(graph, sources, targets, given)
    listed = [judge.path(nodes) for nodes in found[:max_paths]]
    if not (complete or apart) and all(path.blocked for path in listed):
        listed[-1] = judge.path(shortest_open(graph, set(sources), set(targets), judge.observed))
    return Paths(Independence(*(graph.names(some) for some in (sources, targets, given))), apart, tuple(listed), complete)


@dataclass(frozen=True)
class Judge:
    """Verdicts given what is observed."""

    graph: DirectedGraph
    observed: frozenset[int]

    @cached_property
    def opener(self) -> dict[int, int]:
        """For each node with an observed descendant, the nearest one; an observed node itself."""
        found = {v: v for v in sorted(self.observed)}
        queue = list(found)
        for v in queue:  # grows while it is read
            for parent in self.graph.parents[v]:
                if parent not in found:
                    found[parent] = found[v]
                    queue.append(parent)
        return found

    def path(self, nodes: tuple[int, ...]) -> Path:
        """A path with the verdicts of the nodes inside."""
        forward = tuple(u in self.graph.parents[v] for u, v in pairwise(nodes))
        inside = (self.inner(v, *ways) for v, ways in zip(nodes[1:-1], pairwise(forward), strict=True))
        return Path(tuple(self.graph.nodes[v] for v in nodes), forward, tuple(inside))

    def inner(self, v: int, comes_forward: bool, goes_forward: bool) -> InnerNode:
        """The verdict of a node, by the arrows before and after it."""
        name = self.graph.nodes[v]
        if comes_forward and not goes_forward:
            opener = self.opener.get(v)
            return InnerNode(name, "collider", opener is None, None if opener is None else self.graph.nodes[opener])
        return InnerNode(name, "chain" if comes_forward == goes_forward else "fork", v in self.observed)
