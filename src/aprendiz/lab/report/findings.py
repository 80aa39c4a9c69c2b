"""Findings: what the reader should know, each with a code, a sentence, the reason, and what to do.

    warning   the scores may mislead, or something went wrong
    note      worth knowing

The codes are stable: programs can look for them in results.json. What the table looks like to the methods stands in
findings_of_method.py.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from aprendiz.ensemble.members.ensemble import Ensemble
from aprendiz.evaluation.calibration import calibration
from aprendiz.evaluation.comparison import Standing
from aprendiz.evaluation.leaks.group_columns import GroupColumn
from aprendiz.evaluation.metrics import METRICS
from aprendiz.evaluation.words.measures import measure_in_words
from aprendiz.lab.methods import BASELINE
from aprendiz.lab.outcome import Outcome
from aprendiz.lab.question import UNEVEN
from aprendiz.lab.report.finding import Finding
from aprendiz.lab.report.findings_of_method import about_the_methods
from aprendiz.lab.report.selection_of_run import selection_of
from aprendiz.lab.report.telling_words import about_the_words
from aprendiz.lab.targets.rare_classes import about_rare_classes
from aprendiz.lab.targets.skewed import about_the_skew
from aprendiz.locale import _, format_whole, ngettext, number, percent

MISSING = 0.5  # share of missing cells from which a column is named
DUPLICATES = 0.01  # share of rows that come again
MOST_COMPARED = 200_000  # rows among which repetitions are sought
UNSURE = 0.1  # mean distance of probabilities from what happens
GAP = 0.1  # between training rows and unseen rows, as a share of the range of the measure


def findings_of(outcome: Outcome) -> list[Finding]:
    """All findings, warnings first."""
    found = [
        *about_the_run(outcome),
        *about_the_groups(outcome),
        *about_the_columns(outcome),
        *about_the_rows(outcome),
        *about_the_scores(outcome),
        *about_the_methods(outcome),
        *about_the_words(outcome),
        *about_rare_classes(outcome),
        *about_the_skew(outcome),
    ]
    return sorted(found, key=lambda one: one.weight != "warning")


def about_the_run(outcome: Outcome) -> Iterator[Finding]:
    """What was not done, and what was complained of."""
    results = outcome.results
    if results.stopped:
        cause = _("the time limit was reached") if results.stopped == "budget" else _("it was interrupted")
        yield Finding(
            "stopped",
            "warning",
            _("The run was stopped early: {cause}.").format(cause=cause),
            _("The scores come from {done} of {folds} folds; the intervals are wider than necessary.").format(
                done=format_whole(results.done), folds=format_whole(results.folds)
            ),
            _("Run the same command with --resume: the finished folds are kept."),
        )
    if results.unfinished:
        yield Finding(
            "unfinished",
            "warning",
            _("Not compared yet: {methods}.").format(methods=", ".join(results.unfinished)),
            _("They completed fewer folds than the others."),
            _("Run the same command with --resume and more time."),
        )
    for name, why in results.failures.items():
        yield Finding(
            "method_failed",
            "warning",
            _("{method} could not be fitted.").format(method=name),
            why,
            _("It was excluded; the other methods were compared without it."),
        )
    heard = sum((found.warnings for found in results.evaluations.values()), outcome.warnings)
    if heard:
        yield Finding(
            "warnings",
            "note",
            ngettext("The methods gave {times} warning.", "The methods gave {times} warnings.", heard.total()).format(
                times=format_whole(heard.total())
            ),
            heard.most_common(1)[0][0],
            _("All warnings are listed at the end of the report, with their counts."),
        )


def about_the_columns(outcome: Outcome) -> Iterator[Finding]:
    """Leaks, gaps, more columns than rows."""
    question, table = outcome.results.question, outcome.experiment.table
    yield from about_suspected_columns(outcome)
    gaps = [one for one in table.facts if one.name in question.features and one.missing > MISSING * one.rows]
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
    yield from about_many_columns(outcome)


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


def standing(outcome: Outcome) -> Standing:
    """The method that was judged in another way too."""
    return next(one for one in outcome.results.standings if one.name == outcome.results.best_learner)


def evidence_in_words(subjects: GroupColumn) -> str:
    """What the rows say about a column of groups."""
    return _(
        "Of the rows that share their value, {likeness} have one of the same value as their most similar row, and the targets "
        "of a group agree by {agreement} (0 % by chance)."
    ).format(likeness=percent(subjects.likeness), agreement=percent(max(0.0, subjects.agreement)))


def quoted(name: str) -> str:
    """A column as an argument on the command line."""
    return shlex.quote(name)


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
            _("Without a target, a row can be used neither for training nor for testing."),
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
        yield Finding(
            "rows_repeated",
            "warning",
            ngettext(
                "{rows} row equals another one in the target and in all columns used.",
                "{rows} rows equal another one in the target and in all columns used.",
                again,
            ).format(rows=format_whole(again)),
            _("When a row is used for training and its copy for testing, scores look better than they are."),
            _("Remove them if they are the same case twice, or name the column that groups them (--groups)."),
        )


def repeated_rows(outcome: Outcome) -> int:
    """Rows that are equal to an earlier one of another group, target included; 0 where there are too many to compare or few
    columns."""
    X, y, groups = outcome.experiment.X, outcome.experiment.y, outcome.experiment.groups
    if len(y) > MOST_COMPARED or X.shape[1] < 4:
        return 0
    rows = pd.concat([X, pd.Series(y, name="\0target")], axis=1)
    again = rows.duplicated()
    if groups is not None:  # copies within a group are on one side
        again &= ~rows.assign(**{"\0group": groups}).duplicated()
    return int(again.sum())


def about_the_scores(outcome: Outcome) -> Iterator[Finding]:
    """Whether anything was learned, who is as good, and what would help."""
    results = outcome.results
    best, task = results.standings[0], results.question.task
    plain = next((one for one in results.standings if one.name == BASELINE[task]), None)
    if plain is not None and plain.tied:
        yield Finding(
            "baseline_not_beaten",
            "warning",
            _("No method is significantly better than the baseline."),
            _("The baseline ignores the columns: it reaches {baseline}, the best method {best}.").format(
                baseline=number(plain.score.value), best=number(standing(outcome).score.value)
            ),
            _("The columns may carry no information about the target, or there may be too few rows."),
        )
    others = [one.name for one in results.standings[1:] if one.tied and one.name != BASELINE[task]]
    if others and best.name != BASELINE[task] and not (plain is not None and plain.tied):
        yield Finding(
            "tied",
            "note",
            _("{best} is not significantly better than {others}.").format(best=best.name, others=", ".join(others)),
            _("The differences can be explained by chance (paired test, Holm's correction, 5 %)."),
            _("Choose among them by other criteria: simplicity, speed, interpretability."),
        )
    perfect = METRICS[best.score.name].range[1 if METRICS[best.score.name].more_is_better else 0]
    if best.score.value == perfect:
        yield Finding(
            "perfect_score",
            "warning",
            _("The score is perfect."),
            _("That is rare in real tables: a column may leak the target, or rows may be duplicated."),
            _("Check the largest coefficients before trusting it."),
        )
    yield from about_the_probabilities(outcome)
    yield from about_the_curve(outcome)


def about_the_probabilities(outcome: Outcome) -> Iterator[Finding]:
    """Probabilities that promise more or less than happens."""
    answers = outcome.evaluation.pooled
    if answers.probability is None or answers.classes is None or len(answers.classes) != 2:
        return
    found = calibration(answers.truth == answers.classes[-1], answers.probability[:, -1], positive=True)
    scatter = np.sqrt(2 / np.pi * found.predicted * (1 - found.predicted) / found.rows)
    if found.expected_error > UNSURE + float(np.average(scatter, weights=found.rows)):
        yield Finding(
            "badly_calibrated",
            "note",
            _("The probabilities are off by {error} on average.").format(error=number(found.expected_error, 2)),
            _("Of the rows with a predicted probability of 80 %, clearly more or fewer than 80 % belong to the class."),
            _("Use them to rank rows, not as probabilities; or calibrate them (CalibratedClassifierCV)."),
        )


def about_the_curve(outcome: Outcome) -> Iterator[Finding]:
    """What the learning curve says."""
    if outcome.curve is None or len(outcome.curve.rows) < 2 or outcome.results.best in BASELINE.values():
        return
    measure, curve = METRICS[outcome.curve.metric], outcome.curve
    sign = 1.0 if measure.more_is_better else -1.0
    before, unseen, seen = curve.unseen[-2].value, curve.unseen[-1].value, curve.seen[-1].value
    scale = measure.range[1] - measure.range[0] if np.isfinite(measure.range).all() else max(abs(unseen), abs(seen))
    if measure.name == "r2":
        scale = 1.0  # of a model that knows nothing to one that knows all
    by_heart = isinstance(outcome.pipeline[-1], Ensemble)  # full trees know their rows, whatever their mean is worth
    if sign * (seen - unseen) > GAP * scale and not by_heart:
        yield Finding(
            "overfitted",
            "note",
            _("The model predicts its training rows better than new ones."),
            _("{measure} is {seen} on training rows and {unseen} on unseen ones.").format(
                measure=measure_in_words(measure.name), seen=number(seen), unseen=number(unseen)
            ),
            _("More rows, fewer columns or stronger regularisation would help."),
        )
    half_width = (curve.unseen[-1].high - curve.unseen[-1].low) / 2
    if sign * (unseen - before) > max(half_width, 0.01 * scale):
        yield Finding(
            "more_rows_help",
            "note",
            _("The learning curve is still improving at its end."),
            _("From {before} to {rows} training rows the score went from {first} to {last}.").format(
                before=format_whole(round(curve.rows[-2])),
                rows=format_whole(round(curve.rows[-1])),
                first=number(before),
                last=number(unseen),
            ),
            _("More rows would probably help."),
        )


def list_names(names: list[Any]) -> str:
    """Some names, the first few of many."""
    shown = ", ".join(repr(str(name)) for name in names[:5])
    return f"{shown}, …" if len(names) > 5 else shown
