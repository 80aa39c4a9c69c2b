"""Traces of a preparation that has seen all rows, test rows among them: scaled_outside, imputed_outside, projected_outside,
encoded_outside (evaluation/leaks/prepared_columns.py). Nothing is evaluated again: each looks at the columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

from aprendiz.evaluation.leak import Leak
from aprendiz.evaluation.leaks.case import Case
from aprendiz.evaluation.leaks.prepared_columns import encoded_columns, imputed_columns, projected_columns, scaled_columns
from aprendiz.lab.outcome import Outcome
from aprendiz.lab.report.finding import Finding
from aprendiz.locale import _, ngettext

MOST_CELLS = 2_000_000  # in which traces are sought


def about_the_preparation(outcome: Outcome) -> Iterator[Finding]:
    """Columns that carry what was learned from all rows."""
    by_code: dict[str, list[Leak]] = {}
    for leak in traces(outcome):
        by_code.setdefault(leak.code, []).append(leak)
    for code, leaks in by_code.items():
        sentence = leaks[0].what
        if more := len(leaks) - 1:
            sentence += " " + ngettext("So it is in {count} more place.", "So it is in {count} more places.", more).format(
                count=more
            )
        yield Finding(
            code.replace("-", "_"),
            "warning" if code == "encoded-outside" else "note",
            sentence,
            _("What was learned from all rows knows the test rows: the scores may be too optimistic."),
            remedy_of(code),
        )


def traces(outcome: Outcome) -> Iterator[Leak]:
    """What the leak meter finds in the columns; the scores without the leaks are not measured."""
    experiment = outcome.experiment
    schema = outcome.results.question.columns(experiment.table)
    names = [column.name for column in schema if column.kind not in ("text", "date", "list", "place")]
    if experiment.X.size > MOST_CELLS or not names:
        return
    learner, X = experiment.method(outcome.results.best).learner, experiment.X[names]
    case = Case(learner, X, experiment.y, None, experiment.splits, None, outcome.evaluation, not_again)
    for search in (scaled_columns, imputed_columns, projected_columns, encoded_columns):
        yield from search(case)


def not_again(*_given: Any, **_options: Any) -> NoReturn:
    """The leak meter goes on without the score that it cannot have."""
    raise ValueError("Nothing is evaluated again for a report.")


def remedy_of(code: str) -> str:
    """What to give instead."""
    words = {
        "scaled-outside": _("Give the columns before scaling: methods that need it scale the training rows of each fold."),
        "imputed-outside": _("Leave the cells missing: they are imputed from the training rows of each fold."),
        "projected-outside": _("Give the columns before the projection, or put PCA in a pipeline with the learner."),
        "encoded-outside": _("Give the categories themselves, or leave the column out with --leave-out."),
    }
    return words[code]
