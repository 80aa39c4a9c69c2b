"""What must be known of a table before it is factorised: that no cell is negative, and how large the cells are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy import sparse

from aprendiz.bayes.naive.column_totals import cells_of, first_cell
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.locale import _

SMALLEST, LARGEST = 2.0**-480, 2.0**480  # of the largest cell: its square is a number then


@dataclass(frozen=True)
class TableFacts:
    """Rows, columns, the least and the largest known cell, the sum of the cells, and of their squares, and how many are missing
    in each column."""

    rows: int
    columns: int
    least: float
    largest: float
    total: float
    squares: float
    gaps: Array

    @classmethod
    def of(cls, block: Block) -> Self:
        stored = np.asarray(cells_of(block.X), np.float64)
        full, gaps = stored.size == block.X.shape[0] * block.X.shape[1], np.zeros(block.X.shape[1], np.int64)
        if np.isnan(stored.sum()):
            gaps, stored = np.isnan(dense(block.X)).sum(axis=0), stored[~np.isnan(stored)]
        low, high = float(stored.min(initial=np.inf if full else 0.0)), float(stored.max(initial=0.0))
        squares = float(np.vdot(stored, stored))
        n, d = block.X.shape
        return cls(n, d, low, high, float(stored.sum()), squares, gaps)

    def __add__(self, other: Self) -> Self:
        return type(self)(
            self.rows + other.rows,
            self.columns,
            min(self.least, other.least),
            max(self.largest, other.largest),
            self.total + other.total,
            self.squares + other.squares,
            self.gaps + other.gaps,
        )

    @property
    def mean(self) -> float:
        """Of the known cells."""
        return self.total / max(float(self.rows) * self.columns - float(self.gaps.sum()), 1.0)

    @property
    def has_gaps(self) -> bool:
        return bool(self.gaps.any())

    @property
    def unit(self) -> float:
        """A power of four near the largest cell: factors are measured by its root."""
        return float(4.0 ** round(np.log2(self.largest) / 2.0)) if self.largest > 0 else 1.0


def stay_thin(rows: Rows) -> Rows:
    """A sparse table in memory is left sparse."""
    return rows.like(thin=True) if in_memory(rows) and rows.sparse else rows


def dense(X: Any) -> Array:
    """A block as an array."""
    return np.asarray(X.toarray() if sparse.issparse(X) else X)


def facts_of(rows: Rows, learner: str) -> TableFacts:
    """The facts of a table that can be factorised."""
    facts = rows.sum(TableFacts.of)
    if facts.least < 0:
        rows.sum(lambda block: refuse_negative(block, learner, rows.names))
    if facts.largest > LARGEST or 0 < facts.largest < SMALLEST:
        rows.sum(lambda block: refuse_size(block, facts.largest, rows.names))
    if (facts.gaps == facts.rows).any():
        column = int(np.argmax(facts.gaps == facts.rows))
        where = column if rows.names is None else repr(rows.names[column])
        raise ValueError(f"Column {where} has no known cell: nothing can be said of it. Leave it out.")
    return facts


def refuse_negative(block: Block, learner: str, names: Sequence[str] | None) -> int:
    """Stop at the first cell below 0."""
    if below_zero(cells_of(block.X)).any():
        row, column, value = first_cell(block.X, below_zero)
        words = _(
            "Negative values in data passed to {learner} (input X): {value} in row {row}, column {column}. "
            "Its parts only add up: leave the column out, or shift it so that it starts at 0."
        )
        where = column if names is None else repr(names[column])
        raise ValueError(words.format(learner=learner, value=f"{value:g}", row=block.start + row, column=where))
    return 0


def below_zero(cells: Array) -> Any:
    return cells < 0


def refuse_size(block: Block, largest: float, names: Sequence[str] | None) -> int:
    """Stop at the cell that is the largest, where its square is none."""
    if (cells_of(block.X) >= largest).any():
        row, column, value = first_cell(block.X, lambda cells: cells >= largest)
        where = column if names is None else repr(names[column])
        size = "large" if largest > LARGEST else "small"
        raise ValueError(
            f"Input X holds values too {size} to be squared: the largest is {value:.3g} in row {block.start + row}, column "
            f"{where}. Scale the table."
        )
    return 0
