"""A tree as rules: one for each leaf, IF the conditions of its way hold THEN its prediction.

    coverage      rows (and weight) of the fit that reach the leaf, and their share
    confidence    share of the class that the rule predicts                                                    (classes)
    cost          Σ_k p_k C(k, prediction), where classes are not equally costly to mistake
    spread        √impurity: the standard deviation of the targets, where the impurity is their variance       (numbers)

The rules of a tree exclude each other, and a row without missing cells meets exactly one of them. They stand in the order of
their predictions, the heaviest first. Cost: O(leaves · depth).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isclose, sqrt
from typing import Any

import numpy as np

from aprendiz.locale import _, format_whole, ngettext, number
from aprendiz.tree.pruning.risk import equal_costs, shares
from aprendiz.tree.reading.cells import encode
from aprendiz.tree.reading.labelled_tree import Labelled, expected_costs
from aprendiz.tree.reading.split_words import (
    Condition,
    digits_needed,
    format_prediction,
    path_conditions,
    plain_prediction,
    simplify_conditions,
)


@dataclass(frozen=True)
class Rule:
    """A rule of a tree: the conditions, the prediction, and how it did on the rows of the fit (see above).

    `leaf` is the number of its node; `confidence`, `cost` and `spread` are None where they have no meaning.
    """

    leaf: int
    conditions: tuple[Condition, ...]
    answer: Any
    rows: int
    weight: float
    share: float
    confidence: float | None
    cost: float | None
    spread: float | None

    def covers(self, values: Sequence[float]) -> bool:
        """Do the cells of a row, as numbers (tree/reading/cells.py), meet all conditions?"""
        return all(condition.holds(values[condition.column]) for condition in self.conditions)

    def __str__(self) -> str:
        answer, measured = format_prediction(self.answer), f"({'; '.join(self.measures())})"
        if not self.conditions:
            return _("ALWAYS {answer}").format(answer=answer) + f" {measured}"
        between = f" {_('AND')} "
        conditions = between.join(map(str, self.conditions))
        return _("IF {conditions} THEN {answer}").format(conditions=conditions, answer=answer) + f" {measured}"

    def measures(self) -> list[str]:
        """Coverage, and what else is known."""
        rows = count_text(self.rows, self.weight)
        found = [_("coverage {rows}, {share} %").format(rows=rows, share=number(100 * self.share, 3))]
        if self.confidence is not None:
            found.append(_("confidence {value}").format(value=number(self.confidence, 3)))
        if self.cost is not None:
            found.append(_("expected cost {value}").format(value=number(self.cost, 3)))
        if self.spread is not None:
            found.append(_("spread {value}").format(value=number(self.spread, 3)))
        return found


@dataclass(frozen=True, eq=False)
class Rules(Sequence[Rule]):
    """The rules of a tree, to be printed, counted, or made a table."""

    labelled: Labelled
    rules: tuple[Rule, ...]

    def __len__(self) -> int:
        return len(self.rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self.rules)

    def __getitem__(self, chosen: Any) -> Any:
        return self.rules[chosen]

    def of_row(self, cells: Sequence[Any]) -> Rule | None:
        """The rule that a row meets; None where surrogates or fractions decide about its missing cells."""
        values = encode(self.labelled, cells)
        return next((rule for rule in self.rules if rule.covers(values)), None)

    def as_dict(self) -> dict[str, list[Any]]:
        """The rules as columns of a table."""
        between = f" {_('AND')} "
        columns = ("leaf", "answer", "rows", "weight", "share", "confidence", "cost", "spread")
        conditions = [between.join(map(str, rule.conditions)) for rule in self.rules]
        return {"conditions": conditions, **{name: [getattr(rule, name) for rule in self.rules] for name in columns}}

    def frame(self) -> Any:
        """A pandas frame with a row for each rule."""
        import pandas as pd

        return pd.DataFrame(self.as_dict())

    def __str__(self) -> str:
        return "\n".join(map(str, self.rules))


def rules(labelled: Labelled, *, simplify: bool = True) -> Rules:
    """The rules of a tree, with one condition for each column, or (`simplify=False`) one for each split."""
    tree, digits = labelled.tree, digits_needed(labelled)
    found = list[Rule]()
    for leaf in np.flatnonzero(tree.is_leaf):
        conditions = path_conditions(labelled, int(leaf), digits)
        found.append(rule_of(labelled, int(leaf), tuple(simplify_conditions(conditions) if simplify else conditions)))
    place = {label: k for k, label in enumerate(labelled.classes or ())}
    return Rules(labelled, tuple(sorted(found, key=lambda rule: (place.get(rule.answer, rule.answer), -rule.weight))))


def rule_of(labelled: Labelled, leaf: int, conditions: tuple[Condition, ...]) -> Rule:
    """The rule of a leaf."""
    tree, answer = labelled.tree, plain_prediction(labelled.answers[leaf])
    weight = float(tree.weighted_n_node_samples[leaf])
    confidence = cost = spread = None
    if labelled.classes is None:
        spread = sqrt(max(float(tree.impurity[leaf]), 0.0))
    else:
        k = labelled.classes.index(answer)
        confidence = float(tree.value[leaf, 0, k])
        if labelled.costs is not None and not np.array_equal(labelled.costs, equal_costs(len(labelled.classes))):
            cost = float(expected_costs(tree, labelled.costs)[leaf, k])
    share = float(shares(tree)[leaf])
    return Rule(leaf, conditions, answer, int(tree.n_node_samples[leaf]), weight, share, confidence, cost, spread)


def count_text(rows: int, weight: float) -> str:
    """How many rows, with their weight where it is another number."""
    text = ngettext("{rows} row", "{rows} rows", rows).format(rows=format_whole(rows))
    if isclose(weight, rows):
        return text
    return _("{rows} of weight {weight}").format(rows=text, weight=number(weight))
