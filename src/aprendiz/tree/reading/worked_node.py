"""A node worked by hand: every candidate split, in a table.

For each candidate (candidate_splits.py): the split in words, weights of the classes (or weight and mean) and impurity of
each branch, the mean impurity after it, the decrease, the split information and the ratio of both, and which one the tree asks.
Class weights, priors and costs count as they did in the search.

    thresholds="boundary"    of the cuts of a column with an order, only those between values whose rows are not all of one
                             and the same class: for gini and entropy the best cut is among them (Fayyad & Irani)

Cost: O(candidates · rows of the node): for tables that a reader can follow.
Reference: Fayyad & Irani, "On the handling of continuous-valued attributes in decision tree generation", Machine Learning 8,
1992.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf, isfinite
from typing import Any, Literal

import numpy as np

from aprendiz.core.class_weights import reweight
from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.core.targets import plain
from aprendiz.locale import _, format_whole, number
from aprendiz.tree.growth.impurities import Contents
from aprendiz.tree.growth.plan import Plan
from aprendiz.tree.growth.records import TIE
from aprendiz.tree.reading.candidate_splits import CandidateSplit, Limits, best_candidate, best_of, candidates, is_boundary
from aprendiz.tree.reading.labelled_tree import Labelled
from aprendiz.tree.reading.node_rows import branches, cells, weights_in
from aprendiz.tree.reading.rules import count_text
from aprendiz.tree.reading.split_words import Condition, branch_words, enough_digits, one_line, question
from aprendiz.tree.shared.classification_tree import ClassificationTree, altered_priors, prior_factors
from aprendiz.tree.shared.decision_tree import counting_rows, gather
from aprendiz.tree.shared.nodes import LARGEST

LINES = 120  # printed; of more candidates, only the best of each column
MOST_WORK = 2**27  # candidates · rows


@dataclass(frozen=True, eq=False)
class WorkedNode:
    """A node with all its candidates, sorted by column and cut.

    Attributes
    ----------
    node : int
    contents : Contents
        The rows of the node, as the search sees them.
    candidates : tuple of Candidate
    chosen : Candidate or None
        The one that the tree asks; None in a leaf.
    best : Candidate or None
        The one that the criterion prefers.
    """

    node: int
    labelled: Labelled
    plan: Plan
    contents: Contents
    candidates: tuple[CandidateSplit, ...]
    chosen: CandidateSplit | None

    @property
    def impurity(self) -> float:
        """The impurity of the node."""
        return self.contents.impurity

    @property
    def best(self) -> CandidateSplit | None:
        return best_candidate(self.candidates, self.plan, self.impurity)

    @property
    def best_per_column(self) -> WorkedNode:
        """The same with the best candidate of each column (the one that the tree asks, for its column)."""
        kept = list[CandidateSplit]()
        for j in dict.fromkeys(one.column for one in self.candidates):
            best = best_of([one for one in self.candidates if one.column == j], TIE * self.impurity)
            asked = self.chosen is not None and self.chosen.column == j
            kept += [one for one in ([self.chosen] if asked else [best]) if one is not None]
        return replace(self, candidates=tuple(kept))

    def __len__(self) -> int:
        return len(self.candidates)

    @cached_property
    def words(self) -> list[tuple[str, list[str]]]:
        """The split and the names of the branches of each candidate."""
        digits = {j: enough_digits(self.thresholds(j)) for j in {one.column for one in self.candidates}}
        return [in_words(conditions(self.labelled, one, digits[one.column])) for one in self.candidates]

    def thresholds(self, column: int) -> Array:
        """The thresholds of a column."""
        found = [one.threshold for one in self.candidates if one.column == column]
        return np.unique([threshold for threshold in found if isfinite(threshold)])

    def as_dict(self) -> dict[str, list[Any]]:
        """The candidates as columns of a table."""
        lists = ("rows", "weight", "summary", "impurity")
        plain_ones = ("after", "decrease", "information", "ratio", "allowed")
        return {
            "column": [self.labelled.names[one.column] for one in self.candidates],
            "question": [asked for asked, _branches in self.words],
            "branches": [names for _question, names in self.words],
            **{name: [getattr(one, name).tolist() for one in self.candidates] for name in lists},
            **{name: [getattr(one, name) for one in self.candidates] for name in plain_ones},
            "chosen": [one is self.chosen for one in self.candidates],
        }

    def frame(self) -> Any:
        """A pandas frame with a row for each candidate."""
        import pandas as pd

        return pd.DataFrame(self.as_dict())

    # ---- printed -------------------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        if len(self.candidates) > LINES:
            text = _("{count} candidate splits; the best of each column:").format(count=format_whole(len(self.candidates)))
            return "\n".join([self.title, text, *self.best_per_column.lines])
        return "\n".join([self.title, *self.lines])

    @property
    def title(self) -> str:
        """What is in the node."""
        rows = count_text(len(self.contents), self.contents.total)
        inside = self.format_summary(self.contents.summary, self.contents.total)
        if self.labelled.classes is not None:
            pairs = zip(self.labelled.classes, self.contents.summary, strict=True)
            inside = ", ".join(f"{one_line(label)} {number(value)}" for label, value in pairs)
        words = _("node {node}: {rows}, {contents}, impurity {impurity}")
        return words.format(node=self.node, rows=rows, contents=inside, impurity=number(self.impurity))

    @property
    def lines(self) -> list[str]:
        """A table with a line for each candidate; `*` marks the one that is asked, `–` those with a branch too small."""
        if not self.candidates:
            return [_("There is no candidate split: no column has two values here.")]
        heads = ["", _("split"), _("branches"), _("after"), _("decrease"), _("information"), _("ratio")]
        table = [heads, *map(self.line, self.candidates, self.words)]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        texts = ([*map(str.ljust, line[:3], widths[:3]), *map(str.rjust, line[3:], widths[3:])] for line in table)
        return ["  ".join(text).rstrip() for text in texts]

    def line(self, one: CandidateSplit, words: tuple[str, list[str]]) -> list[str]:
        mark = "*" if one is self.chosen else "" if one.allowed else "–"
        parts = [
            f"{name} {self.format_summary(one.summary[b], one.weight[b])} ({number(one.impurity[b])})"
            for b, name in enumerate(words[1])
        ]
        measures = [number(value) for value in (one.after, one.decrease, one.information, one.ratio)]
        return [mark, words[0], "; ".join(parts), *measures]

    def format_summary(self, summary: Array, weight: float) -> str:
        """Class weights with bars between them, or weight times mean."""
        if self.labelled.classes is not None:
            return "|".join(number(value) for value in summary)
        means = "; ".join(number(value) for value in summary)
        return f"{number(weight)} × {means if len(summary) == 1 else f'({means})'}"


def conditions(labelled: Labelled, one: CandidateSplit, digits: int) -> list[Condition]:
    """What a cell must be to take each branch of a candidate."""
    known, levels = len(one.groups.values), labelled.levels(one.column)
    missing = int(one.side[known]) if one.groups.missing else -1
    found = list[Condition]()
    for b in range(len(one.weight)):
        condition = Condition(one.column, labelled.names[one.column], words=levels, digits=digits)
        condition = replace(condition, missing=missing == b, said=missing == b, ordinal=labelled.is_ordinal(one.column))
        if levels:
            codes = one.groups.values[one.side[:known] == b].astype(np.int64)
            found.append(replace(condition, levels=frozenset(codes.tolist())))
        else:
            threshold = inf if one.threshold == LARGEST else one.threshold
            low, high = ((-inf, threshold), (threshold, inf))[b]
            found.append(replace(condition, low=low, high=high))
    return found


def in_words(found: Sequence[Condition]) -> tuple[str, list[str]]:
    """The split, and the names of its branches."""
    empty = [condition.is_empty for condition in found]
    if len(found) == 2 and any(empty):
        asked = _("{column} is missing").format(column=one_line(found[0].name))
        return asked, [_("yes") if alone else _("no") for alone in empty]
    return question(found), branch_words(found)


# ---- the rows of a node --------------------------------------------------------------------------------------------------


def worked_node(
    model: Any, node: int, X: Any, y: Any, sample_weight: Any, thresholds: Literal["all", "boundary"]
) -> WorkedNode:
    """A node of a fitted tree with all its candidates, for the rows of the fit or for others."""
    tree, plan = model.tree_, model.plan()
    if isinstance(node, bool) or not isinstance(node, (int, np.integer)) or not 0 <= node < tree.node_count:
        raise ValueError(f"node must be a number from 0 to {tree.node_count - 1}, got {node!r}: to_text() shows the nodes.")
    if thresholds not in ("all", "boundary"):
        raise ParameterError(f'thresholds must be "all" or "boundary", got {thresholds!r}.')
    if thresholds == "boundary" and not isinstance(model, ClassificationTree):
        raise ParameterError('thresholds="boundary" looks for values of different classes: give "all" for numbers.')
    rows = rows_to_work(model, X, y, sample_weight)
    weight, target = search_weights(model, rows), rows.y
    assert target is not None
    here = np.flatnonzero(there := weights_in(tree, rows.X, weight, int(node)))
    if not len(here):
        raise ValueError(f"None of the {len(weight)} rows reaches node {node}: give rows that do.")
    classes = len(model.classes_) if isinstance(model, ClassificationTree) else 0
    inside = target[here] if classes else target.reshape(len(target), -1)[here]
    contents, table = Contents(inside, there[here], classes, plan.criterion), rows.X[here]
    refuse_many(table)
    limits = Limits.of(plan, len(weight), float(weight.sum()))
    found = [one for column in candidates(table, contents, plan, limits, range(table.shape[1])) for one in column]
    if thresholds == "boundary":
        found = [one for one in found if is_boundary(one, contents.y)]
    chosen = None if tree.is_leaf[node] else find_split(found, int(tree.feature[node]), branches(tree, table, int(node)))
    return WorkedNode(int(node), model.label_tree(), plan, contents, tuple(found), chosen)


def rows_to_work(model: Any, X: Any, y: Any, sample_weight: Any) -> ArrayRows:
    """The rows of the fit, or those that are given, with their targets as the tree knows them."""
    if X is None:
        rows = model.__dict__.get("_table")
        if rows is None:
            raise ValueError(
                "The tree does not keep its training rows (there were too many, or it was loaded from a file): give X and y."
            )
        return rows
    if y is None:
        raise ValueError("worked() needs the target of the rows of X: give y.")
    rows = gather(model.new_rows(X, sample_weight))
    rows = rows.like(y=model.encode_target(y, rows.X.shape[0]))
    rows.labels = getattr(model, "classes_", None)
    return counting_rows(rows)


def search_weights(model: Any, rows: ArrayRows) -> Array:
    """The weight of each row in the search, with class weights, priors and costs."""
    if isinstance(model, ClassificationTree) and model.class_weight is not None:
        rows = reweight(rows, model.class_weight)  # type: ignore[assignment]  # still in memory
    assert rows.y is not None
    weight = np.ones(len(rows.y)) if rows.weight is None else rows.weight
    if not isinstance(model, ClassificationTree):
        return weight
    total = np.bincount(rows.y, weight, len(model.classes_))
    if model.priors is not None and not total.all():
        absent = plain(model.classes_[np.flatnonzero(total == 0)[0]])
        raise ValueError(f"No row is of class {absent!r}, which has a prior: give rows of all classes.")
    factors = prior_factors(model.priors, model.classes_, total)
    return np.asarray(weight * (factors * altered_priors(model.costs_, factors * total))[rows.y])


def refuse_many(X: Any) -> None:
    """A node that nobody could read, nor wait for."""
    rows, columns = X.shape
    values = sum(len(np.unique(cells(X, j))) for j in range(columns))
    if rows * values > MOST_WORK:
        raise ValueError(f"The node has {rows} rows and {values} values to cut at: give some of its rows as X and y.")


def find_split(found: Sequence[CandidateSplit], column: int, branch: Array) -> CandidateSplit | None:
    """The candidate that divides the known rows (and missing cells that have a side) as the tree does."""
    for one in found:
        known = one.branch >= 0
        if one.column == column and same_division(one.branch[known], branch[known]):
            return one
    return None


def same_division(a: Array, b: Array) -> bool:
    """Do two lists of branches divide the rows in the same way, whatever the numbers of the branches?"""
    pairs = len(np.unique(np.column_stack([a, b]), axis=0))
    return pairs == len(np.unique(a)) == len(np.unique(b))
