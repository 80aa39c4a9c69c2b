"""Picture of the regions of a classifier: the class it gives to every point of a plane, with the rows in it.

Two columns of the table span the plane; if there are more, the others are held at their medians, so that the picture is a
slice. Where the classifier gives probabilities, the colour is the stronger the more probable the class is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np
from sklearn.base import is_classifier
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.random import uniforms
from aprendiz.core.rows import Array
from aprendiz.core.targets import same_length
from aprendiz.evaluation.inputs.labels_and_numbers import class_labels
from aprendiz.evaluation.words.tables import short
from aprendiz.locale import _, whole
from aprendiz.plots.plane_grid import PlaneGrid
from aprendiz.plots.style import (
    INK,
    MARKERS,
    PALETTE,
    THIN,
    entry,
    figure_of,
    legend_below,
    open_axes,
    tidy,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

DRAWN = 2000  # rows at most
NAMED = 12  # classes in the legend
STEPS = 201  # places along each column
FAINT, STRONG = 0.12, 0.5  # opacity of a class that is as probable as the others, and of one that is certain
PLAIN = 0.3  # without probabilities


class RegionsDisplay:
    """The regions of a fitted classifier over two columns.

    Parameters
    ----------
    model : fitted classifier
        Of this library or of scikit-learn, or a pipeline that ends in one.
    X : table of shape (n_rows, n_columns)
        The rows; its columns are those of the fit.
    y : array-like of shape (n_rows,), optional
        Their classes, shown as marks.
    columns : pair of names or numbers, optional
        The two columns of the plane, by default the first two.
    seed : int, default=0
        Which rows are drawn, if there are more than 2000.

    Attributes
    ----------
    grid : PlaneGrid
        Places along the two columns.
    classes : ndarray of shape (n_classes,)
    regions : ndarray of shape (n_places, n_places)
        The number of the class at each place, y upwards.
    probability : ndarray of shape (n_places, n_places) or None
        Of that class.
    chosen : ndarray
        Numbers of the rows that are drawn, rising.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    ax_: Axes
    figure_: Figure

    def __init__(self, model: Any, X: Any, y: Any = None, *, columns: Sequence[Any] | None = None, seed: int = 0) -> None:
        if not is_classifier(model):
            raise TypeError(f"{type(model).__name__} predicts no classes: give a classifier.")
        check_is_fitted(model)
        self.grid = PlaneGrid.of(X, columns, STEPS)
        self.classes = np.asarray(model.classes_)
        self.regions = self.grid.on_grid(np.searchsorted(self.classes, model.predict(self.grid.rows)))
        self.probability: Array | None = None
        if hasattr(model, "predict_proba"):
            self.probability = self.grid.on_grid(np.max(model.predict_proba(self.grid.rows), axis=1))
        self.y = labels_of_rows(y, len(self.grid.points))
        self.chosen = np.sort(np.argsort(uniforms(seed, 0, len(self.grid.points)))[:DRAWN])

    @classmethod
    def from_estimator(
        cls,
        model: Any,
        X: Any,
        y: Any = None,
        *,
        columns: Sequence[Any] | None = None,
        seed: int = 0,
        name: str = "",
        ax: Axes | None = None,
    ) -> Self:
        """Ask the classifier about the plane, and draw."""
        return cls(model, X, y, columns=columns, seed=seed).plot(ax, name=name)

    def plot(self, ax: Axes | None = None, *, name: str = "") -> Self:
        """Draw the regions and the rows; `name` says what the classes are."""
        ax = open_axes(ax, 5.6, 5.0)
        tidy(ax, x=self.grid.names[0], y=self.grid.names[1], title=self.title())
        paint(ax, self.grid, self.regions, self.opacity(), len(self.classes))
        mark_rows(ax, self.grid.points[self.chosen], None if self.y is None else self.y[self.chosen], self.classes)
        class_legend(ax, name)
        self.ax_, self.figure_ = ax, figure_of(ax)
        return self

    def opacity(self) -> Array:
        """How strong the colour is at each place."""
        if self.probability is None:
            return np.full(self.regions.shape, PLAIN)
        least = 1.0 / len(self.classes)
        return FAINT + (STRONG - FAINT) * np.clip((self.probability - least) / (1.0 - least), 0.0, 1.0)

    def title(self) -> str:
        """What is held fixed, and what the strength of a colour means."""
        parts = []
        if self.grid.others:
            parts.append(_("other columns at their medians"))
        if self.probability is not None:
            parts.append(_("stronger colour: more probable"))
        return "; ".join(parts)


def labels_of_rows(y: Any, rows: int) -> Array | None:
    """A class for each row, if there are any."""
    if y is None:
        return None
    labels = class_labels("y", y)
    same_length("y", len(labels), rows)
    return labels


def colours(count: int) -> Array:
    """A colour for each class; beyond the palette they come again."""
    from matplotlib.colors import to_rgb

    return np.array([to_rgb(PALETTE[k % len(PALETTE)]) for k in range(count)])


def paint(ax: Axes, grid: PlaneGrid, regions: Array, opacity: Array, count: int) -> None:
    """The regions in the colours of their classes, −1 in white, with thin borders."""
    image = np.ones((*regions.shape, 4))
    image[..., :3] = np.vstack([colours(count), np.ones((1, 3))])[regions]
    image[..., 3] = opacity
    ax.imshow(image, origin="lower", extent=grid.extent, aspect="auto", interpolation="nearest", zorder=0.5)
    for k in range(count):
        inside = (regions == k).astype(float)
        if 0 < inside.sum() < inside.size:
            ax.contour(grid.x, grid.y, inside, levels=[0.5], colors=INK, linewidths=THIN, zorder=1.0)


def mark_rows(ax: Axes, points: Array, y: Array | None, classes: Array) -> None:
    """A mark for each row, by class; the first twelve classes have an entry in the legend."""
    size = 5.0 if len(points) <= 300 else 3.5
    for k, label in enumerate(classes):
        here = points[:0] if y is None else points[y == label]
        look: dict[str, Any] = {"color": PALETTE[k % len(PALETTE)], "marker": MARKERS[(k + k // len(PALETTE)) % len(MARKERS)]}
        look |= {"markersize": size, "markeredgewidth": 0.4, "markeredgecolor": "white", "linestyle": "none", "zorder": 2.0}
        ax.plot(here[:, 0], here[:, 1], label=entry(short(label)) if k < NAMED else None, **look)
    if len(classes) > NAMED:
        ax.plot([], [], linestyle="none", label=_("{count} others").format(count=whole(len(classes) - NAMED)))


def class_legend(ax: Axes, name: str) -> None:
    """The marks of the classes below the axes, all of one size."""
    for sign in legend_below(ax, columns=4, title=name).legend_handles:
        cast("Line2D", sign).set(markersize=6.0)
