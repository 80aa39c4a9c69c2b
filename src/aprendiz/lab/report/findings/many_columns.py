"""More columns than rows, and how steady the choice among them is: more_columns_than_rows, columns_chosen."""

from __future__ import annotations

from collections.abc import Iterator

from aprendiz.lab.outcome import Outcome
from aprendiz.lab.report.finding import Finding
from aprendiz.lab.report.selection_of_run import selection_of
from aprendiz.locale import _, format_whole


def about_many_columns(outcome: Outcome) -> Iterator[Finding]:
    """More columns than rows; how steady the choice among them is."""
    question, choice = outcome.results.question, outcome.experiment.selection
    width = max(getattr(outcome.pipeline[-1], "n_features_in_", 0), len(question.features))
    if width > question.rows:
        why = _("A flexible method can then overfit; only the scores on unseen rows count.")
        remedy = _(
            "Prefer regularised methods, and look at the learning curve; --select VariableRanking chooses columns inside the "
            "folds."
        )
        if choice is not None:
            why = _(
                "Some columns go with the target by accident, so columns were chosen inside each fold, never with test rows."
            )
            remedy = _("Give all columns: chosen with all rows beforehand, they would make the error look smaller than it is.")
        yield Finding(
            "more_columns_than_rows",
            "warning",
            _("There are more columns than rows: {columns} for {rows} rows.").format(
                columns=format_whole(width), rows=format_whole(question.rows)
            ),
            why,
            remedy,
        )
    found = selection_of(outcome)
    if found is not None and found["folds"] > 1:
        yield Finding(
            "columns_chosen",
            "note",
            _(
                "{selection} chose {different} different columns for {method} over {folds} folds; {always} in every fold."
            ).format(
                selection=found["name"],
                different=format_whole(found["different"]),
                method=found["method"],
                folds=format_whole(found["folds"]),
                always=format_whole(found["always"]),
            ),
            _("Columns that few folds choose may be there by accident."),
            _("Trust those that nearly all folds choose; see how often each was chosen in the report."),
        )
