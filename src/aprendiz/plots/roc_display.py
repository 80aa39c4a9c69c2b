"""Picture of a ROC curve: true positive rate against false positive rate.

The diagonal is a score without information. Operating points are marked on the curve and described in the legend.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.evaluation.operating_point import OperatingPoint
from aprendiz.evaluation.roc import RocCurve, roc
from aprendiz.locale import _, format_fixed, number
from aprendiz.plots.models.fold_scores import positive_class
from aprendiz.plots.models.responses import score_of
from aprendiz.plots.shared.fold_curves_display import FoldCurvesDisplay
from aprendiz.plots.shared.style import BLUE, DASHED, GREY, MARKERS, PALETTE, legend_below, tidy
from aprendiz.plots.shared.words import named_entry, percent, quote

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D


class RocDisplay(FoldCurvesDisplay):
    """A ROC curve as a picture.

    Parameters
    ----------
    curve : RocCurve
        What `roc` returns.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    line_ : matplotlib Line2D
        The curve.
    lines_ : list of matplotlib Line2D
        After `from_cv_results`, the curves of the folds.
    points_ : list of matplotlib Line2D
        The marks of the operating points.
    """

    line_: Line2D
    points_: list[Line2D]
    curve: RocCurve
    measure = staticmethod(roc)

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        score: Any,
        *,
        positive: Any = None,
        pos_label: Any = None,
        sample_weight: Any = None,
        points: Sequence[OperatingPoint] = (),
        name: str | None = None,
        colour: str = BLUE,
        ax: Axes | None = None,
    ) -> Self:
        """Compute and draw; the arguments are those of `roc` and of `plot`; `pos_label` is another name of `positive`."""
        curve = roc(y_true, score, positive=positive_class(positive, pos_label), sample_weight=sample_weight)
        return cls(curve).plot(ax, points=points, name=name, colour=colour)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        positive: Any = None,
        pos_label: Any = None,
        sample_weight: Any = None,
        points: Sequence[OperatingPoint] = (),
        name: str | None = None,
        colour: str = BLUE,
        ax: Axes | None = None,
    ) -> Self:
        """Ask a fitted classifier for its probabilities, or its decision function, and draw."""
        score, label = score_of(estimator, X, positive_class(positive, pos_label))
        look: dict[str, Any] = {"points": points, "name": name, "colour": colour, "ax": ax}
        return cls.from_predictions(y, score, positive=label, sample_weight=sample_weight, **look)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        points: Sequence[OperatingPoint] = (),
        name: str | None = None,
        colour: str = BLUE,
        area: tuple[float, float, float] | None = None,
    ) -> Self:
        """Draw the curve with the operating points; on axes that hold a curve already, beside it. `area` and its interval are
        those of the curve, unless others are given, such as the mean over folds."""
        ax = self.open_axes(ax, 4.8, 5.0 + 0.38 * len(points))
        ax.plot([0, 1], [0, 1], linestyle=DASHED, linewidth=1, color=GREY)
        x, y = corners(self.curve)
        (self.line_,) = ax.plot(x, y, color=colour, linewidth=1.8, label=describe(self.curve, name, area), clip_on=False)
        self.points_ = [mark(ax, place, point) for place, point in enumerate(points)]
        rate = _("false positive rate (positive: {label})").format(label=quote(self.curve.positive))
        tidy(ax, x=rate, y=_("true positive rate"))
        ax.set(xlim=(0, 1), ylim=(0, 1), aspect="equal", anchor="S")
        legend_below(ax)
        return self

    @property
    def area(self) -> float:
        return float(self.curve.auc)

    def area_words(self, value: str) -> str:
        return f"AUC {value}"


def corners(curve: RocCurve) -> tuple[Array, Array]:
    """The curve without the points inside its horizontal and vertical runs."""
    moves = np.diff(curve.false_positives) > 0, np.diff(curve.true_positives) > 0
    straight = (moves[0][1:] == moves[0][:-1]) & (moves[1][1:] == moves[1][:-1]) & (moves[0][1:] != moves[1][1:])
    kept = np.r_[True, ~straight, True]
    return curve.fpr[kept], curve.tpr[kept]


def describe(curve: RocCurve, name: str | None, area: tuple[float, float, float] | None = None) -> str:
    """Name and area of a curve, with its interval."""
    value, low, high = area or (curve.auc, *curve.auc_interval())
    known = "" if np.isnan(low) else " " + _("({low} to {high})").format(low=format_fixed(low), high=format_fixed(high))
    return named_entry(name, f"AUC {format_fixed(value)}{known}")


def mark(ax: Axes, place: int, point: OperatingPoint) -> Line2D:
    """An operating point with its rule, threshold and rates in the legend."""
    rates = f"FPR {percent(point.fpr)}, TPR {percent(point.tpr)}"
    words = _("{rule}:\nthreshold {threshold}, {rates}").format(rule=point.rule, threshold=number(point.threshold), rates=rates)
    (line,) = ax.plot(
        point.fpr,
        point.tpr,
        linestyle="none",
        marker=MARKERS[place % len(MARKERS)],
        markersize=8,
        color=PALETTE[1 + place % (len(PALETTE) - 1)],
        markeredgecolor="white",
        label=words,
        clip_on=False,
        zorder=3,
    )
    return line
