"""Where the trees of an ensemble grow: the table is coded once, and every tree is grown on it with weights of its own.

A row that is three times in a bag is a row of weight 3, and a row that is not in it is left out: nothing is copied but the
numbers of the rows. Trees grow side by side, one in each thread.

The class weights v, priors π and costs C of a tree are those of tree/shared/classification_tree.py, with N_k the weight of
class k in the whole table rather than in a bag: the search sees class k with its weight times

    v_k·(π_k / v_k N_k)·Σ_l C(k, l),     without priors v_k·Σ_l C(k, l)                                        (1)

Up to `EXACT` rows every value is a candidate; beyond, columns are cut into 255 bins, and a node opens a column if its rows
lie in few of them (tree/growth/search.py). Of large tables, in memory or in files, codes are used, a byte for each cell
(tree/growth/sampled_codes.py), and bins stay closed; so they do for random cuts and absolute errors.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.class_weights import reweight
from aprendiz.core.random import hash_one
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import ArrayRows, in_memory
from aprendiz.ensemble.forest.forest import Forest, empty_forest
from aprendiz.ensemble.forest.packing import answers_of_codes, cut_back, decreases, pack_tree
from aprendiz.ensemble.members.bags import GROWTH, stream
from aprendiz.ensemble.members.ensemble_data import NO_ROWS, EnsembleData, Member
from aprendiz.tree.growth import records
from aprendiz.tree.growth.coding import CodedTable
from aprendiz.tree.growth.grow_tree import Grown, grow_tree
from aprendiz.tree.growth.monotone import checked_signs
from aprendiz.tree.growth.own_codes import NO_NUMBERS, ColumnNumbers, binned_columns, column_numbers
from aprendiz.tree.growth.plan import Plan
from aprendiz.tree.shared.classification_tree import altered_priors, prior_factors
from aprendiz.tree.shared.decision_tree import coded_table, is_coded_from_sample

EXACT = 2**10  # rows up to which every value is a candidate


@dataclass(frozen=True)
class TreeMaker:
    """What all trees of an ensemble share.

    Attributes
    ----------
    table : CodedTable
    y, z : int32 of shape (n,); float64 of shape (n, outputs)
        Classes, or numbers.
    scale, factors : ndarray of shape (classes,) or None
        What the search multiplies the weights of the classes by, and what of it is divided out in the predictions
        (tree/shared/classification_tree.py). None for numbers.
    plan : Plan
    alpha : float
        The price of a leaf (tree/pruning/cost_complexity.py).
    numbers : ColumnNumbers
        Of the columns with bins, where nodes open them; else none.
    signs : int64 of shape (columns,), or None
        Of columns with monotonic constraints (tree/growth/monotone.py).
    """

    table: CodedTable
    y: Array
    z: Array
    scale: Array | None
    factors: Array | None
    plan: Plan
    alpha: float = 0.0
    numbers: ColumnNumbers = NO_NUMBERS
    signs: Array | None = None

    @classmethod
    def of(cls, base: Any, data: EnsembleData) -> TreeMaker:
        """What grows trees as an unfitted tree would grow."""
        table, plan = encode_table(data, base.exact), base.plan()
        numbers = numbers_to_open(data.rows, table, plan)
        if data.labels is None:
            z = np.require(data.y.reshape(data.count, -1), np.float64, ["C", "W"])  # a read-only array would compile anew
            if base.criterion == "poisson" and not z.sum(axis=0).all():
                raise ValueError("Sum of y is not positive, which is necessary for Poisson regression.")
            signs = checked_signs(plan.monotonic_cst, table.layout, None, z.shape[1])
            return cls(table, np.empty(0, np.int32), z, None, None, plan, base.ccp_alpha, numbers, signs)
        assert data.costs is not None
        total = np.bincount(data.y, data.weight, data.classes).astype(np.float64)
        weighted = weights_of_classes(total, data.labels, base.class_weight)
        prior = prior_factors(base.priors, data.labels, weighted)
        factors = altered_priors(data.costs, prior * weighted)
        scale = np.divide(weighted, total, out=np.ones(len(total)), where=total > 0) * prior * factors
        signs, no_numbers = checked_signs(plan.monotonic_cst, table.layout, factors, 1), np.empty((0, 1))
        return cls(table, data.y.astype(np.int32), no_numbers, scale, factors, plan, base.ccp_alpha, numbers, signs)

    @property
    def count(self) -> int:
        return max(self.table.short.shape[1], self.table.long.shape[1])

    @property
    def largest_bin(self) -> int:
        """How many rows a bin of several values holds at most; 0 where every value is a candidate threshold."""
        return self.table.largest_bin

    @property
    def columns(self) -> int:
        return int(self.table.layout.shape[1])

    @property
    def classes(self) -> int:
        return 0 if self.factors is None else len(self.factors)

    @property
    def bare(self) -> Forest:
        """The forest before the first tree."""
        return empty_forest(self.columns, self.classes, self.z.shape[1], bool(self.table.layout[records.UNORDERED].any()))

    def with_labels(self, y: Array) -> TreeMaker:
        """The same with other classes."""
        return replace(self, y=y)

    def grow(self, weight: Array, seed: int, layout: Array, columns: Array | None = None) -> Grown:
        """A tree on the rows with weight, as it grows."""
        if self.scale is not None and (self.scale != 1).any():
            weight = weight * self.scale[self.y]
        rows = np.flatnonzero(weight).astype(np.int32)
        lines = np.empty((len(self.table.lines), len(rows)), np.int32)
        if len(lines):
            keep_lines(self.table.lines, weight, lines)
        rules = self.plan.rules(self.count, layout.shape[1], float(weight.sum()), self.classes, self.z.shape[1])
        numbers = self.numbers if columns is None else self.numbers.some(columns)
        return grow_tree(self.table, layout, self.y, self.z, weight, rows, lines, rules, seed, None, numbers, self.signs)

    def member(self, weight: Array, seed: int, number: int, columns: Array | None = None, asked: Array | None = None) -> Member:
        """Tree `number` of an ensemble: grown on the rows with weight and on some of the columns, and its predictions for the
        rows that are asked about."""
        own = hash_one(seed, stream(number, GROWTH)) >> 1
        layout = self.table.layout if columns is None else np.ascontiguousarray(self.table.layout[:, columns])
        grown = self.grow(weight, own, layout, columns)
        if columns is not None:  # by their numbers in the whole table
            column = grown[0][:, records.COLUMN]
            grown[0][:, records.COLUMN] = np.where(column >= 0, columns[np.maximum(column, 0)], column)
        if self.alpha > 0:
            grown = cut_back(grown, self.table, self.factors, self.alpha)
        one, place, impurity = pack_tree(grown, self.table, self.columns, self.factors, self.signs is not None)
        asked = NO_ROWS if asked is None else asked
        said = one.value.take(answers_of_codes(grown, self.table, self.numbers, one, place, asked), axis=0)
        return Member(one, None, decreases(grown, self.columns), impurity, self.lost_weight(weight, one), asked, said)

    def lost_weight(self, weight: Array, one: Forest) -> float:
        """The part of the weight of the rows that the leaves do not account for."""
        total = float(weight.sum())
        if self.scale is not None and self.factors is not None and (self.scale != self.factors).any():
            total = float(np.bincount(self.y, weight, self.classes) @ (self.scale / self.factors))
        return abs(float(one.leaf_weight.sum()) - total) / total


def encode_table(data: EnsembleData, exact: bool | None) -> CodedTable:
    """The table as codes."""
    y = data.y if data.classes else data.y.reshape(data.count, -1)
    return coded_table(data.rows, y, data.weight, data.classes, data.there, exact=exact, orders=True, most=EXACT)


def numbers_to_open(rows: Rows, table: CodedTable, plan: Plan) -> ColumnNumbers:
    """The numbers of the columns that nodes may open."""
    if table.exact or len(table.long) or not in_memory(rows) or is_coded_from_sample(rows):
        return NO_NUMBERS
    if plan.splitter == "random" or plan.criterion in ("absolute_error", "gain_ratio"):
        return NO_NUMBERS
    return column_numbers(rows.X, binned_columns(table))


def weights_of_classes(total: Array, labels: Array, class_weight: Any) -> Array:
    """The weight of each class times what it counts."""
    if class_weight is None:
        return total
    one_of_each = ArrayRows(np.zeros((len(total), 1)), np.arange(len(total)), total)
    one_of_each.labels = labels
    changed = reweight(one_of_each, class_weight)
    assert in_memory(changed)
    assert changed.weight is not None
    return changed.weight


@compiled
def keep_lines(lines: Array, weight: Array, kept: Array) -> None:
    """The rows with weight in the order of each long column."""
    for c in range(len(lines)):
        at = 0
        for i in range(lines.shape[1]):
            if weight[lines[c, i]] > 0.0:
                kept[c, at] = lines[c, i]
                at += 1
