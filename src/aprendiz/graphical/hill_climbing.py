"""Hill climbing: the graph of a network, changed one arrow at a time for as long as its score rises.

    graph ← the neighbour of the highest score,     neighbours: an arrow more, one less, or one turned round    (1)

No neighbour has a cycle. The score is a sum over families (structure/family_score.py): a move changes one or two of its terms,
and only the families that have become neighbours by it are counted (structure/graph_search.py).

A hill climb ends at a local maximum. Two ways lead on, and the best graph that was met is kept:

    tabu       after a maximum the best neighbour is taken although it is lower, and pairs of nodes that were changed in the
               last `tabu` moves stay as they are, unless a change gives a new best graph; until `patience` moves in a row
               have given none                                                                                            (2)
    restarts   from the best graph so far, after `perturb` random moves                                                   (3)

Cost: O(n·d²) for the first move, O(n·d) for each other one, with n different rows and d nodes.
References: Heckerman, Geiger & Chickering, "Learning Bayesian networks", Machine Learning 20, 1995;
Glover, "Tabu search, part I", ORSA Journal on Computing 1, 1989.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, ClassVar

import numpy as np

from aprendiz.core.certificate import Certificate
from aprendiz.core.parameters import Count, Seed, Whole
from aprendiz.core.random import hash_one
from aprendiz.core.rows import Array
from aprendiz.core.several_starts import SeveralStarts, StartState
from aprendiz.graphical.graph.directed_graph import DirectedGraph
from aprendiz.graphical.structure.edge_moves import KINDS
from aprendiz.graphical.structure.family_score import PriorRows, ScoreName
from aprendiz.graphical.structure.graph_search import GraphSearch
from aprendiz.graphical.structure.learned_edges import LearnedEdges
from aprendiz.graphical.structure.scored_rows import ScoredRows
from aprendiz.locale import _


@dataclass(frozen=True)
class ClimbState(StartState):
    """A graph on its way: its arrows (rows parent, child) and the moves that led to it (rows kind, parent, child, gain). `top`
    is the best graph of this start, met after `top_moves` of them, `stale` moves ago. Scores are in whole units."""

    edges: Array
    moves: Array
    units: int
    top: Array
    top_units: int
    top_moves: int
    stale: int
    best_moves: Array
    best_top: Array
    best_top_units: int
    best_top_moves: int

    lowest: ClassVar[bool] = False

    def ahead(self, log: Array) -> bool:
        """Is a start with this log better than the best one that is over, or as good as one that was cut short?"""
        cut_short = len(self.best_log) > 0 and not self.best_still
        return super().ahead(log) or bool(cut_short and len(log) and log[-1] == self.best_log[-1])


class HillClimbing(SeveralStarts, LearnedEdges):
    """Search for the graph of a Bayesian network by its score.

    Parameters
    ----------
    criterion : {"bic", "aic", "loglik", "bdeu", "k2"}, default="bic"
        The score; the larger, the better.
    alpha : float, default=1.0
        Equivalent sample size of BDeu.
    max_parents : int, optional
        Maximum number of parents of a node; in any case, tables of more than 2⁵⁰ cells are not considered.
    required, forbidden : edges, default=()
        Arrows that must stand, and that must not: pairs (parent, child), or a mapping of child to parents.
    tiers : list of lists of names, or mapping of name to number, optional
        Groups of nodes in time: no arrow leads from a later group to an earlier one.
    tabu : int, default=10
        Number of moves for which a changed pair of nodes stays as it is; of few nodes, a third of the pairs at most.
    patience : int, default=30
        Number of moves for which a start goes on without a new best graph; 0 stops at its first maximum.
    n_restarts : int, default=0
        Number of further starts, each from the best graph so far.
    perturb : int, optional
        Number of random moves at the beginning of each; by default as many as there are columns.
    max_iter : int, default=10_000
        Maximum number of moves of a start.
    random_state : int, RandomState or None
        The seed of the random moves.

    Attributes
    ----------
    edges_ : tuple of (parent, child)
        The arrows, by name.
    graph_ : DirectedGraph
        The same as a graph of all columns.
    edge_indices_ : ndarray of shape (n_edges, 2)
        The same by the numbers of the columns.
    score_ : float
        Its score.
    contributions_ : ndarray of shape (n_features,)
        What each node with its parents adds to it.
    moves_ : tuple of (kind, parent, child, score)
        The moves that led to it from where its start began, and the score after each.
    move_indices_, move_scores_ : ndarray of shape (n_moves, 3), ndarray of shape (n_moves,)
        The same by numbers: kind (0 add, 1 remove, 2 reverse), parent, child; and scores.
    n_iter_ : int
        Number of moves of the best start.
    certificate_ : Certificate
        That no allowed change of a single arrow raises the score.

    Examples
    --------
    >>> rows = [["yes", "wet"], ["no", "dry"]] * 20 + [["no", "wet"]]
    >>> HillClimbing().fit(rows).edges_
    ((0, 1),)
    """

    State = ClimbState
    allows: ClassVar[frozenset[str]] = frozenset({"categories"})
    tuning: ClassVar[Mapping[str, tuple[Any, ...]]] = {"criterion": ("bic", "bdeu")}
    exceptions: ClassVar[Mapping[str, str]] = {
        **LearnedEdges.exceptions,
        "small records": "the different rows are kept, in a byte for each cell: any family may have to be counted",
        "column order": "of moves with equal gains the one of the first columns is made",
    }

    def __init__(
        self,
        *,
        criterion: ScoreName = "bic",
        alpha: PriorRows = 1.0,
        max_parents: Whole | None = None,
        required: Any = (),
        forbidden: Any = (),
        tiers: Any = None,
        tabu: Whole = 10,
        patience: Whole = 30,
        n_restarts: Whole = 0,
        perturb: Count | None = None,
        max_iter: Whole = 10_000,
        random_state: Seed = None,
    ):
        self.criterion = criterion
        self.alpha = alpha
        self.max_parents = max_parents
        self.required = required
        self.forbidden = forbidden
        self.tiers = tiers
        self.tabu = tabu
        self.patience = patience
        self.n_restarts = n_restarts
        self.perturb = perturb
        self.max_iter = max_iter
        self.random_state = random_state

    # ---- the rows ------------------------------------------------------------------------------------------------------

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> ScoredRows:
        """Training data as checked rows, of which the different ones are kept with what is known of the graph."""
        rows = super().open(X, y, sample_weight, reset=reset)
        known = {"required": self.required, "forbidden": self.forbidden, "tiers": self.tiers}
        return ScoredRows(rows, type(self).__name__, self.criterion, self.alpha, known, self.max_parents)

    # ---- the loop ------------------------------------------------------------------------------------------------------

    def states(self, rows: Any, since: ClimbState | None = None) -> Iterator[ClimbState]:
        def passes(state: ClimbState) -> Iterator[ClimbState]:
            search = GraphSearch(rows.space, state.edges)
            while True:
                state = self.next_state(state, search)  # (1)
                yield state

        yield from self.each_start(rows, passes, since)

    def next_state(self, state: ClimbState, search: GraphSearch) -> ClimbState:
        """The state after one move, or the same at rest."""
        now = {name: getattr(state, name) for name in ("edges", "moves", "units", "top", "top_units", "top_moves", "stale")}
        tabu = lately_changed(state.moves, self.tabu, len(search.arrows))
        _, move = search.best_move(tabu, state.top_units - state.units)
        still = move is None or (state.units + move.gain <= state.top_units and state.stale >= self.patience)  # (2)
        if move is not None and not still:
            search.make(move)
            now["edges"], now["moves"] = search.edges, np.vstack([state.moves, [move]])
            now["units"], now["stale"] = state.units + move.gain, state.stale + 1
            if now["units"] > state.top_units:
                now |= {"top": now["edges"], "top_units": now["units"], "top_moves": len(now["moves"]), "stale": 0}
        value = search.space.tables.score.value(now["top_units"])
        return state.after(value, still, passes=self.max_iter, starts=self.starts(), **now)

    def starts(self) -> int:
        return int(self.n_restarts) + 1

    def remedy(self) -> str:
        return _("Raise max_iter (it is {max_iter}).").format(max_iter=self.max_iter)

    def begin(self, rows: Any, seed: int, start: int, before: ClimbState | None = None) -> ClimbState:
        """State 0 of a start: the required arrows, or random moves away from the best graph: (3)."""
        edges = rows.required_edges if before is None else before.best().top
        search = GraphSearch(rows.space, edges)
        for number in range((self.perturb or rows.columns) if start else 0):
            count, _ = search.best_move()
            move = search.move_number(hash_one(seed, start, number) % count) if count else None
            if move is not None:
                search.make(move)
        now = {"edges": search.edges, "moves": np.empty((0, 4), np.int64), "units": search.units, "stale": 0}
        top = {"top": search.edges, "top_units": search.units, "top_moves": 0}
        return self.State.begin(seed, start, before, settled=self.max_iter == 0, **now, **top)

    def first(self, rows: Any, seed: int, start: int) -> dict[str, Any]:
        """Nothing that `begin` has not said."""
        return {}

    # ---- the answer ----------------------------------------------------------------------------------------------------

    def attributes(self, state: ClimbState, rows: Any) -> dict[str, Any]:
        best, space = state.best(), rows.space
        search, value = GraphSearch(space, best.top), space.tables.score.value
        moves = best.moves[: best.top_moves]
        start = search.units - sum(moves[:, 3].tolist())
        return {
            "edge_indices_": search.edges,
            "score_": search.value,
            "contributions_": np.array([value(int(own)) for own in search.scores.diagonal()]),
            "move_indices_": moves[:, :3].copy(),
            "move_scores_": np.array([value(start + gained) for gained in accumulate(moves[:, 3].tolist())]),
            "n_iter_": len(best.moves),
            "certificate_": local_maximum(search),
        }

    @property
    def edges_(self) -> tuple[tuple[Any, Any], ...]:
        """The arrows, by name."""
        nodes = self.nodes_
        return tuple((nodes[u], nodes[v]) for u, v in self.edge_indices_)

    @property
    def graph_(self) -> DirectedGraph:
        """The arrows as a graph of all columns."""
        return DirectedGraph.of(self.edges_, self.nodes_)

    @property
    def moves_(self) -> tuple[tuple[str, Any, Any, float], ...]:
        """The moves that led to the graph, by name."""
        nodes, moves = self.nodes_, zip(self.move_indices_, self.move_scores_, strict=True)
        return tuple((KINDS[kind], nodes[u], nodes[v], float(score)) for (kind, u, v), score in moves)


def lately_changed(moves: Array, tabu: int, nodes: int) -> Array:
    """Whether each pair of nodes was changed in the last `tabu` moves: (2)."""
    tabu = min(tabu, nodes * (nodes - 1) // 6)
    found = np.zeros((nodes, nodes), dtype=bool)
    _, u, v, _ = moves[max(0, len(moves) - tabu) :].T if tabu else moves[:0].T
    found[u, v] = found[v, u] = True
    return found


def local_maximum(search: GraphSearch) -> Certificate:
    """That no allowed addition, removal or reversal of an arrow raises the score by more than its rounding: all of them are
    compared. Nothing is claimed of graphs further away."""
    count, move = search.best_move()
    gain = search.space.tables.score.value(move.gain) if move is not None else -np.inf
    known = {"score": search.value, "gain": gain, "moves": count, "rounding": search.rounding}
    return Certificate("no allowed change of a single edge raises the score by more than its rounding", bool(gain <= 0), known)
