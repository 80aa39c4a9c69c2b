"""What the members of an ensemble are made from: the target and the weights of the rows, their bags, and the maker, which codes
the table when the first member is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.ensemble.forest.forest import Forest
from aprendiz.ensemble.members.bags import Bags
from aprendiz.tree.growth.grow_tree import weight_unit
from aprendiz.tree.growth.targets_that_count import targets_that_count

LARGEST_WEIGHT = 2.0**60  # of a row that is not written in another unit: leaves hold singles
NO_ROWS = np.zeros(0, np.int32)


@dataclass(frozen=True)
class Member:
    """A member as it is made: a forest of one tree, or another model; the part of each column in it; the impurity that is left
    in its leaves; the part of the weight of its rows that they do not account for; and what it says of some rows that it has
    not seen."""

    forest: Forest | None
    model: Any
    importance: Array
    impurity: float
    lost: float
    rows: Array
    said: Array


@dataclass(frozen=True)
class EnsembleData:
    """Rows, target and weights of a fit.

    Attributes
    ----------
    seed : int
    rows : Rows
    y : ndarray of shape (n,) or (n, outputs)
        Numbers of classes, or numbers.
    weight : ndarray of shape (n,), optional
    costs : ndarray of shape (classes, classes), optional
        Of predictions (columns) for true classes (rows).
    make : function of this record
        Gives the maker.
    bags : Bags, optional
    there : ndarray of row numbers, optional
        The rows that count, where `rows` has others.
    """

    seed: int
    rows: Rows
    y: Array
    weight: Array | None
    costs: Array | None
    make: Callable[[EnsembleData], Any]
    bags: Bags | None = None
    there: Array | None = None

    @property
    def labels(self) -> Array | None:
        return self.rows.labels

    @property
    def count(self) -> int:
        return len(self.y)

    @property
    def classes(self) -> int:
        return 0 if self.labels is None else len(self.labels)

    @property
    def outputs(self) -> int:
        """Numbers of a prediction."""
        return self.classes or (1 if self.y.ndim == 1 else int(self.y.shape[1]))

    @cached_property
    def maker(self) -> Any:
        """What makes the members."""
        return self.make(self)

    @property
    def weights(self) -> Array:
        """The weight of each row; a copy."""
        return np.ones(self.count) if self.weight is None else self.weight.copy()

    def that_count(self, of_rows: Array) -> Array:
        """What is known of all rows, of those that count."""
        return of_rows if self.there is None else of_rows[self.there]


@dataclass(frozen=True)
class CountingRows:
    """A table, target and weights of its rows that count, and their numbers among those of the table and among those given
    (None: all). Weights are those that were given times `unit`."""

    table: Rows
    y: Array
    weight: Array | None
    there: Array | None
    of_given: Array | None
    unit: float = 1.0

    @classmethod
    def of(cls, rows: Rows) -> CountingRows:
        """Rows in memory that do not count are left out of the table; those of files stay. Weights are in a unit in which
        leaves can hold them."""
        y, weight, there = targets_that_count(rows)
        unit = 1.0 if weight is None else weight_unit(weight, LARGEST_WEIGHT)
        weight = weight if weight is None or unit == 1.0 else weight * unit
        if there is None or not in_memory(rows):
            return cls(rows, y, weight, there, there, unit)
        return cls(rows.like(X=rows.X[there], y=y, weight=weight), y, weight, None, there, unit)
