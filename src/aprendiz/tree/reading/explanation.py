"""Why a tree predicts as it does: the splits that one row meets, its cells, and the branches it takes.

A missing cell follows the first surrogate split whose cell is known, else by the branch for missing cells, else by
all branches, each with a part of the row in proportion to the weight of the child. The row then has several leaves, and

    prediction = the class of least cost under Σ part · (class shares of the leaf), or Σ part · (value of the leaf)     (1)

Cost: O(depth), or O(nodes) for a row that is parted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Any

import numpy as np

from aprendiz.core.frames import is_missing
from aprendiz.core.rows import Array
from aprendiz.core.targets import plain
from aprendiz.locale import _, number
from aprendiz.tree.pruning.resubstitution import Resubstitution, costs_of, resubstitution
from aprendiz.tree.pruning.risk import shares
from aprendiz.tree.reading.cells import encode
from aprendiz.tree.reading.labelled_tree import Labelled
from aprendiz.tree.reading.split_words import (
    branch_words,
    conditions_of,
    digits_needed,
    format_prediction,
    one_line,
    plain_prediction,
    question,
)
from aprendiz.tree.shared.nodes import heaviest_branches

SEVERAL = -1  # branch of a row that takes all of them


@dataclass(frozen=True)
class PathStep:
    """A node that a row meets.

    Attributes
    ----------
    node : int
    part : float
        How much of the row comes here: 1, or less after a split whose cell is missing.
    question, cell, answer : str
        What was asked, the cell, and the branch taken with the reason where the cell is missing; empty in a leaf.
    share, impurity : float
        Of the weight of the fit in this node; its impurity.
    result : label or number
        What the node would predict by itself.
    costs : tuple (R(t), R(T_t), g(t)), or None
    """

    node: int
    part: float
    question: str
    cell: str
    answer: str
    share: float
    impurity: float
    result: Any
    costs: tuple[float, float, float] | None

    def __str__(self) -> str:
        facts = [_("{share} % of the weight").format(share=number(100 * self.share, 3))]
        facts.append(_("impurity {value}").format(value=number(self.impurity, 3)))
        if self.part < 1.0:
            facts.append(_("{share} % of the row").format(share=number(100 * self.part, 3)))
        if self.costs is not None:
            R, below, g = (number(value, 3) for value in self.costs)
            facts.append(f"R(t) = {R}, R(T_t) = {below}" + (f", g(t) = {g}" if np.isfinite(self.costs[2]) else ""))
        return f"{self.words()}  ({'; '.join(facts)})"

    def words(self) -> str:
        """The split, the cell and the branch; in a leaf the prediction."""
        if not self.question:
            return _("leaf {node}: {answer}").format(node=self.node, answer=format_prediction(self.result))
        return _("node {node}: {question}? {cell} → {answer}").format(
            node=self.node, question=self.question, cell=self.cell, answer=self.answer
        )


@dataclass(frozen=True)
class Explanation:
    """The nodes that a row meets, from the root on, and what follows.

    Attributes
    ----------
    steps : tuple of Step
    prediction : label or number
    probabilities : dict of class to float, or None for numbers
    """

    steps: tuple[PathStep, ...]
    prediction: Any
    probabilities: dict[Any, float] | None

    @property
    def leaves(self) -> dict[int, float]:
        """The leaves that the row reaches, with its parts there."""
        return {step.node: step.part for step in self.steps if not step.question}

    def __str__(self) -> str:
        last = _("prediction: {answer}").format(answer=format_prediction(self.prediction))
        if self.probabilities is not None:
            shares = (f"{one_line(label)} {number(p, 3)}" for label, p in self.probabilities.items())
            last += f"  ({', '.join(shares)})"
        return "\n".join([*map(str, self.steps), last])


def explain(labelled: Labelled, cells: Sequence[Any], *, pruning: bool = False) -> Explanation:
    """The way of one row through a tree.

    Parameters
    ----------
    labelled : Labelled
    cells : sequence
        A number, a level or None (missing) for each column.
    pruning : bool, default=False
        Add R(t), R(T_t) and g(t) of each node (tree/pruning/resubstitution.py).
    """
    values, costs = encode(labelled, cells), resubstitution(labelled) if pruning else None
    digits = digits_needed(labelled)
    steps = tuple(
        step_of(labelled, visit, cells, digits, costs) for visit in sorted(visits(labelled, values), key=lambda v: v.node)
    )
    parts = {step.node: step.part for step in steps if not step.question}
    return Explanation(steps, *prediction(labelled, parts))


# ---- the way -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Visit:
    """A node, the part of the row that comes to it, the branch it takes, and the surrogate that chose it (−1: none did)."""

    node: int
    part: float
    branch: int
    surrogate: int


def visits(labelled: Labelled, values: Sequence[float]) -> Iterator[Visit]:
    """The nodes that a row meets."""
    tree = labelled.tree
    waiting = [(0, 1.0)]
    while waiting:
        node, part = waiting.pop()
        branch, surrogate = (SEVERAL, -1) if tree.is_leaf[node] else chosen_branch(labelled, node, values)
        yield Visit(node, part, branch, surrogate)
        children = tree.children_of(node)
        if len(children) and branch == SEVERAL:
            parts = child_shares(labelled, node)
            waiting += [(int(child), part * float(share)) for child, share in zip(children, parts, strict=True) if share > 0]
        elif len(children):
            waiting.append((int(children[branch]), part))


def child_shares(labelled: Labelled, node: int) -> Array:
    """The shares of the weight that the branches of a node have."""
    weight = labelled.tree.weighted_n_node_samples[labelled.tree.children_of(node)]
    return np.asarray(weight / weight.sum())


def chosen_branch(labelled: Labelled, node: int, values: Sequence[float]) -> tuple[int, int]:
    """The branch that a row takes at a node, and the number of the surrogate that chose it, or −1."""
    tree, value = labelled.tree, values[int(labelled.tree.feature[node])]
    if (branch := branch_of(value, float(tree.threshold[node]), 0, tree.levels_of(node))) >= 0:
        return branch, -1
    for s in range(int(tree.surrogate_start[node]), int(tree.surrogate_start[node + 1])):
        levels = tree.surrogate_level_branch[tree.surrogate_level_start[s] : tree.surrogate_level_start[s + 1]]
        value = values[int(tree.surrogate_feature[s])]
        branch = branch_of(value, float(tree.surrogate_threshold[s]), int(tree.surrogate_first[s]), levels)
        if branch >= 0:
            return branch, s
    return int(tree.missing_branch[node]), -1


def branch_of(value: float, threshold: float, first: int, levels: Array) -> int:
    """The branch of a cell, −1 if it is missing or its level was never seen there."""
    if isnan(value):
        return -1
    if not isnan(threshold):
        return first if value <= threshold else 1 - first
    return int(levels[int(value)]) if int(value) < len(levels) else -1


# ---- words ---------------------------------------------------------------------------------------------------------------


def step_of(
    labelled: Labelled, visit: Visit, cells: Sequence[Any], digits: list[int], costs: Resubstitution | None
) -> PathStep:
    """What there is to say of a node."""
    tree, node = labelled.tree, visit.node
    asked, cell, answer = "", "", ""
    if not tree.is_leaf[node]:
        conditions = conditions_of(labelled, node, digits)
        column = int(tree.feature[node])
        asked, cell = question(conditions), shown_cell(labelled.levels(column), cells[column])
        words = branch_words(conditions)
        answer = _("all branches") if visit.branch == SEVERAL else words[visit.branch]
        if reason := reason_of(labelled, visit, cells):
            answer = f"{answer} ({reason})"
    triple = None if costs is None else (float(costs.alone[node]), float(costs.below[node]), float(costs.saved[node]))
    share = float(shares(tree)[node])
    result, impurity = plain_prediction(labelled.answers[node]), float(tree.impurity[node])
    return PathStep(node, visit.part, asked, cell, answer, share, impurity, result, triple)


def shown_cell(levels: Sequence[Any], cell: Any) -> str:
    """A cell as text; `levels` are those of its column."""
    cell = plain(cell)
    if is_missing(cell):
        return _("missing")
    if levels and cell not in levels:
        return _("{cell}, not seen in training").format(cell=one_line(cell))
    return number(cell, 6) if isinstance(cell, float) else one_line(cell)


def reason_of(labelled: Labelled, visit: Visit, cells: Sequence[Any]) -> str:
    """Why a branch was taken although the cell does not tell; empty if it does."""
    tree, node = labelled.tree, visit.node
    if visit.surrogate >= 0:
        column = int(tree.surrogate_feature[visit.surrogate])
        cell = f"{one_line(labelled.names[column])} = {shown_cell(labelled.levels(column), cells[column])}"
        return _("by the surrogate split, {cell}").format(cell=cell)
    column = int(tree.feature[node])
    value = encode(labelled, cells)[column]
    if branch_of(value, float(tree.threshold[node]), 0, tree.levels_of(node)) >= 0:
        return ""
    if visit.branch == SEVERAL:
        return _("in proportion to their weight")
    usual = heaviest_branches(np.array([0, len(tree.children_of(node))]), tree.children_of(node), tree.weighted_n_node_samples)
    return _("the heaviest branch") if visit.branch == int(usual[0]) else _("the branch of missing cells")


# ---- predictions ---------------------------------------------------------------------------------------------------------


def prediction(labelled: Labelled, parts: dict[int, float]) -> tuple[Any, dict[Any, float] | None]:
    """The prediction (1) of a row from its parts in the leaves, and the probabilities of the classes."""
    leaves, weights = list(parts), np.array(list(parts.values()))
    value = np.tensordot(weights, labelled.tree.value[leaves], axes=1)
    alone = plain_prediction(labelled.answers[leaves[0]]) if len(leaves) == 1 else None
    if labelled.classes is None:
        mixed = tuple(map(float, value[:, 0]))
        return (alone if alone is not None else mixed[0] if len(mixed) == 1 else mixed), None
    probabilities = dict(zip(map(plain, labelled.classes), map(float, value[0]), strict=True))
    if alone is not None:
        return alone, probabilities
    costs = costs_of(labelled)
    assert costs is not None
    return plain(labelled.classes[int(np.argmin(value[0] @ costs))]), probabilities
