"""Picture of the influence of rows on a regression: leverage, residual and Cook's distance at once.

To the right stand rows whose columns are unusual (leverage), above and below those whose target is (studentised residual); the
area of a mark is Cook's distance, which needs both. Lines mark twice the mean leverage, and the studentised residuals within
which 95 % of the rows should lie. The rows of largest distance have their number beside them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from scipy.special import stdtrit

from aprendiz.evaluation.words.tables import short
from aprendiz.linear.influence import Influence, influence
from aprendiz.locale import _, number
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.entries import entries_for
from aprendiz.plots.shared.style import BLUE, DASHED, GREY, INK, SMALL, THIN, tidy
from aprendiz.plots.shared.words import verbatim

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LARGEST, LEAST = 320.0, 7.0  # areas of marks, in square points


class InfluenceDisplay(Display):
    """Leverage against studentised residual, with Cook's distance as the area of the marks.

    Parameters
    ----------
    influence : Influence
        Of the rows on a fit to one target.
    names : sequence, optional
        Of the rows; by default their numbers, from 0.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(self, influence: Influence, names: Sequence[Any] | None = None) -> None:
        if influence.residual.ndim != 1:
            raise ValueError(f"The fit has {influence.residual.shape[1]} targets: draw the influence on a fit to one of them.")
        self.influence = influence
        self.names = entries_for("names", names, range(len(influence.leverage)), "rows")

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any = None,
        *,
        sample_weight: Any = None,
        names: Sequence[Any] | None = None,
        worst: int = 5,
        ax: Axes | None = None,
    ) -> Self:
        """Measure the influence of the rows on a fitted LinearRegression and draw it."""
        return cls(influence(estimator, X, y, sample_weight), names).plot(ax, worst=worst)

    def plot(self, ax: Axes | None = None, *, worst: int = 5) -> Self:
        """Draw the rows, with the names of the `worst` ones."""
        ax = self.open_axes(ax, 5.6, 4.4)
        found = self.influence
        self.lines(ax)
        largest = max(float(np.nanmax(found.cooks_distance, initial=0.0)), 1e-300)
        area = LEAST + LARGEST * np.nan_to_num(found.cooks_distance) / largest
        ax.scatter(found.leverage, found.studentised, s=area, color=BLUE, alpha=0.5, linewidths=THIN, edgecolors="white")
        ax.margins(0.1)
        title = _("area: Cook's distance, at most {largest}").format(largest=number(largest, 3))
        tidy(ax, x=_("leverage"), y=_("studentised residual"), title=title)
        self.name_rows(ax, worst)
        return self

    def lines(self, ax: Axes) -> None:
        """Zero, twice the mean leverage, and 95 % of Student's t."""
        found, n = self.influence, int((self.influence.leverage > 0).sum())
        dash: dict[str, Any] = {"color": GREY, "linewidth": THIN, "linestyle": DASHED, "zorder": 0}
        ax.axhline(0.0, color=GREY, linewidth=THIN, zorder=0)
        ax.axvline(2.0 * found.coefficients / n, **dash)
        if n - found.coefficients > 1:
            usual = float(stdtrit(n - found.coefficients - 1, 0.975))
            for level in (-usual, usual):
                ax.axhline(level, **dash)

    def name_rows(self, ax: Axes, worst: int) -> None:
        """Names beside the marks, on the side where there is room."""
        found = self.influence
        low, high = ax.get_xlim()
        for i in found.worst(worst):
            if np.isfinite(found.studentised[i]):
                left = found.leverage[i] > (low + high) / 2.0
                look: dict[str, Any] = {"ha": "right" if left else "left", "va": "bottom", "fontsize": SMALL, "color": INK}
                name, at = verbatim(short(self.names[i])), (found.leverage[i], found.studentised[i])
                ax.annotate(name, at, (-6 if left else 6, 4), textcoords="offset points", **look)
