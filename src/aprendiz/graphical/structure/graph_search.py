"""A graph under search: its arrows, the scores of its families, and those of the families one arrow away.

A score is a sum over families, so a move changes one of them, a reversal two, and only these have to be scored again. A family
is scored when a move that may be made first needs it, and kept: a search that comes back finds it.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.core.threads import ordered_map
from aprendiz.graphical.structure.edge_moves import ADD, REVERSE, UNKNOWN, Move, find_paths, paths_after_addition, scan_moves
from aprendiz.graphical.structure.family_table import FamilyTables
from aprendiz.graphical.structure.known_edges import KnownEdges

MOST_KEPT = 2**26  # bytes of scores that are kept for when a node has these parents again
LARGE_TASK = 2**19  # rows × candidates that one thread counts, of several at least
FEW_CANDIDATES = 8


class SearchSpace:
    """The families that were scored, and which arrows may stand."""

    def __init__(self, tables: FamilyTables, known: KnownEdges, max_parents: int | None):
        self.tables, self.known, self.required = tables, known, known.must
        self.most_parents = len(known.nodes) if max_parents is None else int(max_parents)
        self.kept: dict[tuple[int, bytes], Array] = {}
        for name, parents in zip(known.nodes, known.required.parents, strict=True):
            if len(parents) > self.most_parents:
                raise ValueError(
                    f"{name!r} has {len(parents)} required parents, more than max_parents={self.most_parents}: raise it."
                )

    def scores_of(self, v: int, parents: Array) -> Array:
        """Scores of v with each other node added to these parents or taken from them, and at v with these: as far as known."""
        if (found := self.kept.get((v, parents.tobytes()))) is None:
            found = np.full(len(parents), UNKNOWN, np.int64)
            found[v] = self.tables.family(v, parents.nonzero()[0].tolist())
        return found

    def keep(self, v: int, parents: Array, scores: Array) -> None:
        """Remember what was scored."""
        if len(self.kept) * scores.nbytes > MOST_KEPT:
            self.kept.clear()
        self.kept[v, parents.tobytes()] = scores.copy()


class GraphSearch:
    """A graph of arrows[parent, child] in a space, and `scores` as `scan_moves` has them."""

    def __init__(self, space: SearchSpace, edges: Iterable[tuple[int, int]]):
        d = len(space.known.nodes)
        self.space, self.arrows = space, np.zeros((d, d), dtype=bool)
        for parent, child in edges:
            self.arrows[parent, child] = True
        self.reach = np.empty_like(self.arrows)
        find_paths(self.arrows, self.reach)
        self.scores = np.stack([space.scores_of(v, self.arrows[:, v]) for v in range(d)])
        self.none_tabu = np.zeros((d, d), dtype=bool)

    @property
    def units(self) -> int:
        """The score, in whole units."""
        return sum(int(own) for own in self.scores.diagonal())

    @property
    def value(self) -> float:
        """The score."""
        return self.space.tables.score.value(self.units)

    @property
    def rounding(self) -> float:
        """How far the gain of a move may lie from the exact one: a reversal has two families before it, and two after it."""
        return 4.0 * self.space.tables.score.rounding

    @property
    def edges(self) -> Array:
        """The arrows, a row (parent, child) for each."""
        return np.argwhere(self.arrows)

    # ---- moves ---------------------------------------------------------------------------------------------------------

    def best_move(self, tabu: Array | None = None, record: int = 0) -> tuple[int, Move | None]:
        """The number of moves that may be made, and the best of them; of `tabu` pairs only if it gains more than `record`."""
        return self.scanned(self.none_tabu if tabu is None else tabu, record, -1)

    def move_number(self, number: int) -> Move | None:
        """A move by its number."""
        return self.scanned(self.none_tabu, 0, number)[1]

    def scanned(self, tabu: Array, record: int, chosen: int) -> tuple[int, Move | None]:
        space, wanted = self.space, np.zeros_like(self.arrows)
        graph = self.arrows, self.reach, space.known.allowed, space.required, space.most_parents
        found = scan_moves(*graph, self.scores, tabu, record, chosen, wanted)
        if wanted.any():
            self.score_families(wanted)
            found = scan_moves(*graph, self.scores, tabu, record, chosen, wanted)
        count, *move = map(int, found)
        return count, None if move[0] < 0 else Move(*move)

    def score_families(self, wanted: Array) -> None:
        """Score the families that a move needs: nodes and candidates side by side, if there is work for several threads."""
        tables, tasks = self.space.tables, list[tuple[int, list[int], Array]]()
        rows = len(tables.rows.codes)
        size = max(FEW_CANDIDATES, LARGE_TASK // rows)
        for v in np.flatnonzero(wanted.any(axis=1)).tolist():
            own, parents = self.arrows[:, v], self.arrows[:, v].nonzero()[0].tolist()
            new = (wanted[v] & ~own).nonzero()[0]
            tasks += [(v, parents, new[k : k + size]) for k in range(0, len(new), size)]
            for u in (wanted[v] & own).nonzero()[0].tolist():
                self.scores[v, u] = tables.family(v, [p for p in parents if p != u])
        if rows * int(wanted.sum()) < LARGE_TASK:
            found = (tables.additions(*task) for task in tasks)
        else:
            found = ordered_map(lambda task: tables.additions(*task), tasks)
        with closing(found):
            for (node, _, candidates), scores in zip(tasks, found, strict=True):
                self.scores[node, candidates] = scores

    def make(self, move: Move) -> None:
        """Make a move."""
        kind, u, v, _ = move
        self.toggle(u, v)
        if kind == REVERSE:
            self.toggle(v, u)
        if kind == ADD:
            paths_after_addition(self.reach, u, v)
        else:
            find_paths(self.arrows, self.reach)

    def toggle(self, u: int, v: int) -> None:
        """Add u to the parents of v, or take it from them."""
        parents, scores = self.arrows[:, v], self.scores[v]
        self.space.keep(v, parents, scores)
        before, after = scores[v], scores[u]
        parents[u] ^= True
        self.scores[v] = self.space.kept.get((v, parents.tobytes()), UNKNOWN)
        self.scores[v, v], self.scores[v, u] = after, before
