"""Rows as EM passes over them: the different ones, with the missing cells and the hidden nodes unknown, and the weight of each.

Equal rows, with the same cells missing, have the same completions: they are inferred once in a pass. Files and Dask are read
once for all passes.

Cost: O(n·columns); memory O(different rows · nodes).
"""

from __future__ import annotations

import numpy as np

from aprendiz.core.rows import Array, Rows
from aprendiz.graphical.structure.rows_with_holes import RowsWithHoles
from aprendiz.summaries.codes import UNKNOWN


def different_rows(rows: Rows, nodes: int, learner: str) -> tuple[Array, Array]:
    """The codes of the different rows that count, a column for each node, and their weights."""
    found = rows.sum(RowsWithHoles.of, rows.names, learner)
    return with_hidden(found.codes.astype(np.int32) - 1, nodes), found.weights


def with_hidden(codes: Array, nodes: int) -> Array:
    """The codes with a column of missing cells for each hidden node."""
    wide = np.full((len(codes), nodes), UNKNOWN, dtype=np.int32)
    wide[:, : codes.shape[1]] = codes
    return wide
