"""Columns of which most cells are missing: missing_cells."""

from __future__ import annotations

from collections.abc import Iterator

from aprendiz.lab.outcome import Outcome
from aprendiz.lab.report.finding import Finding
from aprendiz.lab.report.findings.shared import list_names
from aprendiz.locale import _, format_whole, ngettext, percent

MISSING = 0.5  # share of missing cells from which a column is named


def about_the_gaps(outcome: Outcome) -> Iterator[Finding]:
    """Columns with hardly any cells."""
    question, table = outcome.results.question, outcome.experiment.table
    used = set(question.features)
    gaps = [one for one in table.facts if one.name in used and one.missing > MISSING * one.rows]
    if gaps:
        share = percent(gaps[0].missing / gaps[0].rows)
        yield Finding(
            "missing_cells",
            "note",
            ngettext(
                "A column is missing in most rows: {names}.",
                "{count} columns are missing in most rows: {names}.",
                len(gaps),
            ).format(count=format_whole(len(gaps)), names=list_names([one.name for one in gaps])),
            _("Imputed values are guesses from the other rows; in {name}, {share} of the cells are missing.").format(
                name=repr(gaps[0].name), share=share
            ),
            _("Find out why they are missing: that may be more informative than the imputed values."),
        )
