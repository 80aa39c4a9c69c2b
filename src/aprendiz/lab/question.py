"""What is asked of a table: which column is to be predicted, from which others, judged by which measure and protocol.

Whatever the user does not say is proposed, with a reason that is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any, Literal

import numpy as np
import pandas as pd

from aprendiz.core.columns import Columns
from aprendiz.core.rows import Array
from aprendiz.evaluation.folds.splits import Protocol
from aprendiz.evaluation.holdout import Holdout
from aprendiz.evaluation.k_folds import KFolds
from aprendiz.evaluation.leaks.group_columns import GroupColumn, find_groups
from aprendiz.evaluation.measures.answers import Task
from aprendiz.evaluation.measures.choice import chosen_metrics
from aprendiz.evaluation.metrics import METRICS
from aprendiz.lab.near_places import blocks_of, place_called
from aprendiz.lab.reading import Table
from aprendiz.lab.roles import propose_target, suspected_leaks, task_of_target
from aprendiz.lab.series import as_table_columns, kind_of_series, label_of
from aprendiz.lab.targets.costs import INNER_MEASURE, MEASURE, Costs, Decision, chosen_decision
from aprendiz.lab.targets.power import Kind, chosen_transform
from aprendiz.lab.time_order import order_by, refuse_no_time, windows
from aprendiz.locale import _, format_whole, ngettext, percent

UNEVEN = 0.8  # share of the largest class from which accuracy says little
FEWEST_FOR_R2 = 10  # rows that a fold tests: of m rows, R² of the true mean is −1/(m − 3) on average, and −∞ of three
USED = ("feature", "text", "date", "list", "place")  # roles of columns that are learned from
MANY_ROWS, VERY_MANY_ROWS = 20_000, 200_000  # rows from which fewer folds are enough


@dataclass(frozen=True)
class Question:
    """The answer to "what shall be learned?": target, task, features, measure, protocol, and why."""

    target: str
    task: Task
    metric: str
    protocol: Protocol
    features: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...]  # columns that are not used, each with the reason
    leaks: tuple[tuple[str, str], ...]  # columns that know the target suspiciously well, each with the reason
    groups: str | None  # the column whose groups are not split; of a column of places, blocks of them
    subjects: GroupColumn | None  # the column that was found to group the rows, whether it is taken or not
    single: tuple[str, ...]  # classes of a single row, which can be learned or tested but not both: left out
    reasons: tuple[tuple[str, str], ...]  # of target, task, metric, protocol
    rows: int
    decision: Decision | None = None  # costs by which classes are decided
    transform: Kind | None = None  # of a target of numbers
    time: str | None = None  # the column in whose order the rows are taken

    @property
    def inner_metric(self) -> str:
        """The measure of tuning and of the learning curve: where there are costs, one of the probabilities that decide."""
        return self.metric if self.decision is None else INNER_MEASURE

    @property
    def set_aside(self) -> tuple[str, ...]:
        """Suspected columns that are not used."""
        return tuple(name for name, _reason in self.leaks if name not in self.features)

    def transformed(self, table: Table, wanted: str) -> Question:
        """The same with a transformed target."""
        if self.task != "regression":
            raise ValueError(
                _("Only numbers can be transformed, and {target} has classes: omit --transform-target.").format(
                    target=repr(self.target)
                )
            )
        X, y, _groups = self.data(table)
        kind, reason = chosen_transform(wanted, X, y, self.columns(table))
        return replace(self, transform=kind, reasons=(*self.reasons, ("transform", reason)))

    def metrics(self) -> tuple[str, ...]:
        """All measures of the task, the chosen one first."""
        return (self.metric, *(m.name for m in chosen_metrics(self.task) if m.name != self.metric))

    def known_rows(self, table: Table) -> Array:
        """The places in the table of the rows that are used, in their order: their target is known, and no class of a single
        row."""
        target = table.frame[self.target]
        known = target.notna().to_numpy()
        if self.single:
            known = known & ~target.map(label_of, na_action="ignore").isin(self.single).to_numpy()
        rows = np.flatnonzero(known)
        return rows if self.time is None else order_by(table.frame, self.time, rows)

    def data(self, table: Table) -> tuple[Any, Array, Array | None]:
        """Features, target and groups of the rows whose target is known."""
        rows = table.frame.iloc[self.known_rows(table)].reset_index(drop=True)
        target = rows[self.target].to_numpy()
        y = target.astype(np.float64) if self.task == "regression" else np.array([label_of(value) for value in target])
        groups = None if self.groups is None else groups_of(table, self.groups, rows)
        X = rows[list(self.features)].copy()  # in one piece, of which rows are taken quickly
        X.columns = pd.Index(self.features, dtype=object)  # names that are listed quickly, as there may be very many
        return X, y, groups

    def has_text(self, table: Table) -> bool:
        """Is there a column of text among the features?"""
        return any(column.kind == "text" for column in self.columns(table))

    def columns(self, table: Table) -> Columns:
        """The schema of the features."""
        return Columns(tuple(table.columns[name] for name in self.features))


def ask(
    table: Table,
    *,
    target: str | None = None,
    metric: str | None = None,
    groups: str | Literal[False] | None = None,
    folds: int | None = None,
    time: str | None = None,
    leave_out: Sequence[str] = (),
    keep: Sequence[str] = (),
    task: Task | None = None,
    seed: int = 0,
    costs: Costs | None = None,
    reject: float | None = None,
    transform: str | None = None,
) -> Question:
    """Complete a question, or say what is wrong with it.

    Parameters
    ----------
    table : Table
    target, metric, task, folds, seed : what is asked; proposed where it is not given
    groups : str, False or None
        The column whose groups are never split. By default, one that clearly groups the rows is looked for (group_columns.py);
        False: the rows are independent.
    time : str, optional
        A column of dates or numbers: each fold is trained on the rows before it (`ExpandingWindows`).
    leave_out, keep : lists of names
        Columns not to use; columns to use although they look like identifiers, or tell the target (target_columns.py).
    costs, reject : Costs and float, optional
        What decisions cost for each class, and what a row costs that is left undecided (targets/costs.py).
    transform : "log", "boxcox", "auto" or "none", optional
        Of a target of numbers, fitted inside the folds (targets/power.py).
    """
    names = [str(name) for name in table.frame.columns]
    given = (("target", target), ("groups", groups or None))
    for role, name in (*given, *(("leave-out", one) for one in leave_out), *(("keep", one) for one in keep)):
        if name is not None and name not in names:
            near = get_close_matches(str(name), names, n=1)
            hint = " " + _("Did you mean {name}?").format(name=repr(near[0])) if near else ""
            raise ValueError(
                _("{role}: the table has no column {name}; it has {known}.").format(
                    role=role, name=repr(name), known=", ".join(map(repr, names[:30]))
                )
                + hint
            )
    refuse_two_roles(target, groups or None, leave_out, keep)
    reasons: dict[str, str] = {}
    if target is None:
        target, reasons["target"] = propose_target(table, without=(*leave_out, *keep, *([groups] if groups else [])))
    series = table.frame[target]
    task, reasons["task"] = chosen_task(series, target, task)
    refuse_target(series, target, task)
    groups, subjects = chosen_groups(table, target, task, groups, (*leave_out, *keep), reasons)
    refuse_unusable(table, keep)
    left_out = {name: _("excluded on request") for name in leave_out}
    left_out |= {r.name: r.reason for r in table.roles if r.role not in USED and r.name not in left_out}
    left_out = {name: why for name, why in left_out.items() if name not in (target, groups, *keep)}
    place = groups if groups is not None and place_called(table.columns, groups) is not None else None
    if place is not None:  # it stays a feature
        reasons["groups"] = _("blocks of near places")
    features = tuple(name for name in names if name == place or (name not in (target, groups) and name not in left_out))
    refuse_infinite(table, (*features, target))
    if not features:
        raise ValueError(
            _("No column is left to predict {target} from: exclude fewer columns, or give their types.").format(
                target=repr(target)
            )
        )
    single = classes_of_one_row(series, target) if task == "classification" else ()
    rows = int(series.notna().sum()) - len(single)
    decision = chosen_decision(costs, reject, task, target, labels_of(series, single))
    apart = None if groups is None else len(np.unique(groups_of(table, groups, table.frame[series.notna()])))
    protocol, reasons["protocol"] = chosen_protocol(rows, folds, series, task, apart, seed)
    if decision is not None and metric is None:
        metric, reasons["metric"] = (
            MEASURE,
            _("as costs were given") if costs is not None else _("as a cost of rejection was given"),
        )
    else:
        tested = rows // protocol.k if isinstance(protocol, KFolds) else rows
        metric, reasons["metric"] = chosen_metric(task, metric, series, tested)
    if time is not None:
        refuse_no_time(table, time, target)
        protocol, reasons["protocol"] = windows(table, time, target, folds, task == "classification")
    leaks = tuple((role.name, role.reason) for role in suspected_leaks(table, target) if role.name in features)
    aside = {name: _("may leak the target: {reason}").format(reason=reason) for name, reason in leaks if name not in keep}
    if len(aside) < len(features):  # else nothing would be left to learn from
        features, left_out = tuple(name for name in features if name not in aside), {**left_out, **aside}
    found = (tuple(left_out.items()), leaks, groups, subjects, single, tuple(reasons.items()), rows)
    question = Question(target, task, metric, protocol, features, *found, decision, time=time)
    return question if transform in (None, "none") else question.transformed(table, transform)


def chosen_groups(
    table: Table,
    target: str,
    task: Task,
    given: str | Literal[False] | None,
    with_a_role: Sequence[str],
    reasons: dict[str, str],
) -> tuple[str | None, GroupColumn | None]:
    """The column of the groups, and what was found of it: given, or taken because it clearly groups the rows. One that has
    another role already is only told."""
    if given is not None:
        return given or None, None
    subjects = group_column(table, target, task)
    if subjects is None or not subjects.clear or subjects.name in with_a_role:
        return None, subjects
    reasons["groups"] = _("rows with the same value belong together: {evidence}").format(evidence=evidence(subjects))
    return subjects.name, subjects


def group_column(table: Table, target: str, task: Task) -> GroupColumn | None:
    """The column that groups the rows whose target is known, the clearest one; None if there is none."""
    series = table.frame[target]
    frame = table.frame[series.notna()] if series.hasnans else table.frame
    return find_groups(as_table_columns(frame.drop(columns=target)), frame[target].to_numpy(), task)


def evidence(subjects: GroupColumn) -> str:
    """Why rows belong together."""
    if subjects.likeness >= subjects.agreement:
        return _("the most similar row has the same value for {share} of the rows").format(share=percent(subjects.likeness))
    return _("their targets agree by {share} (0 % by chance)").format(share=percent(subjects.agreement))


def classes_of_one_row(series: Any, name: str) -> tuple[str, ...]:
    """Classes that have a single row, as long as two others are left."""
    counts = series.dropna().map(label_of).value_counts()
    if (counts > 1).sum() < 2:
        raise ValueError(_("Only one class of {name} has more than one row: choose another column.").format(name=repr(name)))
    return tuple(sorted(str(label) for label in counts.index[counts == 1]))


def labels_of(series: Any, single: tuple[str, ...]) -> list[str]:
    """The classes of a target, sorted, without those of a single row."""
    return sorted({label_of(value) for value in series.dropna().unique()} - set(single))


def refuse_target(series: Any, name: str, task: Task) -> None:
    """Targets that cannot be learned."""
    known = series.dropna()
    if not len(known):
        raise ValueError(_("The target {name} is missing in every row: choose another column.").format(name=repr(name)))
    distinct = known.nunique()
    if distinct == 1:
        only = repr(str(known.iloc[0]))
        raise ValueError(
            _("The target {name} is {value} in every row, so there is nothing to learn: choose another column.").format(
                name=repr(name), value=only
            )
        )
    if task == "classification" and distinct == len(known):
        raise ValueError(
            _("The target {name} differs in every row, so it is an identifier, not a class: choose another column.").format(
                name=repr(name)
            )
        )


def chosen_metric(task: Task, wanted: str | None, series: Any, tested: int) -> tuple[str, str]:
    """The measure, which suits the task and the number of rows that a fold tests."""
    if wanted is not None:
        if wanted not in METRICS or METRICS[wanted].task != task:
            known = ", ".join(metric.name for metric in chosen_metrics(task))
            raise ValueError(
                _("{name} is not a measure for {task}; choose one of {known}.").format(
                    name=repr(wanted), task=_(task), known=known
                )
            )
        return wanted, _("as requested")
    if task == "regression" and tested < FEWEST_FOR_R2:
        return "mae", ngettext(
            "R² means little where a fold tests only {rows} row", "R² means little where a fold tests only {rows} rows", tested
        ).format(rows=tested)
    if task == "regression":
        return "r2", _("the share of variance explained")
    largest = float(series.value_counts(normalize=True).iloc[0])
    if largest > UNEVEN:
        return "balanced_accuracy", _("{share} of the rows belong to one class, so accuracy alone would say little").format(
            share=percent(largest)
        )
    return "accuracy", _("the largest class has {share} of the rows").format(share=percent(largest))


def chosen_protocol(
    rows: int, folds: int | None, series: Any, task: Task, groups: int | None, seed: int
) -> tuple[Protocol, str]:
    if folds is not None:
        return KFolds(folds, seed), _("as requested")
    if rows > VERY_MANY_ROWS:
        return Holdout(0.3, seed), _("{rows} rows: one split is precise enough").format(rows=format_whole(rows))
    wanted = 5 if rows > MANY_ROWS else 10
    most = int(series.value_counts().iloc[0]) if task == "classification" else rows
    if groups is not None and groups < wanted:
        return KFolds(max(2, groups), seed), _("{groups} groups").format(groups=format_whole(groups))
    return KFolds(max(2, min(wanted, most, rows // 2)), seed), _("{rows} rows").format(rows=format_whole(rows))


def chosen_task(series: Any, name: str, wanted: Task | None) -> tuple[Task, str]:
    if wanted is None:
        return task_of_target(series)
    if wanted == "regression" and kind_of_series(series) != "number":
        value = repr(str(series.dropna().iloc[0])) if series.notna().any() else ""
        raise ValueError(_("The target {name} holds {value}: regression needs numbers.").format(name=repr(name), value=value))
    return wanted, _("as requested")


def groups_of(table: Table, name: str, rows: Any) -> Array:
    """The group of each of some rows of a table: of places, a block of them."""
    pair = place_called(table.columns, name)
    return group_labels(rows[name] if pair is None else pd.Series(blocks_of(rows, pair)))


def group_labels(series: Any) -> Array:
    """The group of each row; a row without one is a group of its own."""
    labels, missing = series.astype(object), series.isna().to_numpy()
    return np.array([f"\0{row}" if gone else str(label) for row, (label, gone) in enumerate(zip(labels, missing, strict=True))])


def refuse_two_roles(target: str | None, groups: str | None, leave_out: Sequence[str], keep: Sequence[str]) -> None:
    """A column is predicted, or groups the rows, or is left out, or kept."""
    lists = (("leave-out", leave_out), ("keep", keep))
    more = [(role, name) for role, names in lists for name in dict.fromkeys(names)]
    roles = [("target", target), ("groups", groups), *more]
    taken: dict[str, str] = {}
    for role, name in roles:
        if name is not None and name in taken:
            raise ValueError(
                _("Column {name} is given as {first} and as {second}: give it one role.").format(
                    name=repr(name), first=taken[name], second=role
                )
            )
        if name is not None:
            taken[name] = role


def refuse_unusable(table: Table, keep: Sequence[str]) -> None:
    """Columns to keep that no method could use."""
    for role in table.roles:
        if role.name in keep and role.role == "empty":
            raise ValueError(
                _("Column {name} cannot be kept, because no method can use it: {reason}.").format(
                    name=repr(role.name), reason=role.reason
                )
            )


def refuse_infinite(table: Table, names: Sequence[str]) -> None:
    """Cells that no method can use."""
    for facts in table.facts:
        if facts.infinite and facts.name in names:
            raise ValueError(
                _("Column {name} contains infinity in row {row}: correct the cell, or exclude the column.").format(
                    name=repr(facts.name), row=format_whole(facts.first_infinite + 1)
                )
            )
