"""Probabilities that promise more or less than happens: badly_calibrated."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from aprendiz.evaluation.calibration import calibration
from aprendiz.lab.outcome import Outcome
from aprendiz.lab.report.finding import Finding
from aprendiz.locale import _, number

UNSURE = 0.1  # mean distance of probabilities from what happens


def about_the_probabilities(outcome: Outcome) -> Iterator[Finding]:
    """Probabilities that promise more or less than happens."""
    answers = outcome.evaluation.pooled
    if answers.probability is None or answers.classes is None or len(answers.classes) != 2:
        return
    found = calibration(answers.truth == answers.classes[-1], answers.probability[:, -1], positive=True)
    scatter = np.sqrt(2 / np.pi * found.predicted * (1 - found.predicted) / found.rows)
    if found.expected_error > UNSURE + float(np.average(scatter, weights=found.rows)):
        yield Finding(
            "badly_calibrated",
            "note",
            _("The probabilities are off by {error} on average.").format(error=number(found.expected_error, 2)),
            _("Of the rows with a predicted probability of 80 %, clearly more or fewer than 80 % belong to the class."),
            _("Use them to rank rows, not as probabilities; or calibrate them (CalibratedClassifierCV)."),
        )
