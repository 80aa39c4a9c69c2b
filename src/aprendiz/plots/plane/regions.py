"""Regions of classes in a plane, and the rows in them as marks.

A region has the colour of its class; where the class has a probability, the colour is the stronger the more probable it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.core.targets import same_length
from aprendiz.evaluation.inputs.labels_and_numbers import class_labels
from aprendiz.evaluation.words.tables import short
from aprendiz.locale import _, format_whole
from aprendiz.plots.plane.plane_grid import PlaneGrid
from aprendiz.plots.shared.style import INK, THIN, colour_of, legend_below, marker_of
from aprendiz.plots.shared.words import entry

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

NAMED = 12  # classes in the legend
FAINT, STRONG = 0.12, 0.5  # opacity of a class that is as probable as the others, and of one that is certain
PLAIN = 0.3  # without probabilities


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

    return np.array([to_rgb(colour_of(k)) for k in range(count)])


def paint(ax: Axes, grid: PlaneGrid, regions: Array, opacity: Array, count: int, scores: Array | None = None) -> None:
    """The regions in the colours of their classes, −1 in white, with thin borders: between places of the grid where the scores
    of two classes are equal, if there are scores."""
    image = np.ones((*regions.shape, 4))
    image[..., :3] = np.vstack([colours(count), np.ones((1, 3))])[regions]
    image[..., 3] = opacity
    ax.imshow(image, origin="lower", extent=grid.extent, aspect="auto", interpolation="nearest", zorder=0.5)
    for k in range(count):
        inside = (regions == k).astype(float) - 0.5 if scores is None else lead(scores, k)
        if inside.min() < 0 < inside.max():
            ax.contour(grid.x, grid.y, inside, levels=[0.0], colors=INK, linewidths=THIN, zorder=1.0)


def lead(scores: Array, k: int) -> Array:
    """By how much a class leads the best of the others."""
    found: Array = scores[..., k] - np.delete(scores, k, axis=-1).max(axis=-1)
    return found


def mark_rows(ax: Axes, points: Array, y: Array | None, classes: Array) -> None:
    """A mark for each row, by class; the first twelve classes have an entry in the legend."""
    size = 5.0 if len(points) <= 300 else 3.5
    for k, label in enumerate(classes):
        here = points[:0] if y is None else points[y == label]
        look: dict[str, Any] = {"color": colour_of(k), "marker": marker_of(k)}
        look |= {"markersize": size, "markeredgewidth": 0.4, "markeredgecolor": "white", "linestyle": "none", "zorder": 2.0}
        ax.plot(here[:, 0], here[:, 1], label=entry(short(label)) if k < NAMED else None, **look)
    if len(classes) > NAMED:
        ax.plot([], [], linestyle="none", label=_("{count} others").format(count=format_whole(len(classes) - NAMED)))


def class_legend(ax: Axes, name: str) -> None:
    """The marks of the classes below the axes, all of one size."""
    for sign in legend_below(ax, columns=4, title=name).legend_handles:
        cast("Line2D", sign).set(markersize=6.0)
