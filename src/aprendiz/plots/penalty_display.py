"""Picture of penalties: the balls of the lasso, ridge regression and the elastic net, and the loss that touches them.

For two coefficients the loss is constant on ellipses around the least squares w; R(w) ≤ c is a ball around zero. The best w of
the ball is where the first ellipse touches it.

    lasso         |w₁| + |w₂| ≤ c                  corners on the axes: there one coefficient is zero
    ridge         w₁² + w₂² ≤ c                    round: touched on an axis only by chance
    elastic net   ρ‖w‖₁ + ½(1 − ρ)‖w‖² ≤ c         corners, with round sides

An ellipse touches a corner for many least squares w, and a given point of a round side for one direction only: so the lasso
gives zeros, and ridge regression does not. All balls reach the same r on the axes: c = r, r², ρr + ½(1 − ρ)r². The w that are
marked are found by the learners themselves, with `budget=c` (linear/budget_path.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.linear.elastic_net import ElasticNet
from aprendiz.linear.lasso import Lasso
from aprendiz.linear.linear_regression import LinearRegression
from aprendiz.linear.ridge import Ridge
from aprendiz.locale import _, number
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import BLUE, GREY, INK, SKY, SMALL, THIN, VERMILION, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

RHO = 0.5  # of the elastic net
REACH = 0.55  # r, as a part of the largest least squares coefficient
RINGS = (1 / 3, 2 / 3, 4 / 3, 5 / 3)  # sizes of the other ellipses beside that of the one that touches
ANGLES = np.linspace(0.0, 2.0 * np.pi, 361)


class PenaltyDisplay(Display):
    """The balls of three penalties with the ellipses of a loss, for two coefficients.

    Parameters
    ----------
    X : table of shape (n_rows, 2), optional
        Two columns; by default an example with two correlated ones.
    y : array-like of shape (n_rows,), optional
        The target.
    reach : float, optional
        r: how far the balls go on the axes; by default 0.55 of the larger least squares coefficient.

    Attributes
    ----------
    free : ndarray of shape (2,)
        Least squares.
    budgets : dict
        c of each penalty: "lasso", "ridge", "elastic net".
    found : dict
        The best w of each ball.
    ax_ : ndarray of three matplotlib Axes
    figure_ : matplotlib Figure
    """

    def __init__(self, X: Any = None, y: Any = None, *, reach: float | None = None) -> None:
        if (X is None) != (y is None):
            raise ValueError("X and y belong together: give both, or neither for an example.")
        X, y = example() if X is None else (X, y)
        if np.ndim(X) != 2 or np.shape(X)[1] != 2:
            raise ValueError(f"X has shape {np.shape(X)}: a picture of penalties needs exactly 2 columns.")
        model = LinearRegression().fit(X, y)
        if np.shape(model.coef_) != (2,) or model.rank_ < 2:
            raise ValueError("The loss has no single minimum: give one target, and two columns that are not proportional.")
        self.free: Array = model.coef_
        self.curvature: Array = np.cov(np.asarray(X, dtype=float), rowvar=False, bias=True)
        self.reach = REACH * float(np.abs(self.free).max()) if reach is None else reach
        if not self.reach > 0:
            raise ValueError(f"reach = {self.reach!r} must be above 0.")
        r = self.reach
        self.budgets = {"lasso": r, "ridge": r**2, "elastic net": RHO * r + 0.5 * (1 - RHO) * r**2}
        learners = {"lasso": Lasso, "ridge": Ridge, "elastic net": ElasticNet}
        self.found = {name: learners[name](budget=c).fit(X, y).coef_ for name, c in self.budgets.items()}

    def plot(self, ax: Any = None) -> Self:
        """Draw the three balls side by side, or on three axes."""
        axes = self.open_panels(ax, 1, 3, count=3, width=9.6, height=3.9)
        words = {"lasso": _("lasso"), "ridge": _("ridge"), "elastic net": _("elastic net")}
        corners = np.array([[self.reach, self.reach], [-self.reach, -self.reach], self.free])
        for one, (name, w) in zip(axes, self.found.items(), strict=True):
            self.draw(one, name, w)
            title = words[name] + f"\nw = ({number(without_rounding(w[0]), 3)}; {number(without_rounding(w[1]), 3)})"
            tidy(one, x="w₁", y="w₂", title=title)
            room = 0.2 * float(np.ptp(corners, axis=0).max())
            low, high = corners.min(axis=0) - room, corners.max(axis=0) + room
            one.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), aspect="equal")
            one.locator_params(nbins=5)
        return self

    def draw(self, ax: Axes, name: str, w: Array) -> None:
        """One ball, the ellipses, and where they touch."""
        ax.axhline(0.0, color=GREY, linewidth=THIN)
        ax.axvline(0.0, color=GREY, linewidth=THIN)
        ax.fill(*self.ball(name).T, facecolor=SKY, alpha=0.35, edgecolor=BLUE, linewidth=1.2)
        touching = float((w - self.free) @ self.curvature @ (w - self.free))
        for factor in RINGS:
            ax.plot(*self.ellipse(factor**2 * touching).T, color=GREY, linewidth=0.8)
        ax.plot(*self.ellipse(touching).T, color=VERMILION, linewidth=1.4)
        ax.plot(*self.free, marker="+", color=INK, markersize=8, linestyle="none")
        ax.annotate("ŵ", (self.free[0], self.free[1]), (4, 4), textcoords="offset points", fontsize=SMALL, color=INK)
        ax.plot(*w, marker="o", color=VERMILION, markersize=6, linestyle="none", zorder=4)

    def ellipse(self, level: float) -> Array:
        """The w on which the mean squared error is above its minimum by `level`."""
        values, vectors = np.linalg.eigh(self.curvature)
        circle = np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])
        return np.asarray(self.free + (circle * np.sqrt(level / values)) @ vectors.T)

    def ball(self, name: str) -> Array:
        """The border of a ball: for each direction u the t with R(tu) = c."""
        circle = np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])
        size = np.abs(circle).sum(axis=1)
        if name == "lasso":
            return np.asarray(circle * (self.budgets[name] / size)[:, None])
        if name == "ridge":
            return circle * np.sqrt(self.budgets[name])
        linear, square = RHO * size, 0.5 * (1 - RHO)
        t = (np.sqrt(linear**2 + 4 * square * self.budgets[name]) - linear) / (2 * square)
        return np.asarray(circle * t[:, None])


def example() -> tuple[Array, Array]:
    """Two correlated columns of 41 rows, and y = 0.6·x₁ + 2·x₂."""
    u = np.linspace(-1.5, 1.5, 41)
    X = np.column_stack([np.sin(3 * u) + 0.5 * np.cos(7 * u), 0.8 * np.sin(3 * u + 1.0) + 0.6 * np.cos(5 * u)])
    return X, X @ [0.6, 2.0]


def without_rounding(value: float) -> float:
    """Rounding is no coefficient."""
    return 0.0 if abs(value) < 1e-12 else float(value)
