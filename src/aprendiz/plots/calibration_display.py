"""Picture of calibration: how often a class occurs among the rows that are given the same probability for it.

Above, the reliability diagram: each mark is a bin of rows, at its mean probability and its share of positive rows, with
Wilson's 95 % interval. Calibrated probabilities lie on the diagonal; below it they are too high, above it too low. Below, how
often each probability is predicted: a calibrated model that always predicts the prior is of no use.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from aprendiz.evaluation.calibration import Calibration, calibration
from aprendiz.locale import _, number
from aprendiz.plots.models.fold_scores import positive_class
from aprendiz.plots.models.responses import probability_of
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import BLUE, DASHED, GREY, in_percent, legend_below, tidy
from aprendiz.plots.shared.words import named_entry, quote

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

EDGES = np.linspace(0.0, 1.0, 21)  # of the histogram


class CalibrationDisplay(Display):
    """Predicted probabilities against observed shares as a picture.

    Parameters
    ----------
    calibration : Calibration
        What `calibration` returns.

    Attributes
    ----------
    ax_ : ndarray of two matplotlib Axes
        The reliability diagram, and the histogram of the probabilities.
    figure_ : matplotlib Figure
        Where they were drawn.
    line_ : matplotlib Line2D
        The marks of the bins.
    """

    line_: Line2D

    def __init__(self, calibration: Calibration) -> None:
        self.calibration = calibration

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        probability: Any,
        *,
        bins: int = 10,
        n_bins: int | None = None,
        positive: Any = None,
        pos_label: Any = None,
        name: str | None = None,
        colour: str = BLUE,
        ax: Sequence[Axes] | None = None,
    ) -> Self:
        """Compute and draw; the arguments are those of `calibration` and of `plot`. `n_bins` and `pos_label` are other names of
        `bins` and `positive`; the bins hold equal numbers of rows, as scikit-learn's `strategy="quantile"`."""
        label, count = positive_class(positive, pos_label), bins if n_bins is None else n_bins
        return cls(calibration(y_true, probability, bins=count, positive=label)).plot(ax, name=name, colour=colour)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        bins: int = 10,
        n_bins: int | None = None,
        positive: Any = None,
        pos_label: Any = None,
        name: str | None = None,
        colour: str = BLUE,
        ax: Sequence[Axes] | None = None,
    ) -> Self:
        """Ask a fitted classifier for its probabilities and draw. The rows should be others than it was fitted to."""
        probability, label = probability_of(estimator, X, positive_class(positive, pos_label))
        return cls.from_predictions(y, probability, bins=bins, n_bins=n_bins, positive=label, name=name, colour=colour, ax=ax)

    def plot(self, ax: Sequence[Axes] | None = None, *, name: str | None = None, colour: str = BLUE) -> Self:
        """Draw both parts, on a new figure or on a pair of axes; on axes that hold a model already, beside it."""
        upper, lower = self.open_panels(ax, 2, 1, count=2, width=4.8, height=6.4, height_ratios=(4, 1))
        self.draw_bins(upper, colour)
        shares = np.histogram(self.calibration.probability, EDGES)[0] / len(self.calibration.probability)
        lower.stairs(shares, EDGES, fill=True, color=colour, alpha=0.2)
        lower.stairs(shares, EDGES, color=colour, linewidth=1.2, label=describe(self.calibration, name))
        tidy(lower, x=_("predicted probability"), y=_("share of the rows"))
        in_percent(lower.yaxis)
        lower.set_xlim(0, 1)
        legend_below(lower)
        return self

    def draw_bins(self, ax: Axes, colour: str) -> None:
        """Marks with their intervals, and the diagonal."""
        found = self.calibration
        ax.plot([0, 1], [0, 1], linestyle=DASHED, linewidth=1, color=GREY)
        ax.vlines(found.predicted, found.low, found.high, color=colour, linewidth=1.2, alpha=0.6)
        look: dict[str, Any] = {"marker": "o", "markersize": 5, "linewidth": 1.2, "clip_on": False}
        (self.line_,) = ax.plot(found.predicted, found.observed, color=colour, **look)
        tidy(ax, x="", y=_("observed share of {label}").format(label=quote(found.positive)))
        ax.set(xlim=(0, 1), ylim=(0, 1))


def describe(found: Calibration, name: str | None) -> str:
    """Name and measures of a model."""
    words = _("Brier score {brier}, calibration error {error}")
    measures = words.format(brier=number(found.brier, 3), error=number(found.expected_error, 3))
    return named_entry(name, measures)
