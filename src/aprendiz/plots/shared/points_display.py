"""Rows of a table as marks in a plane, with a class or a number as their colour: what the pictures of maps share.

Up to twelve classes have a colour and a mark of their own, and stand in a legend below. Of more, a picture may name each where
its rows lie, up to `MOST_NAMES` of them; else the smallest are grey together. Small classes are on top. Numbers are colours
from dark to light, which differ in lightness too, with their scale beside the axes. The more rows, the smaller and the fainter
the marks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.core.targets import as_target, same_length
from aprendiz.evaluation.inputs.labels_and_numbers import class_labels, measurements
from aprendiz.evaluation.words.tables import short
from aprendiz.locale import _, format_whole, ngettext
from aprendiz.plots.layout.text_width import text_width
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import (
    BLUE,
    GREY,
    INK,
    SMALL,
    TEXT,
    THIN,
    colour_of,
    figure_of,
    height_of,
    legend_below,
    marker_of,
    width_of,
)
from aprendiz.plots.shared.words import entry, percent, verbatim, wrap_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colorbar import Colorbar
    from matplotlib.lines import Line2D

MANY_MARKS = 2000  # from which a picture holds them as pixels
MOST_CLASSES = 12  # with a colour and a mark of their own
MOST_NAMES = 40  # classes that are named where they lie
FEW_CLASSES = 10  # whole numbers up to which they are taken for classes


class PointsDisplay(Display):
    """Rows as marks in a plane. A leaf sets `rows`, `chosen`, `points`, `y` and `name`.

    Attributes
    ----------
    rows : int
        How many there are.
    chosen : ndarray of shape (n_drawn,)
        Numbers of those that are drawn, in ascending order.
    points : ndarray of shape (n_drawn, 2)
        Where.
    y : ndarray of shape (n_rows,) or None
        Labels, or numbers as floats.
    name : str
        What they are.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    colour_bar_ : matplotlib Colorbar or None
        The scale of the numbers.
    """

    rows: int
    chosen: Array
    points: Array
    y: Array | None
    name: str
    colour_bar_: Colorbar | None
    names_in_place: ClassVar[bool] = False  # whether many classes are named where they lie

    def draw_rows(self, ax: Axes, name: str | None) -> None:
        """The marks, and what their colours mean."""
        ax.set_aspect("equal", adjustable="datalim")
        self.colour_bar_ = None
        if self.y is None:
            self.mark(ax, slice(None), color=BLUE, marker="o")
        elif self.y.dtype.kind == "f":
            self.colour_bar_ = self.draw_numbers(ax, self.name if name is None else name)
        else:
            self.draw_classes(ax, self.name if name is None else name)

    def count_text(self) -> str:
        """How many rows there are, and how many of them are drawn."""
        if len(self.chosen) < self.rows:
            return _("{drawn} of {rows} rows").format(drawn=format_whole(len(self.chosen)), rows=format_whole(self.rows))
        return ngettext("{rows} row", "{rows} rows", self.rows).format(rows=format_whole(self.rows))

    def size_and_opacity(self) -> tuple[float, float]:
        """Of a mark: the more there are, the smaller and the fainter."""
        count = max(len(self.chosen), 1)
        return float(np.clip(15.0 * count**-0.2, 1.5, 8.0)), float(np.clip(1.05 - 0.13 * np.log10(count), 0.35, 0.9))

    def mark(self, ax: Axes, some: Any, **look: Any) -> None:
        """Marks of some of the rows, that let overlaps be seen."""
        size, alpha = self.size_and_opacity()
        look = {"markersize": size, "markeredgewidth": 0, "alpha": alpha, "rasterized": len(self.chosen) > MANY_MARKS, **look}
        ax.plot(self.points[some, 0], self.points[some, 1], linestyle="none", **look)

    def draw_classes(self, ax: Axes, name: str) -> None:
        """A colour and a mark for each class, the smaller classes on top; grey for the smallest of very many."""
        assert self.y is not None
        labels, counts = np.unique(self.y, return_counts=True)
        ranked = np.argsort(-counts, kind="stable")
        most = MOST_NAMES if self.names_in_place else MOST_CLASSES
        named = np.sort(ranked if len(labels) <= most else ranked[: most - 1])
        in_place, here = len(named) > MOST_CLASSES, self.y[self.chosen]
        if len(named) < len(labels):
            others = _("{count} others").format(count=format_whole(len(labels) - len(named)))
            self.mark(ax, ~np.isin(here, labels[named]), color=GREY, marker=".", label=others)
        for place, k in enumerate(named):
            look: dict[str, Any] = {"color": colour_of(place), "marker": marker_of(place)}
            look["zorder"] = 3.0 - counts[k] / self.rows
            self.mark(ax, here == labels[k], label=None if in_place else entry(short(labels[k])), **look)
        if in_place:
            self.write_names(ax, labels[named])
        if not ax.get_legend_handles_labels()[1]:
            ax.set_xlabel(verbatim(wrap_text(name, width_of(ax))), fontsize=TEXT, color=INK)
            return
        for sign in legend_below(ax, columns=4, title=name).legend_handles:
            cast("Line2D", sign).set(markersize=6.0, alpha=1.0)

    def write_names(self, ax: Axes, labels: Array) -> None:
        """The name of each class at the middle of its rows, or a few lines above or below where another one stands there."""
        from matplotlib.patheffects import withStroke

        assert self.y is not None
        here = self.y[self.chosen]
        look: dict[str, Any] = {"fontsize": SMALL, "color": INK, "ha": "center", "va": "center", "zorder": 4.0}
        look |= {"path_effects": [withStroke(linewidth=2.5, foreground="white")], "textcoords": "offset points"}
        drawn = labels[np.isin(labels, here)]
        middles = np.array([np.median(self.points[here == label], axis=0) for label in drawn])
        words = [entry(short(label)) for label in drawn]
        unit = 72.0 * width_of(ax) / max(float(np.ptp(self.points, axis=0).max()), 1e-300)  # points of print
        lifts = lines_apart(middles * unit, np.array([text_width(word, SMALL) for word in words]), 1.2 * SMALL)
        for place, word, lift in zip(middles, words, lifts, strict=True):
            ax.annotate(verbatim(word), place, (0.0, lift), **look)

    def draw_numbers(self, ax: Axes, name: str) -> Colorbar:
        """Colours from dark (low) to light (high), with their scale beside the axes."""
        from aprendiz.plots.shared.ticks import NumberTicks

        assert self.y is not None
        size, alpha = self.size_and_opacity()
        look: dict[str, Any] = {"c": self.y[self.chosen], "s": size**2, "cmap": "viridis", "alpha": min(1.2 * alpha, 1.0)}
        look |= {"linewidths": 0, "rasterized": len(self.chosen) > MANY_MARKS}
        beside = ax.inset_axes((1.03, 0.0, 0.04, 1.0))
        bar = figure_of(ax).colorbar(ax.scatter(*self.points.T, **look), cax=beside, format=NumberTicks())
        bar.set_label(verbatim(wrap_text(name, height_of(ax))), fontsize=TEXT, color=INK)
        bar.ax.tick_params(width=THIN, length=3, labelsize=SMALL, color=GREY, labelcolor=INK)
        bar.outline.set(visible=False)
        return bar


def lines_apart(middles: Array, widths: Array, line: float) -> Array:
    """How far each text is to be moved upwards so that it stands in the way of none before it: by as few lines as can be."""
    lifts = np.zeros(len(middles))
    for i in range(1, len(middles)):
        beside = np.abs(middles[:i, 0] - middles[i, 0]) < 0.5 * (widths[:i] + widths[i])
        taken = (middles[:i, 1] + lifts[:i])[beside]
        for lift in (0.0, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0):
            lifts[i] = lift * line
            if not (np.abs(taken - middles[i, 1] - lifts[i]) < line).any():
                break
    return lifts


def target_of(y: Any, rows: int, as_numbers: bool | None) -> Array:
    """Labels, or numbers as floats."""
    values = as_target(y)
    same_length("y", len(values), rows)
    if as_numbers is None:
        as_numbers = values.dtype.kind in "iuf" and ((values != np.floor(values)).any() or len(np.unique(values)) > FEW_CLASSES)
    if not as_numbers:
        labels = class_labels("y", y)
        return labels.astype(np.int64) if labels.dtype.kind == "f" else labels
    numbers = measurements("y", y)
    if numbers.ndim != 1:
        raise ValueError(f"y has {numbers.shape[1]} targets: draw one at a time, such as y[:, 0].")
    return numbers


def component_names(shares: Array, columns: tuple[int, int] = (0, 1)) -> tuple[str, str]:
    """Names of two principal components, with their shares of the variance."""
    words = _("component {number} ({share} of the variance)")
    first, second = (words.format(number=column + 1, share=percent(shares[column])) for column in columns)
    return first, second
