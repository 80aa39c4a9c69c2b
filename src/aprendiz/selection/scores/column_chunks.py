"""Sums of wide tables, and of tables stored column by column, some columns at a time on each thread. Each column is summed by
itself: the cut does not show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any, TypeVar

import numpy as np

from aprendiz.core.rows import Block, Rows, fold, read_only
from aprendiz.core.sources.arrays import ArrayRows, in_memory
from aprendiz.core.threads import num_threads, ordered_map

CHUNK = 2**11  # columns
FEWEST = 64  # columns of a table stored column by column that are worth handing to another thread
Record = TypeVar("Record")


def sum_of_columns(rows: Rows, statistic: Callable[..., Record], *parameters: Any) -> Record:
    """`rows.sum(statistic, *parameters)`. The statistic takes a range of columns before the block, and its record holds arrays
    whose last axis is that of the columns."""
    width = rows.columns
    if in_memory(rows) and rows.dense and not rows.X.flags.c_contiguous and width >= FEWEST:
        at_once = min(CHUNK, max(FEWEST, -(-width // (2 * num_threads()))))
        return of_parts(width, at_once, lambda part: sum_of_stored_columns(rows, part, statistic, *parameters))
    if not is_one_block(rows) or width < 2 * CHUNK:
        return rows.sum(statistic, *parameters, slice(0, width))
    only = rows.only
    return of_parts(width, CHUNK, lambda part: statistic(*parameters, part, only))


def of_parts(width: int, at_once: int, statistic: Callable[[slice], Record]) -> Record:
    """The sums of so many columns at once, side by side."""
    parts = [slice(low, min(low + at_once, width)) for low in range(0, width, at_once)]
    with np.errstate(over="ignore", invalid="ignore"):
        return side_by_side(list(ordered_map(statistic, parts)))


def sum_of_stored_columns(rows: ArrayRows, part: slice, statistic: Callable[..., Record], *parameters: Any) -> Record:
    """Some columns of a table that is stored column by column: the same blocks, folded in the same order, without a copy of
    the table row by row."""
    X, n = rows.X[:, part], rows.X.shape[0]
    some = slice(0, part.stop - part.start)

    def block(start: int) -> Block:
        at = slice(start, start + rows.size)
        y, weight = (None if one is None else read_only(one[at]) for one in (rows.y, rows.weight))
        return Block(X[at], y, weight, start)

    return fold(statistic(*parameters, some, block(start)) for start in range(0, n, rows.size))


def is_one_block(rows: Rows) -> bool:
    """Are all rows one block?"""
    return rows.count is not None and rows.count <= rows.size if in_memory(rows) and rows.dense else rows.only is not None


def side_by_side(records: list[Any]) -> Any:
    """One record from those of neighbouring columns: arrays are joined along their last axis, records inside likewise."""
    first = records[0]
    changes = {}
    for field in fields(first):
        values = [getattr(record, field.name) for record in records]
        if isinstance(values[0], np.ndarray):
            changes[field.name] = np.concatenate(values, axis=-1)
    return replace(first, **changes)
