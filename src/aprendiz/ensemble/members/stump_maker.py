"""Stumps: trees of one split, from tables of all columns at once.

    table[column, code, k] = Σ w_i     over the rows of class k with that code                                    (1)

A stump needs nothing but (1), from which the search of the growth takes its split, as it does in trees that grow level by
level (levelwise.py). Several threads tally some of the columns each. The numbers of rows do not depend on the weights, and are
counted once for all stumps of an ensemble. What follows agrees with `grow_tree`: the same column, the same threshold.

Cost: O(n·d) additions for each stump.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.rows import Array
from aprendiz.core.threads import num_threads, ordered_map
from aprendiz.ensemble.forest.tree_maker import TreeMaker
from aprendiz.ensemble.members.ensemble_data import Member
from aprendiz.tree.growth import records
from aprendiz.tree.growth.coding import CodedTable
from aprendiz.tree.growth.grow_tree import Grown
from aprendiz.tree.growth.impurities import Criterion, impurity_of_shares
from aprendiz.tree.growth.plan import Plan
from aprendiz.tree.growth.search_tables import search_tables

CODES = 256  # of a column, with the one for the missing
MOST_CELLS = 2**24  # of the tables; with more columns, trees grow as others do
SMALL = 2**16  # cells that one thread tallies sooner than two


def needs_tables_only(plan: Plan, table: CodedTable, classes: int) -> bool:
    """Are the trees stumps for classes, about columns with an order and at most 255 values?"""
    plain = classes > 0 and plan.max_depth == 1 and plan.max_leaf_nodes is None and plan.splitter == "best"
    columns = table.layout.shape[1]
    few = len(table.short) == columns and columns * CODES * (classes + 2) <= MOST_CELLS
    return plain and few and not table.layout[records.UNORDERED].any()


class StumpMaker(TreeMaker):
    """Grows stumps on rows that all have weight."""

    @cached_property
    def rows_of_codes(self) -> Array:
        """How many rows have each code of each column."""
        return np.array([np.bincount(codes, minlength=CODES) for codes in self.table.short], np.float64)

    def tables(self, weight: Array) -> Array:
        """(1), then the weight and the number of the rows of each code."""
        cells = np.empty((1, self.columns, CODES, self.classes + 2))
        cells[0, :, :, -1] = self.rows_of_codes
        parts = 1 if self.count * self.columns < SMALL else min(num_threads(), self.columns)
        runs = np.array_split(np.arange(self.columns), parts)
        for _ in ordered_map(lambda run: tally(self.table.short, run, self.y, weight, cells[0]), runs):
            pass
        return cells

    def member(self, weight: Array, seed: int, number: int, columns: Array | None = None, asked: Array | None = None) -> Member:
        member = super().member(weight, seed, number, columns)
        return member if asked is None else replace(member, rows=asked, said=self.predict_rows(member.forest, asked))

    def predict_rows(self, one: Any, asked: Array) -> Array:
        """The predictions of a stump for some rows, by one comparison of codes."""
        nodes, value = one.nodes, one.value
        if len(nodes) == 1:
            return np.repeat(value[nodes["second"]], len(asked), axis=0)
        _, size, _, start = self.table.layout[:, nodes["feature"][0]]
        highest = self.table.bounds[records.HIGH, start : start + size]
        below = np.searchsorted(highest, nodes["threshold"][0], side="right") - 1
        codes = self.table.short[nodes["feature"][0]].take(asked)
        second = np.where(codes == size, nodes["missing"][0] == 1, codes > below)
        return value.take(np.where(second, nodes["second"][2], nodes["second"][1]), axis=0)

    def grow(self, weight: Array, seed: int, layout: Array, columns: Array | None = None) -> Grown:
        if self.scale is not None and (self.scale != 1).any():
            weight = weight * self.scale[self.y]
        cells, m = self.tables(weight), self.classes
        root = cells[0, 0].sum(axis=0)
        rules = self.plan.rules(self.count, self.columns, float(root[m]), m)
        whole, real = leaf(root, self.plan.criterion)
        key, spread = np.array([seed], np.uint64), root[m] * real[records.IMPURITY]
        nothing = np.empty(0, np.int32), np.empty((0, 4), np.int64), np.empty((0, 2))
        found, gains = search_tables(cells, np.array([spread]), layout, self.table.bounds, rules, key)
        (column, below, side), (gain, threshold) = found[0], gains[0]
        if spread == 0.0 or self.count < rules.min_split or not worth_asking(column, gain, spread, root[m], rules):
            return whole[None], real[None], *nothing
        first, second, missing = branches(cells[0, column], layout[records.SIZE, column], below)
        side = side if side >= 0 else int(second[m] > first[m] * (1.0 + records.TIE))
        first, second = (first + missing, second) if side == 0 else (first, second + missing)
        whole[[records.COLUMN, records.BELOW, records.MISSING, records.PARTS]] = column, below, side, 2
        real[records.THRESHOLD] = threshold
        below_it = [leaf(cell, self.plan.criterion, branch) for branch, cell in enumerate((first, second))]
        return np.array([whole, *(w for w, _ in below_it)]), np.array([real, *(r for _, r in below_it)]), *nothing


def leaf(cell: Array, criterion: Criterion, branch: int = -1) -> tuple[Array, Array]:
    """What `grow_tree` knows of a node: the root, or one of its branches."""
    m = len(cell) - 2
    whole, real = np.zeros(records.NODE_NUMBERS, np.int64), np.empty(records.SUMS + m)
    whole[[records.PARENT, records.BRANCH, records.COLUMN]] = -1 if branch < 0 else 0, max(branch, 0), records.LEAF
    whole[[records.LEVELS, records.ROWS]] = -1, int(cell[m + 1])
    pure = np.count_nonzero(cell[:m]) < 2
    real[records.IMPURITY] = 0.0 if pure else impurity_of_shares(criterion, cell[:m] / cell[m])
    real[records.THRESHOLD], real[records.WEIGHT], real[records.SUMS :] = -2.0, cell[m], cell[:m]
    return whole, real


def worth_asking(column: int, gain: float, spread: float, weight: float, rules: records.GrowthRules) -> bool:
    """Whether there is a split, and it lowers the impurity enough."""
    tie = records.TIE * spread
    return column >= 0 and gain > -tie and (gain + tie) * rules.unit >= rules.min_decrease * weight


def branches(cells: Array, size: int, below: int) -> tuple[Array, Array, Array]:
    """The sums of the codes up to the cut, of those above it, and of the missing."""
    return cells[: below + 1].sum(axis=0), cells[below + 1 : size].sum(axis=0), cells[size]


@compiled
def tally(short: Array, columns: Array, y: Array, weight: Array, cells: Array) -> None:
    """(1) of some columns, and the weight of each code."""
    m = cells.shape[2] - 2
    for c in range(len(columns)):
        j = columns[c]
        H = cells[j]
        H[:, : m + 1] = 0.0
        for i in range(len(y)):
            H[short[j, i], y[i]] += weight[i]
        for b in range(len(H)):
            for k in range(m):
                H[b, m] += H[b, k]
