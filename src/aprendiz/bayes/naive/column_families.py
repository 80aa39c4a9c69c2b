"""Families of columns: which distribution each column of a mixed table has within a class, and the sums that settle it.

    gaussian      measurements                      weight, mean and scatter of each class
    bernoulli     0 and 1, True and False           how many of each
    poisson       counts 0, 1, 2, …                 weight and mean
    categorical   words, or numbers that are names  a table of counts

A family that was not asked for is found from the sums of all the rows, not from a block or a batch: words are categorical, a
column in which 0 and 1 occur and nothing else is bernoulli, other numbers are gaussian. Whole numbers may be ages as well as
counts, so poisson is only used if asked for. The sums suffice for any family of numbers, so parts of a table may disagree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from numbers import Integral
from typing import Any, Self

import numpy as np

from aprendiz.bayes.gaussian.class_spread import ClassSpread
from aprendiz.bayes.naive.class_counts import ClassCounts
from aprendiz.bayes.naive.independent_columns import spread_out, unite_labels
from aprendiz.compilation.compiled import compiled
from aprendiz.core.cells import Cells, Column, Kind, tidy
from aprendiz.core.columns import Columns, Mixed
from aprendiz.core.parameters import ParameterError
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sums import Sums

FAMILIES = ("gaussian", "bernoulli", "categorical", "poisson")


def asked_families(families: Mapping[Any, Any] | None, names: Sequence[Any]) -> tuple[str, ...]:
    """The family that was asked for, column by column; empty where none was."""
    asked, known = [""] * len(names), list(names)
    for column, family in (families or {}).items():
        if family not in FAMILIES:
            raise ParameterError(f"families: column {column!r} must be one of {', '.join(FAMILIES)}, got {family!r}.")
        numbered = isinstance(column, Integral) and 0 <= int(column) < len(known)
        if column not in known and not numbered:
            shown = ", ".join(map(repr, known[:20]))
            raise ValueError(f"families names the column {column!r}, which is not in X: use a name or number of {shown}.")
        asked[known.index(column) if column in known else int(column)] = family
    return tuple(asked)


def kinds_asked(schema: Columns, asked: Sequence[str]) -> dict[Any, Kind]:
    """The kinds of the columns of a schema: 0 and 1, True and False are numbers, unless asked to be categories."""
    kinds: dict[Any, Kind] = {}
    for column, family in zip(schema, asked, strict=True):
        yes_or_no = bool(column.levels) and all(level in (0, 1) for level in column.levels)
        if family == "categorical":
            kinds[column.name] = column.kind if column.kind in ("ordinal", "categorical") else "categorical"
        elif family in ("gaussian", "poisson") or yes_or_no:
            kinds[column.name] = "numeric"
    return kinds


@dataclass(frozen=True)
class ColumnLayout:
    """The columns of a table: their names, the families asked for, and the schema if some of them have levels."""

    names: tuple[Any, ...]
    asked: tuple[str, ...]
    schema: Columns | None

    @cached_property
    def numeric(self) -> list[int]:
        """Positions of the columns of numbers."""
        return list(range(len(self.names)) if self.schema is None else self.schema.numeric)

    @cached_property
    def coded(self) -> Columns:
        """The columns with levels."""
        return Columns(tuple(column for column in self.schema or () if column.kind != "numeric"))

    @cached_property
    def at_codes(self) -> list[int]:
        """Positions of the columns with levels."""
        return list(() if self.schema is None else self.schema.coded)

    def numbers(self, X: Any) -> Array:
        """The columns of numbers."""
        return self.parts(X)[0]

    def parts(self, X: Any) -> tuple[Array, Array]:
        """The numbers and the codes of some rows, mixed or plain."""
        if isinstance(X, Mixed):
            return X.numbers, X.codes
        if self.schema is None:
            return X, np.empty((len(X), 0), np.int32)
        codes = [Cells(self.names[j], np.asarray(X[:, j], float)).encode(self.schema.columns[j].levels) for j in self.at_codes]
        return np.ascontiguousarray(X[:, self.numeric]), np.ascontiguousarray(np.column_stack(codes))

    def checked_parts(self, block: Block) -> tuple[Array, Array]:
        """The same of a block, after a look at cells that their families do not allow."""
        numbers, codes = self.parts(block.X)
        families, names = ([of[j] for j in self.numeric] for of in (self.asked, self.names))
        refuse_strange_cells(numbers, families, names, block.start)
        return numbers, codes


def layout_of(rows: Rows, mixed: Columns | None, families: Mapping[Any, Any] | None) -> ColumnLayout:
    """The layout of rows of a mixed table, or of numbers, some of which may be names of categories."""
    if mixed is not None:
        return ColumnLayout(mixed.names, asked_families(families, mixed.names), mixed)
    names = tuple(range(rows.columns) if rows.names is None else rows.names)
    asked = asked_families(families, names)
    named = tuple(j for j, family in enumerate(asked) if family == "categorical")
    if not named:
        return ColumnLayout(names, asked, None)
    levels = dict(zip(named, rows.sum(DistinctValues.of, named).values, strict=True))
    schema = [Column(names[j], "numeric") for j in range(rows.columns)]
    for j, values in levels.items():
        schema[j] = Column(names[j], "categorical", tuple(map(tidy, values)))
    return ColumnLayout(names, asked, Columns(tuple(schema)))


@dataclass(frozen=True)
class DistinctValues(Sums):
    """The values that occur in some columns of numbers."""

    values: tuple[Array, ...]

    @classmethod
    def of(cls, columns: tuple[int, ...], block: Block) -> Self:
        cells = block.X[block.weights > 0][:, columns].astype(np.float64)
        return cls(tuple(np.unique(column[~np.isnan(column)]) for column in cells.T))

    def __add__(self, other: Self) -> Self:
        return type(self)(tuple(map(np.union1d, self.values, other.values)))


def refuse_strange_cells(numbers: Array, families: Sequence[str], names: Sequence[Any], start: int) -> None:
    """A cell that its family does not allow; `families` and `names` are those of the columns of numbers."""
    for family, wanted in (("bernoulli", "0 and 1"), ("poisson", "counts 0, 1, 2, …")):
        at = [j for j, one in enumerate(families) if one == family]
        x = numbers[:, at]
        strange = (x != 0) & (x != 1) if family == "bernoulli" else (x < 0) | (x != np.floor(x))
        strange &= x == x
        if strange.any():
            row, column = np.argwhere(strange)[0]
            name = names[at[column]]
            raise ValueError(
                f"Column {name!r} holds {x[row, column]:g} in row {start + row}, but a {family} column holds {wanted}: "
                f"correct the cell, or fit with families={{{name!r}: 'gaussian'}}."
            )


# ---- sums --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MixedSums(Sums):
    """What the rows of each class hold: the spread of the numbers, their zeros and ones, and counts of the categories."""

    spread: ClassSpread
    zeros: Array  # weight, classes × columns of numbers
    ones: Array
    others: Array  # cells that are neither
    words: ClassCounts
    asked: tuple[str, ...]
    schema: Columns | None = None

    @classmethod
    def of(cls, labels: Array, pivot: Array, layout: ColumnLayout, block: Block) -> Self:
        numbers, codes = layout.checked_parts(block)
        spread = ClassSpread.of(labels, pivot, replace(block, X=numbers))
        zeros, ones, others = np.zeros(pivot.shape), np.zeros(pivot.shape), np.zeros(pivot.shape, np.int64)
        count_zeros_and_ones(numbers, block.y, block.weights, zeros, ones, others)
        words = ClassCounts(labels, spread.total, ())
        if len(layout.coded):
            least = np.array([max(1, len(column.levels)) for column in layout.coded])
            coded: Any = Mixed(layout.coded, numbers, codes, codes < 0)
            words = ClassCounts.of(labels, least, None, replace(block, X=coded))
        return cls(spread, zeros, ones, others, words, layout.asked, layout.schema)

    def __add__(self, other: Self) -> Self:
        labels, here, there = unite_labels(self.labels, other.labels)
        pairs = ((self.zeros, other.zeros), (self.ones, other.ones), (self.others, other.others))
        zeros, ones, others = (spread_out(a, here, len(labels)) + spread_out(b, there, len(labels)) for a, b in pairs)
        schema = self.schema
        if schema is not None and other.schema is not None and schema is not other.schema:
            schema = schema.join(other.schema)
        spread, words = self.spread + other.spread, self.words + other.words
        return type(self)(spread, zeros, ones, others, words, self.asked, schema)

    def mark_declared(self, declared: bool) -> Self:
        return replace(self, spread=self.spread.mark_declared(declared))

    def families(self) -> list[str]:
        """The family of each column: as asked, or as found."""
        both = (self.zeros.sum(axis=0) > 0) & (self.ones.sum(axis=0) > 0) & (self.others.sum(axis=0) == 0)
        found = iter(["bernoulli" if yes else "gaussian" for yes in both])
        families = ["categorical" if self.is_coded(j) else next(found) for j in range(self.columns)]
        return [asked or inferred for asked, inferred in zip(self.asked, families, strict=True)]

    def is_coded(self, column: int) -> bool:
        """Has the column levels?"""
        return self.schema is not None and self.schema.columns[column].kind != "numeric"

    @property
    def labels(self) -> Array:
        return self.spread.labels

    @property
    def total(self) -> Array:
        """Weight of each class."""
        return self.spread.total

    @property
    def declared(self) -> bool:
        return self.spread.declared

    @property
    def weight(self) -> float:
        """Total weight n."""
        return self.spread.weight

    @property
    def columns(self) -> int:
        return len(self.asked)

    @property
    def finite(self) -> bool:
        return self.spread.finite


@compiled
def count_zeros_and_ones(X: Array, y: Array, w: Array, zeros: Array, ones: Array, others: Array) -> None:
    """Add the weight of the zeros and of the ones of each class and column, and the number of other cells."""
    for i in range(X.shape[0]):
        k = y[i]
        if w[i] == 0.0:
            continue
        for j in range(X.shape[1]):
            x = X[i, j]
            zeros[k, j] += w[i] * (x == 0)
            ones[k, j] += w[i] * (x == 1)
            others[k, j] += x == x and x != 0 and x != 1
