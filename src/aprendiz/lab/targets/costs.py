"""Costs of decisions: what each decision costs for each true class, and what a row costs that is left undecided.

    true    benign  malignant          rows: the true class, columns: the decision
    benign       0          1          a false alarm costs 1,
    malignant   20          0          a case that is overlooked 20

Every method then decides what is expected to cost least (bayes/decision_rule.py), from its probabilities; methods without them
are calibrated. With a cost of rejection, rows whose best decision is expected to cost more are left to somebody who knows more.
"""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from aprendiz.bayes.decision_rule import DecisionRule
from aprendiz.core.rows import Array
from aprendiz.evaluation.evaluation import Evaluation, Fold
from aprendiz.evaluation.folds.predictions import widen
from aprendiz.locale import _, number

MEASURE, INNER_MEASURE = "mean_cost", "log_loss"  # by which methods are compared, and by which each is tuned


@dataclass(frozen=True)
class Costs:
    """What each decision costs.

    Attributes
    ----------
    labels : tuple of str
        The classes.
    table : tuple of tuples of float
        Rows are true classes, columns decisions.
    """

    labels: tuple[str, ...]
    table: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class Decision:
    """How the classes of a target are decided: the costs, in the order of the classes, and the cost of a rejection."""

    labels: tuple[str, ...]
    loss: tuple[tuple[float, ...], ...] | None
    reject: float | None

    @property
    def rule(self) -> DecisionRule:
        return DecisionRule(self.loss, reject_cost=self.reject)

    @property
    def table(self) -> Array:
        """The costs; 1 for each error if none were given."""
        return 1.0 - np.eye(len(self.labels)) if self.loss is None else np.array(self.loss)

    def of_fold(self, fold: Fold) -> Fold:
        """The fold, with the decisions of least expected cost for its predictions."""
        if fold.probability is None or fold.classes is None:
            return fold
        labels = np.array(self.labels)
        P = widen(fold.probability, fold.classes, labels)
        return replace(fold, prediction=labels[self.rule.choose(P, self.rule.risk(P))])

    def of_evaluation(self, found: Evaluation) -> Evaluation:
        """The evaluation, decided by the costs."""
        return replace(found, folds=tuple(map(self.of_fold, found.folds)), rule=self.rule)


def chosen_decision(
    costs: Costs | None, reject: float | None, task: str, target: str, labels: Sequence[str]
) -> Decision | None:
    """How a target is decided; None if neither costs nor a rejection are asked for."""
    if costs is None and reject is None:
        return None
    if task != "classification":
        raise ValueError(
            _("Costs and rejections are for classes, and {target} is a number: omit --costs and --reject.").format(
                target=repr(target)
            )
        )
    known = tuple(str(label) for label in labels)
    return Decision(known, None if costs is None else in_order(costs, target, known), reject)


def in_order(costs: Costs, target: str, labels: tuple[str, ...]) -> tuple[tuple[float, ...], ...]:
    """The costs in the order of the classes."""
    for wanted, given, words in (
        (costs.labels, labels, _("The costs name class {label}, which the target {target} does not have: it has {known}.")),
        (labels, costs.labels, _("The costs lack class {label} of the target {target}: they name {known}.")),
    ):
        for label in wanted:
            if label not in given:
                known = ", ".join(map(repr, given[:20]))
                raise ValueError(words.format(label=repr(label), target=repr(target), known=known))
    place = [costs.labels.index(label) for label in labels]
    return tuple(tuple(costs.table[i][j] for j in place) for i in place)


# ---- a file of costs -------------------------------------------------------------------------------------------------------


def read_costs(path: str) -> Costs:
    """The costs of a file: class names in the first line and in the first column."""
    file = Path(path)
    if not file.is_file():
        raise ValueError(_("There is no file of costs {file}.").format(file=path))
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(_("{file} is not a text in UTF-8: write the costs as CSV.").format(file=file.name)) from error
    head = text.partition("\n")[0]
    separator = max(";\t,", key=head.count)
    rows = [[cell.strip() for cell in row] for row in csv.reader(text.splitlines(), delimiter=separator) if any(row)]
    names = tuple(rows[0][1:]) if rows else ()
    refuse_shape(file.name, rows, names)
    cells = {row[0]: row[1:] for row in rows[1:]}
    table = tuple(
        tuple(cost(file.name, true, name, cells[true][j], separator) for j, name in enumerate(names)) for true in names
    )
    if not np.any(np.array(table)):
        raise ValueError(_("In {file} every decision costs 0: give what the errors cost.").format(file=file.name))
    return Costs(names, table)


def refuse_shape(name: str, rows: list[list[str]], names: tuple[str, ...]) -> None:
    """A table that is not square, or whose names do not agree."""
    if len(names) < 2:
        raise ValueError(
            _("{file} holds no costs: give class names in the first line and in the first column, numbers between.").format(
                file=name
            )
        )
    for number_of_row, row in enumerate(rows[1:], 2):
        if len(row) != len(names) + 1:
            raise ValueError(
                _("{file}, row {row}: {found} cells instead of {wanted}, the name of a class and its costs.").format(
                    file=name, row=number_of_row, found=len(row), wanted=len(names) + 1
                )
            )
    true = [row[0] for row in rows[1:]]
    if twice := [label for label, times in (Counter(names) + Counter(true)).items() if times > 2]:
        raise ValueError(_("{file} names class {label} twice.").format(file=name, label=repr(twice[0])))
    if len(true) != len(names):
        raise ValueError(
            _("{file} has {rows} rows and {columns} columns of costs: give one of each for every class.").format(
                file=name, rows=len(true), columns=len(names)
            )
        )
    if others := [label for label in true if label not in names]:
        raise ValueError(
            _("{file} has a row for class {label} but no column: name the same classes in both.").format(
                file=name, label=repr(others[0])
            )
        )


def cost(name: str, true: str, decided: str, cell: str, separator: str) -> float:
    """A cost, or a sentence about the cell."""
    words = _("{file}: the cost of deciding {decided} where {true} is true is {cell}; give a number of at least 0.")
    try:
        found = float(cell.replace(",", ".") if separator != "," else cell)
    except ValueError:
        found = -1.0
    if not 0 <= found < math.inf:
        shown = repr(cell) if cell else _("missing")
        raise ValueError(words.format(file=name, decided=repr(decided), true=repr(true), cell=shown))
    return found


# ---- what was found --------------------------------------------------------------------------------------------------------


def decisions_of(decision: Decision | None, found: Evaluation) -> dict[str, Any] | None:
    """What the decisions of the test rows cost, and what they would cost without the table; as plain data."""
    answers = found.pooled
    if decision is None or answers.probability is None:
        return None
    rule, P = decision.rule, answers.probability
    codes = np.searchsorted(found.classes, answers.truth)  # type: ignore[arg-type]
    decided = rule.decide(P)
    kept = decided >= 0
    plain = decision.table[codes, P.argmax(axis=1)]
    right = (decided == codes)[kept]
    return {
        "classes": list(decision.labels),
        "costs": decision.table,
        "given": decision.loss is not None,
        "reject_cost": decision.reject,
        "threshold": threshold_of(rule, decision),
        "mean_cost": float(np.mean(mean_costs(decision, codes, decided))),
        "mean_cost_of_most_probable": float(plain.mean()),
        "rejected": int((~kept).sum()),
        "rows": len(kept),
        "accuracy_of_decided": float(right.mean()) if kept.any() else None,
    }


def mean_costs(decision: Decision, codes: Array, decided: Array) -> Array:
    """The cost of each decision."""
    costs = decision.table[codes, decided]
    return costs if decision.reject is None else np.where(decided < 0, decision.reject, costs)


def threshold_of(rule: DecisionRule, decision: Decision) -> float | None:
    """The probability of the second of two classes from which it is decided."""
    try:
        return rule.threshold if len(decision.labels) == 2 else None
    except ValueError:  # costs of right decisions that are no smaller
        return None


def costs_in_words(decision: Decision) -> str:
    """The costs of errors in one line."""
    if decision.loss is None:
        words = _("every error costs 1")
    else:
        table, labels = decision.table, decision.labels
        errors = [
            _("{cost} for {decided} where {true} is true").format(
                cost=number(table[i, j]), decided=repr(labels[j]), true=repr(labels[i])
            )
            for i in range(len(labels))
            for j in range(len(labels))
            if i != j
        ]
        words = "; ".join(errors[:4]) + ("; …" if len(errors) > 4 else "")
    return (
        words
        if decision.reject is None
        else "; ".join([words, _("{cost} for a rejection").format(cost=number(decision.reject))])
    )
