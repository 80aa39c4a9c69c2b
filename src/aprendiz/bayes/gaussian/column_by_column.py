"""Discriminants whose columns do not depend on each other within a class: their sums are those of each column alone."""

from __future__ import annotations

from typing import Any

from aprendiz.bayes.gaussian.class_spread import ClassSpread, class_pivots
from aprendiz.bayes.gaussian.gaussian_classes import GaussianClasses
from aprendiz.core.rows import Rows


class ColumnByColumn(GaussianClasses):
    """Members of the family that need no products of columns."""

    def summarise(self, rows: Rows) -> Any:
        assert rows.labels is not None
        return rows.sum(ClassSpread.of, rows.labels, class_pivots(rows, len(rows.labels)))
