"""Double input symmetrical relevance: the information of pairs, as a part of what there is to know of them and the class.

    J(j; S) = Σ_{s ∈ S} I(x_j, x_s; y) / H(x_j, x_s, y)                                                       (1)

The division takes from columns of many levels the advantage that they have by chance alone.

Reference: Meyer & Bontempi, "On the use of variable complementarity for feature selection in cancer classification",
EvoWorkshops 2006."""

from __future__ import annotations

from typing import Literal

import numpy as np

from aprendiz.core.parameters import Count, PositiveFraction
from aprendiz.core.rows import Array
from aprendiz.selection.information.coded_table import CodedTable
from aprendiz.selection.information.column_codes import Bins
from aprendiz.selection.information.greedy_filter import Bin, GreedyFilter


class DISR(GreedyFilter):
    """Choose columns as JMI does, by a normalised information of pairs.

    Parameters
    ----------
    keep, direction, first_cut, bins, n_bins : see MRMR

    Attributes
    ----------
    order_, order_scores_, scores_, relevance_, ranking_, ties_, support_, classes_, n_iter_, certificate_ : see MRMR

    Examples
    --------
    >>> from aprendiz.datasets import load
    >>> X, y = load("iris", return_X_y=True)
    >>> DISR(3).fit(X, y).order_
    array([3, 2, 0])
    """

    tuning = {"keep": (5, 10, 20)}

    def __init__(
        self,
        keep: Count | PositiveFraction | None = None,
        *,
        direction: Literal["forward", "backward"] = "forward",
        first_cut: PositiveFraction | None = None,
        bins: Bins = "quantile",
        n_bins: Bin | None = None,
    ):
        self.keep = keep
        self.direction = direction
        self.first_cut = first_cut
        self.bins = bins
        self.n_bins = n_bins

    def of_pairs(self, table: CodedTable, s: int, among: Array) -> Array:
        """I(x_j, x_s; y) / H(x_j, x_s, y)."""
        triple, joint, _alone, _second_class, _second, of_class, total = table.triples(s, among)
        of_total = table.of_total(total)
        shared, all_there_is = np.maximum(triple - joint - of_class + of_total, 0.0), of_total - triple
        return np.divide(shared, all_there_is, out=np.zeros_like(shared), where=all_there_is > 0)

    def criterion(self, relevance: Array, sums: Array, chosen: int) -> Array:
        """(1)."""
        return sums

    def backwards(self) -> bool:
        return self.direction == "backward"
