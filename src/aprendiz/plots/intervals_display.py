"""Picture of prediction intervals: the truth of each row against its prediction, with the interval that should contain it.

Rows are ordered along the prediction. Intervals of one width are a band along the diagonal; those that follow the noise open
where it is large. A target outside of its interval is marked in another colour: of 90 % intervals, one in ten.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.conformal import ConformalRegressor
from aprendiz.evaluation.inputs.labels_and_numbers import measurements, same_rows
from aprendiz.locale import _, number
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import BLUE, DASHED, INK, SKY, VERMILION, legend_below, tidy
from aprendiz.plots.shared.words import percent

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MANY_ROWS = 150  # rows from which marks become smaller, and intervals are drawn as thin lines
MOST_ROWS = 3000  # whose intervals are drawn


class IntervalsDisplay(Display):
    """Prediction intervals against the truth as a picture.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_rows,)
        Targets and predictions.
    intervals : array-like of shape (n_rows, 2)
        Low and high ends, such as those of `ConformalRegressor.predict_interval`.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    inside : ndarray of bool
        Whether the target of each row lies in its interval.
    """

    def __init__(self, y_true: Any, y_pred: Any, intervals: Any) -> None:
        self.y_true, self.y_pred = measurements("y_true", y_true), measurements("y_pred", y_pred)
        self.intervals = np.asarray(intervals, dtype=np.float64)
        if self.y_true.ndim != 1:
            raise ValueError(f"y_true has {self.y_true.shape[1]} targets: draw one at a time, such as y_true[:, 0].")
        same_rows("y_true", self.y_true, "y_pred", self.y_pred)
        if self.intervals.shape != (len(self.y_true), 2) or np.isnan(self.intervals).any():
            raise ValueError(
                f"intervals have shape {self.intervals.shape}: give the low and the high end of each of the {len(self.y_true)} "
                "rows, without missing numbers."
            )
        self.inside = (self.intervals[:, 0] <= self.y_true) & (self.y_true <= self.intervals[:, 1])

    @classmethod
    def from_estimator(
        cls, model: ConformalRegressor, X: Any, y: Any, *, coverage: float = 0.9, ax: Axes | None = None
    ) -> Self:
        """Predict intervals of some rows and draw."""
        return cls(y, model.predict(X), model.predict_interval(X, coverage)).plot(ax)

    @classmethod
    def from_predictions(cls, y_true: Any, y_pred: Any, intervals: Any, *, ax: Axes | None = None) -> Self:
        """Draw intervals that exist already."""
        return cls(y_true, y_pred, intervals).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw on a new figure, or on the axes passed in."""
        ax = self.open_axes(ax, 6.4, 4.8)
        x, y, many = self.y_pred, self.y_true, len(self.y_true) > MANY_ROWS
        ends = np.r_[y, x, self.intervals[np.isfinite(self.intervals)]]
        low, high = ends.min(), ends.max()
        margin = 0.04 * (high - low) or 0.5
        shown = np.clip(self.intervals, low - 2 * margin, high + 2 * margin)  # infinite ones reach over the frame
        some = np.linspace(0, len(x) - 1, min(len(x), MOST_ROWS)).astype(int)
        ax.vlines(
            x[some], shown[some, 0], shown[some, 1], color=SKY, alpha=0.3 if many else 0.7, linewidth=0.8 if many else 1.6
        )
        ax.plot([x.min(), x.max()], [x.min(), x.max()], color=INK, linewidth=1, linestyle=DASHED, label=_("prediction"))
        for which, colour, words in (
            (self.inside, BLUE, _("inside its interval: {share}")),
            (~self.inside, VERMILION, _("outside: {share}")),
        ):
            share = percent(float(which.mean()))
            ax.plot(
                *(x[which], y[which]),
                linestyle="none",
                marker="o",
                markersize=3.0 if many else 4.5,
                markeredgewidth=0,
                color=colour,
                label=words.format(share=share),
                zorder=3,
                rasterized=len(x) > MOST_ROWS,
            )
        ax.set_ylim(low - margin, high + margin)
        width = float(np.mean(self.intervals[:, 1] - self.intervals[:, 0]))
        tidy(ax, x=_("predicted"), y=_("observed"), title=_("mean width of the intervals {width}").format(width=number(width)))
        legend_below(ax, 3)
        return self
