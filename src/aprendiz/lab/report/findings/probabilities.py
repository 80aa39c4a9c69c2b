"""Probabilities that promise more or less than happens: badly_calibrated.

Asked of the test rows, each class against the rest (evaluation/calibration.py): the calibration error must be larger than that
of calibrated probabilities by a distance that matters, and so rarely by chance that as many classes as there are do not explain
it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from aprendiz.evaluation.calibration import Calibration
from aprendiz.lab.outcome import Outcome
from aprendiz.lab.report.calibration_of_run import calibrated_classes
from aprendiz.lab.report.finding import Finding
from aprendiz.locale import _, format_whole, number, percent

UNSURE = 0.05  # mean distance of probabilities from what happens, beyond that of chance
LEVEL = 0.01  # of the test, for all classes together


def about_the_probabilities(outcome: Outcome) -> Iterator[Finding]:
    """Probabilities that promise more or less than happens; of several classes, the worst."""
    every = list(calibrated_classes(outcome.evaluation.pooled))
    suspected = [one for one in every if beyond_chance(one[1]) > UNSURE]
    clear = [one for one in suspected if one[1].p_value_of_error * len(every) < LEVEL]
    if not clear:
        return
    label, worst = max(clear, key=lambda one: beyond_chance(one[1]))
    place = np.argmax(worst.rows * np.abs(worst.observed - worst.predicted))
    yield Finding(
        "badly_calibrated",
        "note",
        _("The probabilities of class {label} are off by {error} on average; by chance it would be {chance}.").format(
            label=repr(str(label)), error=number(worst.expected_error, 2), chance=number(worst.error_by_chance, 2)
        ),
        _("Of {rows} test rows with a probability of about {predicted}, {observed} belong to the class.").format(
            rows=format_whole(int(worst.rows[place])),
            predicted=percent(worst.predicted[place]),
            observed=percent(worst.observed[place]),
        ),
        _(
            "Use them to rank rows, not as probabilities or for decisions by costs; or calibrate {method} with "
            "CalibratedClassifierCV."
        ).format(method=outcome.results.best),
    )


def beyond_chance(found: Calibration) -> float:
    """How much larger the calibration error is than that of calibrated probabilities."""
    return found.expected_error - found.error_by_chance
