"""Sums of wide tables, some columns at a time on each thread. Each column is summed by itself: the cut does not show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any, TypeVar

import numpy as np

from aprendiz.core.rows import Block, Rows, read_only
from aprendiz.core.sources.arrays import in_memory
from aprendiz.core.threads import ordered_map

CHUNK = 2**11  # columns
Record = TypeVar("Record")


def sum_of_columns(rows: Rows, statistic: Callable[..., Record], *parameters: Any) -> Record:
    """`rows.sum(statistic, *parameters)`. The statistic takes a range of columns before the block, and its record holds arrays
    whose last axis is that of the columns."""
    width = rows.columns
    if not is_one_block(rows) or width < 2 * CHUNK:
        return rows.sum(statistic, *parameters, slice(0, width))
    parts = [slice(low, min(low + CHUNK, width)) for low in range(0, width, CHUNK)]
    with np.errstate(over="ignore", invalid="ignore"):
        found = list(ordered_map(lambda part: statistic(*parameters, *columns_of(rows, part)), parts))
    return side_by_side(found)


def is_one_block(rows: Rows) -> bool:
    """Are all rows one block?"""
    return rows.count is not None and rows.count <= rows.size if in_memory(rows) and rows.dense else rows.only is not None


def columns_of(rows: Rows, part: slice) -> tuple[slice, Block]:
    """Some columns and the block in which they are; a table that is stored column by column is not copied as a whole."""
    if in_memory(rows) and rows.dense and not rows.X.flags.c_contiguous:
        block = Block(read_only(rows.X[:, part]), rows.y, rows.weight, 0)
        return slice(0, part.stop - part.start), block
    assert rows.only is not None
    return part, rows.only


def side_by_side(records: list[Any]) -> Any:
    """One record from those of neighbouring columns: arrays are joined along their last axis, records inside likewise."""
    first = records[0]
    changes = {}
    for field in fields(first):
        values = [getattr(record, field.name) for record in records]
        if isinstance(values[0], np.ndarray):
            changes[field.name] = np.concatenate(values, axis=-1)
    return replace(first, **changes)
