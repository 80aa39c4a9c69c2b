"""The designs of some rows, one for each target: from sums where the columns are few, else from the table."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.rows import Array, Rows, in_memory
from aprendiz.core.sums import Moments, find_pivot
from aprendiz.linear.designs.design import CentredTable, Design, SummedDesign, TableDesign

NARROW = 512  # columns for which Σ zzᵀ is formed, if there are more rows than that
PATH = 8192  # columns for which it is formed too, for many penalties


def from_sums(rows: Rows, many: bool = False) -> bool:
    """Are the sums of all products formed? Always, where the rows are not in memory; for many penalties, if there are more
    rows than columns."""
    if not in_memory(rows):
        return True
    most = NARROW if not many or not rows.dense else PATH
    return rows.columns <= most and rows.count > rows.columns  # type: ignore[operator]  # known in memory


def designs(rows: Rows, intercept: bool, *, many: bool = False) -> Iterator[tuple[Design, float, Array, float]]:
    """For each target its design, the weight of all rows, the means of the columns and of the target."""
    if from_sums(rows, many):
        yield from summed_designs(rows, intercept)
        return
    assert in_memory(rows)
    table = CentredTable(rows.X.astype(np.float64, copy=False), rows.weight, intercept)
    assert rows.y is not None
    Y = rows.y.astype(np.float64, copy=False)
    for y in [Y] if Y.ndim == 1 else Y.T:
        yield TableDesign.of(table, y), table.total, table.mean, table.middle(y)


def summed_designs(rows: Rows, intercept: bool) -> Iterator[tuple[Design, float, Array, float]]:
    """The same, from one sum over the rows."""
    moments = rows.sum(Moments.joint, find_pivot(rows, target=True) * float(intercept))
    refuse_empty_sums(moments.weight, moments.finite, rows)
    d = moments.columns
    mean = moments.mean if intercept else np.zeros(len(moments.pivot))
    for target in range(len(mean) - d):
        yield SummedDesign.of(moments, intercept, target), float(moments.weight), mean[:d], float(mean[d + target])
