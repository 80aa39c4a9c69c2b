"""Results and outcomes of an experiment as notebooks show them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from aprendiz.core.html import Html, opening, sentence, sentences, table, title
from aprendiz.evaluation.words.boxes import standings_table
from aprendiz.locale import _, format_whole

if TYPE_CHECKING:
    from aprendiz.lab.experiment import Results
    from aprendiz.lab.outcome import Outcome


def results_parts(found: Results) -> Iterator[Html]:
    """The methods from best to worst, and those that could not be compared."""
    question = found.question
    words = _("{folds} of {all} folds").format(folds=format_whole(found.done), all=format_whole(found.folds))
    yield title(_("Methods for {target}").format(target=question.target), f"{_(question.task)}, {question.protocol}, {words}")
    yield sentence(found.comparison.sentence)
    yield standings_table(found.comparison)
    if found.failures:
        yield opening(_("Could not be fitted"), table([_("method"), _("reason")], list(found.failures.items())))
    yield sentences([one.in_words(question.metric, found.folds) for one in found.raced], "faint")
    if found.unfinished:
        yield sentence(_("Not compared yet: {methods}.").format(methods=", ".join(found.unfinished)), "faint")


def outcome_parts(found: Outcome) -> Iterator[Html]:
    """The comparison, the findings, what tuning chose, and the warnings of the last fit."""
    from aprendiz.lab.report.findings import findings_of

    yield from results_parts(found.results)
    findings = findings_of(found)
    yield sentences([f"• {one.sentence}" for one in findings if one.weight == "warning"], "bad")
    yield opening(_("Findings"), sentences([f"• {one.sentence}" for one in findings]))
    if found.parameters:
        chosen = [(name, str(value)) for name, value in found.parameters.items()]
        yield opening(_("Parameters that tuning chose"), table([_("parameter"), _("value")], chosen))
    if found.warnings:
        counted = [(message, format_whole(times)) for message, times in found.warnings.most_common()]
        yield opening(_("Warnings"), table([_("warning"), _("times")], counted, numbers=(1,)))
