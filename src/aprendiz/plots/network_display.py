"""Picture of a Bayesian network: nodes in layers, arrows pointing down, observed nodes coloured, hidden ones dashed.

On demand, a node shows the bars of its posterior or its conditional table. Arrows are as wide as they are certain, if shares
are given; edges without a direction, of an equivalence class, are lines. The figure grows with the network; from 24 nodes on
the letters are smaller. The plan is made in layout/layered_layout.py.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from numbers import Real
from typing import TYPE_CHECKING, Any, Self

from aprendiz.graphical.graph.as_graph import as_graph
from aprendiz.graphical.graph.partly_directed_graph import PartlyDirectedGraph
from aprendiz.graphical.tables.discrete_network import DiscreteNetwork
from aprendiz.plots.layout.curves import curve_along
from aprendiz.plots.layout.layered_layout import LayeredLayout, Point
from aprendiz.plots.network.cards import Card, make_card
from aprendiz.plots.shared.display import Display, pyplot
from aprendiz.plots.shared.style import GREY, INK, height_of, width_of
from aprendiz.plots.shared.words import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MANY_NODES = 24  # from which letters are small
POINTS, SMALL_POINTS = 9.0, 8.0
GAP, DROP = 14.0, 38.0  # points between neighbours and between layers
SHARE_GAP, SHARE_DROP = 36.0, 52.0  # the same where shares are written beside the arrows
MARGIN = 8.0  # points around the network
LINE, WIDEST = 1.0, 3.0  # points, of an arrow, and of one that is certain
HEAD = 9.0  # points, of an arrow
FEW_ARROWS = 40  # up to which shares are written beside them
MOST_NODES = 2000
ROUNDING = 1e-9  # by which a probability may be above 1


class NetworkDisplay(Display):
    """A Bayesian network as a drawing.

    Parameters
    ----------
    network : BayesianNetwork, fitted search, `datasets` Network, PartlyDirectedGraph, pairs or mapping
        Its arrows, and lines.
    evidence : mapping of node to level, optional
        Observed nodes.
    posteriors : mapping of node to (mapping of level to probability), optional
        Bars of these nodes.
    confidence : mapping of (parent, child) to share, optional
        How often each arrow was found; 0 of those that are not named.

    Attributes
    ----------
    layout : LayeredLayout
        Boxes of the nodes and ways of the edges, in points, as they were drawn last.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    layout: LayeredLayout

    def __init__(
        self,
        network: Any,
        *,
        evidence: Mapping[Any, Any] | None = None,
        posteriors: Mapping[Any, Mapping[Any, float]] | None = None,
        confidence: Mapping[tuple[Any, Any], float] | None = None,
    ) -> None:
        graph = network if isinstance(network, PartlyDirectedGraph) else as_graph(network)
        arrows, lines = (graph.directed, graph.undirected) if isinstance(graph, PartlyDirectedGraph) else (graph.edges, ())
        if len(graph.nodes) > MOST_NODES:
            raise ValueError(f"The network has {len(graph.nodes)} nodes, more than {MOST_NODES}: draw a part of it.")
        self.nodes, self.arrows, self.lines = graph.nodes, arrows, lines
        self.network: DiscreteNetwork | None = getattr(network, "network_", None)
        self.hidden = set(getattr(network, "hidden", None) or ())
        for what, given in (("evidence", evidence), ("posteriors", posteriors), ("confidence", confidence)):
            if given is not None and not isinstance(given, Mapping):
                raise TypeError(f"{what} must be a mapping, got {given!r}.")
        self.evidence, self.posteriors = dict(evidence or {}), dict(posteriors or {})
        self.confidence = None if confidence is None else {tuple(edge): share for edge, share in confidence.items()}
        ends = [name for edge in self.confidence or () for name in edge]
        for what, names in (("evidence", self.evidence), ("posteriors", self.posteriors), ("confidence", ends)):
            if unknown := [name for name in names if name not in self.nodes]:
                raise ValueError(f"{what} names {unknown[0]!r}, which is not a node.")
        for name, bars in self.posteriors.items():
            if not isinstance(bars, Mapping):
                raise TypeError(f"posteriors of {name!r} must be a mapping of level to probability, got {bars!r}.")
            for level, share in bars.items():
                if self.network is not None:
                    self.network.code(name, level)  # an unknown level is refused
                refuse_no_share(f"posteriors of {name!r} = {level!r}", share)
        for name, level in self.evidence.items():
            if self.network is not None and not isinstance(level, Mapping):
                self.network.code(name, level)  # an unknown level is refused
        for edge, share in (self.confidence or {}).items():
            refuse_no_share(f"confidence of {' → '.join(map(repr, edge))}", share)

    @classmethod
    def from_estimator(
        cls,
        network: Any,
        *,
        evidence: Mapping[Any, Any] | None = None,
        tables: Any = False,
        posteriors: Any = False,
        confidence: Mapping[tuple[Any, Any], float] | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Draw a network, which is asked for posteriors of all nodes (`posteriors=True`) or of some (a list)."""
        if posteriors and not isinstance(posteriors, Mapping):
            found = network.posteriors(evidence)
            whose = found if posteriors is True else chosen_nodes(posteriors, tuple(found))
            posteriors = {name: found.get(name, {}) for name in whose}
        return cls(network, evidence=evidence, posteriors=posteriors or None, confidence=confidence).plot(ax, tables=tables)

    def plot(self, ax: Axes | None = None, *, tables: Any = False) -> Self:
        """Draw the network; without axes, in a figure as large as it needs.

        Parameters
        ----------
        tables : bool or list of nodes
            Whose conditional tables are shown.
        """
        width, height = (72 * inches for inches in self.natural_size(tables=tables))
        room = (width, height) if ax is None else (72 * width_of(ax), 72 * height_of(ax))
        scale = min(room[0] / width, room[1] / height, 1.0)
        ax = self.open_axes(ax, width / 72, height / 72)
        directed = len(self.arrows)
        for k, (edge, way) in enumerate(zip((*self.arrows, *self.lines), self.layout.ways, strict=True)):
            self.draw_edge(ax, way, edge, scale, arrow=k < directed)
        for card, box in zip(self.cards, self.layout.boxes, strict=True):
            card.draw(ax, box.x, box.top, scale)
        spare = [max(have / scale - need, 0.0) / 2 for have, need in zip(room, (width, height), strict=True)]
        ax.set_xlim(-MARGIN - spare[0], width - MARGIN + spare[0])  # nothing becomes larger than its letters
        ax.set_ylim(-MARGIN - spare[1], height - MARGIN + spare[1])
        ax.set_aspect("equal")
        ax.set_axis_off()
        return self

    def natural_size(self, *, tables: Any = False) -> tuple[float, float]:
        """Inches that the network takes where nothing is made smaller."""
        pyplot()
        self.cards = self.make_cards(tables)
        place = {name: v for v, name in enumerate(self.nodes)}
        edges = [(place[a], place[b]) for a, b in (*self.arrows, *self.lines)]
        gap, drop = (SHARE_GAP, SHARE_DROP) if self.shares_written else (GAP, DROP)
        self.layout = LayeredLayout.of([card.size() for card in self.cards], edges, gap, drop)
        return (self.layout.width + 2 * MARGIN) / 72, (self.layout.height + 2 * MARGIN) / 72

    @property
    def shares_written(self) -> bool:
        """Whether shares stand beside the arrows, not only in their widths."""
        return self.confidence is not None and len(self.arrows) <= FEW_ARROWS

    def make_cards(self, tables: Any) -> list[Card]:
        """What is shown of each node."""
        whose = set(self.nodes) if tables is True else set(chosen_nodes(tables or (), self.nodes))
        if unknown := [name for name in whose if name not in self.nodes]:
            raise ValueError(f"tables names {unknown[0]!r}, which is not a node.")
        if whose and self.network is None:
            raise ValueError("There are no tables before the network is fitted: draw it with tables=False.")
        points = SMALL_POINTS if len(self.nodes) > MANY_NODES else POINTS
        cards = []
        for v, name in enumerate(self.nodes):
            level = self.evidence.get(name)
            observed = None if name not in self.evidence else () if isinstance(level, Mapping) else (level,)
            table = (self.network, v) if name in whose and self.network is not None else None
            bars, hidden = self.posteriors.get(name), name in self.hidden
            cards.append(make_card(name, points, observed=observed, hidden=hidden, bars=bars, table=table))
        return cards

    def draw_edge(self, ax: Axes, way: list[Point], edge: tuple[Any, Any], scale: float, *, arrow: bool) -> None:
        """An arrow or a line along its way, with its share if there is one."""
        from matplotlib.patches import FancyArrowPatch, PathPatch

        share = None if self.confidence is None else self.confidence.get(edge, 0.0)
        width = LINE if share is None else max(0.6, WIDEST * share)
        look: dict[str, Any] = {"linewidth": width * scale, "edgecolor": GREY, "zorder": 1.0}
        if arrow:
            look |= {"arrowstyle": "-|>", "mutation_scale": (HEAD + 1.5 * (width - LINE)) * scale, "facecolor": GREY}
            ax.add_patch(FancyArrowPatch(path=curve_along(way), shrinkA=0, shrinkB=0, **look))
        else:
            ax.add_patch(PathPatch(curve_along(way), facecolor="none", **look))
        if share is not None and self.shares_written:
            (x0, y0), (x1, y1) = way[1], way[2]
            words: dict[str, Any] = {"fontsize": SMALL_POINTS * scale, "color": INK, "ha": "center", "va": "center"}
            words["bbox"] = {"facecolor": "white", "edgecolor": "none", "pad": 0.6 * scale}
            ax.text((x0 + x1) / 2, (y0 + y1) / 2, percent(round(share, 2)), zorder=2.0, **words)


def chosen_nodes(chosen: Any, nodes: Collection[Any]) -> list[Any]:
    """The nodes that are named: one, or those of a list."""
    return [chosen] if isinstance(chosen, str) or (isinstance(chosen, tuple) and chosen in nodes) else list(chosen)


def refuse_no_share(what: str, share: Any) -> None:
    """Stop at what is no share."""
    if not (isinstance(share, Real) and 0 <= float(share) <= 1 + ROUNDING):
        raise ValueError(f"{what} must be a share between 0 and 1, got {share!r}.")
