"""Picture of the partition that a tree of two columns makes: a box of the plane for each leaf, beside the tree itself.

Every split cuts a box in two by a line parallel to an axis, so the leaves are boxes. A box has the colour of its leaf in
the tree, but lighter: that of its class, the stronger the larger its share, or blue by the mean. A number that is too wide for
its box is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.rows import Array
from aprendiz.core.targets import same_length
from aprendiz.evaluation.inputs.labels_and_numbers import measurements
from aprendiz.plots import TreeDisplay
from aprendiz.plots.layout.text_width import text_width
from aprendiz.plots.plane.plane_grid import PlaneGrid
from aprendiz.plots.plane.regions import class_legend, labels_of_rows, mark_rows
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.drawn_rows import drawn_rows
from aprendiz.plots.shared.style import GREY, INK, SMALL, THIN, height_of, tidy, width_of
from aprendiz.plots.shared.words import verbatim
from aprendiz.tree.reading.labelled_tree import Labelled
from aprendiz.tree.reading.readable_tree import ReadableTree
from aprendiz.tree.reading.split_words import format_prediction, one_line, path_conditions, simplify_conditions

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PLANE = 4.8  # inches of the plane
MARGINS = 1.45  # how much larger the axes of the tree are made than it needs, for margins
LEAST = 4.4  # inches of height
LIGHT = 0.6  # strength of the colours of the plane beside those of the tree


class PartitionDisplay(Display):
    """The boxes of a tree of two columns, with the rows in them, beside the tree.

    Parameters
    ----------
    labelled : Labelled
        A tree that splits on two columns of numbers (or one of them); it may have more.
    X : table of shape (n_rows, n_columns)
        The rows; its columns are those of the tree.
    y : array-like of shape (n_rows,), optional
        Their classes, shown as marks.
    seed : int, default=0
        Which rows are drawn, if there are more than 2000.

    Attributes
    ----------
    columns : pair of int
        The columns of the plane.
    boxes : dict of int to (x from, x to, y from, y to)
        The box of each leaf, within the picture.
    ax_ : ndarray of two matplotlib Axes
    figure_ : matplotlib Figure
    """

    def __init__(self, labelled: Labelled, X: Any, y: Any = None, *, seed: int = 0) -> None:
        self.labelled, self.columns = labelled, plane_of(labelled)
        self.grid = PlaneGrid.of(X, self.columns, 2)
        if self.grid.others != len(labelled.names) - 2:
            raise ValueError(f"X has {self.grid.others + 2} columns, but the tree has {len(labelled.names)}: give the same.")
        if labelled.classes is None:
            self.y = None
            if y is not None:
                same_length("y", len(measurements("y", y)), len(self.grid.points))
        else:
            self.y = labels_of_rows(y, len(self.grid.points))
        self.chosen = drawn_rows(len(self.grid.points), seed)
        self.frame = tuple(
            frame_of(labelled, j, line) for j, line in zip(self.columns, (self.grid.x, self.grid.y), strict=True)
        )
        leaves = np.flatnonzero(labelled.tree.is_leaf).tolist()
        self.boxes = {leaf: self.box_of(leaf) for leaf in leaves}

    @classmethod
    def from_estimator(
        cls, tree: ReadableTree, X: Any, y: Any = None, *, seed: int = 0, name: str = "", ax: Any = None
    ) -> Self:
        """Find the boxes of a fitted tree, and draw."""
        check_is_fitted(tree)
        return cls(tree.label_tree(), X, y, seed=seed).plot(ax, name=name)

    def plot(self, ax: Any = None, *, name: str = "") -> Self:
        """Draw the plane and the tree side by side, or on two axes; `name` says what the classes are."""
        tree = TreeDisplay(self.labelled)
        width, height = (0.0, 0.0) if ax is not None else tree.natural_size()
        sizes = {"width": PLANE + MARGINS * width, "height": max(LEAST, MARGINS * height)}
        plane, beside = self.open_panels(
            ax, 1, 2, count=2, **sizes, width_ratios=[PLANE, max(MARGINS * width, 1.0)] if width else None
        )
        self.draw_plane(plane, tree, name)
        tree.plot(beside)
        return self

    def box_of(self, leaf: int) -> tuple[float, float, float, float]:
        """Where a leaf lies, within the picture."""
        across, up = ([low, high] for low, high in self.frame)
        for condition in simplify_conditions(path_conditions(self.labelled, leaf)):
            side = across if condition.column == self.columns[0] else up
            side[0], side[1] = max(side[0], condition.low), min(side[1], condition.high)
        return across[0], across[1], up[0], up[1]

    def draw_plane(self, ax: Axes, tree: TreeDisplay, name: str) -> None:
        """The boxes, their answers where these are numbers, and the rows."""
        from matplotlib.patches import Rectangle

        tidy(ax, x=one_line(self.labelled.names[self.columns[0]]), y=one_line(self.labelled.names[self.columns[1]]))
        ax.set(xlim=self.frame[0], ylim=self.frame[1])
        for leaf, (left, right, low, high) in self.boxes.items():
            look: dict[str, Any] = {"facecolor": lighter(tree.colour(leaf)), "edgecolor": INK, "linewidth": THIN, "zorder": 0.5}
            ax.add_patch(Rectangle((left, low), right - left, high - low, **look))
        points = self.grid.points[self.chosen]
        if self.labelled.classes is None:
            ax.plot(points[:, 0], points[:, 1], "o", color=GREY, markersize=3.5, markeredgewidth=0, zorder=1.0)
            self.write_answers(ax)
        else:
            mark_rows(ax, points, None if self.y is None else self.y[self.chosen], np.array(self.labelled.classes))
            class_legend(ax, name)

    def write_answers(self, ax: Axes) -> None:
        """The number of each box that is large enough."""
        across, up = (high - low for low, high in self.frame)
        for leaf, (left, right, low, high) in self.boxes.items():
            text = format_prediction(self.labelled.answers[leaf])
            fits = 72 * width_of(ax) * (right - left) / across > text_width(text, SMALL) + 4.0
            if fits and 72 * height_of(ax) * (high - low) / up > 1.4 * SMALL:
                look: dict[str, Any] = {"fontsize": SMALL, "color": INK, "fontweight": "bold", "ha": "center", "va": "center"}
                look["bbox"] = {"facecolor": "white", "alpha": 0.8, "edgecolor": "none", "pad": 1.5}
                ax.text((left + right) / 2, (low + high) / 2, verbatim(text), zorder=2.0, **look)


def lighter(colour: tuple[float, float, float]) -> tuple[float, float, float]:
    """A colour on which marks of the same hue stand out."""
    red, green, blue = (1.0 - LIGHT * (1.0 - part) for part in colour)
    return red, green, blue


def plane_of(labelled: Labelled) -> tuple[int, int]:
    """The two columns that a tree splits on; where it is one, with the column beside it."""
    asked = np.unique(labelled.tree.feature[~labelled.tree.is_leaf]).tolist()
    if len(asked) > 2 or len(labelled.names) < 2:
        names = ", ".join(repr(labelled.names[j]) for j in asked[:20])
        raise ValueError(f"The tree splits on {len(asked)} columns ({names}), but a plane has two: fit it on two columns.")
    for column in asked:
        if labelled.levels(column):
            raise ValueError(f"Column {labelled.names[column]!r} holds levels, which are no places in a plane: leave it out.")
    numbers = [j for j in range(len(labelled.names)) if not labelled.levels(j)]
    both = sorted([*asked, *[j for j in numbers if j not in asked][: 2 - len(asked)]])
    if len(both) < 2:
        raise ValueError("The tree has less than two columns of numbers, and a plane needs two.")
    return both[0], both[1]


def frame_of(labelled: Labelled, column: int, line: Array) -> tuple[float, float]:
    """From where to where a column is drawn: the rows, and the thresholds with some room."""
    thresholds = labelled.tree.threshold[labelled.tree.feature == column]
    low, high = float(line[0]), float(line[-1])
    room = 0.05 * (high - low)
    return min([low, *(thresholds - room)]), max([high, *(thresholds + room)])
