"""Columns that may leak the target: leak_set_aside, leak_suspected."""

from __future__ import annotations

from collections.abc import Iterator

from aprendiz.lab.outcome import Outcome
from aprendiz.lab.report.finding import Finding
from aprendiz.lab.report.findings.shared import quoted, standing
from aprendiz.locale import _, number


def about_suspected_columns(outcome: Outcome) -> Iterator[Finding]:
    """Columns that may leak the target: set aside, or used because the user or the table wants it so."""
    question, best = outcome.results.question, standing(outcome)
    other = outcome.other_score("with them")
    for name, reason in question.leaks:
        if name in question.set_aside:
            why = _("If its values are known only after the target, a model cannot have them when it predicts.")
            if other is not None:
                why += " " + _("{method} scores {without} without the columns set aside, and {with_them} with them.").format(
                    method=best.name, without=number(best.score.value), with_them=number(other.value)
                )
            yield Finding(
                "leak_set_aside",
                "warning",
                _("Column {name} was set aside, because it may leak the target: {reason}.").format(
                    name=repr(name), reason=reason
                ),
                why,
                _("If its values are known before the target, use it with --keep {name}.").format(name=quoted(name)),
            )
        else:
            yield Finding(
                "leak_suspected",
                "warning",
                _("Column {name} may leak the target: {reason}.").format(name=repr(name), reason=reason),
                _("If its values are known only after the target, the scores are too optimistic."),
                _("Check where it comes from; exclude it with --leave-out {name}.").format(name=quoted(name)),
            )
