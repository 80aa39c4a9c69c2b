"""Growing a tree by a function of the class shares, in plain Python: for small tables.

In every node all candidates (candidate_splits.py) are tried and the one with the largest decrease is asked, as the compiled
growth does with the impurities that it knows: the same rules, the same order, and the same tree where the function is one of
those. Levels are cut in the order of the share of the second class where there are two classes, which finds the best division
if φ is concave.

Cost: O(n²·d) calls of NumPy at worst, against O(n·d) a level in growth/.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.parameters import ParameterError
from aprendiz.core.random import mix
from aprendiz.core.rows import Array
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.tree.growth import records
from aprendiz.tree.growth.assembly import assembled
from aprendiz.tree.growth.coding import CodedTable
from aprendiz.tree.growth.grow_tree import new_surrogates, table_rows
from aprendiz.tree.growth.impurities import Contents, refuse_impurity
from aprendiz.tree.growth.plan import SURROGATES, UNLIMITED, Plan, columns_of, rows_of
from aprendiz.tree.growth.records import LongColumns, Surrogates
from aprendiz.tree.growth.surrogates import find_surrogates, send_missing
from aprendiz.tree.reading.candidate_splits import CandidateSplit, Limits, best_of, candidates, is_boundary
from aprendiz.tree.shared.nodes import Tree


@dataclass(eq=False)
class PlainNode:
    """A node: the branch of a parent (−1: the root) it is, its rows with what they count in it, and its split."""

    parent: int
    branch: int
    depth: int
    key: Array
    rows: Array
    contents: Contents
    asks: CandidateSplit | None = None
    divided: bool = False
    missing: int = 0
    surrogates: tuple[Array, Array, Array, Array] | None = None

    @property
    def gain(self) -> float:
        """The decrease, in weight."""
        assert self.asks is not None
        return self.asks.decrease * self.contents.total


class PlainGrowth:
    """A tree that grows on some rows, node by node."""

    def __init__(self, rows: ArrayRows, plan: Plan, seed: int, y: Array, weight: Array, classes: int):
        if not callable(plan.criterion):
            raise ParameterError(f"criterion must be a function of the class shares, got {plan.criterion!r}.")
        if plan.splitter == "random":
            raise ParameterError(
                'splitter="random" needs a criterion with a name, such as "gini": a function tries every split.'
            )
        refuse_impurity(plan.criterion, classes)
        self.X, self.plan, self.weight = rows.X, plan, weight
        self.limits = Limits.of(plan, len(y), float(weight.sum()))
        self.min_split = max(2, rows_of(plan.min_samples_split, len(y)), 2 * self.limits.rows)
        self.least = plan.min_impurity_decrease * weight.sum()
        self.table = CodedTable.of(rows.X, None, exact=True, orders=plan.categories == "subsets")
        everything = Contents(y, weight, classes, plan.criterion)
        self.nodes = [PlainNode(-1, 0, 0, np.array([seed], np.uint64), np.arange(len(y)), everything)]
        self.waiting = list[int]()

    def grow(self) -> None:
        """Divide one node after the other: the last one, or the one that gains most."""
        self.examine(0)
        leaves = 1
        while self.waiting:
            t = self.next_node()
            parts = len(self.nodes[t].asks.weight)  # type: ignore[union-attr]  # what waits has a split
            if leaves + parts - 1 > (self.plan.max_leaf_nodes or UNLIMITED):
                return
            self.waiting.remove(t)
            self.divide(t)
            leaves += parts - 1

    def next_node(self) -> int:
        if self.plan.max_leaf_nodes is None:
            return self.waiting[-1]
        return max(self.waiting, key=lambda t: (self.nodes[t].gain, -t))

    # ---- a node --------------------------------------------------------------------------------------------------------

    def examine(self, t: int) -> None:
        """Find the split of a node, if it is to have one."""
        node, plan = self.nodes[t], self.plan
        impurity, total = node.contents.impurity, node.contents.total
        deep = plan.max_depth is not None and node.depth >= plan.max_depth
        if impurity == 0.0 or deep or len(node.rows) < self.min_split or total < 2.0 * self.limits.weight:
            return
        tie = records.TIE * impurity
        best = best_of((one for column in self.splits(node) if (one := best_of(column, tie)) is not None), tie)
        if best is not None and best.decrease > -tie and (best.decrease + tie) * total >= self.least:
            node.asks = best
            self.waiting.append(t)

    def splits(self, node: PlainNode) -> Iterator[list[CandidateSplit]]:
        """The candidates of each column that the node looks at; columns without any do not count."""
        X, d = self.X[node.rows], self.X.shape[1]
        drawn, key, most, asked = np.arange(d), node.key, columns_of(self.plan.max_features, d), 0
        for seen in range(d):
            if seen >= most and asked > 0:
                return
            if most < d:
                key = mix(key)
                other = seen + int(key[0] % np.uint64(d - seen))
                drawn[[seen, other]] = drawn[[other, seen]]
            for found in candidates(X, node.contents, self.plan, self.limits, [int(drawn[seen])], every=False):
                asked += bool(found)
                boundary = self.plan.thresholds == "boundary"
                yield [one for one in found if is_boundary(one, node.contents.y)] if boundary else found

    def divide(self, t: int) -> None:
        """Send the rows of a node to its branches."""
        node = self.nodes[t]
        assert node.asks is not None
        node.divided, known = True, node.asks.weight
        branch, weight = node.asks.branch, node.contents.weight
        own = node.asks.groups.missing and self.plan.missing == "own"
        largest = -1 if self.plan.missing == "fractional" else int(known.argmax())
        node.missing = int(node.asks.side[-1]) if own else largest
        if self.plan.missing == "surrogate":
            branch = self.follow_surrogates(node, branch)
        for b in range(len(known)):
            share = np.where(branch == b, 1.0, np.where(branch < 0, known[b] / known.sum(), 0.0))
            here = share > 0
            inside = Contents(node.contents.y[here], (weight * share)[here], node.contents.classes, node.contents.criterion)
            key = mix(node.key + np.uint64(b + 1))
            self.nodes.append(PlainNode(t, b, node.depth + 1, key, node.rows[here], inside))
            self.examine(len(self.nodes) - 1)

    def follow_surrogates(self, node: PlainNode, branch: Array) -> Array:
        """The branches, with rows whose cell is missing where the surrogate splits send them."""
        assert node.asks is not None
        table, rows = self.table, node.rows.astype(np.int32)
        everywhere = np.full(len(self.weight), -1, np.int32)
        everywhere[rows] = branch
        inside = np.isin(np.arange(len(self.weight)), rows)
        lines = np.array([line[inside[line]] for line in table.lines], np.int32).reshape(len(table.lines), len(rows))
        long = LongColumns(table.long, lines) if len(lines) else None
        found = new_surrogates(table.layout, table_rows(table.layout), SURROGATES)
        kept = find_and_follow(
            *(node.asks.column, table.layout, table.bounds, self.weight, rows, everywhere, node.missing, SURROGATES),
            *(table.short, long, found),
        )
        order = found.order[:kept]
        node.surrogates = order, found.kind[order], found.shares[order], found.sides[order]
        return everywhere[rows].astype(np.int64)

    # ---- the tree ------------------------------------------------------------------------------------------------------

    def tree(self, factors: Array) -> Tree:
        """The nodes as `grow_tree` would give them, assembled."""
        m = self.nodes[0].contents.classes
        whole, real = np.zeros((len(self.nodes), records.NODE_NUMBERS), np.int64), np.zeros((len(self.nodes), records.SUMS + m))
        levels = PlainLevels(self.table.layout)
        others, other_real = list[list[int]](), list[Array]()
        for t, node in enumerate(self.nodes):
            whole[t, [records.PARENT, records.BRANCH, records.ROWS]] = node.parent, node.branch, len(node.rows)
            whole[t, [records.COLUMN, records.LEVELS]], real[t, records.THRESHOLD] = (records.LEAF, -1), records.LEAF
            real[t, [records.IMPURITY, records.WEIGHT]] = node.contents.impurity, node.contents.total
            real[t, records.SUMS :] = node.contents.summary
            if node.asks is None or not node.divided:
                continue
            whole[t, [records.COLUMN, records.MISSING]] = node.asks.column, node.missing
            real[t, records.THRESHOLD] = node.asks.threshold
            if not node.asks.groups.ordered:
                known = node.asks.groups.values.astype(np.int64)
                whole[t, records.LEVELS] = levels.add(node.asks.column, known, node.asks.side[: len(known)])
            for column, kind, numbers, their in zip(*(node.surrogates or ((), (), (), ())), strict=True):
                unordered = self.table.layout[records.UNORDERED, column]
                start = levels.add(column, np.arange(len(their)), their) if unordered else -1
                others.append([t, int(column), int(kind[1]), start])
                other_real.append(numbers)
        grown = (whole, real, levels.branches, np.array(others, np.int64).reshape(-1, 4), np.array(other_real).reshape(-1, 2))
        return assembled(grown, self.table.layout, factors)


class PlainLevels:
    """The branches of levels, one run after another."""

    def __init__(self, layout: Array):
        self.sizes, self.branches = layout[records.SIZE], np.zeros(0, np.int32)

    def add(self, column: Any, codes: Array, side: Array) -> int:
        """Add the run of a split, −1 for levels that do not occur; returns where it begins."""
        start, run = len(self.branches), np.full(max(int(self.sizes[column]), len(codes)), -1, np.int32)
        run[codes] = side
        self.branches = np.concatenate([self.branches, run[: self.sizes[column]]])
        return start


def grown_plainly(rows: ArrayRows, plan: Plan, seed: int, y: Array, weight: Array, factors: Array | None) -> Tree:
    """The tree of some rows whose criterion is a function. `weight` is that of the search (see decision_tree.py)."""
    assert factors is not None
    growing = PlainGrowth(rows, plan, seed, y, weight, len(factors))
    growing.grow()
    return growing.tree(factors)


@compiled
def find_and_follow(
    own: int, layout: Array, bounds: Array, weight: Array, rows: Array, branch: Array, largest: int, most: int, short: Array,
    lines: LongColumns | None, surrogates: Surrogates,
) -> int:  # fmt: skip
    """Find the surrogate splits of a node, and send its rows without a branch where they say. Returns how many there are."""
    kept = find_surrogates(own, layout, bounds, weight, rows, 0, branch, most, short, lines, True, surrogates)
    send_missing(rows, branch, largest, kept, layout, short, lines, surrogates)
    return kept
