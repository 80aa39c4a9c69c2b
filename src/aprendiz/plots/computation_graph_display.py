"""Picture of a graph of functions: each node with what it computes, its value and the derivative S of the output for it, each
edge with its own derivative z.

Inputs are at the top, the output at the bottom: values are computed downwards, derivatives S(i, o) = Σ z(i, k)·S(k, o) upwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.locale import number
from aprendiz.plots.layout.curves import curve_along
from aprendiz.plots.layout.layered_layout import LayeredLayout
from aprendiz.plots.layout.text_width import text_width
from aprendiz.plots.shared.display import Display, pyplot
from aprendiz.plots.shared.style import BLUE, GREY, INK, ORANGE, PALE, THIN, height_of, width_of
from aprendiz.plots.shared.words import verbatim

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from aprendiz.neural import Graph

POINTS, SMALL_POINTS = 9.5, 8.5
LEADING, SPACING = 1.3, 1.25  # height of a line, in sizes of its letters, and what matplotlib calls this height
PAD, GAP, DROP, MARGIN = 6.0, 26.0, 46.0, 8.0  # points: in a box, between neighbours, between layers, around all
LONGEST = 30  # letters of an expression
NEAR = 0.27  # where z stands on its edge
MOST_NODES = 200


class ComputationGraphDisplay(Display):
    """A graph of functions as a drawing.

    Parameters
    ----------
    graph : Graph
    values, derivatives : mapping of node to number, optional
        Value, and S(i, o).
    edge_derivatives : mapping of (parent, child) to number, optional
        z(i, j).

    Attributes
    ----------
    layout : LayeredLayout
        Boxes and ways, in points.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    layout: LayeredLayout

    def __init__(
        self,
        graph: Graph,
        values: Mapping[str, Any] | None = None,
        derivatives: Mapping[str, Any] | None = None,
        edge_derivatives: Mapping[tuple[str, str], Any] | None = None,
    ) -> None:
        if len(graph.graph) > MOST_NODES:
            raise ValueError(f"The graph has {len(graph.graph)} nodes, more than {MOST_NODES}: draw a part of it.")
        self.graph, self.nodes = graph, graph.graph.nodes
        self.values, self.derivatives = dict(values or {}), dict(derivatives or {})
        self.edge_derivatives = dict(edge_derivatives or {})
        if wide := [name for name, value in self.values.items() if np.ndim(value)]:
            raise ValueError(f"{wide[0]!r} is an array: draw the graph at one point.")

    @classmethod
    def from_graph(cls, graph: Graph, inputs: Mapping[str, Any], *, ax: Axes | None = None) -> Self:
        """Compute everything at some inputs (without any, only the expressions are shown) and draw."""
        if not inputs:
            return cls(graph).plot(ax)
        return cls(graph, graph.values(inputs), graph.derivatives(inputs), graph.edge_derivatives(inputs)).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the graph; without axes, in a figure as large as it needs."""
        pyplot()
        texts = {name: self.lines_of(name) for name in self.nodes}
        sizes = [box_size(texts[name]) for name in self.nodes]
        edges = [(p, c) for c, parents in enumerate(self.graph.graph.parents) for p in parents]
        self.layout = LayeredLayout.of(sizes, edges, GAP, DROP)
        width, height = self.layout.width + 2 * MARGIN, self.layout.height + 2 * MARGIN
        scale = 1.0 if ax is None else min(72 * width_of(ax) / width, 72 * height_of(ax) / height, 1.0)
        ax = self.open_axes(ax, width / 72, height / 72)
        for edge, way in zip(edges, self.layout.ways, strict=True):
            self.draw_edge(ax, way, (self.nodes[edge[0]], self.nodes[edge[1]]), scale)
        for name, box, size in zip(self.nodes, self.layout.boxes, sizes, strict=True):
            self.draw_box(ax, name, texts[name], (box.x, box.top), size, scale)
        ax.set(xlim=(-MARGIN, width - MARGIN), ylim=(-MARGIN, height - MARGIN), aspect="equal")
        ax.set_axis_off()
        return self

    def lines_of(self, name: str) -> list[str]:
        """What a box says: the expression, the value, the derivative."""
        text = self.graph.texts.get(name)
        shown = "" if text is None else text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
        lines = [f"{name} = {shown}" if shown else name]
        if name in self.values:
            lines[0] = f"{lines[0]} = {short(self.values[name])}"
        if name in self.derivatives:
            lines.append(f"∂{self.graph.output}/∂{name} = {short(self.derivatives[name])}")
        return lines

    def draw_box(
        self, ax: Axes, name: str, lines: list[str], top: tuple[float, float], size: tuple[float, float], scale: float
    ) -> None:
        """A box with its lines; the inputs are pale, the output is framed."""
        from matplotlib.patches import FancyBboxPatch

        look: dict[str, Any] = {"facecolor": PALE if name in self.graph.inputs else "white", "zorder": 3.0}
        look |= {"edgecolor": ORANGE if name == self.graph.output else GREY, "linewidth": 2 * THIN * scale}
        place = (top[0] - size[0] / 2, top[1] - size[1])
        ax.add_patch(FancyBboxPatch(place, *size, boxstyle="round,pad=0,rounding_size=4", **look))
        for number_of, line in enumerate(lines):
            y = top[1] - PAD - (number_of + 0.5) * LEADING * POINTS
            words: dict[str, Any] = {"ha": "center", "va": "center", "zorder": 4.0, "fontsize": POINTS * scale}
            ax.text(top[0], y, verbatim(line), color=BLUE if number_of else INK, **words)

    def draw_edge(self, ax: Axes, way: list[tuple[float, float]], edge: tuple[str, str], scale: float) -> None:
        """An arrow, with z beside it."""
        from matplotlib.patches import FancyArrowPatch

        look: dict[str, Any] = {"arrowstyle": "-|>", "mutation_scale": 9.0 * scale, "facecolor": GREY, "edgecolor": GREY}
        ax.add_patch(FancyArrowPatch(path=curve_along(way), shrinkA=0, shrinkB=0, linewidth=scale, zorder=1.0, **look))
        if edge in self.edge_derivatives:
            (x0, y0), (x1, y1) = way[1], way[2]
            words: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": SMALL_POINTS * scale, "color": INK}
            words["bbox"] = {"facecolor": "white", "edgecolor": "none", "pad": 0.8 * scale}
            x, y = bend_at(NEAR, (x0, y0), (x1, y1))  # close to where it begins: in the middle arrows cross
            ax.text(x, y, short(self.edge_derivatives[edge]), zorder=2.0, **words)


def bend_at(share: float, start: tuple[float, float], end: tuple[float, float]) -> tuple[float, float]:
    """A point on the curve between two layers (layout/curves.py)."""
    s, middle = share, (start[1] + end[1]) / 2
    weights = ((1 - s) ** 3, 3 * s * (1 - s) ** 2, 3 * s**2 * (1 - s), s**3)
    xs, ys = (start[0], start[0], end[0], end[0]), (start[1], middle, middle, end[1])
    return sum(w * x for w, x in zip(weights, xs, strict=True)), sum(w * y for w, y in zip(weights, ys, strict=True))


def short(value: Any) -> str:
    """A number in four digits, in the language of the reader, with the minus that the axes of pictures have."""
    return number(float(value), 4).replace("-", "−")


def box_size(lines: list[str]) -> tuple[float, float]:
    """Points that a box takes."""
    return max(text_width(line, POINTS) for line in lines) + 2 * PAD, len(lines) * LEADING * POINTS + 2 * PAD
