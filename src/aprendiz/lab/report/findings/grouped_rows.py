"""Rows that belong together: groups_kept_together, groups_split."""

from __future__ import annotations

from collections.abc import Iterator

from aprendiz.evaluation.leaks.group_columns import GroupColumn
from aprendiz.lab.outcome import Outcome
from aprendiz.lab.report.finding import Finding
from aprendiz.lab.report.findings.shared import quoted, standing
from aprendiz.locale import _, number, percent


def about_the_groups(outcome: Outcome) -> Iterator[Finding]:
    """Rows that belong together: kept on one side, or possibly on both."""
    question, best = outcome.results.question, standing(outcome)
    subjects = question.subjects
    if subjects is None:
        return
    name, now = repr(subjects.name), number(best.score.value)
    if question.groups is not None:
        why, other = evidence_in_words(subjects), outcome.other_score("apart")
        if other is not None:
            why += " " + _("If they could be on both sides, {method} would seem to score {apart} instead of {now}.").format(
                method=best.name, apart=number(other.value), now=now
            )
        yield Finding(
            "groups_kept_together",
            "note",
            _("Rows with the same {name} belong together, and were never split between training and test.").format(name=name),
            why,
            _("The scores are for new values of {name}; if rows are independent, use --no-groups.").format(name=name),
        )
        return
    why, other = evidence_in_words(subjects), outcome.other_score("together")
    if other is not None:
        why += " " + _("Kept together, {method} scores {together} instead of {now}.").format(
            method=best.name, together=number(other.value), now=now
        )
    yield Finding(
        "groups_split",
        "warning" if subjects.clear else "note",
        _("Rows with the same {name} may belong together, but were split between training and test.").format(name=name),
        why,
        _("Use --groups {name} to score new values of it, or --no-groups if rows are independent.").format(
            name=quoted(subjects.name)
        ),
    )


def evidence_in_words(subjects: GroupColumn) -> str:
    """What the rows say about a column of groups."""
    return _(
        "Of the rows that share their value, {likeness} have one of the same value as their most similar row, and the targets "
        "of a group agree by {agreement} (0 % by chance)."
    ).format(likeness=percent(subjects.likeness), agreement=percent(max(0.0, subjects.agreement)))
