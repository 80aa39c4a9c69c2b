"""A table of any form as rows that can be summed: numbers with missing cells, and codes of categories beside them.

    rows.X    float64 (rows, columns of numbers), NaN where a cell is missing
    rows.y    int64 (rows, categories), −1 where a cell is missing; None if there are none

Words, and True and False, are categories; all other columns are numbers. Tables in memory may hold both. Files, Dask
collections and sparse matrices hold numbers; their target may be one category.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from aprendiz.core.cells import MISSING, Cells, cells_of
from aprendiz.core.frames import as_frame
from aprendiz.core.inputs import Target, holds_words, is_read_in_blocks, open_rows
from aprendiz.core.learner import Learner
from aprendiz.core.rows import Array, Block, ChangedRows, Rows, read_only
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.core.targets import as_target, plain, same_length, weights


@dataclass(frozen=True)
class OpenedTable:
    """Rows of numbers and codes, and what they are called. The last column, or category, is the target if there is one."""

    rows: Rows
    numbers: tuple[str, ...]
    categories: tuple[str, ...]
    levels: tuple[tuple[Any, ...], ...]
    target: str | None


class Reader(Learner):
    """The door for tables that are only looked at."""

    allows = frozenset({"missing", "sparse"})
    least_classes: ClassVar[int] = 1
    several_targets: ClassVar[bool] = False


def open_table(X: Any, y: Any = None, sample_weight: Any = None, *, classes: bool = False) -> OpenedTable:
    """X, with y as its last column if there is one; `classes` makes numbers in y codes of classes."""
    if is_read_in_blocks(X):
        return open_blocks(X, y, sample_weight, classes)
    frame = as_frame(X)
    if holds_words(X, frame):
        parts, names = list(cells_of(X)), [str(name) for name in (range(np.shape(X)[1]) if frame is None else frame.columns)]
        numbers = [(name, one.numbers()) for name, one in zip(names, parts, strict=True) if one.are_numbers]
        table = np.column_stack([np.empty((len(parts[0]), 0)), *(cells for _, cells in numbers)])
        coded = [(name, *encode(one)) for name, one in zip(names, parts, strict=True) if not one.are_numbers]
        given, count = tuple(name for name, _ in numbers), len(table)
    else:
        opened = open_rows(Reader(), X)
        assert isinstance(opened, ArrayRows)
        table, coded, count = opened.X, [], int(opened.X.shape[0])
        given = tuple(map(str, range(opened.columns) if opened.names is None else opened.names))
    target = None
    if y is not None:
        target = target_name(y, (*given, *(name for name, *_ in coded)))
        cells = target_cells(y, target, count)
        if cells.are_numbers and not classes:
            dense = table.toarray() if hasattr(table, "toarray") else table
            table, given = np.column_stack([dense, cells.numbers()]), (*given, target)
        else:
            coded.append((target, *encode(cells)))
    codes = np.column_stack([codes for _, _, codes in coded]) if coded else None
    rows = ArrayRows(table, codes, weights(sample_weight, count), given)
    return OpenedTable(rows, given, tuple(name for name, *_ in coded), tuple(levels for _, levels, _ in coded), target)


def target_name(y: Any, taken: tuple[str, ...]) -> str:
    """The name of a series, or y; with a remark where a column has that name."""
    name = str(getattr(y, "name", None) or "y")
    return f"{name} (target)" if name in taken else name


def target_cells(y: Any, name: str, count: int) -> Cells:
    """The target as a column."""
    values = as_target(y)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise ValueError(f"y has shape {values.shape}: describe one target at a time, or give it as columns of X.")
    same_length("y", len(values), count)
    return next(iter(cells_of({name: values})))


def encode(cells: Cells) -> tuple[tuple[Any, ...], Array]:
    """The levels of a category, and the codes of its cells."""
    levels = cells.distinct()
    return levels, cells.encode(levels).astype(np.int64)


def open_blocks(X: Any, y: Any, sample_weight: Any, classes: bool) -> OpenedTable:
    """Files and Dask collections, which hold numbers; their target may hold words."""
    target = kind_of_target(X, y, classes)
    rows = open_rows(Reader(), X, None if isinstance(X, Rows) else y, sample_weight, target=target)
    names = tuple(map(str, range(rows.columns) if rows.names is None else rows.names))
    name = target_name(y, names)
    if target == "numbers":
        beside = ChangedRows(rows, target_beside, (*names, name), rows.columns + 1)
        return OpenedTable(beside, (*names, name), (), (), name)
    if target == "classes":
        assert rows.labels is not None
        return OpenedTable(rows.changed(target_as_codes), names, (name,), (tuple(map(plain, rows.labels)),), name)
    return OpenedTable(rows.changed(lambda block: replace(block, y=None)), names, (), (), None)


def kind_of_target(X: Any, y: Any, classes: bool) -> Target:
    """Whether the target of a collection, or of opened rows, holds numbers or words."""
    if isinstance(X, Rows):
        sample = X.with_missing().first(lambda block: None if block.y is None else np.asarray(block.y[:1]))
    else:
        sample = y
    if sample is None:
        return "none"
    return "classes" if classes or getattr(getattr(sample, "dtype", None), "kind", "O") not in "iuf" else "numbers"


def target_beside(block: Block) -> Block:
    """The target as the last column of numbers."""
    return replace(block, X=read_only(np.column_stack([block.X, block.y])), y=None)


def target_as_codes(block: Block) -> Block:
    """The target as the only category."""
    return replace(block, y=read_only(np.asarray(block.y, dtype=np.int64)[:, None]))


def known(codes: Array) -> Array:
    """Which cells of a category are known."""
    return codes != MISSING
