"""The splits of a tree in words, and the way from the root to a node as conditions.

    petal length ≤ 2.45          a number, yes or no
    grade ≤ B                    levels in an order
    size is large or medium      levels
    size is missing              a branch of its own for missing cells

A level that no row of a node had counts as missing there. Where one may come, the branches are named by their levels rather
than yes and no, and the one that it takes is "… or another level"; where surrogates or shares decide, no branch is.

The conditions of a way are simplified column by column: intervals are cut, sets of levels intersected, so that
x > 2.45 and x ≤ 4.75 become 2.45 < x ≤ 4.75. A condition also knows whether a missing cell meets it. This is said ("or
missing") only where missing cells do not go to the heaviest branch, which is the usual place. Where surrogates or fractions
decide about missing cells, no condition is met by one.

Numbers are written with four digits, or as many as tell apart the thresholds of a column.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import floor, inf, isnan
from typing import Any

import numpy as np

from aprendiz.core.rows import Array
from aprendiz.core.targets import plain
from aprendiz.locale import _, format_fixed, format_whole, number
from aprendiz.tree.reading.labelled_tree import Labelled
from aprendiz.tree.shared.nodes import LARGEST, heaviest_branches

FEWEST, MOST_DIGITS = 4, 17
MOST_LEVELS = 6  # named in a condition
UNLIKE = 2  # levels, if only so many are excluded they are named instead

Shown = Callable[[float], str]


@dataclass(frozen=True)
class Condition:
    """What is asked of one column: low < x ≤ high, or a level among some.

    Attributes
    ----------
    column, name
        Number and name of the column.
    low, high : float
        For numbers.
    levels : frozenset of int, or None
        The numbers of the levels that meet the condition; None for numbers.
    unseen : frozenset of int
        Those among them that do so because they count as missing.
    words : tuple
        All levels of the column.
    ordinal : bool
    missing : bool
        Does a missing cell meet the condition?
    said : bool
        Is this worth saying?
    gaps : bool
        May a level come to the node that none of its rows had?
    digits : int
    decimals : int or None
        How numbers are written: significant digits, or as many decimals.
    """

    column: int
    name: Any
    low: float = -inf
    high: float = inf
    levels: frozenset[int] | None = None
    unseen: frozenset[int] = frozenset()
    words: tuple[Any, ...] = ()
    ordinal: bool = False
    missing: bool = False
    said: bool = False
    gaps: bool = False
    digits: int = FEWEST
    decimals: int | None = None

    def holds(self, value: float) -> bool:
        """Does a cell meet the condition? Levels are given by their number, missing cells as NaN (tree/reading/cells.py)."""
        if isnan(value):
            return self.missing
        return self.low < value <= self.high if self.levels is None else int(value) in self.levels

    def __and__(self, other: Condition) -> Condition:
        """Both conditions, of the same column."""
        levels = None if self.levels is None or other.levels is None else self.levels & other.levels
        return replace(
            self,
            low=max(self.low, other.low),
            high=min(self.high, other.high),
            levels=levels,
            unseen=(self.unseen | other.unseen) & (levels or frozenset()),
            missing=self.missing and other.missing,
            said=self.said or other.said,
            gaps=self.gaps or other.gaps,
        )

    @property
    def is_any(self) -> bool:
        """Does every known cell meet it?"""
        return self.levels is None and self.low == -inf and self.high == inf

    @property
    def known(self) -> list[int]:
        """The levels that are named, in their order."""
        return sorted((self.levels or frozenset()) - self.unseen)

    @property
    def named(self) -> list[Any]:
        """The levels in words; those that take the branch because the node had none of them are "another level"."""
        return [*(self.words[code] for code in self.known), *([_("another level")] if self.unseen and self.gaps else [])]

    @property
    def is_empty(self) -> bool:
        """Does no known cell meet it? Then it is the condition of missing cells."""
        return not self.known if self.levels is not None else not self.low < self.high

    @property
    def is_span(self) -> bool:
        """Are the levels several that follow each other in an order?"""
        known = self.known
        return self.ordinal and not self.unseen and len(known) > 1 and known[-1] - known[0] == len(known) - 1

    def __str__(self) -> str:
        name = one_line(self.name)
        if self.is_empty:
            text = _("{column} is missing").format(column=name)
            return list_levels([text, *self.named]) if self.named else text
        if self.is_any:
            return _("{column} is known").format(column=name)
        text = self.interval(name) if self.levels is None else self.among(name)
        return _("{condition} or is missing").format(condition=text) if self.missing and self.said else text

    def interval(self, name: str, shown: Shown | None = None) -> str:
        """low < x ≤ high, without the ends that are infinite."""
        shown = shown or self.format_threshold
        if self.high == inf:
            return f"{name} > {shown(self.low)}"
        return f"{name} ≤ {shown(self.high)}" if self.low == -inf else f"{shown(self.low)} < {name} ≤ {shown(self.high)}"

    def format_threshold(self, value: float) -> str:
        """A threshold as text."""
        return number(value, self.digits) if self.decimals is None else format_fixed(value, self.decimals)

    def among(self, name: str, most: int = MOST_LEVELS) -> str:
        """A level among some, or between two of them, or none of a few."""
        known, count = self.known, len(self.words)
        others = [code for code in range(count) if code not in known]
        if self.is_span:
            return self.name_run(name, known[0], known[-1])
        if not self.unseen and 0 < len(others) <= UNLIKE and len(known) > len(others) + 1:
            excluded = [one_line(self.words[code]) for code in others]
            if len(excluded) == 1:
                return _("{column} is not {level}").format(column=name, level=excluded[0])
            return _("{column} is neither {one} nor {other}").format(column=name, one=excluded[0], other=excluded[1])
        return _("{column} is {levels}").format(column=name, levels=list_levels(self.named, most))

    def name_run(self, name: str, first: int, last: int) -> str:
        """Levels that follow each other in their order."""
        ends = {-1.0: -inf, len(self.words) - 1.0: inf}
        span = replace(self, low=ends.get(first - 1.0, first - 1.0), high=ends.get(float(last), float(last)))
        return span.interval(name, lambda value: one_line(self.words[int(value)]))

    def answer(self, most: int = MOST_LEVELS) -> str:
        """The condition without its column, as the name of a branch."""
        if self.is_empty or self.is_any:
            return list_levels([_("missing"), *self.named]) if self.is_empty else _("known")
        if self.levels is None or self.is_span:
            text = str(replace(self, name="", said=False)).strip()
        else:
            text = list_levels(self.named, most)
        return _("{answer} or missing").format(answer=text) if self.missing and self.said else text


# ---- words ---------------------------------------------------------------------------------------------------------------


def one_line(word: Any) -> str:
    """A name, a level or a label as text without line breaks and control characters."""
    return "".join(letter if letter.isprintable() else "�" for letter in " ".join(str(plain(word)).split()))


def list_levels(levels: Sequence[Any], most: int = MOST_LEVELS) -> str:
    """Levels as one says them: "a, b or c"; of very many, the first ones and how many there are."""
    words = [one_line(level) for level in levels]
    if len(words) > most:
        return _("one of {levels}").format(levels=f"{{{', '.join(words[: most - 1])}, … ({format_whole(len(words))})}}")
    if len(words) < 2:
        return "".join(words)
    return _("{levels} or {last}").format(levels=", ".join(words[:-1]), last=words[-1])


def plain_prediction(answer: Any) -> Any:
    """The prediction of a node as a Python label or number; a tuple of numbers where there are several targets."""
    return tuple(map(plain, answer)) if isinstance(answer, (tuple, list, np.ndarray)) else plain(answer)


def format_prediction(answer: Any, decimals: int | None = None) -> str:
    """The prediction of a node: a label, or a number with four digits."""
    value = plain_prediction(answer)
    if isinstance(value, tuple):
        return f"({'; '.join(format_prediction(one, decimals) for one in value)})"
    if isinstance(value, float):
        return number(value) if decimals is None else format_fixed(value, decimals)
    return one_line(value)


def digits_needed(labelled: Labelled) -> list[int]:
    """How many digits tell apart the thresholds of each column."""
    tree = labelled.tree
    return [enough_digits(np.unique(tree.threshold[tree.feature == j])) for j in range(len(labelled.names))]


def enough_digits(thresholds: Array) -> int:
    for digits in range(FEWEST, MOST_DIGITS):
        if len({number(float(value), digits) for value in thresholds}) == len(thresholds):
            return digits
    return MOST_DIGITS


# ---- splits -----------------------------------------------------------------------------------------------------------


def level_branches(labelled: Labelled, node: int) -> Array:
    """The branch of each level of the column that a node splits on; empty for numbers."""
    tree, count = labelled.tree, len(labelled.levels(int(labelled.tree.feature[node])))
    if isnan(tree.threshold[node]):
        branches = tree.levels_of(node)
        return np.concatenate([branches, np.full(max(count - len(branches), 0), -1)])
    return (np.arange(count) > floor(tree.threshold[node])).astype(np.int64)


def levels_that_come(labelled: Labelled, node: int) -> frozenset[int]:
    """The levels that a row may have in the column that a node splits on, after the splits above it."""
    tree, column = labelled.tree, int(labelled.tree.feature[node])
    found = frozenset(range(len(labelled.levels(column))))
    for above, branch in way_to(labelled, node):
        if int(tree.feature[above]) == column:
            taken = level_branches(labelled, above)
            passes = taken == branch
            if not missing_is_plain(labelled, above) or int(tree.missing_branch[above]) == branch:
                passes |= taken == -1
            found &= frozenset(np.flatnonzero(passes).tolist())
    return found


def missing_is_plain(labelled: Labelled, node: int) -> bool:
    """Does a missing cell take one branch, whatever the other cells are?"""
    tree = labelled.tree
    return bool(tree.missing_branch[node] >= 0 and tree.surrogate_start[node] == tree.surrogate_start[node + 1])


def branch_condition(labelled: Labelled, node: int, branch: int, digits: Sequence[int]) -> Condition:
    """What a cell must be to take a branch of a node."""
    tree, column = labelled.tree, int(labelled.tree.feature[node])
    levels = labelled.levels(column)
    missing = missing_is_plain(labelled, node) and int(tree.missing_branch[node]) == branch
    usual = heaviest_branches(np.array([0, len(tree.children_of(node))]), tree.children_of(node), tree.weighted_n_node_samples)
    condition = Condition(column, labelled.names[column], words=levels, missing=missing, digits=digits[column])
    condition = replace(condition, ordinal=labelled.is_ordinal(column), said=missing and branch != int(usual[0]))
    if levels:
        branches = level_branches(labelled, node)
        others = frozenset(np.flatnonzero(branches == -1).tolist())
        unseen = others if missing else frozenset()
        own = frozenset(np.flatnonzero(branches == branch).tolist())
        gaps = bool(others and others & levels_that_come(labelled, node))
        return replace(condition, levels=unseen | own, unseen=unseen, gaps=gaps)
    threshold = float(tree.threshold[node])
    threshold = inf if threshold == LARGEST else threshold
    low, high = [(-inf, threshold), (threshold, inf)][branch] if branch < 2 else (inf, -inf)
    return replace(condition, low=low, high=high)


def conditions_of(labelled: Labelled, node: int, digits: Sequence[int] | None = None) -> list[Condition]:
    """The conditions of all branches of a node; `digits_needed` may be passed on, to be found once."""
    digits = digits or digits_needed(labelled)
    return [branch_condition(labelled, node, b, digits) for b in range(len(labelled.tree.children_of(node)))]


def is_yes_or_no(conditions: Sequence[Condition]) -> bool:
    """Two branches, both of known cells, and each level has one: the split is the condition of the first one."""
    return len(conditions) == 2 and not any(condition.is_empty or condition.gaps for condition in conditions)


def question(conditions: Sequence[Condition]) -> str:
    """The split of a node, from the conditions of its branches: that of the first of two, else the column."""
    return str(replace(conditions[0], said=False)) if is_yes_or_no(conditions) else one_line(conditions[0].name)


def branch_words(conditions: Sequence[Condition], most: int = MOST_LEVELS) -> list[str]:
    """The names of the branches of a node: yes and no, or what the cell must be."""
    if not is_yes_or_no(conditions):
        return [condition.answer(most) for condition in conditions]
    return [
        _("{answer} or missing").format(answer=word) if condition.missing and condition.said else word
        for word, condition in zip((_("yes"), _("no")), conditions, strict=True)
    ]


# ---- the way to a node ---------------------------------------------------------------------------------------------------


def way_to(labelled: Labelled, node: int) -> list[tuple[int, int]]:
    """The nodes above a node with the branch that leads to it, from the root on."""
    tree, way = labelled.tree, list[tuple[int, int]]()
    while node:
        above = int(tree.parent[node])
        way.append((above, int(np.flatnonzero(tree.children_of(above) == node)[0])))
        node = above
    return way[::-1]


def path_conditions(labelled: Labelled, node: int, digits: Sequence[int] | None = None) -> list[Condition]:
    """One condition for each split between the root and a node."""
    digits = digits or digits_needed(labelled)
    return [branch_condition(labelled, above, branch, digits) for above, branch in way_to(labelled, node)]


def simplify_conditions(conditions: Sequence[Condition]) -> list[Condition]:
    """One condition for each column, in the order in which they were first asked."""
    joined: dict[int, Condition] = {}
    for condition in conditions:
        before = joined.get(condition.column)
        joined[condition.column] = condition if before is None else before & condition
    return list(joined.values())
