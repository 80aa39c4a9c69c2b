"""More columns than rows, and how steady the choice among them is: more_columns_than_rows, more_terms_than_rows,
columns_chosen.

Columns are counted as the learner sees them: levels that become columns of zeros and ones count, but the terms of text are told
apart: of them there are nearly always more than rows.
"""

from __future__ import annotations

from collections.abc import Iterator

from aprendiz.lab.outcome import Outcome
from aprendiz.lab.report.finding import Finding
from aprendiz.lab.report.selection_of_run import selection_of
from aprendiz.lab.report.telling_words import text_of
from aprendiz.locale import _, format_whole


def about_many_columns(outcome: Outcome) -> Iterator[Finding]:
    """More columns than rows; how steady the choice among them is."""
    question = outcome.results.question
    names, terms = text_of(outcome)
    width = max(getattr(outcome.fitted, "n_features_in_", 0) - len(terms), len(question.features) - len(names))
    if width > question.rows:
        yield of_width(outcome, width)
    elif len(terms) > question.rows:
        yield Finding(
            "more_terms_than_rows",
            "note",
            _("The text has more terms (words and pairs of words) than the table has rows: {terms} for {rows} rows.").format(
                terms=format_whole(len(terms)), rows=format_whole(question.rows)
            ),
            _("That is usual for text, and regularised linear methods and naive Bayes are made for it."),
            _("Trust the scores on unseen rows, and the weights of single words less than those of many."),
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
            _("Look at how often each was chosen; folds share most of their rows, so only new rows can confirm a column."),
        )


def of_width(outcome: Outcome, width: int) -> Finding:
    """More columns than rows, with a selection or without."""
    question = outcome.results.question
    why = _("A flexible method can then overfit; only the scores on unseen rows count.")
    remedy = _(
        "Prefer regularised methods, and look at the learning curve; --select VariableRanking chooses columns inside the folds."
    )
    if outcome.experiment.selection is not None:
        why = _("Some columns go with the target by accident, so columns were chosen inside each fold, never with test rows.")
        remedy = _("Give all columns: chosen with all rows beforehand, they would make the error look smaller than it is.")
    sentence = _("There are more columns than rows: {columns} for {rows} rows.")
    if len(question.features) <= question.rows:
        sentence = _("With a column for each level there are more columns than rows: {columns} for {rows} rows.")
    words = sentence.format(columns=format_whole(width), rows=format_whole(question.rows))
    return Finding("more_columns_than_rows", "warning", words, why, remedy)
