"""Picture of the cells of centres in the plane: the cell of a centre holds the points that are nearer to it than to any other.

    cell(j) = ∩_l { x : ‖x − c_j‖ ≤ ‖x − c_l‖ }                                                              (1)

Each of the sets in (1) is a half-plane, so a cell is the box of the picture cut by k − 1 lines: exact polygons, no grid.

Cost: O(k²) cuts.
Reference: Sutherland & Hodgman, "Reentrant polygon clipping", Communications of the ACM 17, 1974.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.frames import as_frame
from aprendiz.core.rows import Array
from aprendiz.plots.plane.plane_grid import dense, places
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.drawn_rows import drawn_rows
from aprendiz.plots.shared.style import INK, THIN, colour_of, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FAINT = 0.18  # opacity of a cell


class VoronoiDisplay(Display):
    """The cells of centres in the plane, with rows in them.

    Parameters
    ----------
    centers : array of shape (n_centers, 2)
        Centres of two columns.
    X : table of numbers of shape (n_rows, 2), optional
        Rows, to be drawn in the colour of their cell.
    names : pair of str, optional
        Names of the columns, by default those of the frame X.
    seed : int, default=0
        Which rows are drawn, if there are more than 2000.

    Attributes
    ----------
    cells : list of ndarray of shape (n_corners, 2)
        The corners of each cell within the picture, in turn; none where a cell lies outside, or its centre stands twice.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(self, centers: Any, X: Any = None, *, names: tuple[str, str] | None = None, seed: int = 0) -> None:
        self.centers = dense(centers)
        self.X = self.centers if X is None else dense(X)
        for name, table in (("centers", self.centers), ("X", self.X)):
            if table.shape[1] != 2:
                raise ValueError(f"{name} has {table.shape[1]} columns: cells are drawn for two, so fit to two columns.")
        frame = None if X is None else as_frame(X)
        self.names = names or (("x0", "x1") if frame is None else (str(frame.columns[0]), str(frame.columns[1])))
        everything = np.concatenate([self.centers, self.X])
        self.box = tuple((float(line[0]), float(line[-1])) for line in (places(column, 2) for column in everything.T))
        self.cells = [cell(self.centers, j, self.box) for j in range(len(self.centers))]
        self.some = drawn_rows(len(self.X), seed) if X is not None else np.empty(0, int)

    @classmethod
    def from_estimator(cls, model: Any, X: Any, *, seed: int = 0, ax: Axes | None = None) -> Self:
        """The cells of a fitted learner with `cluster_centers_`, and the rows of X in them."""
        check_is_fitted(model)
        return cls(model.cluster_centers_, X, seed=seed).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw cells, rows and centres."""
        from matplotlib.patches import Polygon

        ax = self.open_axes(ax, 5.2, 4.6)
        nearest = ((self.X[self.some, None] - self.centers) ** 2).sum(axis=2).argmin(axis=1)
        for j, corners in enumerate(self.cells):
            colour, mine = colour_of(j), self.X[self.some][nearest == j]
            if len(corners):
                ax.add_patch(Polygon(corners, facecolor=colour, alpha=FAINT, linewidth=0, zorder=0.4))
                ax.add_patch(Polygon(corners, fill=False, edgecolor=INK, linewidth=THIN, zorder=0.5))
            small = 3.0 if len(self.some) <= 300 else 2.0
            ax.plot(*mine.T, color=colour, marker="o", markersize=small, linestyle="none", markeredgewidth=0, alpha=0.7)
            look: dict[str, Any] = {"marker": "o", "markersize": 8.0, "markeredgecolor": INK, "markeredgewidth": 1.2}
            ax.plot(*self.centers[j : j + 1].T, color=colour, linestyle="none", **look)
        tidy(ax, x=self.names[0], y=self.names[1])
        ax.set(xlim=self.box[0], ylim=self.box[1])
        return self


def cell(centers: Array, j: int, box: tuple[tuple[float, float], ...]) -> Array:
    """(1) within a box, as corners in turn."""
    (left, right), (low, high) = box
    corners = np.array([[left, low], [right, low], [right, high], [left, high]])
    for number, other in enumerate(centers):
        if number == j:
            continue
        if (other == centers[j]).all():
            if number < j:
                return corners[:0]
            continue
        corners = cut(corners, other - centers[j], (other + centers[j]) / 2)
    return corners


def cut(corners: Array, normal: Array, point: Array) -> Array:
    """The part of a convex polygon on the near side of the line through a point: (x − point)·normal ≤ 0."""
    side = (corners - point) @ normal
    kept: list[Array] = []
    for i, corner in enumerate(corners):
        before, here, there = side[i - 1], side[i], corners[i - 1]
        if (before < 0 < here) or (here < 0 < before):
            kept.append(there + (corner - there) * (before / (before - here)))
        if here <= 0:
            kept.append(corner)
    return np.array(kept).reshape(-1, 2)
