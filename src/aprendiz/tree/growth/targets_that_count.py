"""Targets and weights of the rows that count, in memory, wherever the rows are."""

from __future__ import annotations

import numpy as np

from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.rows import Array, Rows
from aprendiz.core.sources.arrays import in_memory


def targets_that_count(rows: Rows) -> tuple[Array, Array | None, Array | None]:
    """Targets and weights (None: all 1) of the rows that count, and their numbers if there are others."""
    if in_memory(rows):
        assert rows.y is not None
        y, weight = rows.y, rows.weight
    else:
        weighted = rows.first(lambda block: block.weight is not None)
        y, weight = rows.each(lambda block: block.y), rows.each(lambda block: block.weight) if weighted else None
    if weight is None or (weight > 0).all():
        return y, weight, None
    refuse_empty_sums(weight, True, rows)
    there = np.flatnonzero(weight > 0)
    return y[there], weight[there], there
