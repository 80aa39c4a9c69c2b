"""Picture of stability paths: how often each column is chosen on random halves of the rows, for each strength of the selection.

A line above the threshold at any strength is a stable column. Those have a colour and a name; the others are grey.

Reference: Meinshausen & Bühlmann, "Stability selection", Journal of the Royal Statistical Society B 72, 2010.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.core.targets import refuse_bad_number
from aprendiz.locale import _, percent
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.entries import column_names, entries_for
from aprendiz.plots.shared.style import DASHED, GREY, INK, SMALL, THIN, colour_of, in_percent, legend_below, tidy
from aprendiz.plots.shared.words import short_names

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

MOST_NAMED = 12
DASHES = ("-", (0, (5, 1.5)), (0, (1, 1)))


class StabilityPathsDisplay(Display):
    """How often columns are chosen, against the strength of the selection.

    Parameters
    ----------
    strengths : array-like of shape (n_strengths,)
        Penalties, or numbers of columns: what is changed along the paths.
    frequencies : array-like of shape (n_columns, n_strengths)
        Shares of the samples that chose the column.
    names : sequence of str, optional
        Of the columns; by default x0, x1, …
    threshold : float, optional
        From which a column is stable.
    penalty : bool, default=True
        Whether strengths are penalties, drawn from the largest to the smallest, on a logarithmic scale.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    lines_ : list of matplotlib Line2D
        One for each column.
    """

    lines_: list[Line2D]

    def __init__(
        self,
        strengths: Any,
        frequencies: Any,
        names: Sequence[Any] | None = None,
        *,
        threshold: float | None = None,
        penalty: bool = True,
    ) -> None:
        self.strengths, self.frequencies = np.asarray(strengths, dtype=float), np.asarray(frequencies, dtype=float)
        if self.frequencies.ndim != 2 or self.strengths.shape != self.frequencies.shape[1:]:
            raise ValueError(
                f"frequencies has shape {self.frequencies.shape}, strengths {self.strengths.shape}: give a row for each "
                "column, with an entry for each strength."
            )
        refuse_bad_number("strengths", self.strengths)
        refuse_bad_number("frequencies", self.frequencies)
        if (self.frequencies < 0).any() or (self.frequencies > 1).any():
            raise ValueError("frequencies are shares of samples: give numbers from 0 to 1.")
        if penalty and (self.strengths <= 0).any():
            raise ValueError("Penalties on a logarithmic scale must be above 0: leave 0 out, or give penalty=False.")
        self.names = [str(one) for one in entries_for("names", names, column_names(len(self.frequencies)), "columns")]
        self.threshold, self.penalty = threshold, penalty

    def stable(self) -> Array:
        """The columns above the threshold at any strength, the most frequent first; without a threshold, the most frequent."""
        most = self.frequencies.max(axis=1)
        order = np.argsort(-most, kind="stable")
        return order[:MOST_NAMED] if self.threshold is None else order[most[order] >= self.threshold]

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the paths."""
        ax = self.open_axes(ax, 6.4, 4.4)
        stable = self.stable()
        place = {int(j): k for k, j in enumerate(stable[:MOST_NAMED])}
        names = short_names(self.names)
        self.lines_ = []
        for j, path in enumerate(self.frequencies):
            k = place.get(j)
            look: dict[str, Any] = {"color": GREY, "linewidth": THIN, "alpha": 0.5, "zorder": 1.5}
            if k is not None:
                style = DASHES[k // 6 % len(DASHES)]
                look = {"color": colour_of(k), "linewidth": 1.5, "linestyle": style, "label": names[j]}
            self.lines_.extend(ax.plot(self.strengths, path, **look))
        if self.threshold is not None:
            ax.axhline(self.threshold, color=INK, linewidth=1.0, linestyle=DASHED)
            words = _("threshold {share}").format(share=percent(self.threshold, 0))
            where = ax.get_yaxis_transform()
            ax.text(1.0, self.threshold, words, transform=where, ha="right", va="bottom", fontsize=SMALL, color=INK)
        x = _("penalty (smaller to the right)") if self.penalty else _("columns that each sample chooses")
        if self.penalty:
            ax.set_xscale("log")
            ax.set_xlim(self.strengths.max(), self.strengths.min())
        tidy(ax, x=x, y=_("share of samples that choose the column"))
        in_percent(ax.yaxis)
        ax.set_ylim(-0.02, 1.02)
        if place:
            legend_below(ax, columns=3)
        return self
