"""Calibration of the methods of a run: of each class against the rest, what was promised beside what happened on the test rows.

Of two classes the second is shown, for the first mirrors it; of many the largest.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from aprendiz.evaluation.calibration import Calibration, calibration
from aprendiz.evaluation.measures.answers import Answers

MOST_CLASSES = 6
BARS = 20  # of the histogram of probabilities
BRIER = ("brier", "brier_of_bins", "reliability", "resolution", "uncertainty")


def calibrated_classes(answers: Answers) -> Iterator[tuple[Any, Calibration]]:
    """Each class that is shown, in the order of the classes; none where there are no probabilities, or one class only."""
    if answers.probability is None or answers.classes is None:
        return
    counts = answers.of_truth.sum(axis=0)
    shown = np.sort(np.argsort(-counts, kind="stable")[:MOST_CLASSES])
    for place in shown[-1:] if len(answers.classes) == 2 else shown:
        if 0 < counts[place] < len(answers.truth):
            found = calibration(answers.of_truth[:, place], answers.probability[:, place], positive=True)
            yield answers.classes[place], found


def calibration_of(answers: Answers) -> list[dict[str, Any]]:
    """The same as plain data."""
    return [{"label": str(label), **of_class(found)} for label, found in calibrated_classes(answers)]


def of_class(found: Calibration) -> dict[str, Any]:
    """The bins with their consistency bars, the errors, the Brier score in parts, and how often which probability was given."""
    low, high = found.consistency.T
    return {
        "bins": {"predicted": found.predicted, "observed": found.observed, "rows": found.rows, "low": low, "high": high},
        "error": found.expected_error,
        "error_by_chance": found.error_by_chance,
        "brier": {name: getattr(found, name) for name in BRIER},
        "histogram": np.histogram(found.probability, np.linspace(0.0, 1.0, BARS + 1))[0],
    }
