"""Rows in the order of time whose target drifts, judged by folds that know the future."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from aprendiz.lab.outcome import Outcome
from aprendiz.lab.report.finding import Finding
from aprendiz.lab.time_order import time_order
from aprendiz.locale import _, number


def about_the_order_of_time(outcome: Outcome) -> Iterator[Finding]:
    """A column of dates in whose order the rows stand, and with which the target drifts."""
    question, experiment = outcome.results.question, outcome.experiment
    if question.time is not None:
        return
    dates = [one.name for one in experiment.table.facts if one.kind == "date" and one.name != question.target]
    rows = experiment.table.frame.iloc[question.known_rows(experiment.table)]
    found = time_order(rows, dates, experiment.y) if dates else None
    if found is not None:
        yield Finding(
            "time_order",
            "warning",
            _("The target drifts with {name}, in whose order the rows stand.").format(name=repr(found.name)),
            _("Their rank correlation is {correlation}; random folds train on rows from after those they test.").format(
                correlation=number(found.correlation, 2)
            ),
            _("If the model will predict later rows, run again with --time {name}.").format(name=shlex.quote(str(found.name))),
        )
