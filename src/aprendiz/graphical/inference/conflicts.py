"""Evidence that cannot be: which part of it contradicts itself.

    smallest S ⊆ evidence with p(S) = 0                                                                        (1)

Subsets are tried in the order of their size, all those of a size at once, as rows of evidence. Where there are too many, the
evidence is halved instead (QuickXplain): of a half that the conflict does not need nothing is kept, the other one is halved
again. What remains is needed, all of it, but there may be a smaller conflict elsewhere. A conflict of k parts among n takes
about k·log₂(n/k) + 2k questions. Where each is dear, a single table is looked for first that shows a conflict.

Reference: Junker, "QuickXplain: preferred explanations and relaxations for over-constrained problems", AAAI 2004.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import combinations
from math import comb

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.graphical.graph.directed_graph import DirectedGraph

MOST_SUBSETS = 2000


def smallest_conflict(levels: Sequence[tuple[int, int]], nodes: int, log_p: Callable[[Array], Array]) -> tuple[int, ...]:
    """The nodes of (1). `log_p` says how probable the known cells of each row are."""
    tried = 0
    for size in range(len(levels) + 1):
        if (tried := tried + comb(len(levels), size)) > MOST_SUBSETS:
            return halved_conflict(levels, nodes, log_p)
        subsets = list(combinations(levels, size))
        impossible = np.flatnonzero(np.isneginf(log_p(rows_of(subsets, nodes))))
        if len(impossible):
            return tuple(v for v, _ in subsets[impossible[0]])
    return ()


def conflict_in_a_family(graph: DirectedGraph, tables: Sequence[Array], levels: Sequence[tuple[int, int]]) -> tuple[int, ...]:
    """The nodes of a conflict that one table shows: all its cells that agree with them are 0; () if no table shows one."""
    known = dict(levels)
    for v in known:
        family = (*graph.parents[v], v)

        def is_conflict(nodes: Collection[int], v: int = v, family: tuple[int, ...] = family) -> bool:
            return not tables[v][tuple(known[u] if u in nodes else slice(None) for u in family)].any()

        kept = [u for u in family if u in known]
        if is_conflict(kept):
            for u in tuple(kept):
                if is_conflict(fewer := [other for other in kept if other != u]):
                    kept = fewer
            return tuple(kept)
    return ()


def halved_conflict(levels: Sequence[tuple[int, int]], nodes: int, log_p: Callable[[Array], Array]) -> tuple[int, ...]:
    """A conflict of which nothing can be left out. Where `log_p` cannot tell and says 0, more than is needed may be kept, but
    what is kept is a conflict."""

    def needed(beside: list[tuple[int, int]], some: list[tuple[int, int]], *, ask: bool) -> list[tuple[int, int]]:
        """What of `some` makes a conflict with the levels beside it, knowing that all of it does."""
        if ask and np.isneginf(log_p(rows_of([beside], nodes))[0]):
            return []
        if len(some) <= 1:
            return some
        one, other = some[: len(some) // 2], some[len(some) // 2 :]
        of_other = needed([*beside, *one], other, ask=True)
        return [*needed([*beside, *of_other], one, ask=bool(of_other)), *of_other]

    return tuple(v for v, _ in needed([], list(levels), ask=True))


def rows_of(subsets: Sequence[Sequence[tuple[int, int]]], nodes: int) -> Array:
    """A row of codes for each set of known levels."""
    rows = np.full((len(subsets), nodes), -1, dtype=np.int32)
    for row, subset in zip(rows, subsets, strict=True):
        for v, level in subset:
            row[v] = level
    return rows
