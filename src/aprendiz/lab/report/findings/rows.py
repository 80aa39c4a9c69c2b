"""Rows: target_missing, class_left_out, classes_uneven, class_small, rows_repeated."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from aprendiz.lab.outcome import Outcome
from aprendiz.lab.question import UNEVEN
from aprendiz.lab.report.finding import Finding
from aprendiz.lab.report.findings.shared import list_names
from aprendiz.locale import _, format_whole, ngettext, percent

DUPLICATES = 0.01  # share of rows that come again
MANY_VALUES = 0.1  # different values of a column, as a share of the rows, from which equal rows are no coincidence
FIRST_COLUMNS = 20  # in which rows that are equal in all are equal; in most tables no two are
MOST_COMPARED = 200_000  # rows among which repetitions are sought


def about_the_rows(outcome: Outcome) -> Iterator[Finding]:
    """Uneven classes, rows without a target, rows that come again."""
    question, table, y = outcome.results.question, outcome.experiment.table, outcome.experiment.y
    lost = table.rows - question.rows - len(question.single)
    if lost:
        yield Finding(
            "target_missing",
            "note",
            ngettext(
                "{rows} row has no target and was excluded.", "{rows} rows have no target and were excluded.", lost
            ).format(rows=format_whole(lost)),
            _(
                "Without a target, a row can be used neither for training nor for testing. If there is a reason why it is "
                "missing, the scores hold for rows like the others only."
            ),
            _("Use aprendiz predict to predict their target."),
        )
    if question.single:
        yield Finding(
            "class_left_out",
            "warning",
            ngettext(
                "A class with a single row was excluded: {labels}.",
                "{count} classes with a single row were excluded: {labels}.",
                len(question.single),
            ).format(count=format_whole(len(question.single)), labels=list_names(list(question.single))),
            _("A single row can be used for training or for testing, not both."),
            _("Collect more rows of these classes, or merge them with others."),
        )
    if question.task == "classification":
        labels, counts = np.unique(y, return_counts=True)
        if counts.max() > UNEVEN * len(y):
            yield Finding(
                "classes_uneven",
                "note",
                _("{share} of the rows belong to class {label}.").format(
                    share=percent(counts.max() / len(y)), label=repr(str(labels[counts.argmax()]))
                ),
                _("Always predicting that class would be right just as often."),
                _("Use balanced accuracy, AUC or the confusion matrix rather than accuracy."),
            )
        if counts.min() < outcome.results.folds:
            yield Finding(
                "class_small",
                "warning",
                ngettext("Class {label} has {rows} row.", "Class {label} has {rows} rows.", int(counts.min())).format(
                    label=repr(str(labels[counts.argmin()])), rows=format_whole(int(counts.min()))
                ),
                _("Some folds have no test rows of this class, or hardly any training rows."),
                _("Collect more rows of this class, merge it with another one, or use fewer folds."),
            )
    again = repeated_rows(outcome)
    if again > DUPLICATES * len(y):
        by_chance = may_repeat(outcome)
        yield Finding(
            "rows_repeated",
            "note" if by_chance else "warning",
            ngettext(
                "{rows} row equals another one in the target and in all columns used.",
                "{rows} rows equal another one in the target and in all columns used.",
                again,
            ).format(rows=format_whole(again)),
            _("The columns have few values, so different cases can be equal by chance, which harms nothing.")
            if by_chance
            else _("When a row is used for training and its copy for testing, scores look better than they are."),
            _("Remove them if they are the same case twice, or name the column that groups them (--groups)."),
        )


def may_repeat(outcome: Outcome) -> bool:
    """Whether rows can be equal without being the same case: no column tells most of the rows apart."""
    X = outcome.experiment.X
    return max(X[name].nunique() for name in X) < MANY_VALUES * len(X)


def repeated_rows(outcome: Outcome) -> int:
    """Rows that are equal to an earlier one of another group, target included; 0 where there are too many to compare or few
    columns."""
    X, y, groups = outcome.experiment.X, outcome.experiment.y, outcome.experiment.groups
    if len(y) > MOST_COMPARED or X.shape[1] < 4:
        return 0
    rows = pd.concat([pd.Series(y, name="\0target"), X], axis=1)
    again = rows.iloc[:, :FIRST_COLUMNS].duplicated()
    if again.any() and rows.shape[1] > FIRST_COLUMNS:
        again = rows.duplicated()
    if groups is not None:  # copies within a group are on one side
        again &= ~rows.assign(**{"\0group": groups}).duplicated()
    return int(again.sum())
