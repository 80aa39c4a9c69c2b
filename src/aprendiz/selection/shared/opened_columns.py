"""Tables for the functions of scores: checked rows, missing cells allowed."""

from __future__ import annotations

from typing import Any, ClassVar

from aprendiz.core.inputs import Target, open_rows, refuse_empty_sums
from aprendiz.core.learner import Learner
from aprendiz.core.rows import Rows
from aprendiz.selection.scores.scored import refuse_vanished


class Reader(Learner):
    """Reads a table, and learns nothing."""

    allows = frozenset({"missing", "sparse"})
    several_targets: ClassVar[bool] = False
    least_classes: ClassVar[int] = 2


def opened_columns(asker: str, X: Any, y: Any, sample_weight: Any, target: Target) -> Rows:
    """The rows of X with a target; refusals say who asks."""
    return open_rows(type(asker, (Reader,), {})(), X, y, sample_weight, target=target)


def in_range(sums: Any, rows: Rows) -> Any:
    """Sums in which nothing has overflowed, or vanished, and some row counts."""
    refuse_empty_sums(sums.weight, sums.finite, rows)
    refuse_vanished(sums.vanished_columns, rows.names)
    return sums
