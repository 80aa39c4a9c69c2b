"""Picture of criteria: for each model a bar as long as it is worse than the best one, with its weight.

A difference of 2 or less leaves a model in the running, one of 10 or more leaves it nearly no weight: the two dashed lines.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import numpy as np

from aprendiz.evaluation.criteria import CriteriaTable
from aprendiz.locale import _, format_fixed
from aprendiz.plots.shared.bars import draw_bars, name_bars
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import DASHED, GREY, INK, SMALL, THIN, room_beside, tidy
from aprendiz.plots.shared.words import short_names, wrap_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BAR, MARGIN, WIDTH = 0.3, 1.0, 5.6  # inches
LIMITS = (2.0, 10.0)  # of Burnham and Anderson: substantial support up to the first, essentially none beyond the second

CLEAR = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}  # words on the dashed lines


class CriteriaDisplay(Display):
    """Differences of a criterion between models, and their weights.

    Parameters
    ----------
    found : CriteriaTable
        What `criteria.table` returns.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    """

    def __init__(self, found: CriteriaTable) -> None:
        self.found = found

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw a bar for each model, the best on top."""
        differences = self.found.differences
        finite = np.where(np.isfinite(differences), differences, np.nan)
        ax = self.open_axes(ax, WIDTH, len(differences) * BAR + MARGIN)
        draw_bars(ax, np.nan_to_num(finite))
        right = max(float(np.nanmax(finite)), LIMITS[-1]) * 1.3
        for limit in LIMITS:
            ax.axvline(limit, color=GREY, linewidth=THIN, linestyle=DASHED)
        for place, (length, weight) in enumerate(zip(finite, self.found.weights, strict=True)):
            words = _("beyond the numbers") if np.isnan(length) else _("weight {weight}").format(weight=format_fixed(weight, 3))
            at = np.nan_to_num(length) + 0.01 * right
            ax.text(at, place, words, va="center", ha="left", fontsize=SMALL, color=INK, bbox=CLEAR)
        names = short_names(self.found.names)
        criterion = {"aic": "AIC", "aicc": "AICc", "bic": "BIC"}[self.found.by]
        text = _("{criterion} above that of the best model").format(criterion=criterion)
        tidy(ax, x=wrap_text(text, room_beside(ax, names)), y="")
        name_bars(ax, names)
        ax.set_xlim(0.0, right)
        return self
