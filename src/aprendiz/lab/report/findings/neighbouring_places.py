"""Rows at near places whose targets are alike, judged by folds that split them."""

from __future__ import annotations

from collections.abc import Iterator

from aprendiz.lab.near_places import near_places
from aprendiz.lab.outcome import Outcome
from aprendiz.lab.report.finding import Finding
from aprendiz.lab.report.findings.shared import quoted, standing
from aprendiz.locale import _, number


def about_near_places(outcome: Outcome) -> Iterator[Finding]:
    """A column of places whose neighbours are on both sides of the folds."""
    question, experiment = outcome.results.question, outcome.experiment
    if question.groups is not None or question.time is not None:
        return
    found = near_places(experiment.X, question.columns(experiment.table), experiment.y)
    if found is None:
        return
    why = _(
        "Targets of neighbours correlate by {likeness} (0 by chance); random folds train on neighbours of the rows they test."
    )
    why, other, best = why.format(likeness=number(found.likeness, 2)), outcome.other_score("blocks"), standing(outcome)
    if other is not None:
        why += " " + _("With blocks of near places kept together, {method} scores {together} instead of {now}.").format(
            method=best.name, together=number(other.value), now=number(best.score.value)
        )
    yield Finding(
        "near_places",
        "warning",
        _("Rows at near places ({name}) have like targets, but were split between training and test.").format(
            name=repr(str(found.name))
        ),
        why,
        _("If the model will predict other places, run again with --groups {name}: blocks of places are kept together.").format(
            name=quoted(str(found.name))
        ),
    )
