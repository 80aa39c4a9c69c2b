"""Training rows of a search by tests of independence: the different ones, and what is known of the graph."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

from aprendiz.core.inputs import refuse_empty_sums
from aprendiz.core.rows import ChangedRows, Rows
from aprendiz.graphical.structure.known_edges import KnownEdges
from aprendiz.graphical.structure.pair_tests import PairTests
from aprendiz.graphical.structure.rows_with_holes import RowsWithHoles
from aprendiz.graphical.structure.strata import refuse_many_levels


class TestedRows(ChangedRows):
    """Rows as they are, summed up when the first test is asked for."""

    __test__ = False  # no test of pytest's

    def __init__(self, rows: Rows, learner: str, statistic: int, adjust_df: bool, known: Mapping[str, Any]):
        super().__init__(rows, lambda block: block, rows.names, rows.columns)
        self.learner, self.statistic, self.adjust_df = learner, statistic, adjust_df
        schema = rows.noted.get("columns_")
        names = rows.names if schema is None else schema.names
        self.known = KnownEdges.of(range(rows.columns) if names is None else tuple(names), **known)

    @cached_property
    def tests(self) -> PairTests:
        """The tests of these rows."""
        record = self.source.sum(RowsWithHoles.of, self.names, self.learner)
        refuse_empty_sums(record.weight, record.finite, self)
        refuse_many_levels(record, np.argsort(record.levels)[-2:].tolist())
        return PairTests(record, self.statistic, self.adjust_df)
