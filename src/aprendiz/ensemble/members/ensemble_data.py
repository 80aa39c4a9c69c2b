"""What the members of an ensemble are made from: the target and the weights of the rows, their bags, and the maker, which codes
the table when the first member is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.ensemble.forest.forest import Forest
from aprendiz.ensemble.members.bags import Bags
from aprendiz.tree.growth.grow_tree import weight_unit

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
        Of answers (columns) for true classes (rows).
    make : function of this record
        Gives the maker.
    bags : Bags, optional
    """

    seed: int
    rows: Rows
    y: Array
    weight: Array | None
    costs: Array | None
    make: Callable[[EnsembleData], Any]
    bags: Bags | None = None

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
        """Numbers of an answer."""
        return self.classes or (1 if self.y.ndim == 1 else int(self.y.shape[1]))

    @cached_property
    def maker(self) -> Any:
        """What makes the members."""
        return self.make(self)

    @property
    def weights(self) -> Array:
        """The weight of each row; a copy."""
        return np.ones(self.count) if self.weight is None else self.weight.copy()


def counting(rows: Rows) -> tuple[Rows, Array | None]:
    """The rows that count, and their numbers if there are others. Rows of files stay as they are."""
    if not in_memory(rows) or rows.weight is None or (rows.weight > 0).all():
        return rows, None
    refuse_empty_sums(rows.weight, True, rows)
    there = np.flatnonzero(rows.weight > 0)
    assert rows.y is not None
    return rows.like(X=rows.X[there], y=rows.y[there], weight=rows.weight[there]), there


def target_and_weight(rows: Rows) -> tuple[Array, Array | None]:
    """Target and weights of all rows, wherever they are; weights in a unit in which leaves can hold them."""
    y, weight = given_target_and_weight(rows)
    unit = 1.0 if weight is None else weight_unit(weight, LARGEST_WEIGHT)
    return y, weight if weight is None or unit == 1.0 else weight * unit


def given_target_and_weight(rows: Rows) -> tuple[Array, Array | None]:
    """The same, weights as they were given."""
    if in_memory(rows):
        assert rows.y is not None
        return rows.y, rows.weight
    weighted = rows.first(lambda block: block.weight is not None)
    y, weight = rows.each(lambda block: block.y), rows.each(lambda block: block.weight) if weighted else None
    if weight is not None:
        refuse_empty_sums(weight, True, rows)
    return y, weight
