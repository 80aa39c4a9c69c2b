"""Which branch rows take at a node, for many rows side by side.

The column that decides at a node is the one whose cell is read: that of the split, or, where its cell is missing, that of the
first surrogate split whose cell is known. Where a row without an answer takes all branches, no column decides.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from aprendiz.compilation.compiled import compiled, int64
from aprendiz.core.rows import Array, read_only
from aprendiz.tree.contributions.edges import NO_COLUMN
from aprendiz.tree.shared.descent import Splits, SurrogateSplits, TableCells, TreeDescent, answer, branch_of


class RowsSideBySide(NamedTuple):
    """Cells of some rows, and the numbers among them with a line for each column."""

    cells: TableCells
    columns: Array


def side_by_side(cells: TableCells) -> RowsSideBySide:
    """The cells in double precision, read-only, so that kernels are compiled once."""
    numbers = read_only(cells.numbers.astype(np.float64, copy=False))
    return RowsSideBySide(TableCells(numbers, read_only(cells.codes), cells.where), read_only(numbers.T))


def columns_asked(descent: TreeDescent, rows: RowsSideBySide) -> list[tuple[Array | None, Array]]:
    """Rows of which the same columns decide at the same nodes, and the column at each node; None for those of the splits."""
    tree, count = descent.tree, rows.columns.shape[1]
    if not descent.shared and not len(tree.surrogate_feature):
        return [(None, np.arange(count))]
    asked = np.empty((count, tree.node_count), np.int64)
    find_columns_asked(rows.cells, descent.splits, descent.surrogates, tree.missing_branch, asked)
    kinds, kind = np.unique(asked, axis=0, return_inverse=True)
    return [(one, np.flatnonzero(kind.ravel() == number)) for number, one in enumerate(kinds)]


def part_of(rows: RowsSideBySide, start: int, end: int) -> RowsSideBySide:
    """Consecutive rows."""
    cells = rows.cells
    return side_by_side(TableCells(cells.numbers[start:end], cells.codes[start:end], cells.where))


def take(rows: RowsSideBySide, chosen: Array) -> RowsSideBySide:
    """Some of the rows."""
    cells = rows.cells
    return side_by_side(TableCells(cells.numbers[chosen], cells.codes[chosen], cells.where))


@compiled
def find_columns_asked(
    cells: TableCells, splits: Splits, surrogates: SurrogateSplits, missing_branch: Array, asked: Array
) -> None:
    """The column that decides at each node, for each row."""
    for i in range(len(asked)):
        for t in range(asked.shape[1]):
            column = splits.feature[t]
            asked[i, t] = column
            if column < 0 or answer(cells, i, column, splits.threshold[t], splits.level_branch, splits.level_start[t], 0) >= 0:
                continue
            if missing_branch[t] < 0:
                asked[i, t] = NO_COLUMN
            for s in range(surrogates.start[t], surrogates.start[t + 1]):
                b = answer(
                    cells, i, surrogates.feature[s], surrogates.threshold[s], surrogates.level_branch,
                    surrogates.level_start[s], surrogates.first[s],
                )  # fmt: skip
                if b >= 0:
                    asked[i, t] = surrogates.feature[s]
                    break


@compiled(inner=True)
def find_branches(t: int, first: int, rows: RowsSideBySide, splits: Splits, surrogates: SurrogateSplits, taken: Array) -> None:
    """The branch that each row from `first` on takes at an inner node; `splits.missing` where its cell does not tell."""
    if splits.feature[t] < 0:
        return
    at, missing = rows.cells.where[splits.feature[t]], splits.missing[t]
    if at >= 0 and surrogates.start[t] == surrogates.start[t + 1]:
        threshold, column = splits.threshold[t], rows.columns[at, first : first + len(taken)]
        for i in range(len(taken)):
            x = column[i]
            taken[i] = missing if x != x else int64(x > threshold)
    else:
        for i in range(len(taken)):
            b = branch_of(t, first + i, rows.cells, splits, surrogates)
            taken[i] = b if b >= 0 else missing
