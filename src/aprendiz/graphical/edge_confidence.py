"""How sure are the edges of a learned network? The same search on many bootstrap samples of the rows.

    strength(a, b)  = share of the samples whose graph joins a and b                                          (1)
    direction(a, b) = share of these in which the edge is a → b; a line, whose direction the rows do not say,
                      counts half for each                                                                    (2)

A sample is the table with a weight for each row, how often it was drawn. The graphs are compared as equivalence classes.

An edge of large strength is one that other rows would show too. Which is large? If noise and edges are told apart, the
strengths s lie near 0 and near 1: their distribution function F is nearly a step, of height t between 0 and 1. The step nearest
to F is at the t that minimises

    ∫₀¹ |F(x) − t| dx                                                                                         (3)

which is a median of F on [0, 1], F(½), since F rises. The threshold F⁻¹(t) is then the largest strength up to ½: an edge is
significant if more than half of the samples have it.

Cost: that of the search, for each sample.
References: Friedman, Goldszmidt & Wyner, "Data analysis with Bayesian networks: a bootstrap approach", UAI 1999;
Scutari & Nagarajan, "Identifying significant edges in graphical models of molecular networks", Artificial Intelligence in
Medicine 57, 2013, for (3).
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from aprendiz.core.inputs import is_read_in_blocks
from aprendiz.core.parameters import refuse_count
from aprendiz.core.pictures import Picture, display
from aprendiz.core.random import draw_seed, hash_one, uniforms
from aprendiz.core.rows import Array
from aprendiz.core.short_repr import ShortRepr
from aprendiz.core.sources.arrays import ArrayRows, in_memory
from aprendiz.core.threads import ordered_map
from aprendiz.graphical.graph.directed_graph import DirectedGraph
from aprendiz.graphical.graph.partly_directed_graph import PartlyDirectedGraph
from aprendiz.graphical.structure.learned_edges import LearnedEdges
from aprendiz.graphical.structure.orientation import without_cycles
from aprendiz.locale import _, percent


def edge_confidence(learner: Any, X: Any, n: int = 200, random_state: Any = None) -> EdgeConfidence:
    """Learn the edges of bootstrap samples of the rows.

    Parameters
    ----------
    learner : HillClimbing, PCStable or ChowLiuTree
        The search; it stays as it is.
    X : data frame or array
        The rows, in memory.
    n : int, default=200
        Number of samples.
    random_state : int, RandomState or None
        The seed of the samples.

    Returns
    -------
    EdgeConfidence

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> from aprendiz import PCStable
    >>> rain = rng.integers(0, 2, 300)
    >>> X = np.column_stack([rain, rng.integers(0, 2, 300), np.where(rng.random(300) < 0.8, rain, 1 - rain)])
    >>> float(edge_confidence(PCStable(), X, n=20, random_state=0).strength[0, 2])
    1.0
    """
    refuse_count("n", n)
    if not isinstance(learner, LearnedEdges) or learner.target != "none":
        raise TypeError(
            f"edge_confidence needs a search for edges between columns (HillClimbing, PCStable, ChowLiuTree), got {learner!r}."
        )
    if is_read_in_blocks(X):
        raise TypeError("edge_confidence draws rows, so it needs a table in memory: give some of the rows.")
    rows = LearnedEdges.open(learner, X)
    assert in_memory(rows)
    seed = draw_seed(random_state)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        first = clone(learner).fit(rows)  # what is wrong with the rows is said before anything is drawn
        found = np.zeros((rows.columns, rows.columns))
        for adjacency in ordered_map(lambda number: learned_class(learner, rows, seed, number), range(n)):
            found += adjacency
    for one in said[:1]:
        warnings.warn(
            _("Of {n} samples some were learned with a warning ({count} in all). The first: {message}").format(
                n=n, count=len(said), message=one.message
            ),
            one.category,
            stacklevel=2,
        )
    return EdgeConfidence(first.nodes_, n, found / n)


def learned_class(learner: Any, rows: ArrayRows, seed: int, number: int) -> Array:
    """The class that the search finds on one sample: 1 for an arrow a → b, and ½ both ways for a line."""
    drawn = (uniforms(seed, number, len(rows.X)) * len(rows.X)).astype(np.int64)
    weight = np.bincount(drawn, minlength=len(rows.X)).astype(np.float64)
    model = clone(learner)
    if "random_state" in model.get_params():
        model.set_params(random_state=hash_one(seed, number, len(rows.X)) % 2**32)
    model.fit(rows.like(weight=weight))
    graph = getattr(model, "class_", None) or PartlyDirectedGraph.of_class(model.graph_)
    place = {name: v for v, name in enumerate(model.nodes_)}
    found = np.zeros((len(place), len(place)))
    for a, b in graph.directed:
        found[place[a], place[b]] = 1.0
    for a, b in graph.undirected:
        found[place[a], place[b]] = found[place[b], place[a]] = 0.5
    return found


@dataclass(frozen=True, repr=False, eq=False)
class EdgeConfidence(ShortRepr):
    """Strength and direction of all edges.

    Attributes
    ----------
    nodes : tuple
        The names of the columns.
    n : int
        Number of samples.
    arrows : ndarray of shape (n_features, n_features)
        Share of the samples with a → b, and half of those with a line.
    """

    nodes: tuple[Any, ...]
    n: int
    arrows: Array

    @property
    def strength(self) -> Array:
        """(1) of each pair; symmetric."""
        return np.asarray(self.arrows + self.arrows.T)

    @property
    def direction(self) -> Array:
        """(2): [a, b] of a → b; 0 where no sample joins them."""
        strength = self.strength
        return np.divide(self.arrows, strength, out=np.zeros_like(strength), where=strength > 0)

    @property
    def edges(self) -> list[tuple[Any, Any, float, float]]:
        """(parent, child, strength, direction) of the edges that a sample has, the strongest first, each in the direction that
        more samples have."""
        strength, direction = self.strength, self.direction
        pairs = [(a, b) if direction[a, b] >= direction[b, a] else (b, a) for a, b in np.argwhere(np.triu(strength)).tolist()]
        pairs.sort(key=lambda pair: (-strength[pair], -direction[pair]))
        return [(self.nodes[a], self.nodes[b], float(strength[a, b]), float(direction[a, b])) for a, b in pairs]

    @property
    def threshold(self) -> float:
        """The largest strength that is not significant, by (3)."""
        strengths = self.strength[np.triu_indices(len(self.nodes), 1)]
        return float(strengths[strengths <= 0.5].max(initial=0.0))

    def averaged(self, threshold: float | None = None) -> DirectedGraph:
        """The network of the edges whose strength is above a threshold, by default the significant ones. The strongest choose
        their direction first; an edge that would close a cycle is turned round."""
        least = self.threshold if threshold is None else threshold
        kept = tuple((a, b) for a, b, strength, _direction in self.edges if strength > least)
        return without_cycles(PartlyDirectedGraph(self.nodes, kept, ()))

    def plot(self, ax: Any = None, *, threshold: float | None = None) -> Picture:
        """Draw the averaged network with the strength of each edge: `NetworkDisplay`. Needs matplotlib."""
        graph = self.averaged(threshold)
        place = graph.place
        strength = {(a, b): float(self.strength[place[a], place[b]]) for a, b in graph.edges}
        return display("NetworkDisplay")(graph, confidence=strength).plot(ax)

    def __str__(self) -> str:
        lines = [
            _("{a} → {b}: strength {strength}, direction {direction}").format(
                a=a, b=b, strength=percent(strength), direction=percent(direction)
            )
            for a, b, strength, direction in self.edges
        ]
        said = _("{n} bootstrap samples; significant above {threshold}").format(n=self.n, threshold=percent(self.threshold))
        return "\n".join([said, *lines])
