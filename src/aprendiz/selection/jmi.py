"""Joint mutual information: columns that say much of the class together with each of those chosen before.

    J(j; S) = Σ_{s ∈ S} I(x_j, x_s; y)                                                                        (1)

A copy of a chosen column adds nothing to any pair; the partner of a chosen one in an exclusive or, which says nothing alone,
adds all there is.

Reference: Yang & Moody, "Data visualization and feature selection: new algorithms for nongaussian data", NIPS 12, 1999.
"""

from __future__ import annotations

from typing import Literal

from aprendiz.core.parameters import Count, PositiveFraction
from aprendiz.core.rows import Array
from aprendiz.selection.information.coded_table import CodedTable, information
from aprendiz.selection.information.column_codes import Bins
from aprendiz.selection.information.greedy_filter import Bin, GreedyFilter


class JMI(GreedyFilter):
    """Choose columns by what they say of the class together with each chosen one.

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
    >>> JMI(3).fit(X, y).order_
    array([3, 2, 1])
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
        """I(x_j, x_s; y)."""
        triple, joint, _alone, _second_class, _second, of_class, total = table.triples(s, among)
        return information(triple - joint - of_class + table.of_total(total), total)

    def criterion(self, relevance: Array, sums: Array, chosen: int) -> Array:
        """(1)."""
        return sums

    def backwards(self) -> bool:
        return self.direction == "backward"
