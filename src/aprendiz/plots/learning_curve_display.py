"""Picture of a learning curve: the score on unseen rows, and on training rows, against the number of training rows; what the
bands are: shared/two_sides.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

from aprendiz.evaluation.folds.splits import Protocol
from aprendiz.evaluation.learning_curve import SHARES, LearningCurve, learning_curve
from aprendiz.evaluation.words.measures import measure_in_words
from aprendiz.locale import _
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import legend_below, tidy
from aprendiz.plots.shared.two_sides import draw_two_sides

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D


class LearningCurveDisplay(Display):
    """A learning curve as a picture.

    Parameters
    ----------
    curve : LearningCurve
        What `learning_curve` returns.

    Attributes
    ----------
    ax_, figure_ : matplotlib Axes and Figure
        Where it was drawn.
    lines_ : list of two matplotlib Line2D
        The scores on unseen rows, and on training rows.
    """

    lines_: list[Line2D]

    def __init__(self, curve: LearningCurve) -> None:
        self.curve = curve

    @classmethod
    def from_estimator(
        cls,
        learner: Any,
        X: Any,
        y: Any,
        *,
        shares: Sequence[float] = SHARES,
        protocol: Protocol | None = None,
        metric: str | None = None,
        groups: Any = None,
        seed: int = 0,
        ax: Axes | None = None,
    ) -> Self:
        """Fit, judge and draw; the arguments are those of `learning_curve`."""
        how: dict[str, Any] = {"shares": shares, "protocol": protocol, "metric": metric, "groups": groups, "seed": seed}
        return cls(learning_curve(learner, X, y, **how)).plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw both lines with their bands."""
        ax = self.open_axes(ax, 6.4, 4.6)
        self.lines_ = draw_two_sides(ax, self.curve.rows.tolist(), self.curve.unseen, self.curve.seen)
        tidy(ax, x=_("training rows"), y=measure_in_words(self.curve.metric))
        ax.set_xlim(left=0)
        legend_below(ax, columns=2)
        return self
