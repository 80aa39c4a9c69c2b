"""Growing a tree level by level, from tables that add: for tables too large to be kept even as codes.

Others are grown node by node (growth/). Rows that are read again at every pass are better served by all nodes of a level at
once: in one pass each row falls down to its node and is added to the tables of that node,

    table[node, column, code] = Σ (sums of the target, weight, 1, squares)     over the rows of the node with that code,     (1)

which is a sum over blocks like any other; then the best split of each node is found as in memory, from the same tables.
The bins are those of sampled_codes.py.

Cost: a pass for each level (more where the tables of a level would take more than `TABLE_BYTES`), O(n·d) each; memory: the
tables.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from aprendiz.compilation.compiled import compiled
from aprendiz.core.hashing import mix
from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import Sums
from aprendiz.tree.growth import records
from aprendiz.tree.growth.assembly import assembled, depth_first
from aprendiz.tree.growth.plan import Plan
from aprendiz.tree.growth.sampled_codes import CODES, ColumnBins, bin_of, sampled_rows
from aprendiz.tree.growth.search_tables import search_tables
from aprendiz.tree.growth.targets_that_count import targets_that_count
from aprendiz.tree.shared.descent import TreeDescent
from aprendiz.tree.shared.nodes import Tree

TABLE_BYTES = 2**24  # bytes of tables in a pass


def grown_by_levels(rows: Rows, plan: Plan, seed: int, scale: Array | None, factors: Array | None) -> tuple[Tree, int]:
    """The tree of some rows, and how many of them the largest bin of several values holds. `scale` multiplies the weights of
    the classes; they are divided by `factors` afterwards (both None for numbers)."""
    refuse_plan(plan)
    y, weight, there = targets_that_count(rows)
    bins = ColumnBins.of(rows, y, weight, 0 if scale is None else len(scale), there)
    target = Target.of(plan, y[sampled_rows(len(y), rows.columns)], scale)
    level = Nodes(bins, target, plan, seed)
    while level.waiting:
        for some in level.runs():
            level.look(some, rows.sum(Tables.of, level.tree(None), level.slots(some), bins.low, bins.size, target).cells)
        level.go_down()
    return level.tree(factors), bins.largest_bin


def refuse_plan(plan: Plan) -> None:
    """What needs the rows of a node at once."""
    for name in what_needs_rows(plan):
        raise ParameterError(f"{name} needs the rows in memory, and these are too many: read a part of them, or leave it out.")


def what_needs_rows(plan: Plan) -> list[str]:
    """The parameters that need the rows of a node at once."""
    wrong = {
        'criterion="absolute_error"': plan.criterion == "absolute_error",
        "a target of several columns of classes": plan.targets > 0,
        "a criterion that is a function": callable(plan.criterion),
        f'missing="{plan.missing}"': plan.missing != "own",
        "max_leaf_nodes": plan.max_leaf_nodes is not None,
        "exact=True": plan.exact is True,
        "monotonic_cst": plan.monotonic_cst is not None,
    }
    return [name for name, there in wrong.items() if there]


# ---- target ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Target:
    """Number of classes (0: numbers), factors of their weights, criterion, and what is subtracted from numbers."""

    classes: int
    scale: Array
    criterion: int
    origin: Array

    @classmethod
    def of(cls, plan: Plan, y: Array, scale: Array | None) -> Self:
        code = plan.rules(2, 1, 1.0, 0).criterion
        if scale is not None:
            return cls(len(scale), scale, code, np.zeros(0))
        z = y.reshape(len(y), -1)
        return cls(0, np.zeros(0), code, np.zeros(z.shape[1]) if code == records.POISSON else z.mean(axis=0))

    @property
    def sums(self) -> int:
        """Sums in a cell of the table."""
        return self.classes or len(self.origin)

    @property
    def width(self) -> int:
        """Entries of a cell: sums, weight, rows, and for numbers what their impurity needs."""
        return self.sums + 2 + (0 if self.classes else self.sums)

    def parts(self, block: Block) -> tuple[Array, Array, Array]:
        """Class, entries of numbers, and weight of each row."""
        if self.classes:
            return block.y.astype(np.int32), np.empty((len(block), 0)), block.weights * self.scale[block.y]
        z = block.y.reshape(len(block), -1) - self.origin
        if self.criterion == records.POISSON:
            curved = z * np.log(np.where(z > 0, z, 1.0))
        else:
            curved = z * z
        return np.zeros(len(block), np.int32), np.hstack([z, curved]), block.weights

    def impurity(self, cell: Array) -> float:
        """i(t) of the entries of a node; 0 where rounding could be all of it."""
        m, w = self.sums, cell[self.sums]
        if self.classes:
            p = cell[:m] / w
            p = p[p > 0]
            if len(p) < 2:
                return 0.0
            values = {records.SQUARES: 1 - (p * p).sum(), records.ENTROPY: -(p * np.log2(p)).sum(), records.ERROR: 1 - p.max()}
            return float(values[self.criterion])
        S, curved = cell[:m], cell[m + 2 :]
        if self.criterion == records.POISSON:
            left = curved - np.where(S > 0, S * np.log(np.where(S > 0, S, 1.0) / w), 0.0)
        else:
            left = curved - S * S / w
        return float(np.where(left > 1e-12 * np.abs(curved), left, 0.0).mean() / w)


@dataclass(frozen=True)
class Tables(Sums):
    """(1): of shape (nodes, columns, codes, entries)."""

    cells: Array

    @classmethod
    def of(cls, tree: Tree, slots: Array, low: Array, size: Array, target: Target, block: Block) -> Self:
        cells = np.zeros((int(slots.max()) + 1, len(size), CODES, target.width))
        slot = slots[TreeDescent(tree).leaves(block)]
        y, z, w = target.parts(block)
        add_rows(block.X, slot, y, z, w, target.classes, low, size, cells)
        return cls(cells)

    def __iadd__(self, other: Self) -> Self:
        np.add(self.cells, other.cells, out=self.cells)
        return self


# ---- the tree ----------------------------------------------------------------------------------------------------------


class Nodes:
    """A tree on its way down: all nodes so far, those to be looked at, and those that their looks created."""

    def __init__(self, bins: ColumnBins, target: Target, plan: Plan, seed: int):
        self.bins, self.target, self.plan = bins, target, plan
        self.whole, self.real = [np.zeros(records.NODE_NUMBERS, np.int64)], [np.ones(records.SUMS + target.sums)]
        self.whole[0][records.PARENT], self.whole[0][records.COLUMN], self.whole[0][records.LEVELS] = -1, records.LEAF, -1
        self.real[0][records.THRESHOLD] = -2.0
        self.keys = [np.uint64(seed)]
        self.waiting, self.below = [0], list[int]()
        self.rules: Any = None  # known when the root is

    def runs(self) -> Iterator[list[int]]:
        """The nodes to be looked at, as many at a time as have room."""
        most = max(1, TABLE_BYTES // (8 * len(self.bins.size) * CODES * self.target.width))
        waiting = list(self.waiting)
        return (waiting[i : i + most] for i in range(0, len(waiting), most))

    def slots(self, some: list[int]) -> Array:
        """The number of a node among some, by its place in depth-first order; −1 for all others."""
        place = depth_first(np.array([node[records.PARENT] for node in self.whole]))
        slots = np.full(len(place), -1, np.int64)
        slots[place[some]] = np.arange(len(some))
        return slots

    def tree(self, factors: Array | None) -> Tree:
        """The tree so far."""
        nothing = np.empty((0, 4), np.int64), np.empty((0, 2))
        grown = (np.array(self.whole), np.array(self.real), np.empty(0, np.int32), *nothing)
        classes = None if not self.target.classes else np.ones(self.target.classes) if factors is None else factors
        return assembled(grown, self.bins.layout, classes)

    def look(self, some: list[int], cells: Array) -> None:
        """Find the splits of some nodes from their tables, and create their children."""
        entries = cells[:, 0].sum(axis=1)  # of each node: any column will do
        for t, cell in zip(some, entries, strict=True):
            self.note(t, cell)
        if self.rules is None:
            rows, weight = int(self.whole[0][records.ROWS]), float(self.real[0][records.WEIGHT])
            self.rules = self.plan.rules(rows, len(self.bins.size), weight, self.target.classes, self.target.sums)
        spread = np.array([self.real[t][records.WEIGHT] * self.real[t][records.IMPURITY] for t in some])
        tables = np.ascontiguousarray(cells[..., : self.target.sums + 2])
        keys = np.array([self.keys[t] for t in some], np.uint64)
        whole, real = search_tables(tables, spread, self.bins.layout, self.bins.bounds, self.rules, keys)
        least = self.rules.min_decrease * self.real[0][records.WEIGHT]
        for t, table, (column, below, side), (gain, threshold), tie in zip(
            some, cells, whole, real, records.TIE * spread, strict=True
        ):
            if column >= 0 and gain > -tie and (gain + tie) * self.rules.unit >= least and self.may_be_divided(t):
                self.divide(t, table[column], int(column), int(below), int(side), float(threshold))

    def note(self, t: int, cell: Array) -> None:
        """What is known of a node from its entries."""
        m, real = self.target.sums, self.real[t]
        self.whole[t][records.ROWS] = round(cell[m + 1])
        real[records.WEIGHT], real[records.IMPURITY] = cell[m], self.target.impurity(cell)
        real[records.SUMS :] = cell[:m] if self.target.classes else self.target.origin + cell[:m] / cell[m]

    def may_be_divided(self, t: int) -> bool:
        """(1) of plan.py, as far as it does not depend on a split."""
        rows, rules = self.whole[t][records.ROWS], self.rules
        return bool(
            self.real[t][records.IMPURITY] > 0
            and self.whole[t][records.DEPTH] < rules.max_depth
            and rows >= rules.min_split
            and rows >= 2 * rules.min_leaf
            and self.real[t][records.WEIGHT] >= 2 * rules.min_weight
        )

    def divide(self, t: int, table: Array, column: int, below: int, side: int, threshold: float) -> None:
        """Write the split of a node down, and create its two branches."""
        size, m = int(self.bins.size[column]), self.target.sums
        sides = [table[: below + 1].sum(axis=0), table[below + 1 : size].sum(axis=0)]
        if side < 0:
            side = int(sides[1][m] > sides[0][m] * (1.0 + records.TIE))
        sides[side] = sides[side] + table[size]
        node = self.whole[t]
        node[records.COLUMN], node[records.MISSING], node[records.PARTS] = column, side, 2
        self.real[t][records.THRESHOLD] = threshold
        for b, cell in enumerate(sides):
            child = np.zeros(records.NODE_NUMBERS, np.int64)
            child[[records.PARENT, records.BRANCH, records.COLUMN, records.LEVELS, records.DEPTH]] = (
                *(t, b, records.LEAF, -1, node[records.DEPTH] + 1),
            )
            self.whole.append(child)
            self.real.append(np.full(records.SUMS + m, -2.0))
            self.keys.append(np.uint64(mix(np.uint64(self.keys[t] + np.uint64(b + 1)))))
            self.note(len(self.whole) - 1, cell)
            if self.may_be_divided(len(self.whole) - 1):
                self.below.append(len(self.whole) - 1)

    def go_down(self) -> None:
        """The next level."""
        self.waiting, self.below = self.below, []


# ---- kernels -----------------------------------------------------------------------------------------------------------


@compiled
def add_rows(X: Array, slot: Array, y: Array, z: Array, w: Array, classes: int, low: Array, size: Array, cells: Array) -> None:
    """Add the rows of the nodes that are looked at to their tables."""
    m = classes if classes else z.shape[1] // 2
    for i in range(len(X)):
        s = slot[i]
        if s < 0 or w[i] <= 0.0:
            continue
        for j in range(X.shape[1]):
            b = bin_of(X[i, j], j, low, size)
            cells[s, j, b, m] += w[i]
            cells[s, j, b, m + 1] += 1.0
            if classes:
                cells[s, j, b, y[i]] += w[i]
            for k in range(z.shape[1]):
                cells[s, j, b, k if k < m else k + 2] += w[i] * z[i, k]
