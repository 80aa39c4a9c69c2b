"""What a score of columns says: a statistic for each column, and how probable so much of it is in a column of no use."""

from __future__ import annotations

from typing import NamedTuple

from aprendiz.core.rows import Array


class Scored(NamedTuple):
    """A score and a p-value for each column; NaN where a column allows no statement: all cells missing, or all equal."""

    scores: Array
    pvalues: Array | None
