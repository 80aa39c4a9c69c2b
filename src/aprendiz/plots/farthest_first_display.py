"""Picture of the farthest-first traversal: the order of the rows with the tree of their parents, and the radii.

On the left the rows in the plane, the first ones numbered in the order of the traversal, each joined to its parent ρ, the
nearest row before it. On the right R_{k+1}, the radius with k centres: R₂ ≥ R₃ ≥ …, and no k centres have less than half of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.parameters import refuse_count
from aprendiz.core.targets import refuse_bad_number
from aprendiz.locale import _
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.scales import in_whole_numbers
from aprendiz.plots.shared.style import BLUE, GREY, PALE, SMALL, VERMILION, readable, tidy

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class FarthestFirstDisplay(Display):
    """The order of a farthest-first traversal as a picture.

    Parameters
    ----------
    model : FarthestFirstHierarchy
        Fitted.
    X : array-like of shape (n_samples, n_features)
        The rows of the fit.
    columns : pair of int, default=(0, 1)
        The columns to draw.
    most : int, default=10
        How many rows of the traversal are numbered and joined to their parents.

    Attributes
    ----------
    ax_ : ndarray of two matplotlib Axes
    figure_ : matplotlib Figure
    """

    def __init__(self, model: Any, X: Any, *, columns: tuple[int, int] = (0, 1), most: int = 10) -> None:
        check_is_fitted(model)
        if not hasattr(model, "parents_"):
            raise TypeError(f"{type(model).__name__} has no traversal (order_, parents_): give a FarthestFirstHierarchy.")
        refuse_count("most", most)
        table = np.asarray(X, dtype=np.float64)
        if table.ndim != 2 or len(table) != len(model.order_) or max(columns) >= table.shape[1]:
            raise ValueError(
                f"X has shape {table.shape}: give the {len(model.order_)} rows of the fit, with columns {columns}."
            )
        self.positions, self.model = table[:, list(columns)], model
        refuse_bad_number("X", self.positions)
        self.most = min(most, len(table))

    def plot(self, ax: Any = None) -> Self:
        """Draw both sides."""
        axes = self.open_panels(ax, 1, 2, count=2, width=9.6, height=4.2)
        self.draw_order(axes[0])
        self.draw_radii(axes[1])
        return self

    def draw_order(self, ax: Axes) -> None:
        """The rows, and the first ones with their numbers and parents."""
        first, parents, at = self.model.order_[: self.most], self.model.parents_, self.positions
        ax.plot(*at.T, marker="o", markersize=4, linestyle="none", color=GREY, alpha=0.5)
        for row in first[1:]:
            ax.plot(*at[[parents[row], row]].T, color=BLUE, linewidth=1.2, zorder=2)
        for place, row in enumerate(first, 1):
            colour = VERMILION if place == 1 else BLUE
            ax.plot(*at[row], marker="o", markersize=12, color=colour, markeredgecolor=PALE, zorder=3)
            look: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": SMALL - 1, "color": readable(colour)}
            ax.text(at[row, 0], at[row, 1], str(place), zorder=4, **look)
        tidy(ax, x=_("first column drawn"), y=_("second column drawn"), title=_("order of the traversal"))

    def draw_radii(self, ax: Axes) -> None:
        """The radius with 1, 2, … centres."""
        radii = self.model.radii_[: max(self.most, 1)]
        ax.plot(np.arange(1, len(radii) + 1), radii, marker="o", markersize=5, linewidth=1.2, color=BLUE)
        ax.set_ylim(bottom=0.0)
        in_whole_numbers(ax.xaxis, 10)
        tidy(ax, x=_("centres k"), y=_("radius"))
