"""Picture of a ranking of columns: the best scores as bars, and the p-values in order, with that of the false discoveries.

Left: kept columns are blue, the next ones grey. Right: −log₁₀ p against its place. Were no column of
any use, they would follow the dotted line, k/(m + 1); the rule of Benjamini and Hochberg keeps all columns up to the last
one above the dashed line, α·k/m.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from aprendiz.core.parameters import refuse_count
from aprendiz.core.rows import Array
from aprendiz.locale import _, format_whole, ngettext, percent
from aprendiz.plots.shared.bars import draw_bars, name_bars
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.entries import column_names, entries_for
from aprendiz.plots.shared.scales import in_whole_numbers
from aprendiz.plots.shared.style import BLUE, DASHED, DOTTED, GREY, VERMILION, legend_below, room_beside, tidy
from aprendiz.plots.shared.words import short_names, wrap_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_BARS = 20
BAR, MARGIN, WIDTH = 0.2, 1.3, 4.6  # inches
SMALLEST = 1e-300  # p-value that is drawn
PLACES = 4  # times as many places as columns are kept


class RankingDisplay(Display):
    """The scores of columns, and their p-values.

    Parameters
    ----------
    scores : array-like of shape (n_columns,)
        NaN for columns without one.
    pvalues : array-like of shape (n_columns,), optional
    support : array-like of bool of shape (n_columns,), optional
        The columns that are kept.
    names : sequence of str, optional
        Of the columns; by default x0, x1, …
    threshold : float, optional
        A score that is marked.
    level : float, default=0.05
        α of the line of the false discovery rate.
    measure : str, optional
        What is measured, along the axis.

    Attributes
    ----------
    ax_ : matplotlib Axes, or ndarray of two if there are p-values
    figure_ : matplotlib Figure
    """

    def __init__(
        self,
        scores: Any,
        pvalues: Any = None,
        support: Any = None,
        names: Sequence[Any] | None = None,
        *,
        threshold: float | None = None,
        level: float = 0.05,
        measure: str = "",
    ) -> None:
        self.scores = np.asarray(scores, dtype=np.float64)
        if self.scores.ndim != 1 or np.isnan(self.scores).all():
            raise ValueError(f"scores has shape {self.scores.shape}: give one number for each column, some of them known.")
        self.pvalues = None
        if pvalues is not None:
            self.pvalues = np.asarray(entries_for("pvalues", pvalues, self.scores, "scores"), dtype=np.float64)
            if np.isnan(self.pvalues).all():
                self.pvalues = None
        self.support = np.asarray(entries_for("support", support, [True] * len(self.scores), "scores"), dtype=bool)
        self.names = entries_for("names", names, column_names(len(self.scores)), "scores")
        if not 0 < level < 1:
            raise ValueError(f"level = {level!r} must be between 0 and 1.")
        self.threshold, self.level, self.measure = threshold, level, measure

    @classmethod
    def from_estimator(cls, estimator: Any, *, most: int = MOST_BARS, ax: Any = None) -> Self:
        """Draw the scores of a fitted selector that ranks columns (`VariableRanking`, `SelectKBest`, …), by its own rule."""
        check_is_fitted(estimator)
        if not hasattr(estimator, "scores_") or len(estimator.scores_) != estimator.n_features_in_:
            raise TypeError(
                f"{type(estimator).__name__} has no score for each column: give a ranking, such as VariableRanking."
            )
        names = getattr(estimator, "feature_names_in_", None)
        keep, level = getattr(estimator, "keep", None), getattr(estimator, "alpha", 0.05)
        rule = keep if isinstance(keep, tuple) else ("", 0.0)
        kinds = set(getattr(estimator, "statistic_", [])) or {""}
        return cls(
            estimator.scores_,
            getattr(estimator, "pvalues_", None),
            estimator.get_support(),
            names,
            threshold=rule[1] if rule[0] == "threshold" else None,
            level=rule[1] if rule[0] == "fdr" else level,
            measure=kinds.pop() if len(kinds) == 1 else _("score"),
        ).plot(ax, most=most)

    def order(self) -> Array:
        """The columns with a score, the best first."""
        order = np.argsort(-self.scores, kind="stable")
        return order[~np.isnan(self.scores[order])]

    def plot(self, ax: Any = None, *, most: int = MOST_BARS) -> Self:
        """Draw the `most` best columns, and the p-values."""
        refuse_count("most", most)
        shown = self.order()[:most]
        panels = 1 if self.pvalues is None else 2
        height = max(len(shown) * BAR + MARGIN, 3.6 if panels > 1 else 0.0)
        axes = self.open_panels(ax, 1, panels, count=panels, width=WIDTH * panels, height=height)
        self.draw_scores(axes[0], shown)
        if self.pvalues is not None:
            self.draw_pvalues(axes[1], self.pvalues)
        self.ax_ = axes if panels > 1 else axes[0]
        return self

    def draw_scores(self, ax: Axes, shown: Array) -> None:
        """Bars of the best columns; those that are not kept are grey."""
        draw_bars(ax, self.scores[shown])
        for bar, j in zip(ax.patches, shown, strict=True):
            bar.set_facecolor(BLUE if self.support[j] else GREY)
        if self.threshold is not None:
            ax.axvline(self.threshold, color=VERMILION, linewidth=1.0, linestyle=DASHED)
        names, rest = short_names(self.names[j] for j in shown), len(self.scores) - len(shown)
        words = self.measure or _("score")
        if rest:
            more = ngettext("{count} column more is not shown", "{count} columns more are not shown", rest)
            words += f" ({more.format(count=format_whole(rest))})"
        tidy(ax, x=wrap_text(words, room_beside(ax, names)), y="")
        name_bars(ax, names)

    def draw_pvalues(self, ax: Axes, pvalues: Array) -> None:
        """The smallest p-values in order, what chance would give, and the line of the false discovery rate."""
        ordered = np.sort(pvalues[~np.isnan(pvalues)])
        m = len(ordered)
        places = np.arange(1, min(m, max(50, PLACES * int(self.support.sum()))) + 1)
        line = self.level * places / m
        kept = int((np.flatnonzero(ordered <= self.level * np.arange(1, m + 1) / m) + 1).max(initial=0))
        first = np.maximum(ordered[: len(places)], SMALLEST)
        ax.plot(places, -np.log10(first), "o", markersize=3.0, color=BLUE, label=_("p-values in order"))
        words = _("{share} false discovery rate: {count} above").format(share=percent(self.level, 0), count=format_whole(kept))
        ax.plot(places, -np.log10(line), color=VERMILION, linewidth=1.2, linestyle=DASHED, label=words)
        ax.plot(
            places,
            -np.log10(places / (m + 1)),
            color=GREY,
            linewidth=1.2,
            linestyle=DOTTED,
            label=_("if no column were of use"),
        )
        tidy(ax, x=_("place, of {count} columns").format(count=format_whole(m)), y=_("−log₁₀ p"))
        in_whole_numbers(ax.xaxis)
        legend_below(ax)
