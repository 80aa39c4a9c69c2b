"""Picture of support vector regression on one column: the function, its tube, and the rows that carry it.

f(x) ± ε        rows inside have no part in f; those on the edge (0 < |β| < C) and outside (|β| = C) are support vectors  (1)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.core.frames import as_frame
from aprendiz.core.rows import Array
from aprendiz.core.targets import same_length
from aprendiz.evaluation.inputs.labels_and_numbers import measurements
from aprendiz.locale import _, format_whole, number
from aprendiz.plots.models.coefficients import fitted_last_step
from aprendiz.plots.plane.plane_grid import places
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import BLUE, DASHED, GREY, INK, SKY, VERMILION, legend_below, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STEPS = 401  # places of the curve


class TubeDisplay(Display):
    """The ε-tube of a fitted support vector regressor.

    Parameters
    ----------
    model : fitted SVR or NuSVR
        Or a pipeline that ends in one.
    X : table of shape (n_rows, 1)
        The training rows, of one column.
    y : array-like of shape (n_rows,)
        Their targets.

    Attributes
    ----------
    epsilon : float
        Half the width of the tube.
    x, f : ndarray
        Places along the column, and the function there.
    inside, edge, outside : ndarray
        Numbers of the rows inside the tube, of the support vectors on its edge, and of those outside.
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(self, model: Any, X: Any, y: Any) -> None:
        machine = fitted_last_step(model)
        if not hasattr(machine, "support_") or not (hasattr(machine, "epsilon") or hasattr(machine, "epsilon_")):
            raise TypeError(f"{type(machine).__name__} has no tube: give SVR or NuSVR, or a pipeline that ends in one of them.")
        frame = as_frame(X)
        table = np.asarray(X, dtype=np.float64)
        if table.ndim != 2 or table.shape[1] != 1:
            raise ValueError(f"X has shape {table.shape}: a picture of the tube needs exactly 1 column.")
        self.y = measurements("y", y)
        same_length("y", len(self.y), len(table))
        if len(table) != machine.shape_fit_[0]:
            raise ValueError(
                f"X has {len(table)} rows, {type(machine).__name__} was fitted to {machine.shape_fit_[0]}: "
                "give the training rows."
            )
        self.name = "x" if frame is None else str(frame.columns[0])
        self.points, self.epsilon = table[:, 0], float(getattr(machine, "epsilon_", getattr(machine, "epsilon", 0.0)))
        self.x = places(self.points, STEPS)
        grid = self.x[:, None] if frame is None else type(frame.to_native())({frame.columns[0]: self.x})
        self.f: Array = model.predict(grid)
        far = np.abs(self.y - model.predict(X)) > self.epsilon + 2.0 * machine.tol
        support = np.zeros(len(table), dtype=bool)
        support[machine.support_] = True
        self.inside, self.edge, self.outside = map(np.flatnonzero, (~support, support & ~far, support & far))

    @classmethod
    def from_estimator(cls, model: Any, X: Any, y: Any, *, ax: Axes | None = None) -> Self:
        """Ask a fitted regressor about the column, and draw."""
        return cls(model, X, y).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the tube, the function and the rows."""
        ax = self.open_axes(ax, 6.4, 4.8)
        tidy(ax, x=self.name, y=_("target"), title=_("tube: f(x) ± {epsilon}").format(epsilon=number(self.epsilon, 3)))
        ax.fill_between(self.x, self.f - self.epsilon, self.f + self.epsilon, color=SKY, alpha=0.25, linewidth=0, zorder=1.0)
        for side in (-1.0, 1.0):
            ax.plot(self.x, self.f + side * self.epsilon, color=BLUE, linewidth=0.9, linestyle=DASHED, zorder=1.2)
        ax.plot(self.x, self.f, color=BLUE, linewidth=1.6, zorder=1.5)
        signs = (
            (self.inside, GREY, 4.0, GREY, _("inside the tube: {count}")),
            (self.edge, "white", 6.5, INK, _("support vector on the edge: {count}")),
            (self.outside, VERMILION, 6.5, INK, _("support vector outside: {count}")),
        )
        for rows, colour, size, border, words in signs:
            look: dict[str, Any] = {"color": colour, "markersize": size, "markeredgecolor": border, "markeredgewidth": 1.0}
            label = words.format(count=format_whole(len(rows)))
            ax.plot(self.points[rows], self.y[rows], marker="o", linestyle="none", label=label, zorder=2.0, **look)
        legend_below(ax, columns=3)
        return self
