"""What pictures of curves over the thresholds of a score share: they are drawn from a curve, from scores, or from a classifier.

class LiftDisplay(ScoreCurveDisplay):
    curve: LiftCurve
    measure = staticmethod(lift)             # from the truth and the scores to the curve
    def plot(self, ax=None, *, name=None, colour=BLUE): …
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, Self

from aprendiz.plots.models.fold_scores import positive_class
from aprendiz.plots.models.responses import score_of
from aprendiz.plots.shared.display import Display
from aprendiz.plots.shared.style import BLUE


class ScoreCurveDisplay(Display):
    """The picture of a curve. Parameter: `curve`, what `measure` returns."""

    measure: ClassVar[Callable[..., Any]]
    curve: Any

    def __init__(self, curve: Any) -> None:
        self.curve = curve

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        score: Any,
        *,
        positive: Any = None,
        pos_label: Any = None,
        sample_weight: Any = None,
        name: str | None = None,
        colour: str = BLUE,
        ax: Any = None,
    ) -> Self:
        """Compute and draw; the arguments are those of the function that makes the curve, and of `plot`; `pos_label` is another
        name of `positive`."""
        label = positive_class(positive, pos_label)
        curve = cls.measure(y_true, score, positive=label, sample_weight=sample_weight)
        return cls(curve).plot(ax, name=name, colour=colour)

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
        name: str | None = None,
        colour: str = BLUE,
        ax: Any = None,
    ) -> Self:
        """Ask a fitted classifier for its probabilities, or its decision function, and draw."""
        score, label = score_of(estimator, X, positive_class(positive, pos_label))
        return cls.from_predictions(y, score, positive=label, sample_weight=sample_weight, name=name, colour=colour, ax=ax)

    @abstractmethod
    def plot(self, ax: Any = None, *, name: str | None = None, colour: str = BLUE) -> Self:
        """Draw the curve; on axes that hold one already, beside it."""
