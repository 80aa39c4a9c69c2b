"""PC: the equivalence class of a network, from tests of independence.

    1. adjacent pairs      those that no set of neighbours separates, small sets first            (structure/skeleton.py)
    2. v-structures        a → c ← b, a and b not adjacent, c not in what separates them          (structure/colliders.py)
    3. Meek's rules        directions that follow, since no cycle and no other v-structure may arise

If the tests are right and every independence of the distribution is one of the graph, what is found is the class of the graph
exactly. On rows the tests err: a pair that too few rows show to be dependent loses its edge, and directions, which follow from
such pairs, are less certain than edges. This is the stable version, whose answer does not depend on the order of the columns.

Cost: see structure/skeleton.py; each test is O(n).
Reference: Spirtes, Glymour & Scheines, "Causation, Prediction, and Search", MIT Press, 2000; Colombo & Maathuis,
"Order-independent constraint-based causal structure learning", JMLR 15, 2014.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar, Literal

import numpy as np

from aprendiz.core.certificate import Certificate
from aprendiz.core.iteration import Iterative
from aprendiz.core.parameters import PositiveFraction, Whole
from aprendiz.core.pictures import Picture
from aprendiz.graphical.graph.directed_graph import DirectedGraph
from aprendiz.graphical.graph.partly_directed_graph import PartlyDirectedGraph
from aprendiz.graphical.structure.colliders import by_majority
from aprendiz.graphical.structure.dependence import G2, X2
from aprendiz.graphical.structure.learned_edges import LearnedEdges
from aprendiz.graphical.structure.orientation import as_graph, directions, member, without_cycles
from aprendiz.graphical.structure.skeleton import Skeleton
from aprendiz.graphical.structure.tested_rows import TestedRows
from aprendiz.locale import _


class PCStable(LearnedEdges, Iterative):
    """Search for the equivalence class of a Bayesian network by tests of independence.

    Parameters
    ----------
    statistic : {"g2", "x2"}, default="g2"
        The statistic of the tests: the likelihood ratio, or Pearson's.
    alpha : float, default=0.05
        A pair is separated by a set if the p value is larger.
    max_conditioning : int, optional
        Largest number of columns in a set.
    adjust_df : bool, default=True
        Whether levels that do not occur in a stratum count for no degrees of freedom.
    colliders : {"majority", "separating set"}, default="majority"
        Who decides on v-structures: all sets of neighbours that separate a pair, or the one with the largest p value.
    required, forbidden : edges, default=()
        Arrows that must stand, and that must not: pairs (parent, child), or a mapping of child to parents.
    tiers : list of lists of names, or mapping of name to number, optional
        Groups of columns in time: no arrow leads from a later group to an earlier one.

    Attributes
    ----------
    directed_edges_ : tuple of (parent, child)
        The arrows, by name.
    undirected_edges_ : tuple of (a, b)
        The edges of which the rows do not say the direction.
    edges_ : tuple of (parent, child)
        A network of the class: all edges with a direction.
    graph_ : DirectedGraph
        The same network as a graph.
    separating_sets_ : dict of (a, b) to tuple
        The columns that separate each pair without an edge.
    p_values_ : ndarray of shape (n_features, n_features)
        The largest p value of the tests of each pair.
    conflicts_ : tuple of (a, b)
        Edges whose direction the tests say both ways, or against what is known.
    adjacency_ : ndarray of shape (n_features, n_features)
        Arrows and lines: [a, b] for a → b, and [b, a] too for a — b.
    n_tests_ : int
        Number of tests.
    n_iter_ : int
        Number of sizes of sets, with the one for which there were none to test.
    certificate_ : Certificate
        That the edges follow from the tests, and the directions do not contradict each other.
    """

    State = Skeleton
    tuning: ClassVar[Mapping[str, tuple[Any, ...]]] = {"alpha": (0.01, 0.05)}

    def __init__(
        self,
        *,
        statistic: Literal["g2", "x2"] = "g2",
        alpha: PositiveFraction = 0.05,
        max_conditioning: Whole | None = None,
        adjust_df: bool = True,
        colliders: Literal["majority", "separating set"] = "majority",
        required: Any = (),
        forbidden: Any = (),
        tiers: Any = None,
    ):
        self.statistic = statistic
        self.alpha = alpha
        self.max_conditioning = max_conditioning
        self.adjust_df = adjust_df
        self.colliders = colliders
        self.required = required
        self.forbidden = forbidden
        self.tiers = tiers

    def open(self, X: Any, y: Any = None, sample_weight: Any = None, *, reset: bool = True) -> TestedRows:
        """Training data as checked rows, with their tests and what is known of the graph."""
        rows = super().open(X, y, sample_weight, reset=reset)
        known = {"required": self.required, "forbidden": self.forbidden, "tiers": self.tiers}
        return TestedRows(rows, type(self).__name__, G2 if self.statistic == "g2" else X2, self.adjust_df, known)

    def states(self, rows: Any, since: Skeleton | None = None) -> Iterator[Skeleton]:
        state = since
        if state is None:
            state = Skeleton.complete(rows.known)
            yield state
        while not state.settled:
            state = state.after(rows.known, rows.tests, self.alpha, self.max_conditioning)
            if state.settled and self.colliders == "majority":
                found, count = by_majority(state, rows.known, rows.tests, self.alpha, self.max_conditioning)
                state = replace(state, colliders=found, tests=state.tests + count)
            yield state

    def attributes(self, state: Skeleton, rows: Any) -> dict[str, Any]:
        """The class, after steps 2 and 3."""
        found, conflicts = directions(state.adjacent, state.colliders, rows.known)
        return {
            "adjacency_": found,
            "p_values_": state.p,
            "separations_": state.separators(),
            "contradictions_": conflicts,
            "n_tests_": state.tests,
            "n_iter_": state.iteration,
        }

    def row_attributes(self, state: Skeleton, rows: Any) -> dict[str, Any]:
        """What is known of it."""
        found, conflicts = directions(state.adjacent, state.colliders, rows.known)
        agree = member(as_graph(found, rows.known.nodes)) is not None
        if not agree:
            warnings.warn(
                _(
                    "The directions that the tests tell contradict each other: no directed graph has all of them. `edges_` has "
                    "those that close no cycle; more rows, a smaller alpha or known edges may settle them."
                ),
                UserWarning,
                stacklevel=3,
            )
        edges = np.triu(state.adjacent & ~(rows.known.must | rows.known.must.T))
        apart = state.p[tuple(state.separated.T)]
        values = {
            "objective": int(state.objective),
            "tests": state.tests,
            "conflicts": len(conflicts),
            "largest_p_of_edges": float(state.p[edges].max(initial=0.0)),
            "smallest_p_of_others": float(apart.min(initial=1.0)),
        }
        claim = "every edge is dependent given each set of neighbours that was tried, and directions agree"
        return {"certificate_": Certificate(claim, state.settled and agree, values)}

    # ---- by name -------------------------------------------------------------------------------------------------------

    @property
    def class_(self) -> PartlyDirectedGraph:
        """The equivalence class: arrows and lines."""
        return as_graph(self.adjacency_, self.nodes_)

    @property
    def directed_edges_(self) -> tuple[tuple[Any, Any], ...]:
        """The arrows."""
        return self.class_.directed

    @property
    def undirected_edges_(self) -> tuple[tuple[Any, Any], ...]:
        """The lines."""
        return self.class_.undirected

    @property
    def graph_(self) -> DirectedGraph:
        """A network of the class."""
        found = self.class_
        return member(found) or without_cycles(found)

    @property
    def edges_(self) -> tuple[tuple[Any, Any], ...]:
        """Its edges."""
        return self.graph_.edges

    @property
    def separating_sets_(self) -> dict[tuple[Any, Any], tuple[Any, ...]]:
        """What separates each pair that has no edge."""
        nodes = self.nodes_
        return {(nodes[a], nodes[b]): tuple(nodes[v] for v in given) for (a, b), given in self.separations_.items()}

    @property
    def conflicts_(self) -> tuple[tuple[Any, Any], ...]:
        """Edges whose direction is contradictory."""
        nodes = self.nodes_
        return tuple((nodes[a], nodes[b]) for a, b in self.contradictions_)

    def plot(self, ax: Any = None) -> Picture:
        """Draw arrows and lines: `NetworkDisplay`."""
        return self.class_.plot(ax)
