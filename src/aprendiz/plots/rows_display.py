"""Picture of the rows: each a mark in the plane of the first two principal components of the standardised columns.

Missing cells take the mean of their column. Components and their shares of the variance are those of all rows; at most 2000
rows, chosen at random, are drawn. The colour is the class, or a number. What lies apart in this plane lies apart in the
table; what overlaps here may still be separated by the other components, whose share of the variance is the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np
from sklearn.pipeline import make_pipeline

from aprendiz.core.frames import as_frame, holds_numbers
from aprendiz.core.rows import Array
from aprendiz.core.targets import as_target, same_length
from aprendiz.decomposition.pca import PCA
from aprendiz.evaluation.folds.predictions import take
from aprendiz.evaluation.inputs.labels_and_numbers import class_labels, measurements
from aprendiz.evaluation.words.tables import short
from aprendiz.locale import _, format_whole, ngettext
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.drawn_rows import drawn_rows
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
    tidy,
)
from aprendiz.plots.shared.words import entry, percent, verbatim, wrap_text
from aprendiz.preprocessing.simple_imputer import SimpleImputer
from aprendiz.preprocessing.standard_scaler import StandardScaler

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colorbar import Colorbar
    from matplotlib.lines import Line2D

MANY_ROWS = 300  # rows from which marks become smaller
MOST_CLASSES = 12  # with a colour and a mark of their own
FEW_CLASSES = 10  # whole numbers up to which they are taken for classes


class RowsDisplay(Display):
    """The rows of a table as marks in the plane of two principal components.

    Parameters
    ----------
    X : table of numbers of shape (n_rows, n_columns)
        At least two rows and two columns; cells may be missing.
    y : array-like of shape (n_rows,), optional
        A class or a number for each row, shown as its colour.
    as_numbers : bool, optional
        Whether y holds numbers rather than classes. By default text, booleans and up to 10 different whole numbers are classes.
    seed : int, default=0
        Which rows are drawn, if there are more than 2000.

    Attributes
    ----------
    chosen : ndarray of shape (n_drawn,)
        Numbers of the rows that are drawn, in ascending order.
    points : ndarray of shape (n_drawn, 2)
        Their coordinates.
    shares : ndarray of shape (2,)
        Of the variance, along each component.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    colour_bar_ : matplotlib Colorbar or None
        The scale of the numbers.
    """

    colour_bar_: Colorbar | None

    def __init__(self, X: Any, y: Any = None, *, as_numbers: bool | None = None, seed: int = 0) -> None:
        self.rows = rows_of_a_plane(X)
        self.y = None if y is None else target_of(y, self.rows, as_numbers)
        self.name = y.name if isinstance(getattr(y, "name", None), str) else ""
        plane = make_pipeline(SimpleImputer(keep_empty_features=True), StandardScaler(), PCA(2)).fit(X)
        self.shares: Array = plane[-1].explained_variance_ratio_
        self.chosen = drawn_rows(self.rows, seed)
        self.points = np.asarray(plane.transform(take(X, self.chosen)))

    @classmethod
    def from_table(
        cls,
        X: Any,
        y: Any = None,
        *,
        as_numbers: bool | None = None,
        seed: int = 0,
        name: str | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Find the plane and draw."""
        return cls(X, y, as_numbers=as_numbers, seed=seed).plot(ax, name=name)

    def plot(self, ax: Axes | None = None, *, name: str | None = None) -> Self:
        """Draw the rows; `name` says what the colours are, by default the name of the series y."""
        ax = self.open_axes(ax, 5.6, 5.4)
        words = _("component {number} ({share} of the variance)")
        x, y = (words.format(number=number, share=percent(share)) for number, share in enumerate(self.shares, start=1))
        tidy(ax, x=x, y=y, title=self.count_text())
        ax.set_aspect("equal", adjustable="datalim")
        self.colour_bar_ = None
        if self.y is None:
            self.mark(ax, slice(None), color=BLUE, marker="o")
        elif self.y.dtype.kind == "f":
            self.colour_bar_ = self.draw_numbers(ax, self.name if name is None else name)
        else:
            self.draw_classes(ax, self.name if name is None else name)
        return self

    def count_text(self) -> str:
        """How many rows there are, and how many of them are drawn."""
        if len(self.chosen) < self.rows:
            return _("{drawn} of {rows} rows").format(drawn=format_whole(len(self.chosen)), rows=format_whole(self.rows))
        return ngettext("{rows} row", "{rows} rows", self.rows).format(rows=format_whole(self.rows))

    def mark(self, ax: Axes, some: Any, **look: Any) -> None:
        """Marks of some of the rows, that let overlaps be seen."""
        look = {"markersize": 5.0 if len(self.chosen) <= MANY_ROWS else 3.5, "markeredgewidth": 0, "alpha": 0.65, **look}
        ax.plot(self.points[some, 0], self.points[some, 1], linestyle="none", **look)

    def draw_classes(self, ax: Axes, name: str) -> None:
        """A colour and a mark for each class, the smaller classes on top; beyond twelve, grey for the smallest."""
        assert self.y is not None
        labels, counts = np.unique(self.y, return_counts=True)
        ranked = np.argsort(-counts, kind="stable")
        named = np.sort(ranked if len(labels) <= MOST_CLASSES else ranked[: MOST_CLASSES - 1])
        here = self.y[self.chosen]
        if len(named) < len(labels):
            others = _("{count} others").format(count=format_whole(len(labels) - len(named)))
            self.mark(ax, ~np.isin(here, labels[named]), color=GREY, marker=".", label=others)
        for place, k in enumerate(named):
            marker = marker_of(place)
            look = {"color": colour_of(place), "marker": marker, "zorder": 3.0 - counts[k] / self.rows}
            self.mark(ax, here == labels[k], label=entry(short(labels[k])), **look)
        for sign in legend_below(ax, columns=4, title=name).legend_handles:
            cast("Line2D", sign).set(markersize=6.0, alpha=1.0)

    def draw_numbers(self, ax: Axes, name: str) -> Colorbar:
        """Colours from dark (low) to light (high), with their scale beside the axes."""
        from aprendiz.plots.shared.ticks import NumberTicks

        assert self.y is not None
        size = 25 if len(self.chosen) <= MANY_ROWS else 12
        look: dict[str, Any] = {"c": self.y[self.chosen], "s": size, "cmap": "viridis", "alpha": 0.8, "linewidths": 0}
        beside = ax.inset_axes((1.03, 0.0, 0.04, 1.0))
        bar = figure_of(ax).colorbar(ax.scatter(*self.points.T, **look), cax=beside, format=NumberTicks())
        bar.set_label(verbatim(wrap_text(name, height_of(ax))), fontsize=TEXT, color=INK)
        bar.ax.tick_params(width=THIN, length=3, labelsize=SMALL, color=GREY, labelcolor=INK)
        bar.outline.set(visible=False)
        return bar


def rows_of_a_plane(X: Any) -> int:
    """The number of rows of a table that has a plane: of numbers, with two rows and two columns at least."""
    frame = as_frame(X)
    for column in [] if frame is None else frame.iter_columns():
        if not holds_numbers(column):
            raise ValueError(f"Column {column.name!r} of X holds no numbers: leave it out or encode it, a plane needs numbers.")
    shape = np.shape(X)
    if len(shape) != 2 or min(shape) < 2:
        raise ValueError(f"X has shape {shape}: a plane needs at least 2 rows and 2 columns.")
    return int(shape[0])


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
