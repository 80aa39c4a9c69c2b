"""What a fit of boosted trees learns from: targets, weights and codes, of the rows to learn from and of those held out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.ensemble.boosting.codes import Codes
from aprendiz.ensemble.boosting.growth import TreeGrower
from aprendiz.ensemble.boosting.records import Table
from aprendiz.ensemble.members.ensemble_data import CountingRows


@dataclass(frozen=True)
class Part:
    """Some rows: their numbers among those that count (None: all), targets and weights."""

    rows: Array | None
    y: Array
    weight: Array | None

    @classmethod
    def of(cls, rows: Array | None, y: Array, weight: Array | None) -> Part:
        if rows is None:
            return cls(None, y, weight)
        return cls(rows, y[rows], None if weight is None else weight[rows])


@dataclass(frozen=True)
class BoostingData:
    """The rows of a fit, those to learn from, those that are held out (if any), and the numbers of those that count in the
    table (None: all). Weights are those that were given times `unit` (members/ensemble_data.py)."""

    source: Rows
    classes: int
    train: Part
    held_out: Part | None
    there: Array | None
    bins: int
    y: Array
    weight: Array | None
    unit: float

    @cached_property
    def codes(self) -> Codes:
        """The codes of all rows that count."""
        return Codes.of(self.source, len(self.y), self.weight, self.there, self.bins)

    @cached_property
    def table(self) -> Table:
        """The rows to learn from."""
        return self.codes.table(self.train.rows)

    @cached_property
    def held_out_table(self) -> Table:
        """The rows that are held out."""
        assert self.held_out is not None
        return self.codes.table(self.held_out.rows)

    def grower(self, learner: Any, signs: Array | None, members: Array | None) -> TreeGrower:
        """What grows the trees. Signs and sets are of all columns."""
        used = self.codes.used
        return TreeGrower(
            self.table,
            None if signs is None else signs[used],
            None if members is None else np.ascontiguousarray(members[:, used]),
            -1 if learner.max_leaf_nodes is None else int(learner.max_leaf_nodes),
            int(learner.min_samples_leaf),
        )

    def rows_of(self, part: Part) -> Any:
        """The table of some rows, in memory."""
        table = self.source.X if in_memory(self.source) else self.source.each(lambda block: block.X)
        table = table if self.there is None else table[self.there]
        return table if part.rows is None else table[part.rows]


def data_of(rows: Rows, classes: int, bins: int, choose: Any) -> BoostingData:
    """The data of a fit. `choose` says, of the targets of the rows that count and of their
    numbers (None: all count), which rows are learned from, and which are held out (None, None: nothing is)."""
    some = CountingRows.of(rows)
    y = some.y.astype(np.int64) if classes else np.require(some.y.reshape(-1), np.float64, ["C"])
    weight = None if some.weight is None else np.require(some.weight, np.float64, ["C"])
    train, held_out = choose(y, some.of_given)
    other = None if held_out is None else Part.of(held_out, y, weight)
    return BoostingData(some.table, classes, Part.of(train, y, weight), other, some.there, bins, y, weight, some.unit)
