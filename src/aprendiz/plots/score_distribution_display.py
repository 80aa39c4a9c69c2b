"""Picture of the scores of two classes, with a threshold and the errors that it makes.

Two histograms over the same bins, each of the rows of its class. The threshold is an edge of a bin, so that the shaded
parts are exactly the false positives and the false negatives.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.evaluation.operating_point import OperatingPoint
from aprendiz.evaluation.roc import RocCurve, roc
from aprendiz.evaluation.words.tables import short
from aprendiz.locale import _, number
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import BLUE, INK, VERMILION, in_percent, legend_below, tidy
from aprendiz.plots.shared.words import amount, entry, percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FEWEST_BINS, MOST_BINS = 10, 60  # bins
ROUNDING = 1e-9  # of a bin


class ScoreDistributionDisplay(Display):
    """The scores of two classes as a picture.

    Parameters
    ----------
    curve : RocCurve
        What `roc` returns: it holds the distinct scores and the rows of each class that have them.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    edges_ : ndarray
        Edges of the bins.
    """

    edges_: Array

    def __init__(self, curve: RocCurve) -> None:
        self.curve = curve

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        score: Any,
        *,
        positive: Any = None,
        sample_weight: Any = None,
        point: OperatingPoint | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Compute and draw; the arguments are those of `roc` and of `plot`."""
        return cls(roc(y_true, score, positive=positive, sample_weight=sample_weight)).plot(ax, point=point)

    def plot(self, ax: Axes | None = None, *, point: OperatingPoint | None = None) -> Self:
        """Draw both distributions, and the threshold and the errors of an operating point."""
        ax = self.open_axes(ax, 6.4, 4.4)
        curve, threshold = self.curve, None if point is None else point.threshold
        scores, rows = curve.thresholds[1:], np.diff([curve.false_positives, curve.true_positives], axis=1)
        self.edges_ = bins(scores, rows.sum(axis=0), threshold)
        for label, colour, weight in zip((curve.negative, curve.positive), (BLUE, VERMILION), rows, strict=True):
            heights = np.histogram(scores, self.edges_, weights=weight)[0] / weight.sum()
            words = _("{label} ({rows} rows)").format(label=entry(short(label)), rows=amount(weight.sum()))
            ax.stairs(heights, self.edges_, fill=True, color=colour, alpha=0.2, label=words)
            ax.stairs(heights, self.edges_, color=colour, linewidth=1.2)
            if point is not None:
                self.shade(ax, heights, point, colour, label == curve.positive)
        if threshold is not None and np.isfinite(threshold):
            words = _("threshold {value}").format(value=number(threshold))
            ax.axvline(threshold, color=INK, linewidth=1.2, linestyle=(0, (4, 2)), label=words)
        tidy(ax, x=_("score"), y=_("share of the class in each bin"), title="" if point is None else point.rule)
        in_percent(ax.yaxis)
        ax.set_ylim(bottom=0)
        legend_below(ax, columns=3)
        return self

    def shade(self, ax: Axes, heights: Array, point: OperatingPoint, colour: str, positive: bool) -> None:
        """The rows of a class on its wrong side of the threshold."""
        middle = (self.edges_[1:] + self.edges_[:-1]) / 2
        wrong = (middle < point.threshold) if positive else (middle >= point.threshold)
        kind, rate = (_("false negatives {share}"), point.fnr) if positive else (_("false positives {share}"), point.fpr)
        words = kind.format(share=percent(rate))
        look: dict[str, Any] = {"hatch": r"\\\\" if positive else "////", "edgecolor": colour, "linewidth": 0}
        ax.stairs(np.where(wrong, heights, 0.0), self.edges_, fill=True, facecolor=(colour, 0.35), label=words, **look)


def bins(scores: Array, rows: Array, threshold: float | None) -> Array:
    """Edges of equal bins over all scores, one of them at the threshold if that lies among them."""
    low, high = float(scores.min()), float(scores.max())
    if low == high:
        low, high = low - 0.5, high + 0.5
    count = int(np.clip(2 * rows.sum() ** (1 / 3), FEWEST_BINS, MOST_BINS))  # Rice's rule
    width = (high - low) / count
    start = threshold if threshold is not None and low <= threshold <= high else low
    first, last = np.floor((low - start) / width + ROUNDING), max(np.ceil((high - start) / width - ROUNDING), 1)
    edges = start + width * np.arange(first, last + 1)
    edges[0], edges[-1] = min(edges[0], low), max(edges[-1], high)
    return np.asarray(edges)
