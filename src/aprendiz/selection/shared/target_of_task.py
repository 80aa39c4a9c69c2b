"""Rows in memory with a target that is a quantity or one of classes, as the target itself says or as it is told."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from aprendiz.core.inputs import Target, is_read_in_blocks, open_rows
from aprendiz.core.rows import Array
from aprendiz.core.sources.arrays import ArrayRows
from aprendiz.core.targets import plain
from aprendiz.selection.information.column_codes import is_quantity

Task = Literal["auto", "classification", "regression"]


def open_for_task(selector: Any, X: Any, y: Any, task: Task, sample_weight: Any = None) -> ArrayRows:
    """Checked rows, without those of weight 0; `labels` are those of the classes, None for a quantity."""
    if is_read_in_blocks(X):
        raise TypeError(f"{type(selector).__name__} needs the rows in memory: read them first, as an array or a frame.")
    if task == "auto":
        task = "regression" if is_quantity(y) else "classification"
    kind: Target = "numbers" if task == "regression" else "classes"
    rows = open_rows(selector, X, y, sample_weight, target=kind).compact()
    assert isinstance(rows, ArrayRows) and rows.y is not None  # noqa: PT018
    if rows.y.ndim > 1:
        if rows.y.shape[1] > 1:
            raise ValueError(f"y should be a 1d array, but it has {rows.y.shape[1]} columns: select for one target at a time.")
        rows = rows.like(y=rows.y[:, 0])
    rows = of_positive_weight(rows)
    refuse_constant(rows.y, rows.labels)  # type: ignore[arg-type]
    return rows


def of_positive_weight(rows: ArrayRows) -> ArrayRows:
    """The rows that count."""
    if rows.weight is None or (rows.weight > 0).all():
        return rows
    there = rows.weight > 0
    assert rows.y is not None
    return rows.like(X=rows.X[there], y=rows.y[there], weight=rows.weight[there])


def refuse_constant(y: Array, labels: Array | None) -> None:
    """Stop at a target that is the same in all rows."""
    if labels is None and len(y) == 1:
        raise ValueError("X has 1 sample, of which nothing can be said but its target: give more rows.")
    if labels is None and (y == y[0]).all():
        raise ValueError(f"The target is {plain(y[0])!r} in all rows: no column can say anything of it. Check the target.")


def refuse_few_rows(rows: int, least: int, why: str) -> None:
    """Stop at a table of too few rows."""
    if rows < least:
        raise ValueError(f"X has {rows} row(s), and {why} at least {least}: give more rows.")


def as_floats(X: Any) -> Array:
    """The cells in double precision, dense."""
    return np.asarray(X.toarray() if hasattr(X, "toarray") else X, dtype=np.float64)
