"""Picture of a circle that becomes a plane: two columns, and the three features of the quadratic kernel.

    φ(x) = (x₁², x₂², √2·x₁x₂),      φ(x)ᵀφ(z) = (xᵀz)²                                                          (1)
    x₁² + x₂² = r²  is a circle in the columns, and the plane  z₁ + z₂ = r²  in the features                      (2)

On the left the rows and the circle, on the right the rows lifted by (1), the plane of (2) and the image of the circle in it.
The lifted rows lie on a cone (z₃² = 2z₁z₂). It is drawn by an orthogonal projection, on any axes:

    right = (−sin a, cos a, 0),   up = (−cos a·sin e, −sin a·sin e, cos e)                                        (3)

with the azimuth a and the elevation e of the eye.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.kernel.kernels import Polynomial
from aprendiz.locale import _
from aprendiz.plots.plane.plane_grid import dense
from aprendiz.plots.plane.regions import labels_of_rows, mark_rows
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import GREY, INK, SKY, SMALL, THIN, legend_below, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ANGLES = np.linspace(0.0, 2.0 * np.pi, 241)
AXIS_NAMES = ("x₁²", "x₂²", "√2·x₁x₂")


class LiftedCircleDisplay(Display):
    """Two classes divided by a circle, and the same rows divided by a plane among the features of the quadratic kernel.

    Parameters
    ----------
    X : table of shape (n_rows, 2), optional
        Rows around zero; by default an example: a disc, and a ring around it.
    y : array-like of shape (n_rows,), optional
        Their two classes.
    radius : float, optional
        r; by default r² is in the middle between the two classes, which must then be separable by a circle around zero.

    Attributes
    ----------
    radius : float
        r.
    lifted : ndarray of shape (n_rows, 3)
        (1).
    ax_ : ndarray of two matplotlib Axes
    figure_ : matplotlib Figure
    """

    def __init__(self, X: Any = None, y: Any = None, *, radius: float | None = None) -> None:
        if (X is None) != (y is None):
            raise ValueError("X and y belong together: give both, or neither for an example.")
        X, y = example() if X is None else (X, y)
        self.points = dense(X)
        if self.points.shape[1] != 2:
            raise ValueError(f"X has shape {self.points.shape}: the lifted circle needs exactly 2 columns.")
        labels = labels_of_rows(y, len(self.points))
        assert labels is not None
        self.y, self.classes = labels, np.unique(labels)
        if len(self.classes) != 2:
            raise ValueError(f"y has {len(self.classes)} classes: the circle divides two.")
        self.radius = self.middle_radius() if radius is None else float(radius)
        if not 0 < self.radius < np.inf:
            raise ValueError(f"radius = {radius!r} must be above 0.")
        self.lifted = lift(self.points)

    def middle_radius(self) -> float:
        """The circle whose plane is as far from the nearest row of one class as from that of the other."""
        squares = (self.points**2).sum(axis=1)
        first, second = (squares[self.y == label] for label in self.classes)
        inner, outer = (first, second) if first.mean() < second.mean() else (second, first)
        if inner.max() >= outer.min():
            raise ValueError("No circle around zero has one class inside and the other outside: give a radius.")
        return float(np.sqrt((inner.max() + outer.min()) / 2.0))

    def plot(self, ax: Any = None, *, azimuth: float = -32.0, elevation: float = 22.0) -> Self:
        """Draw both sides; the angles of the eye are in degrees."""
        axes = self.open_panels(ax, 1, 2, count=2, width=9.6, height=4.8)
        self.draw_columns(axes[0])
        self.draw_features(axes[1], view(azimuth, elevation))
        for one in axes:
            legend_below(one, columns=2)
        return self

    def draw_columns(self, ax: Axes) -> None:
        """The rows and the circle."""
        tidy(ax, x="x₁", y="x₂", title=_("columns: a circle divides the classes"))
        ax.plot(*self.circle().T, color=INK, linewidth=1.6)
        mark_rows(ax, self.points, self.y, self.classes)
        ax.set_aspect("equal", adjustable="datalim")

    def draw_features(self, ax: Axes, eye: Array) -> None:
        """The three axes, the plane, the image of the circle and the lifted rows: what is behind the plane is drawn first."""
        tidy(ax, x="", y="", title=_("features: a plane divides them"))
        top, side = float(self.lifted[:, :2].max()), float(np.abs(self.lifted[:, 2]).max())
        ends = np.diag([1.08 * top, 1.08 * top, 1.15 * side])
        for end, name in zip(ends, AXIS_NAMES, strict=True):
            start = -end if name == AXIS_NAMES[2] else 0.0 * end
            ax.plot(*(np.array([start, end]) @ eye.T).T, color=GREY, linewidth=THIN, zorder=0.5)
            ax.annotate(name, tuple(end @ eye.T), (0, 3), textcoords="offset points", fontsize=SMALL, color=INK, ha="center")
        r2 = self.radius**2
        corners = np.array([[r2, 0, -side], [0, r2, -side], [0, r2, side], [r2, 0, side]])
        ax.fill(*(corners @ eye.T).T, facecolor=SKY, alpha=0.35, edgecolor=INK, linewidth=THIN, zorder=1.0)
        ax.plot(*(lift(self.circle()) @ eye.T).T, color=INK, linewidth=1.6, zorder=1.5)
        mark_rows(ax, self.lifted @ eye.T, self.y, self.classes)
        ax.set_aspect("equal", adjustable="datalim")
        ax.set(xticks=[], yticks=[])
        ax.spines[:].set_visible(False)
        ax.margins(0.08)

    def circle(self) -> Array:
        """(2), in the columns."""
        return self.radius * np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])


def lift(points: Array) -> Array:
    """(1); the kernel has x₁x₂ in the middle."""
    return Polynomial(2).feature_map(points)[:, [0, 2, 1]]


def view(azimuth: float, elevation: float) -> Array:
    """(3)."""
    a, e = np.deg2rad([azimuth, elevation])
    return np.array([[-np.sin(a), np.cos(a), 0.0], [-np.cos(a) * np.sin(e), -np.sin(a) * np.sin(e), np.cos(e)]])


def example() -> tuple[Array, Array]:
    """A disc of 40 rows and a ring of 60 around it."""
    k = np.arange(100)
    turn = k * np.pi * (3.0 - np.sqrt(5.0))
    reach = np.where(k < 40, np.sqrt((k + 0.5) / 40) * 0.9, 1.35 + 0.45 * ((k * 7) % 60) / 60)
    return np.column_stack([reach * np.cos(turn), reach * np.sin(turn)]), np.where(k < 40, _("disc"), _("ring"))
