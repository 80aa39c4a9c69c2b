"""What the methods assume of the columns, and does not hold: not_normal, unequal_variances, uneven_scales.

Of the best method or one that is tied with it; the last of any support vector machine or network. Nothing is evaluated again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from aprendiz.evaluation.check_assumptions import BY_SCALE, check_assumptions
from aprendiz.lab.outcome import Outcome
from aprendiz.lab.report.finding import Finding
from aprendiz.lab.report.findings.shared import numeric_columns
from aprendiz.locale import _


def about_the_assumptions(outcome: Outcome) -> Iterator[Finding]:
    """What the best method and those tied with it assume of the columns, and does not hold; each assumption once."""
    names, experiment = numeric_columns(outcome), outcome.experiment
    if not names:
        return
    by_class, broken = outcome.results.question.task == "classification", dict[str, list[Any]]()
    for standing in outcome.results.standings:
        if standing.name in BY_SCALE or (standing.tied and by_class):  # the best one is tied too
            for one in check_assumptions(standing.name, experiment.X[names], experiment.y):
                if one.code != "not_standardised":  # they are, inside the folds
                    broken.setdefault(one.code, []).append(one)
    for code, (first, *others) in broken.items():
        why = first.why
        if others:
            why += " " + _("The same holds for {methods}.").format(methods=", ".join(one.method for one in others))
        yield Finding(code, "note", first.sentence, why, first.remedy)
