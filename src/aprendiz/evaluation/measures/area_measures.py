"""The area under the ROC curve: of two classes, or the mean of each class against the rest."""

from __future__ import annotations

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.evaluation.intervals.row_intervals import Interval, area, area_interval, pulls_of_areas
from aprendiz.evaluation.measures.answers import Answers


def mean_area(answers: Answers) -> float:
    """AUC; with more than two classes, the mean of each class that occurs against the rest. NaN if only one occurs."""
    positive, score = answers.curves
    return float(np.mean([*map(area, positive.T, score.T)])) if positive.shape[1] else float("nan")


def mean_area_interval(answers: Answers, level: float) -> Interval:
    return area_interval(*answers.curves, level)


def mean_area_pull(answers: Answers) -> Array:
    """n·u of row_intervals.py (5)."""
    return len(answers.truth) * pulls_of_areas(*answers.curves)
