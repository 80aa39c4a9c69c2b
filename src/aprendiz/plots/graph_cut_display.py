"""Picture of a weighted graph with its cut: vertices coloured by group, edges as wide as their weight, those of the cut dashed.

The title has the cost of the cut (cluster/graph/cut_costs.py): the weight of the edges between groups, and NCut, which divides
it by the volume of the groups.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from scipy import sparse

from aprendiz.cluster.graph.checks import as_graph, as_labels
from aprendiz.cluster.graph.cut_costs import cut, leaving, ncut
from aprendiz.core.rows import Array
from aprendiz.core.targets import refuse_bad_number
from aprendiz.locale import _, number
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import GREY, INK, SMALL, colour_of, legend_below, marker_of, readable, tidy
from aprendiz.plots.shared.words import entry

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDEST, THINNEST = 3.5, 0.4  # points
FEW_VERTICES = 20  # up to which each has its number
MOST_EDGES = 20_000


class GraphCutDisplay(Display):
    """A graph and its groups as a picture.

    Parameters
    ----------
    W : array or sparse matrix of shape (n_vertices, n_vertices)
        Similarities, symmetric; 0 is no edge.
    labels : array-like of shape (n_vertices,)
        The group of each vertex.
    positions : array-like of shape (n_vertices, 2), optional
        Where the vertices are drawn; by default on a circle, group by group.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
    cut, ncut : float
        The weight of the edges between groups, and NCut (infinite if a group has no edges).
    """

    def __init__(self, W: Any, labels: Any, positions: Any = None) -> None:
        graph = as_graph(W)
        self.groups, self.count = as_labels(labels, graph.shape[0])
        self.names = list(np.unique(np.asarray(labels)))
        edges = sparse.triu(graph, 1).tocoo()
        if edges.nnz > MOST_EDGES:
            raise ValueError(f"The graph has {edges.nnz} edges, more than {MOST_EDGES}: draw a graph of nearest neighbours.")
        self.ends, self.weights = np.column_stack([edges.row, edges.col]), np.asarray(edges.data)
        self.positions = on_a_circle(self.groups) if positions is None else checked_positions(positions, graph.shape[0])
        self.cut = cut(W, labels)
        self.ncut = ncut(W, labels) if leaving(W, labels)[2].all() else np.inf

    @classmethod
    def from_estimator(cls, model: Any, X: Any = None, *, columns: tuple[int, int] = (0, 1), ax: Any = None) -> Self:
        """Draw the graph of a fitted `SpectralClustering`, at two columns of its rows if they are given."""
        if not hasattr(model, "affinity_matrix_"):
            raise TypeError(f"{type(model).__name__} keeps no graph (affinity_matrix_): give a fitted SpectralClustering.")
        places = None if X is None else np.asarray(X, dtype=np.float64)[:, list(columns)]
        return cls(model.affinity_matrix_, model.labels_, places).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw edges, then vertices."""
        from matplotlib.collections import LineCollection
        from matplotlib.colors import to_rgba

        ax = self.open_axes(ax, 5.6, 5.2)
        crossing = self.groups[self.ends[:, 0]] != self.groups[self.ends[:, 1]]
        share = self.weights / self.weights.max(initial=1e-300)
        for some, colour, style, words in (
            (~crossing, GREY, "solid", _("edge")),
            (crossing, INK, "dashed", _("edge of the cut")),
        ):
            if some.any():
                shades = [to_rgba(colour, float(alpha)) for alpha in 0.25 + 0.65 * share[some]]
                widths = THINNEST + (WIDEST - THINNEST) * share[some]
                look: dict[str, Any] = {"colors": shades, "linestyles": style, "linewidths": widths, "zorder": 1}
                ax.add_collection(LineCollection(list(self.positions[self.ends[some]]), **look))
                ax.plot([], [], color=colour, linestyle=style, linewidth=1.6, label=words)
        small = len(self.groups) <= FEW_VERTICES
        for group, name in enumerate(self.names):
            at = self.positions[self.groups == group]
            look = {"marker": marker_of(group), "markersize": 13 if small else 5, "linestyle": "none", "zorder": 2}
            ax.plot(*at.T, color=colour_of(group), label=entry(_("group {name}").format(name=name)), **look)
        if small:
            for vertex, (x, y) in enumerate(self.positions):
                shade = readable(colour_of(int(self.groups[vertex])))
                ax.text(x, y, str(vertex), ha="center", va="center", fontsize=SMALL - 1, color=shade, zorder=3)
        ax.margins(0.1)
        words = _("cut {cut}, NCut {ncut}").format(cut=number(self.cut, 4), ncut=number(self.ncut, 4))
        tidy(ax, x="", y="", title=words)
        ax.set(xticks=[], yticks=[])
        for spine in ax.spines.values():
            spine.set_visible(False)
        legend_below(ax, columns=3)
        return self


def on_a_circle(groups: Array) -> Array:
    """Places of vertices on a circle, group by group, with a gap between groups."""
    order = np.argsort(groups, kind="stable")
    turn = np.arange(len(order)) + 1.0 * groups[order]
    angle = np.empty(len(order))
    angle[order] = 2.0 * np.pi * turn / (len(order) + len(np.unique(groups)))
    return np.column_stack([np.cos(angle), np.sin(angle)])


def checked_positions(positions: Any, count: int) -> Array:
    """A place in the plane for each vertex."""
    found = np.asarray(positions, dtype=np.float64)
    if found.shape != (count, 2):
        raise ValueError(f"positions has shape {found.shape}, the graph has {count} vertices: give two numbers for each.")
    refuse_bad_number("positions", found)
    return found
