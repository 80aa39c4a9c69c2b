"""All candidate splits of a node, each with the decrease in impurity that it would bring.

    decrease      Δ = (w_known·i(known) − Σ_b w_b·i(b)) / w                                                    (1)
    information   H = −Σ_b (w_b/w) log₂(w_b/w)                                                                (2)
    ratio         Δ / H                                                                                       (3)

with w and i the weight and the impurity (impurities.py) of the node, of its rows whose cell is known, and of the branches b.
The splits are those of growth/, found by trying them one by one in plain NumPy: thresholds in the middle between values
that occur, levels in their order, all 2^(M−1) − 1 divisions of M levels in two (beyond 12 levels, cuts in one order), or a
branch for each level. Missing cells stand on either side in turn, or alone, where they have a side of their own; elsewhere they
are left out of (1), and are one branch more of (2).

Cost: O(candidates · rows).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from math import isfinite, nan
from typing import Any

import numpy as np

from aprendiz.core.columns import Mixed
from aprendiz.core.rows import Array
from aprendiz.tree.growth.impurities import Contents
from aprendiz.tree.growth.plan import Plan, rows_of
from aprendiz.tree.growth.records import MAX_LEVELS_OF_ALL_SUBSETS, TIE
from aprendiz.tree.reading.node_rows import cells
from aprendiz.tree.shared.nodes import LARGEST


@dataclass(frozen=True)
class Groups:
    """A column in a node: the rows with the same cell.

    Attributes
    ----------
    column : int
    values : ndarray
        The values that occur (of levels, their codes), in their order.
    of_row : ndarray of shape (rows,)
        The number of the value of each row; one after the last where the cell is missing.
    missing : bool
        Is any cell missing?
    ordered : bool
    """

    column: int
    values: Array
    of_row: Array
    missing: bool
    ordered: bool

    @classmethod
    def of(cls, X: Any, column: int, orders: bool) -> Groups:
        """A column of an array, a sparse matrix or a mixed table; without `orders`, no column of levels has one."""
        x = cells(X, column)
        known = ~np.isnan(x)
        values, number = np.unique(x[known], return_inverse=True)
        of_row = np.full(len(x), len(values))
        of_row[known] = number
        return cls(column, values, of_row, not known.all(), has_order(X, column, orders))


def has_order(X: Any, column: int, orders: bool) -> bool:
    """Do the values of a column have an order that splits keep?"""
    if not isinstance(X, Mixed) or X.columns.columns[column].kind == "numeric":
        return True
    return (orders and X.columns.columns[column].kind == "ordinal") or X.columns.columns[column].levels == (0, 1)


@dataclass(frozen=True)
class Limits:
    """What a branch must have: rows, and weight."""

    rows: int
    weight: float

    @classmethod
    def of(cls, plan: Plan, rows: int, weight: float) -> Limits:
        """Those of a plan, for a tree of so many rows with so much weight."""
        return cls(rows_of(plan.min_samples_leaf, rows), plan.least_weight(rows, weight))


@dataclass(frozen=True, eq=False)
class CandidateSplit:
    """A split, and what it would bring (see above).

    Attributes
    ----------
    groups : Groups
        The column in the node.
    side : ndarray
        The branch of each value, then of missing cells: −1 where they are left out.
    threshold : float
        NaN for a split on levels; ∞ where only missing cells take the second branch.
    rows, weight, impurity : ndarray of shape (branches,)
    summary : ndarray of shape (branches, classes or outputs)
        Class weights, or means.
    after : float
        Mean impurity of the branches.
    decrease, information, ratio : float
    allowed : bool
        Whether the branches are large enough.
    """

    groups: Groups
    side: Array
    threshold: float
    rows: Array
    weight: Array
    impurity: Array
    summary: Array
    after: float
    decrease: float
    information: float
    ratio: float
    allowed: bool

    @property
    def column(self) -> int:
        return self.groups.column

    @property
    def branch(self) -> Array:
        """The branch of each row."""
        return np.asarray(self.side[self.groups.of_row])


# ---- the splits on a column ----------------------------------------------------------------------------------------


def divisions(groups: Groups, contents: Contents, plan: Plan, every: bool) -> Iterator[tuple[Array, float]]:
    """The branch of each value (and of missing cells), and the threshold, of every split. `every`: all divisions of up to 12
    levels, also where cuts in one order are known to hold the best."""
    known, own = len(groups.values), groups.missing and plan.missing == "own"
    if known == 0 or known + own < 2:
        return
    if groups.ordered:
        yield from cuts(groups.values, groups.missing, own)
        return
    others = np.full(int(groups.missing and not own), -1)
    if plan.categories == "multiway":
        yield np.append(np.arange(known + own), others), nan
        return
    for side in divided_levels(groups.of_row, known + own, contents, every):
        yield np.append(side, others), nan


def cuts(values: Array, missing: bool, own: bool) -> Iterator[tuple[Array, float]]:
    """Every cut between neighbours; with `own` missing cells above it, then below it, and at last alone."""
    for g in range(len(values) - 1):
        side, threshold = (np.arange(len(values)) > g).astype(np.int64), middle(values[g], values[g + 1])
        for last in (1, 0) if own else (-1,):
            yield (np.append(side, last) if missing else side), threshold
    if own:
        yield np.append(np.zeros(len(values), np.int64), 1), LARGEST


def middle(a: float, b: float) -> float:
    """A threshold with a ≤ threshold < b."""
    found = 0.5 * a + 0.5 * b
    return float(found if a <= found < b else a)


def divided_levels(of_row: Array, count: int, contents: Contents, every: bool) -> Iterator[Array]:
    """Divisions of values in two; the first value is in the first branch."""
    in_order = one_number(contents) or contents.criterion == "absolute_error"
    if count <= MAX_LEVELS_OF_ALL_SUBSETS and (every or not in_order):
        for number in range(1, 2 ** (count - 1)):
            chosen = number if every else number ^ number >> 1  # Gray's order is that of growth/levels.py
            yield np.append(0, chosen >> np.arange(count - 1) & 1)
        return
    order = np.argsort(scores(of_row, count, contents), kind="stable")
    for g in range(count - 1):
        side = np.empty(count, np.int64)
        side[order] = np.arange(count) > g
        yield side ^ side[0]


def scores(of_row: Array, count: int, contents: Contents) -> Array:
    """The order in which many levels are cut: share of the second class, mean or median, or the first principal component."""
    parts = [contents.of(of_row == g) for g in range(count)]
    weight = np.array([part.total for part in parts])
    if contents.criterion == "absolute_error":
        centres = np.array([np.sort(part.y, axis=0)[len(part) // 2] for part in parts])
    else:
        centres = np.array([part.summary for part in parts]) / (weight[:, None] if contents.classes else 1.0)
    return centres[:, -1] if one_number(contents) else principal_scores(centres, weight)


def one_number(contents: Contents) -> bool:
    """Is the answer of a leaf a single number: the share of the second of two classes, or one target?"""
    return contents.classes == 2 or (contents.classes == 0 and contents.y.shape[1] == 1)


def principal_scores(means: Array, weight: Array) -> Array:
    """The rows of a matrix on their first weighted principal component, by the power method of growth/levels.py."""
    centred = means - weight @ means / weight.sum()
    A = (weight * centred.T) @ centred
    v = np.eye(len(A))[np.argmax(np.diag(A))]
    for _ in range(50):
        u = A @ v
        if not u.any():
            break
        v = u / np.linalg.norm(u)
    return np.asarray(centred @ v)


# ---- what they bring -----------------------------------------------------------------------------------------------------


def measure(groups: Groups, side: Array, threshold: float, contents: Contents, limits: Limits) -> CandidateSplit:
    """A candidate, from the branch of each value."""
    branch = side[groups.of_row]
    parts = [contents.of(branch == b) for b in range(int(side.max()) + 1)]
    weight, impurity = np.array([part.total for part in parts]), np.array([part.impurity for part in parts])
    known = contents if (branch >= 0).all() else contents.of(branch >= 0)
    decrease = (known.total * known.impurity - weight @ impurity) / contents.total
    information = entropy(np.append(weight, contents.total - known.total if known is not contents else 0.0))
    large = [len(part) >= limits.rows and part.total >= limits.weight for part in parts]
    return CandidateSplit(
        groups=groups,
        side=side,
        threshold=threshold,
        rows=np.array([len(part) for part in parts]),
        weight=weight,
        impurity=impurity,
        summary=np.array([part.summary for part in parts]),
        after=float(weight @ impurity / known.total),
        decrease=float(decrease),
        information=information,
        ratio=float(decrease / information) if information > 0 else 0.0,
        allowed=sum(large) >= 2 and (len(large) > 2 or all(large)) and all(part.answers for part in parts),
    )


def entropy(weight: Array) -> float:
    """(2)."""
    p = weight[weight > 0] / weight.sum()
    return float(-p @ np.log2(p))


def candidates(
    X: Any, contents: Contents, plan: Plan, limits: Limits, columns: Iterable[int], *, every: bool = True
) -> Iterator[list[CandidateSplit]]:
    """For each of some columns, all splits on it."""
    for column in columns:
        groups = Groups.of(X, column, plan.categories == "subsets")
        yield [measure(groups, *split, contents, limits) for split in divisions(groups, contents, plan, every)]


def is_boundary(one: CandidateSplit, y: Array) -> bool:
    """Does a cut separate values that are not all of one and the same class? True for other splits."""
    if not isfinite(one.threshold) or one.threshold == LARGEST:
        return True
    above = int(np.flatnonzero(one.side == 1)[0])
    beside = (one.groups.of_row == above - 1) | (one.groups.of_row == above)
    return bool((y[beside] != y[beside][0]).any())


def best_candidate(found: Iterable[CandidateSplit], plan: Plan, impurity: float) -> CandidateSplit | None:
    """The split of a node: the largest decrease, the first of equals; with "gain_ratio" the largest ratio among the
    best splits of the columns whose decrease is at least the average one."""
    tie = TIE * impurity
    by_column = [best_of(group, tie) for _, group in groupby(found, lambda candidate: candidate.column)]
    best = [candidate for candidate in by_column if candidate is not None]
    if plan.criterion != "gain_ratio" or not best:
        return best_of(best, tie)
    average = np.mean([candidate.decrease for candidate in best])
    good = [one for one in best if one.decrease > tie and one.decrease >= average - tie and one.ratio > 0]
    chosen: CandidateSplit | None = None
    for one in good:
        if chosen is None or one.ratio > chosen.ratio * (1.0 + TIE):
            chosen = one
    return chosen


def best_of(found: Iterable[CandidateSplit], tie: float) -> CandidateSplit | None:
    """The first of the largest decreases."""
    best: CandidateSplit | None = None
    for one in found:
        if one.allowed and (best is None or one.decrease > best.decrease + tie):
            best = one
    return best
