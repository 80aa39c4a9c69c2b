"""Curves over the thresholds of a score that can be drawn fold by fold: those whose area sums a curve up."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Self

import numpy as np

from aprendiz.locale import _, format_fixed, format_whole
from aprendiz.plots.models.fold_scores import fold_scores, positive_class
from aprendiz.plots.shared.score_curve_display import ScoreCurveDisplay
from aprendiz.plots.shared.style import BLUE, legend_below
from aprendiz.plots.shared.words import named_entry

UNNAMED = "_fold"  # matplotlib leaves such lines out of a legend
PALE, THIN_LINE = 0.45, 1.1


class FoldCurvesDisplay(ScoreCurveDisplay):
    """The picture of a curve with an area."""

    line_: Any
    lines_: list[Any]

    @property
    @abstractmethod
    def area(self) -> float:
        """The number that sums the curve up."""

    @abstractmethod
    def area_words(self, value: str) -> str:
        """The area in the legend."""

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Any,
        X: Any = None,
        y: Any = None,
        *,
        positive: Any = None,
        pos_label: Any = None,
        sample_weight: Any = None,
        name: str | None = None,
        colour: str = BLUE,
        ax: Any = None,
    ) -> Self:
        """Draw a pale line for each fold, and the mean area with its standard deviation in the legend.

        Parameters
        ----------
        cv_results : Evaluation or dict
            What `evaluate` returns, or scikit-learn's `cross_validate(…, return_estimator=True, return_indices=True)`.
        X, y : the table and its target, with the results of scikit-learn
        positive, pos_label : label, optional
            The positive class; by default the last of two.
        sample_weight, name, colour, ax : as in `from_predictions`

        Returns
        -------
        the Display of the last fold, with the lines of all in `lines_`
        """
        folds = list(fold_scores(cv_results, X, y, positive_class(positive, pos_label), sample_weight))
        if not folds:
            raise ValueError("No fold has test rows of both classes: use fewer folds, or larger ones.")
        lines, areas = [], []
        for truth, score, label, weight in folds:
            drawn = cls(cls.measure(truth, score, positive=label, sample_weight=weight)).plot(ax, colour=colour)
            drawn.line_.set(alpha=PALE, linewidth=THIN_LINE, label=UNNAMED)
            ax = drawn.ax_
            lines.append(drawn.line_)
            areas.append(drawn.area)
        spread = format_fixed(float(np.std(areas, ddof=1)) if len(areas) > 1 else float("nan"))
        words = _("{mean} ± {spread} over {folds} folds").format(
            mean=format_fixed(float(np.mean(areas))), spread=spread, folds=format_whole(len(areas))
        )
        lines[0].set_label(named_entry(name, drawn.area_words(words)))
        legend_below(ax)
        drawn.lines_ = lines
        return drawn
