"""The score of a network: how well its graph explains rows, with what each node contributes.

    score(graph) = Σ_v score(v, parents of v)                                                                 (1)

The scores are those of hill climbing (structure/family_score.py), with the signs of bnlearn: the larger, the better. Graphs
with the same d-separations have the same log-likelihood, AIC, BIC and BDeu; K2 may differ.

Cost: O(n·(nodes + edges)).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from aprendiz.core.parameters import ParameterError, described, fits, shown
from aprendiz.core.short_repr import ShortRepr
from aprendiz.graphical.graph.as_graph import as_graph
from aprendiz.graphical.graph.directed_graph import DirectedGraph
from aprendiz.graphical.structure.family_score import MOST_CELLS, PriorRows, ScoreName
from aprendiz.graphical.structure.learned_edges import LearnedEdges
from aprendiz.graphical.structure.scored_rows import ScoredRows


@dataclass(frozen=True, repr=False)
class NetworkScore(ShortRepr):
    """A score and where it comes from.

    Attributes
    ----------
    score : float
        The score; `float(…)` gives it, too.
    criterion : str
        Which one.
    contributions : dict of name to float
        What each node with its parents adds to it.
    n_parameters : int
        Free probabilities of the tables.
    """

    score: float
    criterion: str
    contributions: dict[Any, float]
    n_parameters: int

    def __float__(self) -> float:
        return self.score


def network_score(
    network: Any, X: Any, *, criterion: ScoreName = "bic", alpha: PriorRows = 1.0, sample_weight: Any = None
) -> NetworkScore:
    """The score of a graph for some rows.

    Parameters
    ----------
    network : BayesianNetwork, fitted search, DirectedGraph, `datasets` Network, pairs or mapping
        The graph. Levels that a fitted network has count as levels although no row has them.
    X : table of words or of codes 0, 1, 2, …, without missing cells
        Columns that the graph does not name are nodes without edges.
    criterion : {"bic", "aic", "loglik", "bdeu", "k2"}, default="bic"
        The score.
    alpha : float, default=1.0
        Equivalent sample size of BDeu.
    sample_weight : array of shape (n_samples,), optional
        Weights of the rows.

    Examples
    --------
    >>> from aprendiz.graphical import network_score
    >>> rows = [["yes", "wet"], ["no", "dry"]] * 20 + [["no", "wet"]]
    >>> found = network_score([(0, 1)], rows)
    >>> round(found.score, 3), found.n_parameters
    (-37.998, 3)
    >>> found.score > network_score([], rows).score
    True
    """
    for name, value, hint in (("criterion", criterion, ScoreName), ("alpha", alpha, PriorRows)):
        if not fits(value, hint):
            raise ParameterError(f"{name} of network_score must be {described(hint)}, got {shown(value)}.")
    rows = LearnedEdges().open(X, None, sample_weight)
    scored = ScoredRows(rows, "network_score", criterion, alpha, {}, None, levels_of(network))
    nodes, tables = scored.known.nodes, scored.space.tables
    given = as_graph(network)
    if strangers := [name for name in given.nodes if name not in set(nodes)]:
        raise ValueError(f"The graph has the node {strangers[0]!r}, but X has no such column.")
    graph = DirectedGraph.of(given.edges, nodes)
    for name, levels, parents in zip(nodes, tables.sizes, graph.parents, strict=True):
        if levels * tables.possible(parents) > MOST_CELLS:
            raise ValueError(f"The parents of {name!r} have too many configurations: give it fewer.")
    units = [tables.family(v, parents) for v, parents in enumerate(graph.parents)]
    parameters = sum((tables.sizes[v] - 1) * tables.possible(parents) for v, parents in enumerate(graph.parents))
    in_nats = tables.score.value
    contributions = {name: in_nats(one) for name, one in zip(nodes, units, strict=True)}
    return NetworkScore(in_nats(sum(units)), criterion, contributions, parameters)


def levels_of(network: Any) -> dict[Any, Any]:
    """The levels of each node that a fitted network or one of `datasets` has."""
    fitted = getattr(network, "network_", None)
    if fitted is not None:
        return dict(zip(fitted.graph.nodes, fitted.levels, strict=True))
    return dict(getattr(network, "levels", None) or {}) if hasattr(network, "tables") else {}
