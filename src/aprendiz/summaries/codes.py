"""Columns of codes: each cell holds one of a few categories, as its number 0, 1, 2, … or as a word.

Words are read through their schema (core/columns.py), which has the code of each level; numbers are codes already, and
anything else is refused with its row and column. A missing cell is −1, or NaN among numbers.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.columns import Columns, Mixed
from aprendiz.core.rows import Array, Block, Rows
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.sums import Extremes
from aprendiz.locale import _

UNKNOWN = -1  # the code of a missing cell
MOST_CATEGORIES = 2**20  # categories of a column; a larger code is no code but an identifier


def categorical_schema(X: Any, levels: Mapping[Any, Sequence[Any]] | None = None) -> Columns:
    """The schema of a table with words in it: every column is categorical, whole numbers too."""
    found = Columns.of(X, levels=levels)
    numbers = [column.name for column in found if column.kind == "numeric"]
    if not numbers:
        return found
    columns = Columns.of(X, kinds=dict.fromkeys(numbers, "categorical"), levels=levels)
    for name in numbers:
        if measured := [level for level in columns[name].levels if not isinstance(level, int)]:
            raise ValueError(f"Column {name!r} holds measurements such as {measured[0]}: bin them (KBinsDiscretizer).")
    return columns


def codes_of(block: Block, names: Sequence[str] | None, learner: str) -> Array:
    """The categories of a block, as numbers: −1 or NaN where a cell is missing."""
    if isinstance(block.X, Mixed):
        return block.X.codes
    refuse_no_codes(block.X, block.start, names, learner)
    return block.X


def refuse_no_codes(codes: Array, start: int, names: Sequence[str] | None, learner: str) -> None:
    """Numbers that count no categories."""
    row, column = first_no_code(codes, MOST_CATEGORIES)
    if row < 0:
        return
    value = codes[row, column]
    where = f"row {start + row}, column {column if names is None else repr(names[column])}"
    if value < 0:
        raise ValueError(f"Negative values in data passed to {learner} (input X): {value:g} in {where}. Count from 0.")
    if value != np.floor(value):
        raise ValueError(f"Input X holds {value:g} in {where}: categories are whole numbers from 0. Bin the column.")
    raise ValueError(f"Input X holds {value:g} in {where}: no column has so many categories. Encode it (OrdinalEncoder).")


def coded_block(block: Block, names: Sequence[str] | None, learner: str) -> tuple[Array, Array, Array]:
    """The categories of a block as whole numbers, −1 where a cell is missing; the largest of each column in the rows that
    count, −1 where none is known; and which rows miss a cell."""
    cells, least = (block.X.codes, UNKNOWN) if isinstance(block.X, Mixed) else (block.X, 0)
    codes, highest = np.empty(cells.shape, np.int32), np.full(cells.shape[1], UNKNOWN, np.int32)
    incomplete = np.empty(len(cells), bool)
    cells = np.ascontiguousarray(cells)
    if not read_codes(cells, block.weights, least, MOST_CATEGORIES, codes, highest, incomplete):
        refuse_no_codes(cells, block.start, names, learner)
    return codes, highest, incomplete


@compiled
def read_codes(X: Array, w: Array, least: int, most: int, codes: Array, highest: Array, incomplete: Array) -> bool:
    """The cells as whole numbers, −1 for NaN; the largest of each column in the rows that count; which rows miss a cell.
    Returns whether all cells are codes from `least` to below `most`."""
    good = True
    for i in range(X.shape[0]):
        missing, counts = False, w[i] > 0.0
        for j in range(X.shape[1]):
            x = X[i, j]
            known = x == x
            code = np.int32(x if known else -1.0)
            if known and not (x >= least and x < most and x == code):
                good = False
            if code < 0:
                missing = True
            codes[i, j] = code
        incomplete[i] = missing
        if counts:
            for j in range(X.shape[1]):
                highest[j] = max(highest[j], codes[i, j])
    return good


@compiled
def first_no_code(X: Array, most: int) -> tuple[int, int]:
    """Row and column of the first negative cell, else of the first that is no whole number or too large, else (−1, −1)."""
    row, column = -1, -1
    for i in range(X.shape[0]):
        strange = False
        for j in range(X.shape[1]):
            x = X[i, j]
            strange |= x < 0 or x >= most or (x == x and x != np.floor(x))
        if strange:
            for j in range(X.shape[1]):
                x = X[i, j]
                if x < 0:
                    return i, j
                if row < 0 and (x >= most or (x == x and x != np.floor(x))):
                    row, column = i, j
    return row, column


@compiled
def highest_codes(X: Array, w: Array) -> Array:
    """The largest code of each column in the rows that count, −1 where every cell is missing."""
    highest = np.full(X.shape[1], -1, np.int64)
    for i in range(X.shape[0]):
        if w[i] > 0.0:
            for j in range(X.shape[1]):
                if X[i, j] > highest[j]:
                    highest[j] = int64(X[i, j])
    return highest


def warn_of_unseen(rows: Rows, sizes: Any, stacklevel: int) -> None:
    """Say which columns hold categories that the fit did not see. (Of words, the door has said so.)"""
    if in_memory(rows) and isinstance(rows.X, Mixed):
        return
    highest = rows.sum(Extremes.of).high
    for column in np.flatnonzero(highest >= sizes):
        name = repr(rows.names[int(column)]) if rows.names is not None else column
        words = _("Column {column} holds category {category}, not seen in the fit (0 to {last}). Such cells are ignored.")
        said = words.format(column=name, category=f"{highest[column]:g}", last=sizes[column] - 1)
        warnings.warn(said, UserWarning, stacklevel=stacklevel + 1)


def add_padded(a: Array, b: Array) -> Array:
    """The sum of two tables of counts, each of which may have more categories on an axis."""
    if a.shape == b.shape:
        return np.asarray(a + b)
    total = np.zeros(np.maximum(a.shape, b.shape))
    for part in (a, b):
        total[tuple(map(slice, part.shape))] += part
    return total
